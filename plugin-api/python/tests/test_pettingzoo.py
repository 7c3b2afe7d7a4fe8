"""The environments, by PettingZoo's own tests; `.ci/wheel-games` runs it."""

import pickle
import unittest
import warnings

import numpy as np
from pettingzoo.test import api_test, seed_test
from test_games import TRIALS

from arbiter_games import Game, IllegalMove
from arbiter_games.pettingzoo import LEVELS, RawEnv, env


class PettingZoo(unittest.TestCase):
    def test_every_game_passes_the_tests_of_pettingzoo(self):
        for name, options in TRIALS:
            with self.subTest(name, **options), warnings.catch_warnings():
                warnings.simplefilter("error")
                # It warns of empty boards, and of observations with a mask, which it asks for itself.
                warnings.filterwarnings("ignore", "Observation")
                api_test(env(name, **options), num_cycles=300)
                seed_test(lambda name=name, options=options: env(name, **options), num_cycles=50)

    def test_an_agent_sees_its_own_pieces_first_and_only_the_one_to_move_may_act(self):
        played = RawEnv("othello")
        played.reset()
        played.step(played.game.action_of(played.position.legal_moves()[0]))
        cells = np.frombuffer(played.position.cells(), np.uint8).reshape(8, 8)
        self.assertEqual(played.agent_selection, "seat_2")
        for agent, own, other in (("seat_1", 1, 2), ("seat_2", 2, 1)):
            seen = played.observe(agent)
            np.testing.assert_array_equal(seen["observation"], np.stack([cells == own, cells == other]))
            self.assertEqual(seen["action_mask"].any(), agent == "seat_2")

    def test_stacks_are_seen_from_the_bottom(self):
        played = RawEnv("stacks", start_text=Game("stacks").start_text.replace("-,-", "xxo,-", 1))
        played.reset()
        seen = played.observe("seat_1")["observation"].reshape(1 + LEVELS, 2, 16)[:, :, 0]
        expected = np.zeros((1 + LEVELS, 2))
        expected[0, 1] = expected[1, 0] = expected[2, 0] = expected[3, 1] = 1
        np.testing.assert_array_equal(seen, expected)

    def test_who_wins_is_rewarded(self):
        played = RawEnv("tic-tac-toe", render_mode="ansi")
        played.reset()
        for action in (0, 3, 1, 4, 2):
            played.step(action)
        self.assertEqual(played.rewards, {"seat_1": 1.0, "seat_2": -1.0})
        self.assertTrue(all(played.terminations.values()))
        self.assertIn("x x x", played.render())

    def test_an_illegal_action_is_refused_or_ends_the_game_where_that_is_asked_for(self):
        strict, lenient = RawEnv("othello"), env("othello")
        strict.reset()
        with self.assertRaises(IllegalMove):
            strict.step(0)
        lenient.reset()
        lenient.step(0)
        self.assertEqual(lenient.rewards["seat_1"], -1)

    def test_environments_can_be_sent_to_other_processes(self):
        sent = pickle.loads(pickle.dumps(env("hex", size=5)))
        sent.reset(seed=1)
        self.assertEqual(sent.action_space("seat_2").n, 26)


if __name__ == "__main__":
    unittest.main()

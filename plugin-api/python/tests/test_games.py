"""What the wheel promises, tried on the installed one: `.ci/wheel-games` runs it."""

import copy
import json
import random
import unittest
from pathlib import Path

import arbiter_bot
from arbiter_games import GAMES, Game, IllegalMove, Move, Outcome, Position

ROOT = Path(__file__).resolve().parents[3]

# Every game, and options that change the size of the board, the moves, the seats or what chance does.
TRIALS = [(name, {}) for name in GAMES] + [
    ("chinese-checkers", {"players": 6}),
    ("chinese-checkers", {"players": 3, "no_blocking": False}),
    ("connect-four", {"columns": 9, "rows": 7, "connect": 5}),
    ("connect-four", {"size": "4x5"}),
    ("hex", {"size": 5, "swap": False}),
    ("stacks", {"n": 5, "variant": "3d", "removal": "off"}),
    ("stacks", {"earthquake": True, "variant": "top"}),
    ("ultimate", {"tie_break": "boards"}),
]


def perft(position, depth):
    if depth == 0:
        return 1
    count = 0
    for move in position.legal_moves():
        position.apply(move)
        count += perft(position, depth - 1)
        position.undo()
    return count


class Games(unittest.TestCase):
    def test_whoever_trains_sees_the_same_in_every_view_of_a_position(self):
        for name, options in TRIALS:
            with self.subTest(name, **options):
                game, choices = Game(name, **options), random.Random(7)
                position, texts = game.reset(seed=5), []
                while position.to_move() is not None:
                    actions, moves, mask = position.legal_actions(), position.legal_moves(), position.legal_mask()
                    self.assertEqual(len(mask), game.actions)
                    self.assertEqual([action for action in range(game.actions) if mask[action]], sorted(actions))
                    self.assertEqual([position.move_of(action) for action in actions], moves)
                    self.assertEqual([game.action_of(move) for move in moves], actions)
                    self.assertEqual([position.parse_move(position.move_text(move)) for move in moves], moves)
                    self.assertEqual(position.returns(), [0.0] * game.players)
                    self.assertIsNone(position.outcome(0))
                    texts.append((position.text(), position.hash(), position.cells(), position.ply))
                    position.step(choices.choice(actions))
                self.assertEqual(position.legal_actions(), [])
                self.assertEqual(set(position.legal_mask()), {0})
                self.assertEqual(position.returns(), [float(position.outcome(seat)) for seat in range(game.players)])
                self.assertEqual([rank == 1 for rank in position.ranks()], [at >= 0 for at in position.returns()])
                self.assertIsInstance(position.reason(), str)
                with self.assertRaisesRegex(IllegalMove, "(?i)the game is over"):
                    position.step(0)
                while texts:
                    position.undo()
                    self.assertEqual((position.text(), position.hash(), position.cells(), position.ply), texts.pop())
                self.assertEqual(position.text(), game.start_text)
                with self.assertRaises(IndexError):
                    position.undo()

    def test_recorded_games_come_out_as_the_referee_judged_them_earthquakes_included(self):
        played = 0
        for path in sorted((ROOT / "results/samples").glob("*.json")):
            report = json.loads(path.read_text())
            plan = report["plan"]
            rules = Game(plan["game"], players=plan["seats"], start_text=plan["position"], **plan["options"])
            for record in report["games"]:
                # What the referee did, the rules do not know of.
                if record.get("eliminations") or record["ending"]["reason"] == "max-plies":
                    continue
                position = rules.reset(seed=int(record.get("chance_seed", "0x0"), 16))
                for ply in record["plies"]:
                    chosen = position.parse_move(ply["move"])
                    self.assertIsNotNone(chosen, (path.name, ply))
                    position.step(rules.action_of(chosen))
                self.assertEqual(position.text(), record["final_position"], path.name)
                self.assertEqual(position.reason(), record["ending"]["reason"])
                self.assertEqual(position.ranks(), record["outcome"]["ranks"])
                self.assertEqual(position.scores(), record.get("scores", position.scores()))
                played += 1
        self.assertGreater(played, 10)

    def test_moves_are_counted_as_other_programs_count_them(self):
        # From the tables in arbiter/rules/tests/perft, which come from OpenSpiel and others.
        self.assertEqual(perft(Game("othello").start, 6), 8200)
        self.assertEqual(perft(Game("connect-four").start, 5), 7**5)
        self.assertEqual(perft(Game("tic-tac-toe").start, 9), 127872)

    def test_chance_follows_from_the_seed_alone(self):
        game = Game("stacks", earthquake=True)
        self.assertTrue(game.has_chance)

        def text(seed):
            position, choices = game.reset(seed), random.Random(1)
            for _ in range(12):
                position.step(choices.choice(position.legal_actions()))
            return position.text()

        self.assertEqual(text(3), text(3))
        self.assertGreater(len({text(seed) for seed in range(8)}), 1)
        position = game.reset(3)
        position.apply(position.legal_moves()[0])
        taken = position.copy()
        position.apply_sampled(position.legal_moves()[0], 1)
        position.undo()
        self.assertEqual(position.text(), taken.text())

    def test_copies_go_their_own_way(self):
        position = Game("othello").start
        position.apply(position.legal_moves()[0])
        for other in (position.copy(), copy.copy(position), copy.deepcopy(position)):
            with self.assertRaises(IndexError):
                other.undo()
            other.apply(other.legal_moves()[0])
            self.assertNotEqual(other.text(), position.text())
            other.set(position)
            self.assertEqual(other.text(), position.text())
        with self.assertRaisesRegex(ValueError, "the same game"):
            position.set(Game("hex").start)

    def test_what_is_wrong_is_said(self):
        for wrong, sentence in [
            (lambda: Game("otello"), "did you mean"),
            (lambda: Game("hex", size=99), "option size takes a number from 1 to"),
            (lambda: Game("hex", players=3), "hex is for 2 players"),
            (lambda: Game("hex", start_text="?"), "."),
            (lambda: Game("othello").start.step(0), "not-a-capture: "),
            (lambda: Game("othello").start.step(65), "action 65 is not legal"),
            (lambda: Game("othello").start.apply(Move.PASS), "pass-not-allowed: You may not pass"),
            (lambda: Game("othello").start.step(64), "action 64 is not legal"),
            (lambda: Game("stacks").start.move_of(16), "empty-stack: "),
            (lambda: Game("chinese-checkers").start.step(3), "occupied: "),
            (lambda: Game("connect-four").start.step(7), "action 7 is not legal"),
            (lambda: Game("othello").action_of(Move.of(arbiter_bot.Kind.REMOVE, 3, 3)), "othello has no move"),
        ]:
            with self.assertRaisesRegex(ValueError, sentence):
                wrong()
        with self.assertRaises(IndexError):
            Game("othello").start.outcome(2)
        self.assertIsNone(Game("othello").parse_position("nothing"))
        with self.assertRaisesRegex(AttributeError, "only a bot that plays"):
            arbiter_bot._arbiter.should_stop()

    def test_a_search_written_for_bots_works_here(self):
        class Best(arbiter_bot.Bot):
            """Wins where it can."""

            @staticmethod
            def winning(position):
                seat = position.to_move()
                for move in position.legal_moves():
                    position.apply(move)
                    outcome = position.outcome(seat)
                    position.undo()
                    if outcome == arbiter_bot.Outcome.WIN:
                        return move
                return None

        self.assertIs(Position, arbiter_bot.Position)
        position = Game("tic-tac-toe").start
        for text in ("a1", "b1", "a2", "b2"):
            position.apply(position.parse_move(text))
        self.assertEqual(position.move_text(Best.winning(position)), "a3")
        position.apply(Best.winning(position))
        self.assertEqual([position.outcome(0), position.outcome(1)], [Outcome.WIN, Outcome.LOSS])

    def test_boards_are_drawn(self):
        position = Game("tic-tac-toe").start
        position.apply(position.parse_move("b2"))
        self.assertIn("2 . x .", position.draw(ascii=True))
        self.assertEqual(str(position), position.draw())
        self.assertTrue(position.draw(ascii=True).isascii())


if __name__ == "__main__":
    unittest.main()

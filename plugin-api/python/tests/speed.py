"""Random games from Python, beside OpenSpiel's in the same run: `.ci/wheel-games` runs it. Exit code 1 where it is too slow.

Both play by the same loop: the legal actions as a list, one of them picked, played, until the game is over.
"""

import random
import statistics
import sys
import time

import pyspiel

from arbiter_games import Game

SECONDS = 1.0
ROUNDS = 5
LEAST = 100_000
RATIO = 5.0


def ours(game):
    position, plies, pick = game.reset(), 0, random.random
    while position.to_move() is not None:
        actions = position.legal_actions()
        position.step(actions[int(pick() * len(actions))])
        plies += 1
    return plies


def theirs(game):
    state, plies, pick = game.new_initial_state(), 0, random.random
    while not state.is_terminal():
        actions = state.legal_actions()
        state.apply_action(actions[int(pick() * len(actions))])
        plies += 1
    return plies


def speed(play, game):
    """Plies in a second of processor time, which a busy machine does not change."""
    begun, plies = time.process_time(), 0
    while time.process_time() - begun < SECONDS:
        plies += play(game)
    return plies / (time.process_time() - begun)


def main():
    slow = False
    for name, options, spiel in [
        ("othello", {}, "othello"),
        ("connect-four", {}, "connect_four"),
        ("hex", {"size": 11, "swap": False}, "hex(board_size=11)"),
        ("tic-tac-toe", {}, "tic_tac_toe"),
    ]:
        pair = (ours, Game(name, **options)), (theirs, pyspiel.load_game(spiel))
        rounds = [[speed(play, game) for play, game in pair] for _ in range(ROUNDS)]
        own, other = (statistics.median(column) for column in zip(*rounds))
        print(f"{name:12}  arbiter_games {own:9,.0f} plies/s  OpenSpiel {other:9,.0f} plies/s  {own / other:4.1f} times", flush=True)
        slow |= name == "othello" and (own < LEAST or own < RATIO * other)
    return int(slow)


if __name__ == "__main__":
    sys.exit(main())

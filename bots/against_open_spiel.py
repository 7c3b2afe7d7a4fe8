#!/usr/bin/env python3
"""A match of a bot against OpenSpiel's MCTS, seats alternating, from the empty board.

    pip install open_spiel
    python3 bots/against_open_spiel.py target/release/arbiter target/release/libalphabeta.so --game connect-four --games 200

The bot has a fixed time a move on the clock of `arbiter ask`; OpenSpiel has a fixed number of simulations. With `--busy` the
bot's time is stretched by as much as OpenSpiel's last move took longer than its processor time, so that neither profits
from other work on the machine. Hex is played without swapping, as OpenSpiel knows it.
"""

import argparse
import subprocess
import sys
import time

try:
    import pyspiel
except ImportError:
    sys.exit("skipped: open_spiel is not installed here; try `pip install open_spiel`")


class Table:
    """One game's names in both programs."""

    def __init__(self, game, size):
        self.options = []
        if game == "connect-four":
            self.rules, self.width = "connect_four", 7
        elif game == "othello":
            self.rules, self.width = "othello", 8
        else:
            self.rules, self.width = f"hex(board_size={size})", size
            self.options = ["-O", f"size={size}", "-O", "swap=false"]
        self.game = game

    def text(self, action):
        """An action of OpenSpiel as a move of arbiter."""
        if self.game == "connect-four":
            return str(action + 1)
        if self.game == "othello" and action == 64:
            return "pass"
        return "abcdefghijklmnopqrs"[action % self.width] + str(action // self.width + 1)


def play(args, table, game, seat, number):
    """One game; what the bot in this seat gets of it: 1, 0.5 or 0."""
    evaluator = pyspiel.RandomRolloutEvaluator(1, number)
    opponent = pyspiel.MCTSBot(game, evaluator, 2.0, args.simulations, 1000, True, number, False)
    state, moves, stretch = game.new_initial_state(), [], 1.0
    while not state.is_terminal():
        if state.current_player() == seat:
            command = [args.arbiter, "ask", args.bot, "--game", table.game, *table.options, "--move-time", f"{round(args.move_time * stretch)}ms"]
            command += ["--seed", str(number), "--margin", "5s"]
            command += [word for option in args.option for word in ("-B", option)]
            command += ["--moves", ("" if table.game == "connect-four" else " ").join(moves)] if moves else []
            answer = subprocess.run(command, capture_output=True, text=True, timeout=120)
            if answer.returncode != 0:
                sys.exit(f"{' '.join(command)}\n{answer.stderr}")
            text = answer.stdout.strip()
            action = next(action for action in state.legal_actions() if table.text(action) == text)
        else:
            wall, used = time.perf_counter(), time.process_time()
            action = opponent.step(state)
            if args.busy:
                used = time.process_time() - used
                stretch = min(max((time.perf_counter() - wall) / max(used, 0.001), 1.0), 20.0)
        moves.append(table.text(action))
        state.apply_action(action)
    share = (state.returns()[seat] + 1) / 2 if table.game != "othello" else (1 + (state.returns()[seat] > 0) - (state.returns()[seat] < 0)) / 2
    print(f"game {number}: {'first' if seat == 0 else 'second'}, {share}, {' '.join(moves)}", flush=True)
    return share


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("arbiter")
    parser.add_argument("bot")
    parser.add_argument("--game", choices=["connect-four", "othello", "hex"], required=True)
    parser.add_argument("--size", type=int, default=7, help="of the board of hex")
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--simulations", type=int, default=13_000, help="of OpenSpiel, a move")
    parser.add_argument("--move-time", type=int, default=100, help="of the bot, in milliseconds")
    parser.add_argument("--busy", action="store_true", help="stretch the bot's time where the machine is busy")
    parser.add_argument("--option", action="append", default=[], help="of the bot, KEY=VALUE")
    args = parser.parse_args()
    table = Table(args.game, args.size)
    game = pyspiel.load_game(table.rules)
    shares = [play(args, table, game, number % 2, number) for number in range(args.games)]
    won, drawn = shares.count(1), shares.count(0.5)
    print(f"{args.bot}: {won} won, {drawn} drawn, {len(shares) - won - drawn} lost, {100 * sum(shares) / len(shares):.1f} %")


if __name__ == "__main__":
    main()

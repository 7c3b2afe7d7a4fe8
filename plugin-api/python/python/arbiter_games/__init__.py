"""The rules that arbiter referees by. `__init__.pyi` says what everything is."""
from _arbiter import Game, games
from arbiter_bot import EMPTY, OUTSIDE, IllegalMove, Kind, Move, Outcome, Position, cell_of

__all__ = [
    "EMPTY", "GAMES", "Game", "IllegalMove", "Kind", "Move", "OUTSIDE", "Outcome", "Position", "cell_of",
]

GAMES = games()

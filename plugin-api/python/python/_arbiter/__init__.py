"""What `arbiter_bot` stands on where no arbiter plays: positions, and nothing to ask."""
from ._native import Game, Position, games, know

__all__ = ["Game", "Position", "games", "know"]


def __getattr__(name):
    raise AttributeError("there is no %s here: only a bot that plays under the arbiter can ask for it" % name)

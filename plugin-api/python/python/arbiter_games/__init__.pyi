"""The rules that arbiter referees by, to train with: types and documentation.

    import random
    from arbiter_games import Game

    game = Game("connect-four", columns=7, rows=6)
    position = game.reset()
    while position.to_move() is not None:
        position.step(random.choice(position.legal_actions()))
    print(position, position.returns())

Positions are those of `arbiter_bot`, method for method, so that a search or a network that was trained here plays under the
arbiter unchanged; `import arbiter_bot` works here too. What they can do beyond it is said below. Seats count from 0.

`arbiter_games.pettingzoo` makes the same games environments of PettingZoo.
"""

from typing import Any, Optional, Union, final

import arbiter_bot
from arbiter_bot import EMPTY as EMPTY
from arbiter_bot import OUTSIDE as OUTSIDE
from arbiter_bot import IllegalMove as IllegalMove
from arbiter_bot import Kind as Kind
from arbiter_bot import Move as Move
from arbiter_bot import Outcome as Outcome
from arbiter_bot import cell_of as cell_of

__all__ = [
    "EMPTY", "GAMES", "Game", "IllegalMove", "Kind", "Move", "OUTSIDE", "Outcome", "Position", "cell_of",
]

GAMES: tuple[str, ...]
"""The names of all games."""

@final
class Position(arbiter_bot.Position):
    """A position of your own, with its past. Copies keep the seed, and have nothing to undo.

    Actions are moves as numbers from 0 to `game.actions - 1`, the same move always the same number:

    - connect-four: the column.
    - chinese-checkers: 121 times the hole from, plus the hole to; last the pass.
    - all others: the cell. In stacks, taking the top of a stack follows behind all cells; in othello the pass is last, in hex
      the swap, where there is one.
    """

    def step(self, action: int) -> None:
        """Plays an action, or raises IllegalMove. What chance does after it is drawn from the seed and the number of turns
        alone, as in the arbiter: the same actions from the same seed lead to the same positions."""
    def legal_actions(self) -> list[int]:
        """The numbers of all legal moves; none only when the game is over."""
    def legal_mask(self) -> bytes:
        """One byte for each action: 1 where it is legal, otherwise 0. `numpy.frombuffer(mask, numpy.int8)` copies nothing."""
    def move_of(self, action: int) -> Move:
        """The legal move with this number, or raises IllegalMove. `game.action_of` is the way back."""
    def returns(self) -> list[float]:
        """For each seat 1.0 for first alone, 0.0 for first together with others, -1.0 for anything else; all 0.0 while the game
        goes on."""
    def ranks(self) -> Optional[list[int]]:
        """For each seat: 1 is best, equal numbers are ties. None while the game goes on."""
    def scores(self) -> dict[str, list[int]]:
        """Numbers by seat, such as discs or the distance to go; empty in games without."""
    def reason(self) -> Optional[str]:
        """The rule that ended the game: `"line"`, `"full"`. None while it goes on."""
    def draw(self, *, ascii: bool = False) -> str:
        """The board as lines of text, as the arbiter draws it; also `print(position)`."""
    @property
    def seed(self) -> int:
        """Where `step` draws chance from."""
    @property
    def ply(self) -> int:
        """Moves played since the start, passes included."""
    def copy(self) -> "Position": ...
    def __copy__(self) -> "Position": ...
    def __deepcopy__(self, _memo: Any) -> "Position": ...

@final
class Game:
    """A game under its options, `Game("stacks", n=5, earthquake=True)`: those of `arbiter rules GAME`. ValueError says what is
    wrong with them."""

    def __new__(
        cls, id: str, /, *, players: Optional[int] = None, start_text: Optional[str] = None, **rules: Union[str, int, bool]
    ) -> "Game": ...
    def reset(self, seed: int = 0) -> Position:
        """The start of a new game. Chance comes from the seed, 64 bits."""
    def parse_position(self, text: str) -> Optional[Position]:
        """A position from text, under the same options; None if the text says none."""
    def action_of(self, move: int) -> int:
        """The action of a move, legal or not; ValueError for one that this game cannot have."""
    @property
    def id(self) -> str:
        """`"othello"`."""
    @property
    def title(self) -> str:
        """The name that people read."""
    @property
    def players(self) -> int: ...
    @property
    def width(self) -> int:
        """Columns of the cells array."""
    @property
    def height(self) -> int:
        """Rows of the cells array."""
    @property
    def depth(self) -> int:
        """Boards of the cells array; 1 but for ultimate tic-tac-toe."""
    @property
    def start_text(self) -> str:
        """The start as text."""
    @property
    def rules(self) -> dict[str, str]:
        """Every option, defaults too."""
    @property
    def actions(self) -> int:
        """How many actions there are."""
    @property
    def has_chance(self) -> bool:
        """Whether anything is left to chance under these options."""
    @property
    def start(self) -> Position:
        """A copy of the start: `reset()`."""

"""The kit for bots in Python: types and documentation.

A first bot plays the first move there is:

    from arbiter_bot import Bot

    class First(Bot):
        def choose_move(self, turn):
            return turn.moves[0]

    $ arbiter ./bot.py ./greedy.so --game othello

The module itself comes with arbiter and is there when a bot plays; this file tells editors and type checkers about it. The
words are those of the Rust kit. Times are seconds. Seats count from 0.

A bot that looks ahead plays moves on a position of its own and takes them back:

    def winning_move(turn):
        position = turn.position
        for move in turn.moves:
            position.apply(move)
            outcome = position.outcome(turn.seat)
            position.undo()
            if outcome == Outcome.WIN:
                return move
"""

from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar, Optional, TypeVar, Union

_T = TypeVar("_T")

EMPTY: int
"""In cells: no piece. The pieces of seat 0 are 1, of seat 1 they are 2, and so on."""
OUTSIDE: int
"""In cells: a place in the array that is not on the board."""

def cell_of(seat: int) -> int:
    """The value of a seat's pieces in cells."""

def read_file(name: str) -> bytes:
    """A file beside `bot.py`, in a bot that is a folder or a zip archive: `read_file("weights/net.bin")`.

    A bot cannot open files of the machine. FileNotFoundError names the files that it brings."""

class Kind(int):
    """What a move does."""

    PLACE: ClassVar["Kind"]
    """Puts a piece on `move.to`."""
    MOVE: ClassVar["Kind"]
    """Takes a piece from `move.from_` to `move.to`."""
    REMOVE: ClassVar["Kind"]
    """Takes a piece off `move.from_`."""
    PASS: ClassVar["Kind"]
    """Does nothing."""
    @property
    def name(self) -> Optional[str]: ...

class Outcome(int):
    """How a game ended for one seat: WIN is first alone, DRAW first together with others. They compare: LOSS < DRAW < WIN."""

    LOSS: ClassVar["Outcome"]
    DRAW: ClassVar["Outcome"]
    WIN: ClassVar["Outcome"]
    @property
    def name(self) -> Optional[str]: ...

class StopLevel(int):
    """How far the time for a turn has run. Later ones compare greater."""

    GO_ON: ClassVar["StopLevel"]
    """Keep thinking."""
    ENOUGH: ClassVar["StopLevel"]
    """The soft time is over: a good moment to answer."""
    STOP: ClassVar["StopLevel"]
    """Answer now."""
    ABANDON: ClassVar["StopLevel"]
    """The answer is no longer wanted: just return."""
    @property
    def name(self) -> Optional[str]: ...

class LogLevel(int):
    """How much a message matters."""

    DEBUG: ClassVar["LogLevel"]
    INFO: ClassVar["LogLevel"]
    WARN: ClassVar["LogLevel"]
    ERROR: ClassVar["LogLevel"]
    @property
    def name(self) -> Optional[str]: ...

class Move(int):
    """A move: a number that says everything about it in its own game. Take it from a list of legal moves, compare it with
    `==`, use it as a key, send it back."""

    NONE: ClassVar["Move"]
    """No move."""
    PASS: ClassVar["Move"]
    """The one pass there is."""
    @classmethod
    def of(cls, kind: int, from_: int, to: int, extra: int = 0) -> "Move":
        """The move of this kind with these cells; where a piece has only one cell, `from_` equals `to`."""
    @property
    def kind(self) -> Optional[Kind]: ...
    @property
    def from_(self) -> int:
        """The cell where the piece comes from."""
    @property
    def to(self) -> int:
        """The cell where the piece ends up."""
    @property
    def extra(self) -> int:
        """The game-specific number, 0 in most games."""
    @property
    def is_pass(self) -> bool: ...

class IllegalMove(ValueError):
    """A move was played that is not legal; the position is as it was."""

class Resign(Exception):
    """Raise it in choose_move to give the game up."""

class Unsupported(Exception):
    """Raise it in __init__: this game or option is not for this bot, and why."""

class Position:
    """A position of your own. Get one from `turn.position`; it is good as long as you keep it, also in later games.

    Several threads may read one position at the same time, as long as nobody changes it."""

    def copy(self) -> "Position":
        """Another position of your own: this one, with nothing to undo."""
    def apply(self, move: int) -> None:
        """Plays a move, or raises IllegalMove. Chance is not drawn."""
    def apply_sampled(self, move: int, random: int) -> None:
        """Plays a move and then what chance does after it, drawn from 64 bits of your own (`turn.random()`). One undo takes
        back both. Where nothing is left to chance it is apply."""
    def undo(self) -> None:
        """Takes back the last move played on this copy; IndexError where there is none."""
    def set(self, from_: "Position") -> None:
        """Becomes a fresh copy of another position of the same game."""
    def to_move(self) -> Optional[int]:
        """The seat that moves next; None when the game is over."""
    def outcome(self, seat: int) -> Optional[Outcome]:
        """How the game ended for a seat, by all the rules; None while it goes on for that seat."""
    def legal_moves(self) -> list[Move]:
        """Every legal move; none only when the game is over."""
    def cells(self) -> bytes:
        """The board, one byte a cell, in the order of the table in arbiter_bot.h."""
    def column(self, cell: int) -> bytes:
        """The pieces on one cell from bottom to top: many in the stacks game, at most one in the others."""
    def hash(self) -> int:
        """A key for tables: equal for the same pieces, seat to move and rights, whatever the past."""
    def text(self) -> str:
        """The position as text."""
    def move_text(self, move: int) -> str:
        """A move as people write it."""
    def parse_move(self, text: str) -> Optional[Move]:
        """The legal move that people write like this, if there is one."""
    def move_path(self, move: int) -> list[int]:
        """The cells that a legal move goes through, first and last included; of several roads a shortest."""

class _Asking:
    def log(self, text: object, level: int = LogLevel.INFO) -> None:
        """Writes to the match log, as print does."""
    def random(self) -> int:
        """64 random bits from the arbiter. They start afresh with each game, from `game.seed`."""
    def should_stop(self) -> bool:
        """Whether it is time to answer: the soft time is over, or worse. Cheap: ask at every node."""
    def stop_level(self) -> StopLevel:
        """How far the time for this turn has run."""
    def time_left(self) -> Optional[float]:
        """What is left of the hard limit; None if there is none."""

class Game(_Asking):
    """A game that begins."""

    id: str
    """`"othello"`."""
    seat: int
    """The bot's own seat."""
    players: int
    width: int
    """Columns of the cells array."""
    height: int
    """Rows of the cells array."""
    depth: int
    """Boards of the cells array; 1 but for ultimate tic-tac-toe."""
    start_text: str
    """The position before the opening moves, as text."""
    rules: dict[str, str]
    """Every option of the game, defaults too."""
    options: dict[str, str]
    """The options given to this bot: `-B 1:depth=4`."""
    threads: int
    """Processor cores that the bot may keep busy."""
    max_errors: int
    """Refused answers after which the game is lost."""
    memory: Optional[int]
    """Bytes that the bot may use in all; None if nobody counts."""
    seed: int
    """For the bot's own random numbers: `random.Random(game.seed)`."""
    time: Optional[float]
    """The clock at the start; None if it never runs out."""
    increment: Optional[float]
    """Added to the clock after each of the bot's moves."""
    move_limit: Optional[float]
    """Most time for one move; None if there is no limit."""
    @property
    def start(self) -> Position:
        """A copy of the position before the opening moves, which are told as events."""
    def parse_position(self, text: str) -> Optional[Position]:
        """A new position from text, under the rules of this game; None if the text says none."""
    def parse_option(self, key: str, read: Callable[[str], _T] = ..., default: Optional[_T] = None) -> Optional[_T]:
        """An option given to this bot: `game.parse_option("depth", int, 3)`. A text that is no such value refuses the game."""
    def allow_options(self, *known: str) -> None:
        """Refuses options other than these, so that a misspelt name is not overlooked."""

class Turn(_Asking):
    """The bot's turn: everything about the position, so that a bot need not remember anything."""

    moves: list[Move]
    """Every legal move; at least one."""
    seat: int
    players: int
    ply: int
    """Moves played since the start by all seats, passes included."""
    attempt: int
    """How many answers to this very turn were refused."""
    soft_limit: Optional[float]
    """A sensible time to spend on this move."""
    hard_limit: Optional[float]
    """The bot must answer within this time; None if there is no limit."""
    game: Game
    @property
    def position(self) -> Position:
        """A copy of the position to play on, made when it is first asked for; the same one all through the turn. More come
        from `turn.position.copy()`."""
    @property
    def cells(self) -> bytes:
        """The board, one byte a cell, in the order of the table in arbiter_bot.h."""
    @property
    def text(self) -> str:
        """The position as text."""
    @property
    def history(self) -> list[Move]:
        """The moves played so far, oldest first."""
    def clock(self, seat: int) -> Optional[float]:
        """What a seat has left on its clock; None if it never runs out."""
    def report(
        self,
        best: int = Move.NONE,
        score: Optional[float] = None,
        depth: int = 0,
        nodes: int = 0,
        line: Iterable[int] = (),
        text: str = "",
    ) -> None:
        """Tells what the bot has found so far, as often as it likes. Scores are from its own side, 100 is about one piece."""
    def report_root_moves(
        self, depth: int, values: Iterable[Union[tuple[int, float], tuple[int, float, int]]]
    ) -> None:
        """Tells what every move is worth: (move, score), or (move, score, bound) with 0 for exact, 1 for at most, 2 for at
        least. `DEBUG=1 arbiter ask` shows it."""
    def answer_path(self, cells: Sequence[int]) -> Move:
        """Answers with the cells that a piece goes through: `return turn.answer_path([10, 31, 48])`."""

class Event:
    """Something happened: a move of any seat (the bot's too), chance, or a seat left the game."""

    seat: Optional[int]
    """Who it happened to; None if it was chance."""
    ply: int
    """Moves played before this one."""
    move: Optional[Move]
    is_forced: bool
    """The player did not choose the move: an opening, the only pass."""
    is_elimination: bool
    """This seat is out of a game that goes on without it; `text` is the reason."""
    time: Optional[float]
    """Time taken."""
    text: str
    """The move as people write it."""
    game: Game
    @property
    def is_chance(self) -> bool: ...
    @property
    def position(self) -> Position:
        """A copy of the position after it; to be asked for while played lasts."""

class GameResult:
    """The game is over."""

    outcome: Outcome
    """The bot's own."""
    outcomes: list[Outcome]
    """Of every seat."""
    ranks: list[int]
    """Of every seat: 1 is best, equal numbers are ties."""
    scores: Optional[list[int]]
    """Of every seat (discs, distance to go), in games that have scores."""
    reason: str
    game: Game

class Bot:
    """A player of games. One instance plays one game. A file has one bot: the class that begins with `class Mine(Bot):`."""

    name: str
    """In tables; the name of the class where it is empty."""
    version: str
    author: str
    about: str
    """One line; the first one of the class's documentation where it is empty."""
    games: Union[str, Sequence[str]]
    """Ids of the games it plays, `"othello connect-four"`; any game where it is empty."""
    game: Game
    def __init__(self, game: Game) -> None:
        """Sits down for a game. Unsupported refuses it."""
    def choose_move(self, turn: Turn) -> int:
        """Answers a turn with one of `turn.moves`. Resign gives the game up; any other exception loses it."""
    def played(self, event: Event) -> None:
        """Hears of a move of any seat, of chance, or of a seat that left; in order, before the next turn, on the bot's clock."""
    def game_over(self, result: GameResult) -> None:
        """Hears how the game ended."""
    def next_game(self, game: Game) -> "Bot":
        """The player of the following game: a new one, or this one with what is worth keeping."""

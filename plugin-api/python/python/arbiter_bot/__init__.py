"""The kit for bots in Python. `arbiter_bot.pyi` says what everything is; `arbiter new-bot` puts it beside a bot."""
import _arbiter
from _arbiter import Position

__all__ = [
    "Bot", "Event", "Game", "GameResult", "IllegalMove", "Kind", "LogLevel", "Move", "Outcome", "Position",
    "Resign", "StopLevel", "Turn", "Unsupported", "cell_of", "read_file",
]


class _Named(int):
    __slots__ = ()
    _names = {}

    def __repr__(self):
        return "%s.%s" % (type(self).__name__, self._names.get(int(self), int(self)))

    @property
    def name(self):
        return self._names.get(int(self))


def _constants(cls, **values):
    cls._names = {value: name for name, value in values.items()}
    for name, value in values.items():
        setattr(cls, name, int.__new__(cls, value))
    return cls


class Kind(_Named):
    __slots__ = ()


class Outcome(_Named):
    __slots__ = ()


class StopLevel(_Named):
    __slots__ = ()


class LogLevel(_Named):
    __slots__ = ()


_constants(Kind, PLACE=1, MOVE=2, REMOVE=3, PASS=4)
_constants(Outcome, LOSS=-1, DRAW=0, WIN=1)
_constants(StopLevel, GO_ON=0, ENOUGH=1, STOP=2, ABANDON=3)
_constants(LogLevel, DEBUG=0, INFO=1, WARN=2, ERROR=3)

EMPTY = 0
OUTSIDE = 255


def cell_of(seat):
    return seat + 1


class Move(int):
    __slots__ = ()

    @classmethod
    def of(cls, kind, from_, to, extra=0):
        return cls(kind << 48 | extra << 32 | from_ << 16 | to)

    @property
    def kind(self):
        number = self >> 48 & 0xFF
        return Kind(number) if number in Kind._names else None

    @property
    def from_(self):
        return self >> 16 & 0xFFFF

    @property
    def to(self):
        return self & 0xFFFF

    @property
    def extra(self):
        return self >> 32 & 0xFFFF

    @property
    def is_pass(self):
        return self == 4 << 48

    def __repr__(self):
        kind = self >> 48 & 0xFF
        if kind == 2:
            return "Move(%d to %d)" % (self.from_, self.to)
        if kind == 1 or kind == 3:
            return "Move(%s %d)" % ("place" if kind == 1 else "remove", self.to)
        return "Move(pass)" if kind == 4 else "Move(%#x)" % int(self)

    __str__ = __repr__


Move.NONE = Move(0)
Move.PASS = Move(4 << 48)


class IllegalMove(ValueError):
    pass


class Resign(Exception):
    pass


class Unsupported(Exception):
    pass


class Bot:
    name = version = author = about = games = ""

    def __init__(self, game):
        self.game = game

    def choose_move(self, turn):
        raise NotImplementedError("%s has no method choose_move(self, turn)" % type(self).__name__)

    def played(self, event):
        pass

    def game_over(self, result):
        pass

    def next_game(self, game):
        return type(self)(game)


class _Asking:
    """What can be asked of the arbiter while a game lasts."""

    __slots__ = ()

    def log(self, text, level=1):
        _arbiter.log(level, str(text))

    def random(self):
        return _arbiter.random()

    def should_stop(self):
        return _arbiter.should_stop()

    def stop_level(self):
        return StopLevel(_arbiter.stop_level())

    def time_left(self):
        return _arbiter.time_left()


class Game(_Asking):
    __slots__ = (
        "id", "seat", "players", "width", "height", "depth", "start_text", "rules", "options", "threads",
        "max_errors", "memory", "seed", "time", "increment", "move_limit",
    )

    def __init__(self, *values):
        for name, value in zip(self.__slots__, values):
            setattr(self, name, value)
        self.rules, self.options = dict(self.rules), dict(self.options)

    @property
    def start(self):
        return _arbiter.start_position()

    def parse_position(self, text):
        return _arbiter.parse_position(text)

    def parse_option(self, key, read=str, default=None):
        if key not in self.options:
            return default
        try:
            return read(self.options[key])
        except ValueError as why:
            raise Unsupported("option %s=%s: %s" % (key, self.options[key], why)) from None

    def allow_options(self, *known):
        for key in self.options:
            if key not in known:
                there = "try " + ", ".join(known) if known else "this bot has none"
                raise Unsupported("there is no option %s: %s" % (key, there))

    def __repr__(self):
        return "Game(%s, seat %d of %d)" % (self.id, self.seat, self.players)


class Turn(_Asking):
    __slots__ = (
        "moves", "seat", "players", "ply", "attempt", "soft_limit", "hard_limit", "game",
        "_position", "_cells", "_text", "_history", "_clocks",
    )

    def __init__(self, moves, seat, players, ply, attempt, soft_limit, hard_limit, game):
        self.moves = moves
        self.seat = seat
        self.players = players
        self.ply = ply
        self.attempt = attempt
        self.soft_limit = soft_limit
        self.hard_limit = hard_limit
        self.game = game
        self._position = self._cells = self._text = self._history = self._clocks = None

    @property
    def position(self):
        if self._position is None:
            self._position = _arbiter.turn_position()
        return self._position

    @property
    def cells(self):
        if self._cells is None:
            self._cells = _arbiter.turn_cells()
        return self._cells

    @property
    def text(self):
        if self._text is None:
            self._text = _arbiter.turn_text()
        return self._text

    @property
    def history(self):
        if self._history is None:
            self._history = _arbiter.turn_history()
        return self._history

    def clock(self, seat):
        if self._clocks is None:
            self._clocks = _arbiter.turn_clocks()
        return self._clocks[seat]

    def report(self, best=0, score=None, depth=0, nodes=0, line=(), text=""):
        _arbiter.report(depth, best, nodes, None if score is None else int(score), list(line), text)

    def report_root_moves(self, depth, values):
        values = [(value + (0,))[:3] for value in values]
        columns = [list(column) for column in zip(*values)] or [[], [], []]
        _arbiter.report_root_moves(depth, columns[0], [int(score) for score in columns[1]], columns[2])

    def answer_path(self, cells):
        return _arbiter.answer_path(list(cells))

    def __repr__(self):
        return "Turn(ply %d, seat %d, %d moves)" % (self.ply, self.seat, len(self.moves))


class Event:
    __slots__ = ("seat", "ply", "move", "is_forced", "is_elimination", "time", "text", "game", "_position")

    def __init__(self, seat, ply, flags, move, time, text, game):
        self.seat = None if seat < 0 else seat
        self.ply = ply
        self.move = move if move else None
        self.is_forced = bool(flags & 1)
        self.is_elimination = bool(flags & 2)
        self.time = time
        self.text = text
        self.game = game
        self._position = None

    @property
    def is_chance(self):
        return self.seat is None

    @property
    def position(self):
        if self._position is None:
            self._position = _arbiter.event_position()
        return self._position

    def __repr__(self):
        return "Event(ply %d, seat %s, %s)" % (self.ply, self.seat, self.text)


class GameResult:
    __slots__ = ("outcome", "outcomes", "ranks", "scores", "reason", "game")

    def __init__(self, outcome, outcomes, ranks, scores, reason, game):
        self.outcome = Outcome(outcome)
        self.outcomes = [Outcome(one) for one in outcomes]
        self.ranks, self.scores, self.reason, self.game = ranks, scores, reason, game

    def __repr__(self):
        return "GameResult(%r, %s)" % (self.outcome, self.reason)


def read_file(name):
    data = _arbiter.payload_read(name)
    if data is None:
        there = ", ".join(sorted(_arbiter.payload_names())) or "the bot is a single file"
        raise FileNotFoundError("the bot brings no file %s: %s" % (name, there))
    return data


_arbiter.know(Move, IllegalMove, Outcome.LOSS, Outcome.DRAW, Outcome.WIN)

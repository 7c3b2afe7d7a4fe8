"""How the bridge runs a bot: what imports see, which class plays, and what is said of an exception."""
import sys

import _arbiter
import arbiter_bot

_sources = {}


def settle(paths):
    """Where imports look, and how: a bot may open files to read, and not ask about paths."""
    sys.path[:] = paths
    sys.argv[:] = [""]
    if sys.platform != "linux":
        return
    import posix
    import _frozen_importlib_external as files

    def stat(path):
        file = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC)
        try:
            return posix.fstat(file)
        finally:
            posix.close(file)

    files._path_stat = stat
    sys.path_importer_cache.clear()


class Archive:
    """Imports modules from the bot's own archive."""

    def __init__(self):
        self.names = set(_arbiter.payload_names())

    def find_spec(self, name, path=None, target=None):
        from _frozen_importlib import ModuleSpec

        stem = name.replace(".", "/")
        for file, package in (stem + "/__init__.py", True), (stem + ".py", False):
            if file in self.names:
                spec = ModuleSpec(name, self, origin=file, is_package=package)
                spec.has_location = True
                return spec
        if any(known.startswith(stem + "/") for known in self.names):
            return ModuleSpec(name, None, is_package=True)

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        file = module.__spec__.origin
        run(module, file, _arbiter.payload_read(file))

    def get_data(self, path):
        data = _arbiter.payload_read(path)
        if data is None:
            raise FileNotFoundError(path)
        return data


def run(module, file, source):
    _sources[file] = source.decode("utf-8", "replace").splitlines()
    exec(compile(source, file, "exec", dont_inherit=True), module.__dict__)


def load(file, source):
    """The class of the bot, and what it says of itself: name, version, author, about, games."""
    if source is None:
        sys.meta_path.insert(0, Archive())
        source = _arbiter.payload_read("bot.py")
        if source is None:
            names = ", ".join(sorted(_arbiter.payload_names())[:5])
            raise arbiter_bot.Unsupported("a bot of several files begins with bot.py, and here are %s" % (names or "none"))
        file = "bot.py"
    # Whatever the file is called: imports of `random` mean Python's own, also where the bot is random.py.
    module = type(sys)("bot")
    module.__file__ = file
    sys.modules["bot"] = module
    run(module, file, source)
    Bot = arbiter_bot.Bot
    is_bot = lambda one: isinstance(one, type) and issubclass(one, Bot) and one.__module__ == "bot"
    bots = list(dict.fromkeys(one for one in vars(module).values() if is_bot(one)))
    bots = [one for one in bots if not any(one in other.__mro__[1:] for other in bots)]
    if not bots:
        raise arbiter_bot.Unsupported("%s has no bot, class Mine(Bot); what talks through pipes is named 'program:python3 %s'" % (file, file))
    if len(bots) > 1:
        names = ", ".join(one.__name__ for one in bots)
        raise arbiter_bot.Unsupported("%s has several bots, %s: a file is one bot" % (file, names))
    bot = bots[0]
    games = bot.games if isinstance(bot.games, str) else " ".join(bot.games)
    about = bot.about or (bot.__doc__ or "").strip().split("\n")[0]
    texts = bot.name or bot.__name__, bot.version, bot.author, about, games
    hears = bot.played is not Bot.played, bot.game_over is not Bot.game_over
    return (bot, *(str(text).replace("\0", "") for text in texts), *hears)


RESIGN, UNSUPPORTED, MEMORY, PANIC = 1, -5, -6, -7


def explain(error):
    """A status of the arbiter's, one line for people, and everything."""
    if isinstance(error, arbiter_bot.Resign):
        return RESIGN, "", ""
    if isinstance(error, arbiter_bot.Unsupported):
        return UNSUPPORTED, words_of(error), ""
    frames = []
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if code.co_filename not in HIDDEN:
            frames.append((code.co_filename, trace.tb_lineno, code.co_name))
        trace = trace.tb_next
    kind = type(error).__name__
    message = words_of(error)
    if isinstance(error, SystemExit):
        message = "the bot called sys.exit(%s)" % message
    if isinstance(error, SyntaxError) and error.filename in _sources:
        frames.append((error.filename, error.lineno or 0, ""))
        message = error.msg
    head = "%s: %s" % (kind, message) if message else kind
    own = [frame for frame in frames if frame[0] in _sources]
    line = head.replace("\n", " ")
    if own:
        file, number, function = own[-1]
        inside = " in %s" % function if function and function != "<module>" else ""
        line += " (%s, line %d%s%s)" % (file, number, inside, quoted(file, number))
    if len(frames) > 40:
        frames[20:-20] = [("...", len(frames) - 40, "more calls")]
    text = ["Traceback (most recent call last):"]
    for file, number, function in frames:
        text.append('  File "%s", line %d%s' % (file, number, ", in " + function if function else ""))
        source = source_of(file, number)
        if source:
            text.append("    " + source)
    text.append(head)
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if cause is not None and not isinstance(cause, (RecursionError, MemoryError)):
        text[:0] = ["After %s: %s" % (type(cause).__name__, words_of(cause))]
    return MEMORY if isinstance(error, MemoryError) else PANIC, line, "\n".join(text)


def words_of(error):
    """What an exception says, as UTF-8 can have it; one that fails at saying it is told by its class and line alone."""
    try:
        return str(error).encode("utf-8", "backslashreplace").decode()
    except Exception:
        return "it cannot say what is wrong: its __str__ fails"


HIDDEN = ("<loader>", "<arbiter_bot>")


def source_of(file, number):
    lines = _sources.get(file, ())
    return lines[number - 1].strip() if 0 < number <= len(lines) else ""


def quoted(file, number):
    source = source_of(file, number)
    return ": " + source if source else ""

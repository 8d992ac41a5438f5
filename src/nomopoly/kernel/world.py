"""The world: everything that one running game holds in memory, and its undo log.

`world` is the only mutable name of the kernel. What belongs to the game (and into a snapshot) is listed in
`state.dump`; the rest belongs to the entry being carried out and is reset by `begin_entry`.
"""

from typing import Any


class Stream:
    """Draws of an entry: those that the journal holds, then those from its entropy (hex text, or None if it has
    none)."""

    def __init__(self, entropy: Any, recorded: Any) -> None:
        self.entropy = entropy
        self.recorded = recorded  # hex text, eight digits a draw; None while the entry is made
        self.count = 0  # draws made
        self.ready = ""  # the next ones, as many as are known


class Entry:
    """What is out of the ordinary about the entry being carried out: see `mark_entry`."""

    def __init__(self) -> None:
        self.waits = False  # an order given now waits, if rules say that orders wait
        self.private = False  # only those who are told of the order see it
        # While a private order is carried out, of which others see neither facts nor draws: the fact in which it was
        # given, and the word of its own fact, which all see.
        self.around: Any = None
        self.casting = False  # what is asked is whether a ballot may be cast
        self.strict = False  # look at what rules declare: not where a game is taken up as it is
        self.shrunk = False  # attributes have gone: the things must be drawn anew at the end of the entry
        self.old_records: Any = None  # the rulebook before the entry, if it has changed
        self.ran: list[str] = []  # its one-time programs
        self.made_by: list[Any] = []  # (fact, rule) of actions that a rule has started for who did not order them


UNMARKED = Entry()


class World:
    """State of one game and of the entry it is carrying out."""

    def __init__(self) -> None:
        # the game
        self.things: dict[str, Any] = {}  # id -> Thing, in order of creation
        self.ghosts: dict[str, Any] = {}  # id -> Thing that is gone, but may still be referred to
        self.store: dict[str, dict[str, Any]] = {}  # id -> attributes that differ from their default
        self.kinds: dict[str, dict[str, Any]] = {}  # kind -> {id -> Thing}
        self.counters: dict[str, int] = {}  # kind -> last running number
        self.timers: dict[int, Any] = {}  # number -> Timer
        self.timers_heft = 0  # of all of them together
        self.soonest: list[Any] = []  # (moment, number) of each in order
        self.queue: list[Any] = []  # those of the first moment, as `next_timer` has found them: the last one first
        self.queued: Any = (None, False)  # the index by which it has, and whether the game was paused then
        self.places: dict[str, int] = {}  # id -> where in the sequence of all things
        self.placed = -1  # the last place of a thing or timer; that of the game is 0
        self.next_timer = 1
        self.waiting: dict[str, Any] = {}  # player -> {entry: (hash, refused before)} of orders that wait
        self.records: dict[str, Any] = {}  # rule id -> record, in book order
        self.programs: dict[str, Any] = {}  # rule id -> Program
        self.measured: Any = (None, 0)  # records, and how long they are together: those that were changed last
        self.commons: list[Any] = []  # Programs of the shared modules
        self.language: dict[str, Any] = {}  # words that rule code may use
        self.index: Any = None
        self.given: dict[str, Any] = {}  # the entry, as the journal has it
        self.now = 0  # moment of the entry, seconds since 1970
        self.n = 0  # number of the entry
        self.title = ""
        self.sources: list[Any] = []  # [name, source] of the shared modules
        self.form = 4  # of the language; a game begun with shared modules that say nothing of it keeps the first
        # what comes and goes by the call, not by the entry
        self.wanted: Any = None  # in a simulation: the words of the facts that matter; all others are left out
        self.results: list[Any] = []  # outcomes of the batch so far
        self.numbers: Any = None  # the numbers of its rule
        self.code = ""  # of the last refusal, see `refuse_as`
        self.hides: Any = None  # while a page is drawn: function(show, of) that says which contributions to leave out
        self.known: Any = None  # while a page is drawn: function(name) that says what a value is which is of nothing
        self.declined: Any = None  # why what was attempted last was refused; None if it was not
        self.forced: list[Any] = []  # results that a scenario prescribes
        self.open_draws = self.hidden_draws = Stream(None, "")  # of what everybody sees; of what somebody does not
        self.rolled: list[Any] = []  # results that are not hidden
        self.maker: Any = None  # the rule that makes a thing of which rules hear
        self.probes: Any = None  # code -> the same code with probes, where a runtime looks for a line
        self.seeks = False  # whether they look for what writes past the verbs
        self.reached: list[Any] = []  # (rule id, line) of the probes passed
        self.culprit: Any = None  # the one after which something had been written past the verbs
        self.counted: dict[str, str] = {}  # program -> the same with its counters, where a runtime has them at hand
        self.exhausted: Any = None  # (words, rule) once the entry has exceeded a budget
        self.hefts: dict[str, Any] = {}  # attribute -> (value, its heft) that was put last
        self.size = 0  # of all words and tuples that things keep, as `budgets.heft` counts them
        self.spent: dict[str, int] = {}  # what the entry has used up of its budgets, see `spent`
        self.clear()

    def clear(self) -> None:
        """Forget the entry that was carried out: all that stands here belongs to one entry alone."""
        self.entry = UNMARKED
        self.undo: list[Any] = []
        self.facts: list[dict[str, Any]] = []
        self.gone: dict[str, Any] = {}  # id -> the last attributes of what has gone in this entry
        self.rule: Any = None  # id of the rule whose code runs
        self.event: Any = None  # the event being carried out
        self.fact: Any = None  # its fact
        self.level = 0
        self.count = 0
        self.reading = 0  # above 0 nothing may be written
        self.loading: Any = None  # the Program being loaded
        self.refusal: Any = None  # (reason, rule id) while a refusal is on its way out
        self.first_draw: Any = None  # length of the undo log when the entry first drew
        self.actor: Any = None  # who gave the order
        self.telling = False  # what carries an event out runs, and may say more of it than its fields


world = World()


def mark_entry(**marks: Any) -> None:
    """Note something about the entry being carried out. Most have nothing to note, and share one `Entry`."""
    w = world
    if w.entry is UNMARKED:
        w.entry = Entry()
    for name in marks:
        setattr(w.entry, name, marks[name])


def writable() -> None:
    """Raise unless the code that runs may write (checks, replacements, values and declarations only read)."""
    if world.reading:
        raise ValueError("this code may only read: write in @on, @after or an action")


def declaring() -> Any:
    """The Program being loaded. Declarations anywhere else are an error."""
    if world.loading is None:
        raise ValueError("rules declare things at their top, not while the game runs")
    return world.loading


SPOKEN: list[Any] = []  # what else has words, the same everywhere: things, events, fields of forms
VIEWS = (type({}.keys()), type({}.values()), type({}.items()))
MOST_SPOKEN = 200  # tuples within one another
NO_WORDS = "this has no words that are the same everywhere: call a function with (...), sort a set, name what you mean"


def why_wordless(value: Any, deep: int = MOST_SPOKEN) -> str:
    """Why no words can be made of a value, as a sentence; "" if they can.

    Words, numbers, yes/no, None, things, events and tuples, lists and dicts of these have words. What an interpreter
    says of anything else (functions, iterators, errors) is an address, or words of its own.
    """
    sort = type(value)
    if sort is str or sort is int or sort is bool or value is None or sort is float or sort is range or sort in SPOKEN:
        return ""
    if sort is dict:
        parts: Any = [*value.keys(), *value.values()]
    elif sort in VIEWS or isinstance(value, (tuple, list)):
        parts = value
    elif isinstance(value, Exception):
        return "an error has no words of its own: say yourself what is the matter"
    else:
        return NO_WORDS
    if deep <= 0:
        return NO_WORDS
    for part in parts:
        reason = why_wordless(part, deep - 1)
        if reason:
            return reason
    return ""


def in_words(value: Any) -> str:
    """str(value). Raises ValueError for what has no words."""
    if type(value) is not str:
        reason = why_wordless(value)
        if reason:
            raise ValueError(reason)
    return str(value)


def with_article(word: str) -> str:
    """A word with its article, for a sentence: `with_article("atm")` is an atm, `with_article("mall")` a mall."""
    return ("an " if word[:1] in "aeiouAEIOU" and world.form > 2 else "a ") + word


def refuse(reason: str) -> None:
    """Refuse what is going on, for this reason; the whole action is undone.

    Raises FileExistsError, which only the kernel catches.
    """
    refuse_as("", reason)


def refuse_as(code: str, reason: str) -> None:
    """Refuse what is going on, with a code by which programs recognise why: "no-action", "no-field", "no-attribute", or
    "no-thing" (where its id tells its kind: "no-thing:" and that kind)."""
    if world.refusal is None:
        world.refusal = (in_words(reason), world.rule)
        world.code = code
    raise FileExistsError("refused")


def savepoint() -> Any:
    """Remember how things are now, for `roll_back`."""
    w = world
    return (len(w.undo), len(w.facts), w.rule, w.event, w.fact, w.level, w.reading)


def roll_back(mark: Any) -> None:
    """Undo every change and forget every fact since `mark`."""
    w = world
    while len(w.undo) > mark[0]:
        step = w.undo.pop()
        step[0](*step[1:])
    while len(w.facts) > mark[1]:
        w.facts.pop()
    w.rule, w.event, w.fact, w.level, w.reading = mark[2:]
    w.loading = None


def covers(id: str, rule: str) -> bool:
    """Whether a stated rule number means this rule: itself, its rows, or all of its section."""
    return id == rule or rule.startswith(id + "/") or rule.startswith(id + ".")

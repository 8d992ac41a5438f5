"""Budgets: what an entry may cost and what a game may hold, counted, so that a limit is the same fault everywhere.

The numbers are rules of the kernel. Time on the wall is only the guard behind them (`nomopoly.runtime.interpreters`).

A *step* is about a hundred small operations: a turn of a loop, a call of a function, an event, a value asked. Programs
of rules count because their text is given counters when it is read (`nomopoly.runtime.counting`); those counters are in
`nomopoly.runtime.counters`.
"""

from typing import Any

from nomopoly.kernel.world import world

# what one entry may cost
MOST_STEPS = 160_000  # the most that honest play of the shipped editions was seen to take: 15,506
MOST_EVENTS = 5000
MOST_NESTED = 200  # events, values asked, or calls of functions that may call themselves, within one another
MOST_FACTS = 20_000
MOST_NEWS = 20_000  # characters of one piece of news
MOST_TOLD = 500_000  # characters, about, of all facts of an entry
MOST_CHANGED = 2_000_000  # characters, about, of all words and tuples that it puts in place of others
MOST_THINGS_MADE = 2000
MOST_TIMERS_MADE = 1000
MOST_RUNS = 200  # one-time programs, and changes of the rulebook
MOST_REREADINGS = 5  # changes of a word that rules lend: all rules are read again
READ_IN_A_STEP = 2  # characters of a program that is enacted, amended or run once

# what a value may be
MOST_NUMBER = 10**18  # of a whole number that a thing keeps, up and down
MOST_MOMENT = 10**11  # seconds since 1970: some 3,000 years
MOST_WORD = 200_000  # characters of a word
MOST_DEEP = 20  # tuples that a thing keeps within one another
MOST_BITS = 4096  # of a whole number while it is reckoned with
MOST_LONG = 400_000  # characters or parts of a word, tuple or list while it is worked with
MOST_WIDTH = 1000  # of a number or word that is brought to a width

MOST_LABEL = 200  # characters of what a rule calls something
MOST_TOLD_NUMBER = 10**40  # of a whole number in the log, or that a value is, up and down

MOST_OUTCOMES = 1_000_000  # of a draw: sides of a die, what is picked from

# what a game may hold
MOST_THINGS = 50_000  # with those that are gone
MOST_TIMERS = 5000
MOST_STATE = 20_000_000  # characters, about, of all words and tuples that things keep and timers hold
MOST_PROSE = 100_000  # characters of a rule
MOST_PROGRAM = 100_000  # characters of the program of a rule
MOST_RULES = 3000
MOST_BOOK = 8_000_000  # characters of all prose and programs
MOST_HEARD = 20_000  # handlers of all rules, each as often as there are events that it answers to; `ii` has 640
MOST_CHOICES = 5000  # of a field of a form
RESERVE = 200  # things and timers more for the kernel's own acts, so that the way out stays open

# what the host counts
MOST_AT_ONE_MOMENT = 1000  # timers that come one after the other at one second; then the game pauses
MOST_ORDERS_A_DAY = 2000  # of one player
MOST_REFUSALS_A_DAY = 5000  # of one player

MARK = "__budget_"  # what the names of counters begin with; no program may use such names
FREE = 200  # characters or parts that cost nothing
SHORT = 40  # characters of a word that does not count for the size of a game
BYTES_A_STEP = 50
GREAT = 2**MOST_BITS

OUT_OF_STEPS = f"too many steps: an entry takes at most {MOST_STEPS}"
TOO_LONG = f"too long: words, tuples and lists have at most {MOST_LONG} characters or parts"
TOO_GREAT = f"too great: whole numbers have at most {MOST_BITS} bits"
TOO_MUCH_TOLD = f"too much happens at once: the facts of an entry have at most {MOST_TOLD} characters"
LEFT = MOST_STEPS  # steps that the entry may still take
WITHIN = 0  # calls of functions within one another that may go on without end


def begin_budget() -> None:
    """Start counting anew: an entry begins, or a page is asked for."""
    global LEFT, WITHIN
    LEFT = MOST_STEPS
    WITHIN = 0
    w = world
    w.exhausted = None
    w.spent = {}


def steps_taken() -> int:
    """How many steps have been taken since `begin_budget`."""
    return MOST_STEPS - LEFT


def exhausted(what: str) -> None:
    """Break the entry off: more than a budget allows. Raises RuntimeError, and at every further step again."""
    global LEFT
    w = world
    if w.exhausted is None:
        w.exhausted = (what, w.rule)
        own = [place for place in w.reached if place[0] == w.rule]
        w.culprit = w.culprit or (own[-1] if own else None)
    LEFT = -1
    raise RuntimeError(w.exhausted[0])


def check_budget() -> None:
    """Raise if a budget has been exceeded in this entry, even where a rule has caught that."""
    w = world
    if w.exhausted is not None:
        w.rule = w.exhausted[1]
        raise RuntimeError(w.exhausted[0])
    if len(w.facts) > FREE:
        weigh_facts()


def spend(steps: int) -> None:
    """Take so many steps."""
    global LEFT
    LEFT -= steps
    if LEFT < 0:
        exhausted(OUT_OF_STEPS)


def owe(steps: int) -> None:
    """Take so many steps; where they are too many, the next step breaks the entry off: undoing goes to its end."""
    global LEFT
    LEFT -= steps


def spend_step() -> None:
    """One step."""
    global LEFT
    LEFT -= 1
    if LEFT < 0:
        exhausted(OUT_OF_STEPS)


def enter_call() -> None:
    """A function is called that may call itself."""
    global WITHIN
    WITHIN += 1
    if WITHIN > MOST_NESTED:
        exhausted(f"too deep: more than {MOST_NESTED} calls within one another")


def leave_call() -> None:
    """It is over."""
    global WITHIN
    WITHIN -= 1


def go_through(many: Any) -> Any:
    """What a loop goes through: a step for each part."""
    global LEFT
    LEFT -= len(many)
    if LEFT < 0:
        exhausted(OUT_OF_STEPS)
    return many


def spent(what: str, more: int) -> int:
    """How much of a budget the entry has used up, with so much more: "things", "timers", "runs", or characters "told"
    and "changed"."""
    world.spent[what] = world.spent.get(what, 0) + more
    return int(world.spent[what])


def restore_size(size: int) -> None:
    """Undo a growth of the state."""
    world.size = size


def heft(value: Any) -> int:
    """What a value that a thing keeps counts for: long words and tuples do."""
    sort = type(value)
    if sort is str:
        return len(value) if len(value) > SHORT else 0
    return weight_of(value, MOST_WORD, MOST_DEEP) if sort is tuple and value else 0


def grow(before: int, after: int) -> None:
    """Take note that something of this heft comes in place of another. Raises RuntimeError if the game holds too
    much."""
    w = world
    if before == after == 0:
        return
    w.undo.append((restore_size, w.size))
    w.size += after - before
    if spent("changed", before + after) > MOST_CHANGED:
        exhausted(f"too much: an entry changes at most {MOST_CHANGED} characters")
    if after > before and w.size > MOST_STATE + reserve(MOST_WORD):
        exhausted(f"too much: a game keeps at most {MOST_STATE} characters")


def reserve(room: int) -> int:
    """What the kernel's own acts may take beyond a limit, so that the way out stays open."""
    return room if world.rule is None or world.rule == "kernel" else 0


def tell_of(content: Any) -> Any:
    """What is going to stand in a fact, counted if it is long."""
    sort = type(content)
    if sort is str and spent("told", len(content)) > MOST_TOLD:
        exhausted(TOO_MUCH_TOLD)
    if (sort is tuple or sort is list) and spent("told", weight_of(content, MOST_TOLD, MOST_DEEP)) > MOST_TOLD:
        exhausted(TOO_MUCH_TOLD)
    return content


def weigh_facts() -> None:
    """Raise if the facts of an entry are too many or too long: one by one they are only looked at where they are
    long."""
    told = 0
    for fact in world.facts:
        for name in fact:
            content = fact[name]
            told += len(name) + (len(content) if type(content) is str or type(content) is list else 5)
    if len(world.facts) > MOST_FACTS or told > MOST_TOLD:
        exhausted(TOO_MUCH_TOLD)


def as_outcomes(number: Any, words: str) -> None:
    """Raise ValueError unless a draw may have so many outcomes."""
    if type(number) is not int or not 1 <= number <= MOST_OUTCOMES:
        raise ValueError(f"{words} {MOST_OUTCOMES}: {name_number(number)} is not possible")


def name_number(number: Any) -> str:
    """A number for a message, shortened where it is long."""
    return str(number) if type(number) is int and -MOST_NUMBER <= number <= MOST_NUMBER else "this"


# What does not weigh five, whatever it is.
NESTED = dict.fromkeys((str, int, tuple, list, dict, set, frozenset), True)


def weight_of(value: Any, most: int, deep: int) -> int:
    """About how long a value is as text. Breaks off where it is more than `most`, or nested more than `deep`."""
    sort, weight = type(value), 5
    if sort is str:
        weight = len(value) + 2
    elif sort is tuple or sort is list or sort is dict:
        if deep <= 0:
            exhausted(f"too deep: more than {MOST_NESTED} tuples or lists within one another")
        weight, same, last = 2, 0, NESTED
        for part in value:
            if type(part) is str:
                weight += len(part) + 2
            else:  # things, for the most part; the same once more weighs the same
                same = same if part is last else weight_of(part, most - weight, deep - 1) if type(part) in NESTED else 5
                weight, last = weight + same, part
            if sort is dict:
                weight += weight_of(value[part], most - weight, deep - 1)
            if weight > most:
                exhausted(TOO_LONG)
    elif sort is int:
        if not -GREAT < value < GREAT:
            exhausted(TOO_GREAT)
        weight = 5 if -MOST_NUMBER <= value <= MOST_NUMBER else MOST_BITS // 3
    elif sort is frozenset or sort is set:
        weight = 2 + weight_of(list(value), most - 2, deep)
    if weight > most:
        exhausted(TOO_LONG)
    return weight


COUNTERS: dict[str, Any] = {}  # name in a program -> counter, as `nomopoly.runtime.counters` has them
READERS: list[Any] = []  # what a host gives, to put counters into a program that it has not been asked for before


def with_counters(code: str) -> str:
    """A program as it is carried out: with its counters; with probes too, where a runtime looks for the place of a
    fault."""
    probes = world.probes
    if probes and code in probes:
        return probes[code]
    known = world.counted.get(code)
    if known is not None:
        return known
    return READERS[0](code) if READERS else code

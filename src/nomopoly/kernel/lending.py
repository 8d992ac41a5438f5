"""Words that rules lend: a function under `@word` is a word of the language for all rules, as long as its rule is in
force.

Nothing is looked up when a word is called. Each rule is read with the words that hold, and when a rule that lends words
changes, all rules are read again. A word runs in the name of the rule that calls it.
"""

from typing import Any

from nomopoly.kernel.absence import silent
from nomopoly.kernel.index import contenders, named
from nomopoly.kernel.world import declaring, world


def word(function: Any) -> Any:
    """`@word` at the top of a rule, above a function: all other rules may call the function by its name."""
    declaring().words.append(("", function))
    return function


def lends(record: Any) -> bool:
    """Whether a rule (its record, or None) lends words, or says what holds where none does."""
    code = "" if record is None else "\n" + record["code"]
    return code.find("\n@word") >= 0 or code.find('\nabsent("word"') >= 0


def lent_words(programs: Any) -> Any:
    """The words that programs lend: {name: (function, rule id)}. Of several rules that lend one, precedence decides."""
    lenders: dict[str, Any] = {}
    for program in programs:
        for name in named(program, "words"):
            lenders.setdefault(name, []).append(program)
    found = {}
    for name, those in lenders.items():
        program, (_, function) = contenders(those, "words", name)[0]
        found[name] = (function, program.id)
    for program in programs:
        for of, otherwise, names in program.absent:
            for name in names if of == "word" else ():
                found.setdefault(name, (silent(otherwise), program.id))
    return found


def speak_of_absent(words: Any, programs: Any) -> bool:
    """Add to the words those that no rule has lent so far, and of which one says what holds then. Whether there are
    any."""
    lent = lent_words(programs.values())
    missing = [name for name in lent if name not in words]
    words.update({name: lent[name][0] for name in missing})
    return missing != []


def lexicon() -> Any:
    """What the code of a rule may use: the words of the language, and those that the rules in force lend."""
    absent = world.index.absent.get("word", {})
    lent = {name: function for name, (function, _) in world.index.words.items()}
    return {**world.language, **{name: silent(absent[name]) for name in absent}, **lent}


def name_words(program: Any, known: Any) -> None:
    """Find the names of the words that a program lends; `known` are the words that it was read with.

    Raises ValueError for a name that the language has already.
    """
    own = [(name, it) for name, it in program.names.items() if name not in known or it is not known[name]]
    program.own = {name: True for name, _ in own}
    those = {function: True for _, function in program.words if type(function) is type(word)}
    program.words = [each for each in own if type(each[1]) is type(word) and each[1] in those]
    for name, _ in program.words:
        if name in world.language:
            raise ValueError(f"rule {program.id}: '{name}' is a word of the language: choose another name")


def share_words(programs: Any) -> None:
    """Let the rules that lend words use each other's; what a rule defines for itself alone stays its own."""
    words = lent_words(programs)
    for program in programs:
        lent = dict(program.words)
        those = [name for name in words if name in lent or name not in program.own]
        program.names.update({name: words[name][0] for name in those})


def own_probe(id: str, probe: Any) -> Any:
    """A probe for code that others call (a shared module, a rule that lends words): its lines count only while it runs
    in its own name, and else the line that calls it."""

    def reached(line: int) -> None:
        if world.rule == id:
            probe(line)

    return reached

"""Python's own functions as programs have them: each counts what it goes through, or makes.

Sandbox dialect; read into the interpreter after the counters.
"""

from typing import Any

from nomopoly.kernel.budgets import COUNTERS, FREE, MARK, MOST_BITS, go_through, spend
from nomopoly.runtime.counters import all_of, fit, given, hashed, shown, weigh_parts, width

DIGITS_A_STEP = 100_000  # of a word that becomes a number, each with each


def as_word(*value: Any) -> str:
    """str(value)."""
    return fit(str(*[shown(each) for each in value])) if len(value) > 1 else str(*[shown(each) for each in value])


def as_format(value: Any, *spec: Any) -> str:
    """format(value, spec)."""
    return str(fit(format(shown(value), *[width(each) for each in spec])))


def number_from(*value: Any, **named: Any) -> int:
    """int(value, base)."""
    if value and type(value[0]) is str and len(value[0]) > FREE:
        spend(len(value[0]) * len(value[0]) // DIGITS_A_STEP)
    return int(*value, **named)


def letter(number: Any) -> str:
    """chr(number), but no half of a character."""
    if type(number) is int and 0xD800 <= number <= 0xDFFF:
        raise ValueError("chr() arg not in range(0x110000)")
    return chr(number)


def as_code(value: Any) -> str:
    """repr(value)."""
    return repr(shown(value))


def passed_on(function: Any, look: Any) -> Any:
    """A function of Python's own under another name: what it is given is counted as it is under its own."""

    def counted(*many: Any, **named: Any) -> Any:
        spend(len(named))
        for each in many:
            look(each)
        return function(*many, **named)

    return counted


def handed(word: Any) -> Any:
    """A word that is handed on counts what it is given as it does where it is called by its name."""
    return passed_on(word, given) if type(word) is type(handed) else word


def summed(many: Any, *start: Any) -> Any:
    """sum(many, start)."""
    go_through(many)
    if not start or type(start[0]) is int:
        return fit(sum(many, *start))
    total = start[0]
    for part in many:
        total = fit(total + part)
    return total


def mapped(function: Any, *many: Any) -> Any:
    """map(function, many), as a list."""
    return [function(*parts) for parts in zipped(*many)]


def filtered(function: Any, many: Any) -> Any:
    """filter(function, many), as a list."""
    return [part for part in all_of(many) if (part if function is None else function(part))]


def zipped(*many: Any) -> Any:
    """zip(a, b), as a list."""
    if many:
        spend(min([len(each) for each in many]))
    return list(zip(*many))


def numbered(many: Any, start: int = 0) -> Any:
    """enumerate(many), as a list."""
    return list(enumerate(go_through(many), start))


def sorted_by(many: Any, key: Any = None, reverse: bool = False) -> Any:
    """sorted(many, key=key)."""
    parts = [*go_through(many)]
    turns = len(bin(len(parts)))  # about how often each is compared
    if key is None:
        weigh_parts(parts, turns)
        return sorted(parts, reverse=reverse)
    places = [(key(parts[at]), -at if reverse else at) for at in range(len(parts))]
    weigh_parts([place[0] for place in places], turns)
    return [parts[abs(at)] for _, at in sorted(places, reverse=reverse)]


def sort_all(many: Any, key: Any = None, reverse: bool = False) -> None:
    """many.sort(key=key, reverse=reverse), of a list."""
    if type(many) is not list:
        raise ValueError("only a list can be sorted in its place")
    many[:] = sorted_by(many, key, reverse)


def least(*many: Any, key: Any = None, **more: Any) -> Any:
    """min(many, key=key, default=default)."""
    return first_by(many, key, more, False)


def most(*many: Any, key: Any = None, **more: Any) -> Any:
    """max(many, key=key, default=default)."""
    return first_by(many, key, more, True)


def first_by(many: Any, key: Any, more: Any, greatest: bool) -> Any:
    """The first of those with the least or greatest key."""
    parts = [*go_through(many[0] if len(many) == 1 else many)]
    if key is None or not parts:
        weigh_parts(parts, 1)
        return max(parts, **more) if greatest else min(parts, **more)
    found, best = parts[0], key(parts[0])
    weigh_parts((best,), 1)
    for part in parts[1:]:
        grade = key(part)
        weigh_parts((grade, best), 1)
        if best < grade if greatest else grade < best:
            found, best = part, grade
    return found


def backwards(many: Any) -> Any:
    """reversed(many), as a list."""
    return list(reversed(go_through(many)))


def rounded_off(number: Any, ndigits: Any = None) -> Any:
    """round(number, ndigits); where all digits go, whatever the number is, at once."""
    if ndigits is None:
        return round(number)
    if type(ndigits) is int and ndigits < -MOST_BITS and (type(number) is int or type(number) is bool):
        return 0
    return round(number, ndigits)


def ending(name: str) -> Any:
    """What a rule raises instead of what would end the process that plays the game."""
    return RuntimeError(name)


COUNTERS.update(
    {
        MARK + "sort": sort_all,
        MARK + "str": as_word,
        MARK + "int": number_from,
        MARK + "repr": as_code,
        MARK + "format": as_format,
        MARK + "chr": letter,
        MARK + "handed": handed,
        MARK + "list": passed_on(list, go_through),
        MARK + "tuple": passed_on(tuple, go_through),
        MARK + "any": passed_on(any, go_through),
        MARK + "all": passed_on(all, go_through),
        MARK + "dict": passed_on(dict, hashed),
        MARK + "frozenset": passed_on(frozenset, hashed),
        MARK + "sum": summed,
        MARK + "round": rounded_off,
        MARK + "map": mapped,
        MARK + "filter": filtered,
        MARK + "zip": zipped,
        MARK + "enumerate": numbered,
        MARK + "reversed": backwards,
        MARK + "sorted": sorted_by,
        MARK + "min": least,
        MARK + "max": most,
        MARK + "ending": ending,
    }
)

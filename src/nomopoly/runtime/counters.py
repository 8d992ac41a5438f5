"""The counters that stand in programs, and what is done in them instead of what would grow without bounds.

Sandbox dialect; read into the interpreter after the kernel. `nomopoly.runtime.counting` puts calls of these functions
into the text of programs, by the names in `COUNTERS`.
"""

from typing import Any

from nomopoly.kernel.budgets import (
    BYTES_A_STEP,
    COUNTERS,
    FREE,
    GREAT,
    MARK,
    MOST_BITS,
    MOST_LONG,
    MOST_NESTED,
    MOST_NUMBER,
    MOST_WIDTH,
    TOO_GREAT,
    TOO_LONG,
    enter_call,
    exhausted,
    go_through,
    leave_call,
    spend,
    spend_step,
    weight_of,
)
from nomopoly.kernel.things import Thing
from nomopoly.kernel.world import VIEWS, why_wordless

ORDERED_A_STEP = 8  # parts that are put in order
GIVEN_A_STEP = 20  # characters as text of what a word is given
WALKED_A_STEP = 10  # characters as text of what is gone through part by part


def call_within(function: Any) -> Any:
    """Call what stands in a lambda that may call itself."""
    spend_step()
    enter_call()
    try:
        return function()
    finally:
        leave_call()


def all_of(many: Any) -> Any:
    """The same where a list may grow meanwhile: as it is now."""
    spend(len(many))
    return tuple(many) if type(many) is list else many


def look_through(many: Any) -> Any:
    """What something is looked for in."""
    sort = type(many)
    if sort is tuple or sort is list or sort is str or sort is range or sort in VIEWS:
        length = len(many)
        if length > FREE:
            spend(length // BYTES_A_STEP)
    return many


def letters_of(many: Any) -> Any:
    """What a part is taken of, or how long it is: a word may be gone through for that, up to the letter."""
    if type(many) is str:
        length = len(many)
        if length > FREE:
            spend(length // (20 * BYTES_A_STEP))
    return many


def taken_apart(value: Any, deep: int = MOST_NESTED) -> Any:
    """What is taken apart: a step for each part, since the rest of any of them may be copied."""
    sort = type(value)
    if sort is tuple or sort is list or sort is dict:
        if deep <= 0:
            exhausted(f"too deep: more than {MOST_NESTED} tuples or lists within one another")
        spend(len(value))
        for part in value:
            taken_apart(value[part] if sort is dict else part, deep - 1)
    elif sort is str or sort is range or sort is set or sort is frozenset:
        spend(len(value))
    return value


def move_up(many: Any) -> Any:
    """A list whose parts make way for another, or close up: that is quick, and counts where the list is very long."""
    if type(many) is list:
        spend(len(many) // (BYTES_A_STEP * BYTES_A_STEP))
    return many


def within_range(number: Any, numbers: Any) -> bool:
    """Whether a number is in a range."""
    return (type(number) is int or type(number) is bool) and number in numbers


def fit(value: Any) -> Any:
    """A value that may have grown: a number, word, tuple, list or dict within bounds."""
    sort = type(value)
    if sort is int:
        if not -GREAT < value < GREAT:
            exhausted(TOO_GREAT)
    elif sort is str or sort is tuple or sort is list or sort is dict or sort is set or sort is frozenset:
        length = len(value)
        if length > FREE:
            if length > MOST_LONG:
                exhausted(TOO_LONG)
            spend(length // (BYTES_A_STEP if sort is str or sort is tuple or sort is list else BYTES_A_STEP // 10))
        if sort is str and not value.isascii() and halved(value):
            raise ValueError("Invalid Unicode code point")
    return value


def of_sets(one: Any, sign: str, other: Any) -> Any:
    """one | other, &, ^ or -: where they are sets, or what a dict has, each part of both is hashed."""
    if type(one) is not int or type(other) is not int:
        sort = type(one)
        if (sort is set or sort is frozenset) and type(other) not in (set, frozenset, *VIEWS):
            raise TypeError("a set is joined with another set")
        if sort is set or sort is frozenset or sort is dict or sort in VIEWS:
            spend(len(one))
            hashed(other)
    if sign == "-":
        return one - other
    if sign == "&":
        return one & other
    return fit(one | other if sign == "|" else one ^ other)


def put_to_set(into: Any, sign: str, value: Any) -> Any:
    """What `into |= value`, `&=`, `^=` or `-=` makes: a set or dict stays the same one, also where an interpreter makes
    another."""
    if type(into) is dict and sign == "|":
        spend(len(value))
        into.update(value)
        return fit(into)
    made = of_sets(into, sign, value)
    if type(into) is not set:
        return made
    into.clear()
    into.update(made)
    return into


def taken_up(into: Any, value: Any) -> Any:
    """What `into += value` puts to it: a list takes up the parts of anything, also where an interpreter wants a
    list."""
    if type(into) is not list or type(value) is list:
        return value
    if value is None or type(value) is int or type(value) is bool:
        raise TypeError("a list takes up the parts of something that has parts")
    return [*go_through(value)]


def halved(word: str) -> bool:
    """Whether a word holds half a character, which no journal or page can. There are interpreters that know none."""
    try:
        word.encode()
    except ValueError:
        return True
    return False


def bits(number: int) -> int:
    """About how many bits a whole number has."""
    return 4 * len(hex(number))


def times(a: Any, b: Any) -> Any:
    """a * b."""
    if type(a) is int and type(b) is int:
        if -MOST_NUMBER < a < MOST_NUMBER and -MOST_NUMBER < b < MOST_NUMBER:
            return a * b
        if bits(a) + bits(b) > MOST_BITS:
            exhausted(TOO_GREAT)
        return a * b
    for many, often in ((a, b), (b, a)):
        if type(many) in (str, tuple, list) and type(often) is int:
            if len(many) * often > MOST_LONG:
                exhausted(TOO_LONG)
            return fit(many * often)
    return a * b


def power(a: Any, b: Any, modulus: Any = None) -> Any:
    """a ** b."""
    if type(a) is int and type(b) is int and b > 0:
        if modulus is None and b > 1 and bits(a) * b > MOST_BITS and not -1 <= a <= 1:
            exhausted(TOO_GREAT)
        if modulus is not None and bits(b) > MOST_BITS:
            exhausted(TOO_GREAT)
    if modulus is not None and type(b) is int and b < 0:
        raise ValueError("pow with three numbers takes no negative exponent")
    if type(modulus) is int and type(b) is int and bits(modulus) > 64:
        spend((bits(b) + 64) * bits(modulus) // 1000)
    return a**b if modulus is None else pow(a, b, modulus)


def shift(a: Any, b: Any) -> Any:
    """a << b."""
    if type(a) is int and type(b) is int and b > 0 and (b > MOST_BITS or bits(a) + b > MOST_BITS):
        exhausted(TOO_GREAT)
    return a << b


def remainder(a: Any, b: Any) -> Any:
    """a % b, of numbers: a text is filled in by f"..."."""
    if type(a) is str:
        digits = 0
        for letter in a:
            digits = digits + 1 if letter.isdigit() else 0
            if digits > 3 or letter == "*":
                too_wide()
        made = a % shown(b)
        if not made.isascii() and halved(made):
            raise OverflowError("%c arg not in range(0x110000)")
        return fit(made)
    return a % b


def too_wide() -> None:
    """A number or word is to be brought to a great width."""
    exhausted(f"too wide: a width is at most {MOST_WIDTH}")


def width(value: Any) -> Any:
    """How wide something is to be: a number, or the format that says so."""
    if type(value) is int:
        if value > MOST_WIDTH:
            too_wide()
    elif type(value) is str:
        number = ""
        for letter in value:
            number = number + letter if letter.isdigit() else ""
            if len(number) > 5 or (number and int(number) > MOST_WIDTH):
                too_wide()
    return value


def shown(value: Any) -> Any:
    """What is to become a word."""
    sort = type(value)
    if sort is int:
        if not -GREAT < value < GREAT:
            exhausted(TOO_GREAT)
    elif sort is not str and sort is not Thing:
        if sort is tuple or sort is list or sort is dict:
            spend(weight_of(value, MOST_LONG, MOST_NESTED) // WALKED_A_STEP)
        elif sort in VIEWS:
            spend(weight_of([*value], MOST_LONG, MOST_NESTED) // WALKED_A_STEP)
        reason = why_wordless(value)
        if reason:
            raise ValueError(reason)
    return value


def compared(value: Any) -> Any:
    """What is compared with something as long; of views some interpreters compare each part with each."""
    if type(value) in VIEWS:
        spend(len(value) * len(value) // BYTES_A_STEP)
        return value
    return shown(value)


def given(value: Any) -> Any:
    """What a word is called with."""
    sort = type(value)
    if sort is Thing or sort is int:
        return value
    if sort is tuple or sort is list or sort is dict or sort is frozenset or sort is set:
        spend(weight_of(value, MOST_LONG, MOST_NESTED) // GIVEN_A_STEP)
        return value
    return letters_of(value)


def put_in_order(many: Any) -> Any:
    """What is to be sorted, or looked through for the most."""
    spend(len(many) // ORDERED_A_STEP)
    return many


def weighed(value: Any) -> Any:
    """What is compared or hashed: parts of it that are the same take as long as if they were not."""
    sort = type(value)
    if sort is tuple or sort is list or sort is dict or sort is frozenset or sort is set:
        spend(weight_of(value, MOST_LONG, MOST_NESTED) // WALKED_A_STEP)
    return value


def hashed(many: Any) -> Any:
    """What something is made of that hashes its parts: a step for each part, more for those that have parts."""
    sort = type(many)
    if sort is str or sort is range or sort is dict or sort is set or sort is frozenset:
        return go_through(many)
    parts = [*go_through(many)]
    weigh_parts(parts, 1)
    return many


def weigh_parts(parts: Any, times: int) -> None:
    """Count that each of these is compared or hashed so many times."""
    weight = 0
    for part in parts:
        sort = type(part)
        if sort is tuple or sort is list or sort is dict or sort is frozenset or sort is set:
            weight += weight_of(part, MOST_LONG, MOST_NESTED)
            if weight > FREE * BYTES_A_STEP:
                spend(weight * times // BYTES_A_STEP)
                weight = 0
    spend(weight * times // BYTES_A_STEP)


def weigh_search(value: Any, many: Any) -> None:
    """Count that a value is compared with each part of a tuple or list, or hashed."""
    sort = type(value)
    if sort is str:
        weight = len(value) if len(value) > FREE else 0
    elif sort is tuple or sort is list or sort is dict or sort is frozenset or sort is set:
        weight = weight_of(value, MOST_LONG, MOST_NESTED)
    else:
        return
    if weight:
        sort = type(many)
        spend(weight * (len(many) if sort is tuple or sort is list or sort in VIEWS else 1) // BYTES_A_STEP)


def holds(value: Any, many: Any) -> bool:
    """value in many."""
    weigh_search(value, many)
    return value in many


def found_in(many: Any, name: str, *parts: Any) -> Any:
    """many.index(part) and its like."""
    weigh_search(parts[0], many)
    if name == "index":
        return many.index(*parts)
    if name == "count":
        return many.count(*parts)
    if name == "remove":
        return many.remove(*parts)
    if name == "find":
        return many.find(*parts)
    return many.rfind(*parts) if name == "rfind" else many.rindex(*parts)


def no_error(value: Any) -> Any:
    """Whatever is no error: what an interpreter says in one is not for rules."""
    if isinstance(value, Exception):
        raise ValueError(why_wordless(value))
    return value


def not_alike(name: str) -> Any:
    """What Python has under a name that does not say the same in every interpreter, and every time."""
    raise ValueError(f"{name} is not for rules: it is not the same everywhere")


def joined(word: Any, parts: Any) -> Any:
    """word.join(parts)."""
    if type(word) is str:
        parts = [*go_through(parts)]
        long = len(word) * len(parts)
        for part in parts:
            long += len(part) if type(part) is str else 0
            if long > MOST_LONG:
                exhausted(TOO_LONG)
    return fit(word.join(parts))


def replaced(word: Any, old: Any, new: Any, most: Any = -1) -> Any:
    """word.replace(old, new)."""
    if type(word) is str and type(old) is str and type(new) is str:
        found = word.count(old)
        found = min(found, most) if type(most) is int and most >= 0 else found
        if len(word) + found * (len(new) - len(old)) > MOST_LONG:
            exhausted(TOO_LONG)
        return fit(word.replace(old, new, most))
    return word.replace(old, new)


def no_word(value: Any, name: str) -> Any:
    """Whatever is no word: of words, methods that make them longer are called by name, with plain arguments."""
    if type(value) is str:
        raise ValueError(f"call {name}(...) of a word where you name it; texts are filled in by f'...'")
    return value


def not_passed(value: Any, name: str) -> Any:
    """Whatever has no methods of Python's own: those that count are called by name, with plain arguments."""
    sort = type(value)
    if sort is str or sort is list or sort is tuple or sort is dict or sort is set or sort is frozenset or sort is int:
        raise ValueError(f"call {name}(...) where you name it, with arguments written out")
    return value


def attribute_of(value: Any, name: Any, *otherwise: Any) -> Any:
    """getattr(value, name), of what has no methods of Python's own."""
    if type(name) is str and (name.startswith("__") or name == "args"):
        not_alike(name)
    return getattr(not_passed(value, name), name, *otherwise)


def meant_as_sorts(named: Any) -> Any:
    """The sorts of which a value may be: Python's own functions where a program has ours under a name of its own."""
    if isinstance(named, tuple):
        spend(len(named))
        return tuple([meant_as_sorts(each) for each in named])
    for name in OURS_AS_SORTS:
        if named is COUNTERS[MARK + name]:
            return OURS_AS_SORTS[name]
    return named


OURS_AS_SORTS = {"str": str, "int": int, "list": list, "tuple": tuple, "dict": dict, "frozenset": frozenset}
COUNTERS.update(
    {
        MARK + "step": spend_step,
        MARK + "steps": spend,
        MARK + "enter": enter_call,
        MARK + "leave": leave_call,
        MARK + "within": call_within,
        MARK + "each": go_through,
        MARK + "all_of": all_of,
        MARK + "searched": look_through,
        MARK + "placed": letters_of,
        MARK + "apart": taken_apart,
        MARK + "moved": move_up,
        MARK + "within_range": within_range,
        MARK + "fit": fit,
        MARK + "of_sets": of_sets,
        MARK + "put_to_set": put_to_set,
        MARK + "taken_up": taken_up,
        MARK + "times": times,
        MARK + "power": power,
        MARK + "shift": shift,
        MARK + "remainder": remainder,
        MARK + "width": width,
        MARK + "shown": shown,
        MARK + "compared": compared,
        MARK + "given": given,
        MARK + "ordered": put_in_order,
        MARK + "weighed": weighed,
        MARK + "hashed": hashed,
        MARK + "holds": holds,
        MARK + "found": found_in,
        MARK + "no_error": no_error,
        MARK + "not_alike": not_alike,
        MARK + "joined": joined,
        MARK + "replaced": replaced,
        MARK + "no_word": no_word,
        MARK + "not_passed": not_passed,
        MARK + "getattr": attribute_of,
        MARK + "pow": power,
        MARK + "sorts": meant_as_sorts,
    }
)

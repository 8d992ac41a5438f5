"""The fields of forms: what rules say of them, and how what somebody sends is read."""

from typing import Any

from nomopoly.kernel.budgets import MOST_CHOICES, MOST_MOMENT, MOST_NUMBER, MOST_WORD, exhausted
from nomopoly.kernel.things import (
    Thing,
    every,
    row_of,
    thing,
)
from nomopoly.kernel.world import (
    SPOKEN,
    in_words,
    refuse,
    refuse_as,
    with_article,
    world,
)

CHOICE = dict(kind="", choices=None, default=None, optional=False, otherwise="", priced="", when=None, shows="")
SAID = dict(least=None, most=None, money=False, limit=0, long=False, wanted=False, called=None)
FIELD = {**CHOICE, **SAID, **dict(parts=(), named=(), counted=())}


class Field:
    """One entry of a form."""

    def __init__(self, sort: str, label: str, **more: Any) -> None:
        self.sort = sort
        self.label = label
        for part, usual in FIELD.items():
            setattr(self, part, more.get(part, usual))
        for part in more:
            if part not in FIELD:
                raise ValueError(f"a field of a form has no '{part}'")
        self.optional = self.optional or self.wanted or self.default is not None

    def __repr__(self) -> str:
        return f"a field: {self.sort}"


SPOKEN.append(Field)


def choose(kind: str, label: str = "", choices: Any = None, default: Any = None, **more: Any) -> Any:
    """A form field: one thing of a kind. `choices` and `default` are functions of who asks. More: `optional=True`,
    `otherwise`: what pages say where there is nothing to choose.

    `when`, another one: whether pages ask somebody for it, where it may be left out. What is said all the same counts.
    `shows`: the attribute of the things that pages show beside each, as the highest bid for a lot.
    """
    return Field("thing", label, kind=kind, choices=choices, default=default, **more)


def one_of(
    options: Any, label: str = "", default: Any = None, optional: bool = False, otherwise: str = "", **more: Any
) -> Any:
    """A form field: one of some words (a tuple, or a function of who asks). `otherwise`: why another word is refused.

    `priced`: the catalogues whose rows they are ("building unit"), where choosing one costs its price; pages show it.
    `called`: a function of a word, what pages call it where it says too little itself. `wanted`: see `words`.
    """
    return Field("choice", label, choices=options, default=default, optional=optional, otherwise=otherwise, **more)


def words(label: str = "", limit: int = 40, long: bool = False, default: Any = None, **more: Any) -> Any:
    """A form field: text of at most `limit` characters; `long` for several lines. More: `optional=True`.

    `wanted=True`: who fills in the form has to say something, as a reason; what acts by itself (a scenario, another
    rule) may leave it out.
    """
    return Field("words", label, limit=limit, long=long, default=default, **more)


def number(label: str = "", least: Any = 0, most: Any = None, default: Any = None, **more: Any) -> Any:
    """A form field: a whole number within limits. More: `optional=True`; with `money=True` it is a sum of dollars."""
    return Field("number", label, least=least, most=most, default=default, **more)


def moment(label: str = "", default: Any = None, optional: bool = False) -> Any:
    """A form field: a date with its time, in the time zone of the game. Rules get a moment: a number of seconds, as of
    `now()`."""
    return Field("moment", label, least=0, most=MOST_MOMENT, default=default, optional=optional)


def yes_or_no(label: str = "", default: Any = None, when: Any = None) -> Any:
    """A form field: a tick. `when`: see `choose`."""
    return Field("yesno", label, default=default, optional=True, when=when)


def goods(label: str = "", parts: Any = ("money",), optional: bool = True, among: bool = False, **sorts: Any) -> Any:
    """A form field: money and lists of things, e.g. {"money": 60, "squares": ["#8"]}; `parts` names what may be in it.

    The parts in `named` hold words, such as the names of cards, those in `counted` a number, as money does. With
    `among` it is a deal among several, which the rule reads itself: {"transfers": [{"from": "Ann", "to": "Ben", "what":
    {"money": 60}}]}.
    """
    return Field("deal" if among else "goods", label, **sorts, parts=parts, optional=optional)


def change_list(label: str = "", optional: bool = True) -> Any:
    """A form field: changes of the rulebook."""
    return Field("changes", label, optional=optional)


def program(label: str = "", optional: bool = True) -> Any:
    """A form field: a one-time program."""
    return Field("code", label, optional=optional, limit=100000, long=True)


def anything(label: str = "", optional: bool = True, choices: Any = None, when: Any = None) -> Any:
    """A form field: any value an attribute may have. With `choices` (a function of who asks) pages let one tick several
    of them, and the rule, which looks at them itself, gets a list. `when`: see `choose`."""
    return Field("anything", label, optional=optional, choices=choices, when=when)


def read_thing(kind: str, raw: Any, label: str) -> Any:
    """The thing that an id names; it must be of this kind, if one is given."""
    if type(raw) is Thing:
        return raw
    if type(raw) is not str:
        refuse(f"{label} must name {with_article(kind or 'thing')}")
    found = thing(raw)
    if kind and found.kind != kind:
        refuse(f"{label}: {raw} is {with_article(found.kind)}, not {with_article(kind)}")
    return found


def not_offered(action: Any, read: Any, who: Any) -> str:
    """Why an order cannot name a thing that rules have nothing against: a form without a kind is held to its
    choices."""
    for name, field in world.index.forms[action.name].items() if world.form > 1 else ():
        found = read[name]
        if field.sort == "thing" and not field.kind and field.choices is not None and found is not None:
            if found not in choices_of(field, who):
                return f"{name.rstrip('_')}: {found.id} cannot be chosen here"
    return ""


def read_number(field: Any, raw: Any, label: str) -> int:
    """A whole number within the field's limits."""
    if type(raw) is str and raw.strip().removeprefix("-").isdecimal() and len(raw) < 30:
        raw = int(raw)
    if type(raw) is not int or not -MOST_NUMBER <= raw <= MOST_NUMBER:
        refuse(f"{label} must be a whole number")
    if field.least is not None and raw < field.least:
        refuse(f"{label} must be at least {field.least}")
    if field.most is not None and raw > field.most:
        refuse(f"{label} must be at most {field.most}")
    return raw


def read_words(field: Any, raw: Any, label: str) -> str:
    """Text without control characters, of a length that the field allows."""
    if type(raw) is not str:
        refuse(f"{label} must be text")
    text = raw if field.long else raw.strip()
    if not field.long and not text.isprintable():
        refuse(f"{label} may not hold control characters")
    if field.limit and len(text) > field.limit:
        refuse(f"{label} is too long: {len(text)} characters, at most {field.limit}")
    return text


def read_goods(field: Any, raw: Any, label: str) -> Any:
    """Money and things as a tuple of (part, content)."""
    if type(raw) is not dict:
        refuse(f"{label} must say what, for example money: 60")
    read = []
    for part in [each for each in field.parts if raw.get(each) is not None]:
        content = raw[part]
        if part == "money" or part in field.counted:
            read.append((part, read_number(Field("number", "", least=0), content, f"{label} {part}")))
        elif type(content) is not list:
            refuse(f"{label} {part} must be a list")
        elif part in field.named:
            read.append((part, tuple([read_words(field, each, label) for each in content])))
        elif part.removesuffix("s") in world.index.rows:
            read.append((part, tuple([row_of(part.removesuffix("s"), each).id for each in content])))
        else:
            read.append((part, tuple([read_thing("", each, label) for each in content])))
    for part in raw:
        if part not in field.parts:
            refuse(f"{label} cannot hold '{part}'; it can hold {', '.join(field.parts)}")
    return tuple(read)


def length_of(raw: Any) -> int:
    """How many characters plain data has, about."""
    sort = type(raw)
    if sort is list:
        return len(raw) + sum([length_of(part) for part in raw])
    if sort is dict:
        return len(raw) + sum([length_of(part) + length_of(raw[part]) for part in raw])
    return len(raw) if sort is str else 1


def read_field(field: Any, raw: Any, label: str, who: Any) -> Any:
    """One value of a form, as the rules want it."""
    if field.sort == "thing":
        return read_thing(field.kind, raw, label)
    if field.sort == "moment" and type(raw) is not int:
        refuse(f"{label} must be a moment, for example 2026-03-05T18:00 (programs: seconds since 1970)")
    if field.sort == "number" or field.sort == "moment":
        return read_number(field, raw, label)
    if field.sort == "words" or field.sort == "code":
        return read_words(field, raw, label)
    if field.sort == "goods":
        return read_goods(field, raw, label)
    if field.sort == "yesno":
        return raw is True or raw == "true" or raw == "on" or raw == "yes"
    if field.sort == "choice":
        options = choices_of(field, who)
        if raw not in options:
            if not options and world.form > 2:
                refuse(field.otherwise or f"{label} must be one of what there is: there is none now")
            refuse(field.otherwise or f"{label} must be one of {', '.join([in_words(each) for each in options])}")
        return raw
    if length_of(raw) > MOST_WORD:
        refuse(f"{label} is too long: at most {MOST_WORD} characters")
    if field.sort == "changes" and (type(raw) is not list or [each for each in raw if type(each) is not dict]):
        refuse(f"{label} must be a list of changes")
    return raw


def choices_of(field: Any, who: Any) -> Any:
    """The legal choices of a field for somebody, as a list."""
    world.reading += 1
    found = field.choices if field.choices is not None else every(field.kind) if field.kind else ()
    found = list(found if type(found) in (tuple, list) else found(who))
    world.reading -= 1
    if len(found) > MOST_CHOICES:
        exhausted(f"too many choices: a field has at most {MOST_CHOICES}")
    return found


def default_of(field: Any, who: Any) -> Any:
    """What a field holds when nothing is said."""
    default = field.default
    if default is None or type(default) in (str, int, bool, Thing):
        return default
    world.reading += 1
    found = default(who)
    world.reading -= 1
    return found


def fields_asked(action: Any, args: Any) -> Any:
    """The fields of a form by the names that orders use. Refuses what is in no field."""
    names = {key.rstrip("_"): key for key in world.index.forms[action.name]}
    for given in args:
        if given not in names:
            refuse_as("no-field", f"{action.name} takes no '{given}'; it takes {', '.join(names) or 'nothing'}")
    return names


def read_form(action: Any, args: Any, who: Any) -> Any:
    """The fields of an order. Refuses unknown, missing and impossible ones by name."""
    read = {}
    form = world.index.forms[action.name]
    names = fields_asked(action, args)
    for name in names:
        field = form[names[name]]
        raw = args.get(name)
        if raw is None or (raw == "" and field.optional):
            raw = default_of(field, who)
        if raw is None and not field.optional:
            refuse(f"{name} is missing")
        read[names[name]] = None if raw is None else read_field(field, raw, name, who)
    return read

"""Declarations, as the code of rules writes them: each adds to the program that is being read."""

from collections import namedtuple
from typing import Any

from nomopoly.kernel.index import Attribute, EventPlan, Kind
from nomopoly.kernel.sorts import fit_attribute, fit_form, fit_line, fit_moment, fit_name, fit_words
from nomopoly.kernel.world import declaring, world


def guess_type(default: Any) -> str:
    """The type of an attribute that names none, from its default."""
    return {bool: "yesno", int: "number", tuple: "list"}.get(type(default), "word")


def attribute(
    kind: Any, name: str, default: Any = None, label: str = "", show: Any = "all", type: str = "", **more: Any
) -> None:
    """Declare a property of every thing of a kind (or of several: a tuple).

    `show`: who sees it: "all", "owner", "admin", "nobody" or a tuple of these; the name of an attribute that is true or
    false says: all, once that is true. `type`: number, money, word, yesno,
    moment, thing or list. More: `summary=True` puts it into the standings, `moment="game"` marks a moment that a pause
    puts off, `fixed=True` a trait that no proposal may name, `holds=("square",)` the kinds of things that the Admin can
    set it to (`holds="color"`: the rows of that catalogue), and `needed=True` that it is never set to nothing,
    `sealed=("voting",)` that while the thing has that `status` only this rule and those named by `written_by=("9.6",)`
    write it: what is being voted on stays as it is. (Without `written_by`, as older books have it, rules of this
    section write it, and those in `unsealed_by`.) `asks="buy-square"`: the player whom it names is asked to do that,
    about the thing; a moment of a player asks them from then on. `until` names what says by when, and
    `asking="you may buy {id}"` is the sentence (without: what the action is called).
    """
    program = declaring()
    kinds = (kind,) if str(kind) == kind else kind
    if not type and default is None and not more.get("moment"):
        more = {**more, "any": True}
    type = type or ("moment" if more.get("moment") else guess_type(default))
    shown = (show,) if str(show) == show else tuple(show)
    for each in kinds:
        label = label or name.replace("_", " ").capitalize()
        made = Attribute(each, name, default, label, shown, type, more, program.id)
        fit_attribute(made)
        program.attributes.append(made)
        asking(program, each, name, more)


def asking(program: Any, kind: str, name: str, more: Any) -> None:
    """Note what an attribute or a value of a kind asks of a player, if it asks anything: see `attribute`."""
    asked = {part: more.get(part) or "" for part in ("asks", "until", "asking")}
    if asked["asks"]:
        fit_words(f"'{name}'", asked)
        program.asks.append((kind + "." + name, asked))


def kind(name: str, label: str = "", prefix: str = "", numbered: str = "", named: str = "", page: bool = False) -> None:
    """Declare a new kind of thing. Its ids are `prefix` and a running number, or the attribute named by `numbered`.

    Where things of a kind are of several types, `named` is the attribute that holds the type: a row of the catalogue of
    the kind's name. Then an id is the type, a dash and a number. `page=True`: each of its things has a page of its own,
    to which lists lead.
    """
    program = declaring()
    fit_name("a kind", name)
    prefix = prefix or ("" if numbered or named else name + "-")
    fit_words(f"the kind '{name}'", {"label": label, "prefix": prefix, "numbered": numbered, "named": named})
    program.kinds.append(Kind(name, label or name.capitalize(), prefix, numbered, named, program.id, page is True))


def row(catalogue: str, row_id: str, **columns: Any) -> None:
    """Declare a row of a catalogue: `row("unit", "warrior", name="Warrior", attack=10)`."""
    program = declaring()
    fit_words("a row", {"catalogue": catalogue, "name": row_id})
    content = namedtuple("Row", ("id", "rule", *columns))(row_id, program.id, *columns.values())
    program.rows.append((catalogue + " " + row_id, catalogue, content))


def catalogue(name: str, for_sale: bool = False) -> None:
    """`catalogue("product", for_sale=True)`: the rows of a catalogue that have a `price` are what the rules sell, in
    the market."""
    fit_words("a catalogue", {"name": name})
    declaring().catalogues.append((name, for_sale is True))


def also_asks(action: str, **fields: Any) -> None:
    """Add fields to the form of an action that another rule declares; they may be left empty."""
    fit_form(action, fields)
    for field in fields.values():
        field.optional = True
    declaring().fields.append((action, fields))


def event(event_id: str, fact: str = "", say: str = "", notify: Any = (), **fields: Any) -> None:
    """Declare an event. `fact` is the word under which it enters the log (none: it leaves no fact of its own).

    Each field is given with the kind of its thing ("player", "square"), "moment" (its sentence says a date) or "" for
    anything else; `say` is a sentence with fields in braces: "{who} pays ${amount}". Of an event without a fact it
    tells the moment at which the clock starts it: "The bank pays interest". `notify` names fields that hold players, or
    tuples of players, who get a notice of it: "who", ("who", "guests"). One that names none is a field, as it once was.
    """
    program = declaring()
    names = (notify,) if type(notify) is str else notify
    if type(names) is not tuple or [name for name in names if name not in fields]:
        fields["notify"], names = notify, ()
    moments = tuple([key for key in fields if fields[key] == "moment"])
    sorts = {key: "" if key in moments else fields[key] or "" for key in fields}
    fit_line("an event", event_id)
    said = {"fact": fact, "sentence": say, **{"kind of " + key: sorts[key] for key in sorts}}
    fit_words(f"the event '{event_id}'", said)
    program.events.append(EventPlan(event_id, fact, sorts, say, program.id))
    program.events[-1].moments, program.events[-1].notify = moments, names


def kept_in(declarations: Any, *before: Any, rest: Any = ()) -> Any:
    """A decorator that adds its function to a list of declarations: (*before, function, *rest)."""

    def keep(function: Any) -> Any:
        declarations.append((*before, function, *rest))
        return function

    return keep


def check(event: str) -> Any:
    """`@check("land")`: return a reason why not, True for expressly allowed, or nothing. "*" means every action."""
    return kept_in(declaring().stations, event, "check", rest=("",))


def instead(event: str, per: str = "") -> Any:
    """`@instead("move", per="who")`: return `e.but(...)`, `e.to(...)`, False to prevent, or nothing."""
    return kept_in(declaring().stations, event, "instead", rest=(per,))


def on(event: str) -> Any:
    """`@on("pay")`: what the event does. If several rules say, one wins."""
    return kept_in(declaring().stations, event, "on", rest=("",))


def after(event: str) -> Any:
    """`@after("land")`: what follows from the event; all of them, in order."""
    return kept_in(declaring().stations, event, "after", rest=("",))


def value_decorator(name: str, of: str = "", bands: Any = None, label: str = "", type: str = "", **more: Any) -> Any:
    """`@value("rent", of="square")`: a computed quantity. With a label it is shown on the pages of its things.

    `asks`, `until` and `asking` are as of an attribute. Some names mean something to the pages: see `RULES` in
    `runtime/protocol.py`.
    """
    for part in more:
        if part not in ("asks", "until", "asking"):
            raise TypeError(f"value() got an unexpected keyword argument '{part}'")
    asking(declaring(), of, name, more)
    fit_name("a value", name)
    fit_words(f"the value '{name}'", {"kind": of, "label": label, "type": type})
    return kept_in(declaring().values, name, rest=(of, bands, label, type or "number"))


def modify(name: str, show: Any = "all") -> Any:
    """`@modify("rent")`: a contribution to a value; gets what the value gets, and then `base`.

    With `show`, as of an attribute of the thing that the value is of, others see the value without this contribution;
    rules always work with the whole of it.
    """
    return kept_in(declaring().modifies, name, rest=((show,) if str(show) == show else tuple(show),))


def setting(name: str, label: str = "") -> None:
    """Declare a value that is the rule's own number of that name, so that amending the number amends the value."""
    program = declaring()
    if not hasattr(world.numbers, name):
        raise ValueError(f"rule {program.id} has no number '{name}'")
    number = getattr(world.numbers, name)
    fit_words(f"the value '{name}'", {"label": label})
    program.values.append((name, lambda: number, "", None, label, "number"))


def marker(kind: str) -> Any:
    """`@marker("square")`: what the board shows at a thing: return (symbol, label) or nothing. A third word names a
    sign that is drawn large, for a place: ("Z", "the Zoo", "paw")."""
    return kept_in(declaring().markers, kind, rest=(declaring().id,))


def calendar(
    name: str, weekday: int = -1, hour: int = 0, minute: int = 0, real: bool = False, say: str = "", label: str = ""
) -> None:
    """Declare an event that the calendar of the game's time zone starts: daily, or weekly on `weekday` (0 = Monday).

    What falls into a pause is left out, unless it is `real`. `say` tells the moment in the log: "The voting opens".
    `label` names it where it is to come: "a new week"; else its name does.
    """
    program = declaring()
    fit_line("a moment of the calendar", name)
    fit_moment(name, weekday=(weekday, -1, 6), hour=(hour, 0, 23), minute=(minute, 0, 59))
    fit_words(f"the moment '{name}'", {"sentence": say, "label": label})
    program.events.append(EventPlan(name, "", {}, say, program.id))
    moment = {"name": name, "weekday": weekday, "hour": hour, "minute": minute, "real": real}
    program.calendar.append({**moment, "label": label or name.replace("-", " "), "rule": program.id})


def overrides(*rules: str) -> None:
    """Say that this rule goes before those."""
    declaring().overrides.extend(rules)


def defers_to(*rules: str) -> None:
    """Say that those rules go before this one."""
    declaring().defers_to.extend(rules)

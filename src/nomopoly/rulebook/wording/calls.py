"""The words for calls of the language and the shared modules, where their names alone would be clumsy."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from nomopoly.rulebook.wording.naming import Unsayable, money_fields, plural, quote
from nomopoly.rulebook.wording.offers import readable
from nomopoly.rulebook.wording.sentence import Part

if TYPE_CHECKING:
    from nomopoly.rulebook.wording.phrases import Phrases

WRITES = frozenset(("do", "do_each", "ask", "enact", "put_into_effect", "run_once", "change_rulebook", "make_proposal"))
UNTELLABLE = frozenset(("isinstance", "dict", "from_text", "as_text", "traits", "fixed_traits", "begin_draws", "range"))
METHOD_WORDS = {
    ("strip", 0): "{0} without blanks around it",
    ("casefold", 0): "{0} in small letters",
    ("lower", 0): "{0} in small letters",
    ("upper", 0): "{0} in capitals",
    ("count", 1): "how often {1} is in {0}",
    ("index", 1): "the place of {1} in {0}",
    ("get", 1): "what {0} has for {1}",
    ("get", 2): "what {0} has for {1} ({2} if nothing)",
    ("join", 1): "{1} joined by {0}",
    ("replace", 2): "{0} with {2} in place of {1}",
}


def simple(pattern: str, least: int, most: int | None = None) -> Callable[[Phrases, Part], str | None]:
    """Words for a call with so many arguments: their places in braces."""

    def tell(teller: Phrases, part: Part) -> str | None:
        if part["with"] or not least <= len(part["of"]) <= (least if most is None else most):
            return None
        if any(each["is"] == "spread" or each == {"is": "it", "name": "e"} for each in part["of"]):
            return None
        return pattern.format(*[teller.object(each) for each in part["of"]])

    return tell


def percent_of(teller: Phrases, part: Part) -> str | None:
    """`share(amount, 15)`: 15 % of it."""
    if len(part["of"]) != 2 or part["with"]:
        return None
    return f"{teller.inner(part['of'][1])}% of {teller.inner(part['of'][0])}"


def sorted_by(teller: Phrases, part: Part) -> str | None:
    """A list in order."""
    key = part["with"].get("key")
    of = teller.inner(part["of"][0])
    if key is None and not part["with"]:
        return f"{of} in order"
    if set(part["with"]) != {"key"} or key is None or key["is"] != "lambda" or len(key["as"]) != 1:
        raise Unsayable("this order cannot be told")
    return f"{of} in the order of {by_key(teller, part, key)}"


def by_key(teller: Phrases, part: Part, key: Part) -> str:
    """What a list is put in order by."""
    kept = dict(teller.names)
    kind = teller.kind_in(part["of"][0])
    teller.name(key["as"][0], f"each {teller.kind_label(kind)}" if kind else "each", kind)
    text = teller.content(key["give"])
    teller.names = kept
    return text


def extreme(word: str) -> Callable[[Phrases, Part], str | None]:
    """The greatest or smallest of a list."""

    def tell(teller: Phrases, part: Part) -> str | None:
        if len(part["of"]) != 1:
            return None
        key = part["with"].get("key")
        of = teller.inner(part["of"][0])
        if not part["with"]:
            return f"the {word} of {of}"
        if set(part["with"]) == {"key"} and key is not None and key["is"] == "lambda" and len(key["as"]) == 1:
            return f"the one of {of} with the {word} of {by_key(teller, part, key)}"
        raise Unsayable("this cannot be told")

    return tell


def attribute_or(teller: Phrases, part: Part) -> str | None:
    """`attribute_of(who, "speeding", False)`: what something has, if a rule declares it."""
    if len(part["of"]) not in (2, 3) or part["with"] or part["of"][1]["is"] != "word":
        return None
    told = teller.attribute_phrase({"of": part["of"][0], "name": part["of"][1]["value"]})
    if len(part["of"]) == 2 or part["of"][2]["is"] in ("nothing", "items"):
        return told
    return f"{told} ({teller.content(part['of'][2])} where no rule declares it)"


def at_moment(teller: Phrases, part: Part) -> str | None:
    """`at(moment, "event", ...)`: an event later."""
    if len(part["of"]) != 2 or part["of"][1]["is"] != "word":
        return None
    fields = {name: each for name, each in part["with"].items() if name not in ("real", "quiet")}
    event = quote(readable(part["of"][1]["value"]))
    types = money_fields(teller.offers.events.get(part["of"][1]["value"]))
    return f"{event} is set to happen at {teller.object(part['of'][0])}{teller.fields_told(fields, types)}"


def cancelled(teller: Phrases, part: Part) -> str | None:
    """`cancel("event", ...)`: an event that was set to happen will not."""
    if len(part["of"]) != 1 or part["of"][0]["is"] != "word":
        return None
    return f"{quote(readable(part['of'][0]['value']))} is no longer set to happen{teller.fields_told(part['with'], {})}"


def noted(teller: Phrases, part: Part) -> str | None:
    """`note(total=...)`: what the log says besides."""
    fields = {name: each for name, each in part["with"].items() if name != "only"}
    if part["of"]:
        return None
    only = f"only {teller.object(part['with']['only'])} see this in the log" if "only" in part["with"] else ""
    text = f"the log notes{teller.fields_told(fields, {})}" if fields else ""
    return "; ".join([each for each in (text, only) if each])


def fact_told(teller: Phrases, part: Part) -> str | None:
    """`fact("named", ...)`: an entry of the log."""
    if len(part["of"]) != 1 or part["of"][0]["is"] != "word" or "only" in part["with"]:
        return None
    return f"the log says {quote(readable(part['of'][0]['value']))}{teller.fields_told(part['with'], {})}"


def removed(teller: Phrases, part: Part) -> str | None:
    """`remove(who, because, how)`: a player leaves."""
    if len(part["of"]) != 3 or part["with"]:
        return None
    why = part["of"][1]
    reason = "" if why == {"is": "word", "value": ""} else f" (reason: {teller.object(why)})"
    return f"{teller.acts(part['of'][0], 'be', 'removed from the game')}{reason}"


def followed(teller: Phrases, part: Part) -> str | None:
    """`follow("event", ...)`: an event right after this."""
    if len(part["of"]) != 1 or part["of"][0]["is"] != "word":
        return None
    name = part["of"][0]["value"]
    types = money_fields(teller.offers.events.get(name))
    return f"right after this {quote(readable(name))} happens{teller.fields_told(part['with'], types)}"


def purse_raised(word: str) -> Callable[[Phrases, Part], str | None]:
    """`credit(who, amount)`, `debit(who, amount)`: what the effects of money events do."""

    def tell(teller: Phrases, part: Part) -> str | None:
        if len(part["of"]) != 2 or part["with"]:
            return None
        return f"{teller.possessive(part['of'][0], 'money')} goes {word} by {teller.object(part['of'][1], 'money')}"

    return tell


def asked(teller: Phrases, part: Part) -> str | None:
    """`ask(who, text, options, then="event", ...)`: a question, and what follows from the answers."""
    given = dict(part["with"])
    then, default, by = (given.pop(name, None) for name in ("then", "default", "by"))
    if len(part["of"]) != 3 or then is None or then["is"] != "word" or "secret" in given or "about" in given:
        return None
    whom, text, options = part["of"]
    who = teller.object(whom)
    until = f" until {teller.object(by)}" if by is not None else ""
    usual = f"; without an answer it is {teller.object(default)}" if default is not None else ""
    told = f"{who} can choose{until} between {teller.object(options)} ({teller.object(text)}{usual})"
    return (
        f"{told.replace('them can', 'they can')}; then {quote(readable(then['value']))} "
        f"happens{teller.fields_told(given, {})}"
    )


def here_told(teller: Phrases, part: Part) -> str | None:
    """`here(place, "flag")`: what stands on a square; players, if nothing is said."""
    kind = part["of"][1] if len(part["of"]) == 2 else {"is": "word", "value": "player"}
    if part["with"] or len(part["of"]) not in (1, 2) or kind["is"] != "word":
        return None
    return f"the {plural(teller.kind_label(kind['value']))} on {teller.object(part['of'][0])}"


def repealed(teller: Phrases, part: Part) -> str | None:
    """`repeal("8.3")`: a rule goes."""
    if len(part["of"]) != 1 or part["with"]:
        return None
    number = part["of"][0]
    if number["is"] == "word":
        return f"rule {number['value']} is repealed"
    said = teller.object(number)
    return "this rule is repealed" if said == "the number of this rule" else f"the rule {said} is repealed"


def range_told(teller: Phrases, part: Part) -> str | None:
    """`range(n)`: so many times."""
    if len(part["of"]) == 1 and not part["with"]:
        return f"{teller.inner(part['of'][0])} times"
    return None


def money_of_rows(teller: Phrases, part: Part) -> str | None:
    """`rows("step", by="place")`: the rows of a catalogue."""
    if len(part["of"]) != 1 or part["of"][0]["is"] != "word" or set(part["with"]) - {"by"}:
        return None
    by = part["with"].get("by")
    order = f" in the order of {readable(by['value'])}" if by is not None and by["is"] == "word" else ""
    return f"the rows of the list {quote(readable(part['of'][0]['value']))}{order}"


def was_told(teller: Phrases, part: Part) -> str | None:
    """`was(who, "money")`: what something had when the entry began."""
    if len(part["of"]) != 2 or part["with"] or part["of"][1]["is"] != "word":
        return None
    return f"{teller.attribute_phrase({'of': part['of'][0], 'name': part['of'][1]['value']})} as it was before"


def value_otherwise(teller: Phrases, part: Part) -> str | None:
    """`value("rent", place, otherwise=0)`."""
    if set(part["with"]) != {"otherwise"} or not part["of"] or part["of"][0]["is"] != "word":
        return None
    value = {"is": "value", "name": part["of"][0]["value"], "of": part["of"][1:]}
    return f"{teller.expression(value)} ({teller.content(part['with']['otherwise'])} where no rule says)"


CALL_PHRASES: dict[str, Callable[[Phrases, Part], str | None]] = {
    "players": simple("all players", 0),
    "squares": simple("all squares", 0),
    "last_number": simple("the highest number of a square", 0),
    "owned_by": simple("the squares of {}", 1),
    "find": simple("the thing with the id {}", 1),
    "thing": simple("the thing with the id {}", 1),
    "as_thing": simple("{}", 1),
    "here": here_told,
    "abs": simple("the size of {} without its sign", 1),
    "len": simple("the number of entries in {}", 1),
    "sum": simple("the sum of {}", 1),
    "tuple": simple("{}", 1),
    "list": simple("{}", 1),
    "int": simple("{} as a whole number", 1),
    "str": simple("{} as a word", 1),
    "game_time": simple("now in game time", 0),
    "moment_text": simple("{}", 1),
    "row_of": simple("the row {1} of the list {0}", 2),
    "share": percent_of,
    "sorted": sorted_by,
    "max": extreme("greatest"),
    "min": extreme("smallest"),
    "attribute_of": attribute_or,
    "getattr": attribute_or,
    "rows": money_of_rows,
    "range": range_told,
    "was": was_told,
    "value": value_otherwise,
    "chance.die": simple("the roll of a die with {} sides", 1),
    "chance.dice": simple("the roll of dice with {} sides", 1),
    "chance.pick": simple("one of {}, each equally likely", 1),
    "chance.hidden.pick": simple("one of {}, each equally likely, drawn in secret", 1),
    "chance.hidden.card": simple("a card drawn in secret from {}", 1),
    "chance.card": simple("a card drawn from {}", 1),
    "chance.sample": simple("{1} different ones drawn from {0}", 2),
    "pick_one": simple("one of {}, each equally likely", 1),
    "actor": simple("who gives this order", 0),
}
CALL_WORDS: dict[str, Callable[[Phrases, Part], str | None]] = {
    "credit": purse_raised("up"),
    "debit": purse_raised("down"),
    "at": at_moment,
    "cancel": cancelled,
    "note": noted,
    "ask": asked,
    "chance.unforeseen": simple("nobody can learn beforehand what happens from here on", 0),
    "fact": fact_told,
    "remove": removed,
    "repeal": repealed,
    "follow": followed,
    "take_over": simple("{} gets {} as its owner", 2),
    "change_owner": simple("{} gets {} as its owner, by the rules on that", 2),
    "add_squares": simple("{} squares are added to the board", 1),
    "broken": simple("the rule breaks off: {}", 1),
    "must_afford": simple("it is refused, unless spending {1} is allowed to {0}", 2),
    "pause": simple("the game is paused", 0),
}

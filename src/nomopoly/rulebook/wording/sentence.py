"""A rule as sentences: plain dicts, lists, words and whole numbers, as JSON has them.

A rule is a list of sentences. A sentence is a dict with `form`, one of FORMS; every part within it is a dict with `is`,
one of PARTS. Both tables say which slots a form or part has, what each slot takes and whether it may be left out; the
pages, the program, the English, the reader and the tests all go by them. Nothing else is in a sentence.

The example that everything else is measured by, "When a player lands on a square, if somebody else owns the square, the
player pays the owner of the square $2 times the number of the square, at most $100":

    {"form": "when", "event": "land", "how": "after",
     "if": {"is": "owned by another", "of": {"is": "field", "name": "square"}, "than": {"is": "field", "name": "who"}},
     "then": [
       {"is": "pay", "who": {"is": "field", "name": "who"},
        "to": {"is": "attribute", "of": {"is": "field", "name": "square"}, "name": "owner"},
        "amount": {"is": "least", "of": [
          {"is": "math", "op": "times", "left": {"is": "number", "value": 2, "name": "price"},
           "right": {"is": "attribute", "of": {"is": "field", "name": "square"}, "name": "number"}},
          {"is": "number", "value": 100, "name": "most"}]}}]}

which makes the program

    @after("land")
    def after_land(e):
        if e.square.owner not in (None, e.who):
            pay(e.who, e.square.owner, min(rule.price * e.square.number, rule.most))

with the numbers {"price": 2, "most": 100}. A number without a name (`"name": ""`) is a plain number in the program;
`named` gives a name to each that somebody has typed.

The forms, and what `how` of a `when` says:

- `when`: an event. `how` is "after" (it has happened; `then` are effects), "forbidden" (`then` holds one `forbid` with
  its reason, or `allow`), "instead" (`then` holds one of `prevent`, `but`, `to`) or "on" (this is what the event does).
- `every`: a moment of the calendar that this rule makes: `moment` is its name, `weekday` 0 (Monday) to 6, or -1 for
  daily.
- `button`: an action of players, with `fields` to fill in. What makes it impossible is a `when` of its name,
  "forbidden".
- `value`: a value is bent; `then` holds one `change`. `as` names what the value is of, and `base` is what it is without
  this.
- `attribute`: something that every thing of a kind has.
- `row`: a row of a catalogue, such as a unit; `columns` holds {name: number, word or yes/no as an expression}.
- `event`: an event that rules can do and hear of; `kind`: a kind of thing. (For what the others speak of.)

Slots are of these types (the second entry of a slot, which may end in "?" where the slot may be left out, then it is
None):

- "condition": a part of CONDITIONS; "effects": a list of parts of EFFECTS; "changes": a list with one part that says
  what becomes of the event or value
- "expression:WANTED": a part of EXPRESSIONS whose type is WANTED: number, money, word, yesno, moment, list, thing
  (any), any, or the name of a kind; "expressions:WANTED": a list of them; "conditions": a list of conditions
- "text": text that is shown, {"is": "text", "parts": [...]}; its "parts" are words and expressions, one after the other
- "name:WHAT": a name that the game's rules declare (event, value, attribute, kind, field, row, action, word) or that
  this sentence has made ("variable")
- "new:WHAT": a new name, typed; "word", "number", "yesno": typed; "choice:A|B": one of these
- "with": {name of a field or attribute: expression}; "columns" and "fields" as said above and in BUTTON_FIELDS
"""

from __future__ import annotations

from typing import Any

Part = dict[str, Any]  # {"is": ..., slot: ...}
Sentence = dict[str, Any]  # {"form": ..., slot: ...}
Slots = tuple[tuple[str, str], ...]

WHEN = ("after", "instead", "forbidden", "on")
OPS = ("plus", "minus", "times", "divided by", "remainder of")
COMPARES = ("==", "!=", "<", "<=", ">", ">=", "is", "is not", "in", "not in")
OPPOSITES = {"==": "!=", "<": ">=", "<=": ">", "is": "is not", "in": "not in"}
SAME = {"is": "==", "is not": "!="}
OPPOSITES |= {second: first for first, second in OPPOSITES.items()}
CHANGES = ("more", "less", "percent", "percent less", "times", "divided by", "at least", "at most", "exactly")
UNITS = ("days", "hours", "minutes", "weeks")

FORMS: dict[str, Slots] = {
    "when": (
        ("event", "name:event"),
        ("how", "choice:after|instead|forbidden|on"),
        ("if", "condition?"),
        ("then", "effects"),
    ),
    "every": (
        ("moment", "new:event"),
        ("weekday", "number"),
        ("hour", "number"),
        ("minute", "number"),
        ("if", "condition?"),
        ("then", "effects"),
    ),
    "button": (
        ("action", "new:action"),
        ("label", "word"),
        ("say", "word"),
        ("fields", "fields"),
        ("secret", "yesno"),  # the order is kept from the others
        ("if", "condition?"),
        ("then", "effects"),
    ),
    "value": (("value", "name:value"), ("as", "names"), ("if", "condition?"), ("then", "changes")),
    "attribute": (
        ("kind", "name:kind"),
        ("name", "new:attribute"),
        ("default", "literal"),
        ("label", "word"),
        ("type", "choice:|money|number|word|yesno|thing|moment"),
        ("show", "choice:all|owner|admin|nobody"),
        ("summary", "yesno"),
    ),
    "row": (("catalogue", "name:catalogue"), ("id", "new:row"), ("name", "word"), ("columns", "columns")),
    "event": (("event", "new:event"), ("fact", "word"), ("say", "word"), ("fields", "sorts")),
    "kind": (("kind", "new:kind"), ("label", "word"), ("prefix", "word")),
}
# A field of a button: {"name": "flag", "takes": "choose", "label": "Flag", ...}; what it has besides, by `takes`.
BUTTON_FIELDS: dict[str, Slots] = {
    "choose": (("kind", "name:kind"), ("optional", "yesno")),
    "one_of": (("options", "words"), ("optional", "yesno")),
    "words": (("limit", "number"), ("optional", "yesno")),
    "number": (("least", "number"), ("most", "number?"), ("optional", "yesno")),
    "yes_or_no": (),
}
EXPRESSIONS: dict[str, Slots] = {
    "number": (("value", "number"), ("name", "word")),
    "word": (("value", "word"),),
    "yes": (("value", "yesno"),),
    "nothing": (),
    "field": (("name", "name:field"),),  # of the event: e.who
    "it": (("name", "name:variable"),),  # what `each`, `let`, `make` or a value's `as` has named
    "result": (),  # e.result
    "attribute": (("of", "expression:thing"), ("name", "name:attribute")),
    "value": (("name", "name:value"), ("of", "expressions:any")),
    "math": (
        ("op", "choice:plus|minus|times|divided by|remainder of"),
        ("left", "expression:number"),
        ("right", "expression:number"),
    ),
    "least": (("of", "expressions:number"),),  # the smaller one: "at most"
    "most": (("of", "expressions:number"),),  # the greater one: "at least"
    "share": (("of", "expression:number"), ("part", "expression:number"), ("whole", "expression:number")),
    "percent": (("of", "expression:number"), ("part", "expression:number")),
    "extreme": (  # the one with the most or least of something; None where there is none
        ("how", "choice:most|least"),
        ("kind", "name:kind"),
        ("as", "variable"),
        ("by", "expression:number"),
        ("if", "condition?"),
    ),
    "pick": (("kind", "name:kind"), ("as", "variable"), ("if", "condition?")),  # one of them, drawn by lot
    "secret pick": (("kind", "name:kind"), ("as", "variable"), ("if", "condition?")),
    "count": (("kind", "name:kind"), ("as", "variable"), ("if", "condition?")),
    "all": (("kind", "name:kind"), ("as", "variable"), ("if", "condition?")),
    "thing": (("id", "word"),),
    "square": (("numbered", "expression:number"),),  # a certain one; none is there once it is gone
    "die": (("sides", "expression:number"),),
    "secret die": (("sides", "expression:number"),),
    "now": (),
    "ago": (("amount", "expression:number"), ("unit", "choice:days|hours|minutes|weeks")),
    "from now": (("amount", "expression:number"), ("unit", "choice:days|hours|minutes|weeks")),
    "span": (("amount", "expression:number"), ("unit", "choice:days|hours|minutes|weeks")),
    "name": (("of", "expression:any"),),  # as players read it
    "text": (("parts", "parts"),),
}
CONDITIONS: dict[str, Slots] = {
    "and": (("of", "conditions"),),
    "or": (("of", "conditions"),),
    "not": (("of", "condition"),),
    "compare": (
        ("left", "expression:any"),
        ("op", "choice:==|!=|<|<=|>|>=|is|is not|in|not in"),
        ("right", "expression:any"),
    ),
    "dated": (  # a moment that is known, compared with one of DATES
        ("left", "expression:moment"),
        ("op", "choice:<|<=|>|>="),
        ("right", "expression:date"),
    ),
    "kind": (("of", "expression:thing"), ("kind", "name:kind")),
    "unowned": (("of", "expression:thing"),),
    "owned": (("of", "expression:thing"),),
    "owned by": (("of", "expression:thing"), ("by", "expression:player")),
    "owned by another": (("of", "expression:thing"), ("than", "expression:player")),
    "another": (("of", "expression:thing"), ("than", "expression:player")),  # it is somebody, and somebody else
    "there": (("kind", "name:kind"), ("on", "expression:square")),  # something of a kind stands on a square
    "some": (("kind", "name:kind"), ("as", "variable"), ("if", "condition?")),  # there is one for which...
    "caused by": (("event", "name:event"),),
    "chance": (("in", "expression:number"),),  # one in n
    "exists": (("of", "expression:thing"),),
    "true": (("of", "expression:yesno"),),
}
EFFECTS: dict[str, Slots] = {
    "pay": (("who", "expression:player"), ("to", "expression:player"), ("amount", "expression:money")),
    "gain": (("who", "expression:player"), ("amount", "expression:money")),
    "lose": (("who", "expression:player"), ("amount", "expression:money")),
    "award": (("who", "expression:player"), ("amount", "expression:money")),
    "fine": (("who", "expression:player"), ("amount", "expression:money")),
    "win": (("who", "expression:player"),),
    "move": (("who", "expression:player"), ("steps", "expression:number")),
    "jump": (("who", "expression:player"), ("to", "expression:square")),
    "give item": (("who", "expression:player"), ("item", "expression:word")),
    "take item": (("who", "expression:player"), ("item", "expression:word")),
    "set": (("of", "expression:thing"), ("name", "name:attribute"), ("to", "expression:any")),
    "raise": (("of", "expression:thing"), ("name", "name:attribute"), ("by", "expression:number")),
    "lower": (("of", "expression:thing"), ("name", "name:attribute"), ("by", "expression:number")),
    "make": (("kind", "name:kind"), ("as", "variable?"), ("with", "with")),
    "destroy": (("of", "expression:thing"),),
    "do": (("event", "name:event"), ("may", "yesno"), ("with", "with")),
    "tell": (("to", "expression:whom"), ("text", "text")),  # to nothing: everybody
    "refuse": (("because", "text"),),
    "let": (("name", "variable"), ("be", "expression:any")),  # also rolls: {"is": "let", "be": {"is": "die", ...}}
    "each": (("as", "variable"), ("kind", "name:kind"), ("if", "condition?"), ("then", "effects")),
    "if": (("if", "condition"), ("then", "effects"), ("otherwise", "effects")),
    "stop": (),
}
OUTCOMES: dict[str, Slots] = {  # of what is asked before an event, or of a value
    "forbid": (("because", "text"),),
    "allow": (),
    "prevent": (),
    "but": (("with", "with"),),
    "to": (("event", "name:event"), ("with", "with")),
    "change": (
        ("how", "choice:more|less|percent|percent less|times|divided by|at least|at most|exactly"),
        ("amount", "expression:number"),
    ),
}
DATES = ("now", "ago", "from now")
ONE_OF_A_KIND = ("extreme", "pick", "secret pick")
TERMS = ("field", "it", "result", "attribute", "value", "thing")  # expressions that are chosen as a whole
PARTS: dict[str, Slots] = {**EXPRESSIONS, **CONDITIONS, **EFFECTS, **OUTCOMES}


def field(name: str) -> Part:
    """A field of the event: what `e.who` is."""
    return {"is": "field", "name": name}


def number(value: int, name: str = "") -> Part:
    """A whole number; with a name one of the rule's named numbers."""
    return {"is": "number", "value": value, "name": name}


def attribute(of: Part, name: str) -> Part:
    """What something has."""
    return {"is": "attribute", "of": of, "name": name}


def opposite(condition: Part) -> Part:
    """That a condition does not hold."""
    if condition["is"] == "compare" and condition["op"] in OPPOSITES:
        return {**condition, "op": OPPOSITES[condition["op"]]}
    return condition["of"] if condition["is"] == "not" and condition["of"] else {"is": "not", "of": condition}


def is_square(part: Part | None) -> bool:
    """Whether an expression is a certain square, with its number said."""
    return part is not None and part["is"] == "square" and part.get("numbered") is not None


def is_field(part: Part | None) -> bool:
    """Whether an expression is a field of the event."""
    return part is not None and part["is"] == "field"


def plainest(part: Part) -> Part:
    """A part, or a sentence, in the form that the reader gives to its program, where several say the same."""
    name = part.get("is")
    then = part.get("then")
    if part.get("if") is None and isinstance(then, list) and len(then) == 1 and name in (None, "each"):
        only = then[0]
        if only["is"] == "if" and not only["otherwise"]:  # the condition of all that there is
            return {**part, "if": only["if"], "then": only["then"]}
    if name in ("some", "count", "all", "pick", "secret pick") and part.get("if") is None:
        return {**part, "as": ""}
    owner = part.get("left") if name == "compare" else part.get("of") if name == "another" else None
    if isinstance(owner, dict) and owner["is"] == "attribute" and owner["name"] == "owner":
        of, op, right = owner["of"], part.get("op"), part.get("right")
        if name == "another":
            return {"is": "owned by another", "of": of, "than": part["than"]}
        if right == {"is": "nothing"} and op in ("is", "is not"):
            return {"is": "unowned" if op == "is" else "owned", "of": of}
        if op == "is" and right is not None:
            return {"is": "owned by", "of": of, "by": right}
    same = SAME.get(part.get("op", "")) if name == "compare" else None
    if same is not None and is_square(part["right"]) and is_field(part["left"]):
        # by its number, which is no question of whether there is such a square
        its, right = attribute(part["left"], "number"), part["right"]["numbered"]
        return {"is": name, "left": its, "op": same, "right": right}
    to = part.get("to") if name == "set" else None
    before = {"is": "attribute", "of": part.get("of"), "name": part.get("name")}
    if isinstance(to, dict) and to["is"] == "math" and to["op"] in ("plus", "minus") and to["left"] == before:
        verb = "raise" if to["op"] == "plus" else "lower"
        return {"is": verb, "of": part["of"], "name": part["name"], "by": to["right"]}
    return part

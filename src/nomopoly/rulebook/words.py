"""The list of words of a game: all that its rules can say, made from the kernel, the shared modules and the rules in
force.

An entry is a dict: `name`, `sort` (one of SORTS), `takes` (a signature, fields, or kinds), `text` (what it is, one
whole line), `example`, `by` ("kernel", "commons/money" or the number of a rule) and `title` (of that rule).
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterable
from typing import Any

from nomopoly.kernel.dice import chance
from nomopoly.kernel.events import Event
from nomopoly.kernel.language import WORDS
from nomopoly.rulebook.lately import Lately
from nomopoly.rulebook.outline import (
    Declared,
    argument,
    called,
    collect,
    declared_by,
    decorated,
    first_word,
    kernel_program,
    lent_functions,
    top_calls,
    tree_of,
    word,
    words_in,
)
from nomopoly.rulebook.source import Record, prose, with_gaps

Entry = dict[str, Any]
SORTS = {
    "word": "Words of the language",
    "chance": "Chance",
    "part": "Parts of an event",
    "shared": "Shared functions",
    "event": "Events",
    "action": "Actions",
    "value": "Values",
    "attribute": "Attributes",
    "kind": "Kinds of things",
    "fact": "Words of the log",
}
STATES = ("status", "verdict", "outcome")  # attributes whose words are listed
_lately: Lately[list[Entry]] = Lately()


def words_of(records: Iterable[Record], commons: Iterable[Iterable[str]] = ()) -> list[Entry]:
    """All words of a book, sort by sort and by name; the last few lists are kept, as long as the book stays as it
    is."""
    book, shared = list(records), [tuple(each) for each in commons]
    return _lately.of([book, shared], lambda: made(book, shared))


def search(entries: Iterable[Entry], wanted: str) -> list[Entry]:
    """The entries that hold all words of what is looked for, in their order."""
    parts = wanted.casefold().split()
    return [each for each in entries if all(part in searched(each) for part in parts)]


def searched(each: Entry) -> str:
    """What of an entry is searched."""
    return " ".join([each["name"], each["text"], each["takes"], each["by"], each["title"]]).casefold()


def to_text(entries: Iterable[Entry]) -> str:
    """The list for a terminal: two lines an entry."""
    lines: list[str] = []
    sort = ""
    for each in entries:
        if each["sort"] != sort:
            sort = each["sort"]
            lines += ["", f"# {SORTS[sort]}", ""] if lines else [f"# {SORTS[sort]}", ""]
        by = each["by"] if each["by"][:1].islower() else f"rule {each['by']}"
        lines += [f"{each['name']}{each['takes']}  [{by}]", f"    {each['text']}", f"    e.g. {each['example']}"]
    return "\n".join(lines) + "\n"


def made(book: list[Record], commons: list[tuple[str, ...]]) -> list[Entry]:
    """Make the list."""
    declared = declared_by(book, commons)
    words = [each for each in shared(commons) if not book or works(each["name"], declared)]
    entries = [*language(), *words, *kernel_declared()]
    modules = [
        {"id": f"commons/{name}", "title": "", "text": module_doc(source), "params": {}, "code": source}
        for name, source in commons
        if any(f"\n{declaration}(" in source for declaration in ("event", "attribute", "kind", "@value"))
    ]
    for record in [*modules, *book]:
        tree = tree_of(record["code"])
        if isinstance(tree, ast.Module):
            entries += of_rule(record, tree, declared)
    entries += births({each["name"] for each in entries if each["sort"] in ("event", "action")}, declared)
    order = list(SORTS)
    return sorted(entries, key=lambda each: (order.index(each["sort"]), each["name"].casefold(), each["by"]))


def births(known: set[str], declared: Declared) -> list[Entry]:
    """The events by which rules hear that a thing is made, and that it goes: one for each kind, and one for all."""
    entries = []
    for kind in sorted(declared.kinds):
        name = f"create-{kind}"
        if name in declared.events and name not in known:
            fields = [each for each in declared.events[name] if each not in ("kind", "id", "given", "thing", kind)]
            text = f"A thing of the kind {kind} is made, if a rule waits for it. Afterwards it is e.{kind}."
            entries.append(entry("event", name, f"({', '.join([*fields, kind])})", text, f'@check("{name}")', "kernel"))
        name = f"destroy-{kind}"
        if name in declared.events and name not in known:
            text = (
                f"A thing of the kind {kind}, e.{kind}, goes, if a rule waits for it. Afterwards it keeps what it had."
            )
            entries.append(entry("event", name, f"({kind})", text, f'@after("{name}")', "kernel"))
    if "destroy" in declared.events and "destroy" not in known:
        text = "A thing of any kind goes, if a rule waits for it. Afterwards it keeps what it had until the entry ends."
        entries.append(entry("event", "destroy", "(thing)", text, '@after("destroy")', "kernel"))
    if "create" in declared.events and "create" not in known:
        text = "A thing of any kind, e.kind, is made, if a rule waits for it. Afterwards it is e.thing."
        entries.append(entry("event", "create", "(kind, id, thing)", text, '@after("create")', "kernel"))
    return entries


def works(word: str, declared: Declared) -> bool:
    """Whether the events and values are declared that a shared function cannot do without."""
    there = {"event": declared.events, "value": declared.values}
    return all(needed in there[sort] for sort, needed in declared.needs.get(word, ()))


def module_doc(source: str) -> str:
    """What a shared module says of itself."""
    tree = tree_of(source)
    return paragraph(ast.get_docstring(tree)) if isinstance(tree, ast.Module) else ""


def entry(sort: str, name: str, takes: str, text: str, example: str, by: str, title: str = "") -> Entry:
    """One entry; its text is one whole line, and ends as a sentence does."""
    line = " ".join(text.split())
    if line and line[-1] not in ".!?:)":
        line += "."
    return {"name": name, "sort": sort, "takes": takes, "text": line, "example": example, "by": by, "title": title}


def paragraph(doc: str | None) -> str:
    """The first paragraph of a docstring, on one line."""
    return " ".join((doc or "").strip().split("\n\n")[0].split())


def example_in(doc: str | None, name: str, call: str) -> str:
    """What a docstring gives as an example, or the plain call."""
    within = re.search(rf"`([^`]*@?\b{re.escape(name)}\([^`]*)`", doc or "")
    return " ".join(within[1].split()) if within else call


# ---- the language and the shared modules


def language() -> list[Entry]:
    """The words of the kernel, of chance, and of events."""
    found = [of_function("word", name, WORDS[name], name, 0) for name in WORDS if inspect.isroutine(WORDS[name])]
    found += [
        of_function("chance", f"chance.{name}", getattr(chance, name), name, 0)
        for name in dir(chance)
        if name[0] != "_" and name != "veiled"  # which of the two bags it is
    ]
    parts = [(name, each) for name, each in vars(Event).items() if name[0] != "_" and inspect.isfunction(each)]
    return found + [of_function("part", f"e.{name}", each, name, 1) for name, each in parts] + EVENT_PARTS


HIDDEN = "The same draws from the other secret, for those whose outcome is not for all: it is revealed later."


def of_function(sort: str, name: str, function: object, short: str, skipped: int) -> Entry:
    """An entry of a function of the kernel."""
    if not callable(function):
        return entry(sort, name, "", HIDDEN, f"{name}.die(6)", "kernel")
    every = list(inspect.signature(function).parameters.values())[skipped:]
    takes = str(inspect.Signature([each.replace(annotation=inspect.Parameter.empty) for each in every]))
    needed = [each.name for each in every if each.default is each.empty and each.kind is each.POSITIONAL_OR_KEYWORD]
    doc = inspect.getdoc(function)
    return entry(sort, name, takes, paragraph(doc), example_in(doc, short, f"{name}({', '.join(needed)})"), "kernel")


EVENT_PARTS = [
    entry(
        "part", "e.name", "", "The name of the event, where a handler hears of several.", 'e.name == "build"', "kernel"
    ),
    entry("part", "e.result", "", "What `@on` has returned, for `@after`.", "sum(e.result)", "kernel"),
    entry(
        "part", "e.trail", "", "The events that led to this one, the first cause first.", "e.trail[-1].name", "kernel"
    ),
    entry(
        "part",
        "e.via",
        "",
        "The numbers of the rules that have bent or replaced this event.",
        '"XIV.5" in e.via',
        "kernel",
    ),
    entry(
        "part",
        "e.rule",
        "",
        "The number of the rule that made it happen; None for an order.",
        'e.rule == "8.3"',
        "kernel",
    ),
]


def shared(commons: Iterable[tuple[str, ...]]) -> list[Entry]:
    """The functions of the shared modules, which are words for all rules; of two of one name the later one holds."""
    found = {}
    for module, source in commons:
        tree = tree_of(source)
        for node in tree.body if isinstance(tree, ast.Module) else ():
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_") and not node.decorator_list:
                found[node.name] = of_shared(node, f"commons/{module}")
    return list(found.values())


def of_shared(node: ast.FunctionDef, by: str, title: str = "") -> Entry:
    """A function that all rules may call: of a shared module, or lent by a rule."""
    needed = [each.arg for each in node.args.args][: len(node.args.args) - len(node.args.defaults)]
    doc = ast.get_docstring(node)
    example = example_in(doc, node.name, f"{node.name}({', '.join(needed)})")
    return entry("shared", node.name, f"({ast.unparse(node.args)})", paragraph(doc), example, by, title)


# ---- what the kernel declares

KERNEL = {
    "entry": "Anything that comes from outside: before every order, join or moment of the clock.",
    "order": "A player gives an order; `order` is its name, and `waits` until when it does.",
    "rules-changed": "The rulebook has changed in this entry.",
    "question-lapses": "The time for answering a question is up.",
    "end-disruption": "A pause because of a broken rule ends.",
    "time-goes-on": "The Admin resumes a game that is not paused.",
    "paused": "Whether the game is paused.",
    "paused_at": "Since when it is paused.",
    "pause_kind": "Why it is paused: `admin`, `disruption`, `outage`, `operator` or a word of a rule.",
    "resumed_at": "When the last pause ended.",
    "pause_because": "The reason of the pause.",
    "game": 'The game itself, thing("game"): there is one.',
    "player": "Who plays.",
    "applicant": "Who has asked to join.",
    "question": "A question that `ask` has asked.",
    "emergency": "A proposal of the kernel's own that ends a disruption.",
}


def kernel_declared() -> list[Entry]:
    """The events, actions, attributes and kinds that every game has."""
    program = kernel_program()
    actions = {each.name: each for each in program.actions}
    entries = []
    for plan in program.events:
        fields, label = list(plan.fields), actions[plan.name].label if plan.name in actions else ""
        entries.append(
            event_entry(plan.name, fields, label, plan.say, KERNEL.get(plan.name, ""), "kernel", plan.name in actions)
        )
        if plan.fact:
            entries.append(fact_entry(plan.fact, fields, plan.say, f"`{plan.name}`", "kernel"))
    for each in program.attributes:
        label = KERNEL.get(each.name, "") or each.label
        entries.append(attribute_entry(each.name, [each.kind], label, each.type, "kernel"))
    for each in program.kinds:
        entries.append(entry("kind", each.name, "", KERNEL[each.name], f'every("{each.name}")', "kernel"))
    return entries


# ---- what rules declare


def of_rule(record: Record, tree: ast.Module, declared: Declared) -> list[Entry]:
    """What one rule declares."""
    own = Declared()
    own.templates = declared.templates
    collect(tree, own)
    by, title = record["id"], record["title"]
    about = sentence_of(record)
    told = docs_of(tree)
    calls = {(called(call), first_word(call)): call for call, _ in top_calls(tree)}
    entries = [of_shared(node, by, title) for node in lent_functions(record["code"])]
    for name in own.events:
        call = calls.get(("event", name)) or calls.get(("action", name)) or calls.get(("calendar", name))
        label, say, fact = (
            (word(argument(call, 1, "label")) or "", keyword(call, "say"), fact_of(call)) if call else ("", "", "")
        )
        is_action = name in own.actions
        fields = list(declared.events.get(name, own.events[name]))
        entries.append(
            event_entry(name, fields, label if is_action else "", say, told.get(name) or about, by, is_action, title)
        )
        if fact:
            entries.append(fact_entry(fact, [*fields, *notes_of(tree, name, is_action)], say, f"`{name}`", by, title))
    for name in own.values:
        entries.append(value_entry(name, calls, declared, record, told.get(name) or about))
    for (what, _), call in calls_of(tree, "attribute"):
        name, kinds = word(argument(call, 1, "name")) or "", words_in(argument(call, 0, "kind"))
        if name:
            label = word(argument(call, 3, "label")) or readable(name)
            states = states_of(name, declared) if what and name in STATES else ""
            entries.append(
                attribute_entry(
                    name, kinds, label, keyword(call, "type"), by, title, about, states or said_states(name, tree)
                )
            )
    for name in own.kinds:
        entries.append(entry("kind", name, "", f"{readable(name)}: {about}", f'every("{name}")', by, title))
    for node in ast.walk(tree):
        if called(node) == "fact" and isinstance(node, ast.Call) and first_word(node):
            fields = [each.arg for each in node.keywords if each.arg]
            entries.append(fact_entry(str(first_word(node)), fields, "", "", by, title, about))
    return list({(each["sort"], each["name"], each["takes"]): each for each in entries}.values())


def calls_of(tree: ast.Module, name: str) -> list[tuple[tuple[str, str | None], ast.Call]]:
    """The calls of a declaration at the top of a program."""
    return [((name, first_word(call)), call) for call, _ in top_calls(tree) if called(call) == name]


def keyword(call: ast.Call | None, name: str) -> str:
    """A keyword of a call, if it is a word."""
    return next((word(each.value) or "" for each in call.keywords if each.arg == name), "") if call is not None else ""


def fact_of(call: ast.Call) -> str:
    """The word under which an event or an action enters the log."""
    return keyword(call, "fact") or (word(argument(call, 1, "fact")) or "" if called(call) == "event" else "")


def docs_of(tree: ast.Module) -> dict[str, str]:
    """What the docstrings of handlers and definitions say, by the name of their event or value."""
    found = {}
    for sort in ("on", "action", "value"):
        for function, call in decorated(tree, sort):
            doc = paragraph(ast.get_docstring(function))
            if doc:
                found[first_word(call) or ""] = doc
    return found


def notes_of(tree: ast.Module, event: str, is_action: bool) -> list[str]:
    """What the effect of an event adds to its fact with `note`."""
    found = []
    for function, call in decorated(tree, "action" if is_action else "on"):
        if first_word(call) == event:
            for node in ast.walk(function):
                if called(node) == "note" and isinstance(node, ast.Call):
                    found += [each.arg for each in node.keywords if each.arg and each.arg not in found]
    return found


def said_states(name: str, tree: ast.Module) -> str:
    """The words that a program writes into an attribute such as `status`."""
    found = []
    for node in ast.walk(tree) if name in STATES else ():
        if called(node) == "put" and isinstance(node, ast.Call) and word(argument(node, 1, "name")) == name:
            text = word(argument(node, 2, "value"))
            found += [text] if text and text not in found else []
    return ", ".join(found)


def states_of(name: str, declared: Declared) -> str:
    """Those that shared words write."""
    found: list[str] = []
    for _, source in declared.commons:
        tree = tree_of(source)
        text = said_states(name, tree) if isinstance(tree, ast.Module) and f'"{name}"' in source else ""
        found += [each for each in text.split(", ") if each and each not in found]
    return ", ".join(found)


def sentence_of(record: Record) -> str:
    """The first sentence of a rule's prose, with its numbers filled in; its title where there is no prose."""
    text = " ".join(prose(record).split())
    sentence = re.match(r".+?[.!?](?=\s+[A-Z\"“]|$)", text)
    return sentence[0] if sentence else text or record["title"] or f"Rule {record['id']}"


def readable(name: str) -> str:
    """A name as words."""
    return name.replace("_", " ").replace("-", " ").capitalize()


def event_entry(
    name: str, fields: list[str], label: str, say: str, about: str, by: str, is_action: bool, title: str = ""
) -> Entry:
    """An event, or an action."""
    takes = f"({', '.join(fields)})"
    given = ", ".join(f"{each}=..." for each in fields if not (is_action and each == "who"))
    parts = [
        f"{label}." if label else "",
        with_gaps(say) if not label else "",
        about if by != "kernel" or not (label or say) else "",
    ]
    text = " ".join(part if part[-1:] in ".!?" else f"{part}." for part in parts if part) or readable(name)
    if is_action:
        return entry("action", name, takes, text, f'@check("{name}")', by, title)
    return entry("event", name, takes, text, f'do("{name}"{", " if given else ""}{given})', by, title)


def fact_entry(what: str, fields: list[str], say: str, when: str, by: str, title: str = "", about: str = "") -> Entry:
    """What the log says."""
    text = " ".join([f"In the log when {when} happens." if when else "In the log by itself.", with_gaps(say) or about])
    return entry("fact", what, f"({', '.join(dict.fromkeys(fields))})", text, f"events: [{{what: {what}}}]", by, title)


def value_entry(name: str, calls: Any, declared: Declared, record: Record, about: str) -> Entry:
    """A value, with what it takes."""
    call = calls.get(("value", name)) or calls.get(("setting", name))
    label = keyword(call, "label") or readable(name)
    shape = next(iter(declared.shapes.get(name, [])), None)
    definition = next(
        (each for each, decorator in decorated(tree_module(record), "value") if first_word(decorator) == name), None
    )
    takes = f"({ast.unparse(definition.args)})" if definition is not None else "()"
    of = f" of a {shape.of}" if shape is not None and shape.of else ""
    given = "".join(f", {each.arg}" for each in definition.args.args) if definition is not None else ""
    bands = ", ".join(shape.bands) if shape is not None else ""
    about = f"{about} Rules may bend it by {bands} only.".strip() if bands else about
    return entry(
        "value", name, takes, f"{label}{of}. {about}", f'value("{name}"{given})', record["id"], record["title"]
    )


def tree_module(record: Record) -> ast.Module:
    """The program of a rule that can be read."""
    tree = tree_of(record["code"])
    return tree if isinstance(tree, ast.Module) else ast.Module([], [])


def attribute_entry(
    name: str, kinds: list[str], label: str, type: str, by: str, title: str = "", about: str = "", states: str = ""
) -> Entry:
    """An attribute of things of some kinds."""
    of = ", ".join(kinds)
    holds = f" ({type})" if type else ""
    words = f" Its words: {states}." if states else ""
    plain = label.rstrip(".")
    text = f"{plain}{holds}, of {of}.{words} {about}".strip()
    return entry("attribute", name, f" of {of}", text, f"{kinds[0] if kinds else 'thing'}.{name}", by, title)

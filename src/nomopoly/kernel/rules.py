"""The rulebook in force: records, the programs made of them, and enacting, amending and repealing.

Nothing runs when a rule is enacted: its code is read for what it declares, and the index is built anew from all rules,
so that nothing of an old form can linger.
"""

from collections import namedtuple
from typing import Any

from nomopoly.kernel.budgets import (
    MOST_BOOK,
    MOST_PROGRAM,
    MOST_PROSE,
    MOST_REREADINGS,
    MOST_RULES,
    MOST_RUNS,
    READ_IN_A_STEP,
    exhausted,
    owe,
    spend,
    spent,
    tell_of,
    with_counters,
)
from nomopoly.kernel.index import Program, build_index
from nomopoly.kernel.lending import lends, lent_words, lexicon, name_words, own_probe, share_words, speak_of_absent
from nomopoly.kernel.parts import with_functions, without
from nomopoly.kernel.precedence import number_key
from nomopoly.kernel.sorts import fit_record
from nomopoly.kernel.things import declared, dress, find, in_short
from nomopoly.kernel.world import covers, mark_entry, refuse, world, writable


def numbers_of(id: str, params: Any) -> Any:
    """The named numbers of a rule, as its code sees them: `rule.pct`. Nothing in them can change."""
    return namedtuple("Rule", ("id", *params))(id, *[unlisted(params[name]) for name in params])


def unlisted(number: Any) -> Any:
    """A number of a rule with tuples for lists: a list would remember."""
    return tuple([unlisted(part) for part in number]) if type(number) is list else number


def load_program(id: str, since: int, code: str, names: Any) -> Any:
    """Read a program for its declarations. Raises whatever its code raises."""
    w = world
    program = Program(id, since)
    before = (w.loading, w.rule)
    w.loading = program
    w.rule = id
    w.reading += 1
    exec(with_counters(code), names)
    w.reading -= 1
    w.loading, w.rule = before
    program.names = names
    return program


def load_rule(record: Any, words: Any = None) -> Any:
    """Read one rule; its code sees the words (or these), its own functions and `rule` with its numbers."""
    before, world.rule = world.rule, record["id"]
    names = lexicon() if words is None else dict(words)
    names["rule"] = world.numbers = numbers_of(record["id"], record["params"])
    if world.probes and lends(record):
        names["probe"] = own_probe(record["id"], names["probe"])
    world.rule = before
    program = load_program(record["id"], record["since"], record["code"], names)
    program.suspended = record.get("suspended", False)
    return program


def load_commons(modules: Any) -> None:
    """Read the shared modules, each seeing those before it; their functions become words of the language.

    `modules` is a list of [name, source]. One of them says which form of the language the game was begun with.
    """
    for name, source in modules:
        names = dict(world.language)
        if world.probes:
            names["probe"] = own_probe("commons/" + name, names["probe"])
        known = dict(names)
        program = load_program("commons/" + name, -1, source, names)
        for word in names:
            if word[:1] != "_" and (word not in known or known[word] is not names[word]):
                world.language[word] = names[word]
        world.commons.append(program)
    world.form = world.language.get("LANGUAGE", 1) if modules else 5


def use_rules(records: Any, programs: Any, index: Any) -> None:
    """Put a whole rulebook in force; every thing gets the attributes that are declared now."""
    w = world
    before = w.index
    w.records, w.programs, w.index = records, programs, index
    for kind in w.kinds:
        if kind not in index.kinds and w.kinds[kind]:
            w.rule = before.kinds[kind].rule
            raise ValueError(f"there still are things of the kind '{kind}': destroy them before its rule goes")
    other = {}  # kinds whose things have other attributes now -> those that are new
    for kind in {**before.attributes, **index.attributes}:
        old, new = before.attributes.get(kind, {}), declared(kind)
        if (new is not old and new != old) or index.absent.get(kind) != before.absent.get(kind):
            other[kind] = [name for name in new if old.get(name) is not new[name]]
            if kind in w.kinds and [name for name in old if name not in new]:
                mark_entry(shrunk=True)
    for member in [*w.things.values(), *w.ghosts.values()] if other else ():
        if member.kind in other:
            owe(1)
            dress(member, other[member.kind])


DOES = ("code", "params", "since", "suspended")  # the parts of a record that its program comes of


def other_program(id: str, records: Any) -> bool:
    """Whether a rule does something else in a new rulebook than in the present one, or is in one of them alone."""
    old, new = world.records.get(id), records.get(id)
    return old is None or new is None or bool([part for part in DOES if old.get(part) != new.get(part)])


def load_lenders(records: Any, strict: bool) -> Any:
    """Read the rules that lend words, each with the words of those before it; then all have all words.

    One that calls a word at its top which another one lends is read after that one; otherwise they come in book order.
    """
    w = world
    programs = {}
    words = dict(w.language)
    mark_entry(strict=strict)
    before = (w.loading, w.rule, w.reading)
    waiting = [id for id in records if lends(records[id])]
    while waiting:
        early = []
        for id in waiting:
            try:
                programs[id] = load_rule(records[id], words)
            except NameError:
                early.append(id)
                if len(early) == len(waiting) and not speak_of_absent(words, programs):
                    raise
                w.loading, w.rule, w.reading = before
                continue
            name_words(programs[id], words)
            for name, function in programs[id].words:
                words.setdefault(name, function)
        waiting = early
        share_words([programs[id] for id in programs])
    return programs


def change_rules(records: Any, changed: Any, strict: bool = False) -> None:
    """Replace the rulebook by another one, as one undoable step; only rules that do something else are read anew.

    `changed`: the ids of rules of which all others are the same. `strict`: what new programs declare must be of the
    right sort; a rulebook that is taken up is as it is.
    """
    w = world
    if w.entry.old_records is None:
        mark_entry(old_records=w.records)
    for own in [each.id for each in w.commons if each.id in records]:
        raise ValueError(f"no rule has the number '{own}': that is what the game's own part is called")
    other = {id: True for id in changed if other_program(id, records)}
    anew = [id for id in other if lends(w.records.get(id)) or lends(records.get(id))]
    if anew and spent("rereadings", 1) > MOST_REREADINGS:
        raise ValueError(f"too many changes of words that rules lend: an entry makes at most {MOST_REREADINGS}")
    read = load_lenders(records, strict) if anew else {}
    lent = {name: word for name, (word, _) in lent_words(read.values()).items()}
    words = {**w.language, **lent} if anew else lexicon()
    known = {**w.programs, **read}
    programs = known if [*known] == [*records] else {id: known.get(id) for id in records}
    for id in records if len(other) > 1 or anew else other:
        if id in records and id not in read and (anew or id in other):
            old = w.records.get(id)
            same = old is not None and [old["code"], old["params"]] == [records[id]["code"], records[id]["params"]]
            mark_entry(strict=strict and (anew or not same))
            programs[id] = load_rule(records[id], words)
    mark_entry(strict=False)
    those = w.commons + list(programs.values())
    index = build_index(those, w.index.loud or w.index, other if w.index.programs and not anew else None)
    w.undo.append((use_rules, w.records, w.programs, w.index))
    use_rules(records, programs, index)


def in_book_order(records: Any) -> Any:
    """Records sorted by number, as a dict by id."""
    return {id: records[id] for id in sorted(records, key=number_key)}


def put_in_place(id: str, record: Any, records: Any) -> Any:
    """Records in book order, with one more among them."""
    ids = [*records]
    first, last = 0, len(ids)
    while first < last:
        middle = (first + last) // 2
        first, last = (middle + 1, last) if number_key(ids[middle]) <= number_key(id) else (first, middle)
    return {each: records[each] if each != id else record for each in (*ids[:first], id, *ids[first:])}


def by_name(record: Any) -> Any:
    """A record with the rule's numbers in the order of their names, the one that a journal knows."""
    return {**record, "params": {name: record["params"][name] for name in sorted(record["params"])}}


def free_number(id: str, records: Any) -> str:
    """The number itself, or the next one that no rule bears (X.1, X.2, ...; a row gets -2, -3, ...)."""
    if id not in records:
        return id
    head, sign, last = (id, "-", "1") if "/" in id else id.rpartition(".")
    if not last.isdigit():
        refuse(f"there already is a rule {id}")
    at = int(last) + 1
    while f"{head}{sign}{at}" in records:
        at += 1
    return f"{head}{sign}{at}"


def section_of(id: str) -> str:
    """The section that a rule's number belongs to."""
    return id.partition(".")[0]


def rule_fact(what: str, id: str) -> None:
    """Record a change of the rulebook."""
    cause = {"rule": world.rule or "", "depth": world.level}
    world.facts.append({"what": what, "event": "rulebook", **cause, "number": id})


def enact(id: str, by: str = "admin", **parts: Any) -> str:
    """Make a new rule of `text`, `code`, `params`, `title` and `section_title`.

    Returns the number it got (the next free one if that number is taken).
    """
    return change_rulebook([{**parts, "enact": id}], by)[0]


def amend(id: str, by: str = "admin", clerical: bool = False, **changes: Any) -> None:
    """Change text, code, params or title of a rule; what is not given stays. Its age starts anew unless `clerical`.

    A number that is None goes. `functions="def ..."` puts functions in place of those of their names, or adds them;
    `drop=("name",)` takes out functions and numbers.
    """
    change_rulebook([{**changes, "amend": id}], by, clerical)


def repeal(id: str) -> None:
    """Take a rule out of the book. What it declared goes with it; the values that things have stay in the game."""
    change_rulebook([{"repeal": id}])


def new_record(id: str, change: Any, by: str, records: Any) -> Any:
    """The record of a rule that is enacted."""
    section = section_of(id)
    title = change.get("section_title") or change.get("section")
    titles = [] if title else [each["section_title"] for each in records.values() if each["section"] == section]
    title = [*[each for each in [title, *titles] if each], ""][0]
    parts = {part: change.get(part) or "" for part in ("title", "text", "code")}
    about = {"params": change.get("params") or {}, "since": world.n, "made_by": by}
    return by_name({"id": id, "section": section, "section_title": title, **parts, **about})


def amended_record(old: Any, change: Any, by: str, clerical: bool) -> Any:
    """The record of a rule with what a change says of it."""
    new = {part: old[part] for part in old if part != "suspended"}
    in_part = ("functions", "drop") if world.form > 1 else ()
    for part in change:
        if part not in ("amend", "section", "text", "code", "params", "title", "section_title", *in_part):
            raise ValueError(f"a rule has no part '{part}'")
        if part in old and part != "section" and change[part] is not None:
            new[part] = {**old["params"], **change[part]} if part == "params" else change[part]
    if in_part:
        given = change.get("params") or {}
        new["params"] = {name: new["params"][name] for name in new["params"] if given.get(name, "") is not None}
        if change.get("drop"):
            new["code"], new["params"] = without(old["id"], new["code"], new["params"], change["drop"])
        if change.get("functions"):
            new["code"] = with_functions(new["code"], change["functions"])
    return by_name({**new, "since": old["since"] if clerical else world.n, "made_by": by})


def suspend(id: str, suspended: bool) -> None:
    """Let nothing that a rule says act for a while (what it declares stays), or let it act again."""
    old = world.records.get(id)
    if old is None or old.get("suspended", False) is suspended:
        refuse(f"there is no rule {id} to {'suspend' if suspended else 'let act again'}")
    new = {part: old[part] for part in old if part != "suspended"}
    change_rules({**world.records, id: {**new, "suspended": True} if suspended else new}, [id])
    rule_fact("suspended" if suspended else "reinstated", id)


def prose() -> Any:
    """What the rules in force say, their numbers filled in, as a tuple of (rule, words)."""
    found: Any = ()
    spend(len(world.records))
    for record in world.records.values():
        text = record["text"]
        for name, content in record["params"].items():
            text = text.replace("{" + name + "}", str(content))
        found = (*found, (record["id"], text))
    return found


def rules(section: str = "") -> Any:
    """All rules in force, in book order, or those of a section, or the rows of a rule: `rules("12")`, `rules("5.1")`.

    Each has `id`, `section`, `title`, `text`, `since` and `numbers`, a tuple of (name, number).
    """
    spend(len(world.records))
    made = namedtuple("Rule", ("id", "section", "title", "text", "since", "numbers"))
    found: Any = ()
    for id, each in world.records.items():
        if not section or covers(section, id):
            numbers = tuple([(name, unlisted(number)) for name, number in each["params"].items()])
            found = (*found, made(id, each["section"], each["title"], each["text"], each["since"], numbers))
    return found


def rule_since(id: str) -> Any:
    """The entry with which a rule got its present form, or None if there is no such rule."""
    return world.records[id]["since"] if id in world.records else None


def reword(old: str, new: str) -> Any:
    """Say it in other words wherever the prose of a rule has `old` (not as the beginning of a longer word or number).

    That is a clerical change, which leaves ages alone. Returns the numbers of the rules that have it.
    """
    changes = []
    spend(len(world.records))
    for id, record in world.records.items():
        first, *parts = record["text"].split(old)
        text = first
        for part in parts:
            text = text + (old if part[:1].isalnum() else new) + part
        if text != record["text"]:
            changes.append({"amend": id, "text": text})
    return change_rulebook(changes, clerical=True)


def change_rulebook(changes: Any, by: str = "admin", clerical: bool = False) -> Any:
    """Carry out a list of changes as a proposal writes them (enact, amend, repeal), together. Returns their numbers."""
    writable()
    records = dict(world.records)
    done = []
    for change in changes:
        verb = [each for each in ("enact", "amend", "repeal") if each in change]
        if not verb:
            raise ValueError("a change says enact, amend or repeal")
        id = change[verb[0]]
        if type(id) is not str:
            raise ValueError(f"the number of a rule must be a word: {in_short(id)}")
        if verb[0] == "enact":
            id = free_number(id, records)
            records[id] = new_record(id, change, by, records)
        elif id not in records:
            refuse(f"there is no rule {id} to {verb[0]}")
        elif verb[0] == "amend":
            records[id] = amended_record(records[id], change, by, clerical)
        else:
            records.pop(id)
        if id in records:
            fit_record(records[id])
        done.append(({"enact": "enacted", "amend": "amended", "repeal": "repealed"}[verb[0]], id))
    if done:
        size = look_at_size(records, [id for _, id in done])
        enacted = {id: records.pop(id) for what, id in done if what == "enacted" and id in records}
        for id in enacted:
            records = put_in_place(id, enacted[id], records)
        change_rules(records, [id for _, id in done], strict=True)
        world.measured = (records, size)
    for what, id in done:
        rule_fact(what, id)
    return [id for _, id in done]


def look_at_size(records: Any, changed: Any) -> int:
    """Raise RuntimeError if rules are too long, or too many; count the change. Returns how long they are together."""
    take_run(sum([len(records[id]["code"]) for id in changed if id in records]))
    spend(len(records))
    for record in [records[id] for id in changed if id in records]:
        prose = len(record["text"]) + len(record["title"]) + len(record["section_title"])
        if prose > MOST_PROSE or len(tell_of(record["code"])) > MOST_PROGRAM or len(str(record["params"])) > MOST_PROSE:
            exhausted(f"too long: a rule has at most {MOST_PROSE} characters, and its program {MOST_PROGRAM}")
    w, ids = world, dict.fromkeys(changed)
    before = w.measured[1] if w.measured[0] is w.records else book_length(w.records, w.records)
    size = before + book_length(records, ids) - book_length(w.records, ids)
    if size > MOST_BOOK or len(records) > MOST_RULES:
        exhausted(f"too much: a rulebook has at most {MOST_RULES} rules and {MOST_BOOK} characters")
    return size


def book_length(records: Any, ids: Any) -> int:
    """How many characters those of some rules have that are in a book."""
    return sum([len(records[id]["text"]) + len(records[id]["code"]) for id in ids if id in records])


def take_run(length: int) -> None:
    """Count a program of so many characters that an entry runs, or a change of the rulebook that it makes."""
    spend(length // READ_IN_A_STEP)
    if spent("runs", 1) > MOST_RUNS:
        exhausted(f"too many programs: an entry runs and enacts at most {MOST_RUNS}")


def run_once(code: str, by: str = "admin", carrier: Any = None) -> None:
    """Run a one-time program now, with the words that rules have; the thing `by` that carries it is known by its
    kind."""
    writable()
    if not code:
        return
    take_run(len(code))
    if len(code) > MOST_PROGRAM:
        exhausted(f"too long: a program has at most {MOST_PROGRAM} characters")
    before = world.rule
    mark_entry(ran=[*world.entry.ran, code])
    names = lexicon()
    names["rule"] = numbers_of(by, {})
    carrier = carrier or find(by)
    if carrier is not None and carrier.kind not in names:
        names[carrier.kind] = carrier
    world.rule = by
    exec(with_counters(code), names)
    world.rule = before

"""How a line of the journal is sealed, so that whoever sees a part of it can check that part and learn nothing of the
rest.

A line's hash covers three commitments: to the entry (what was ordered, by whom, when), to what everybody sees of its
outcome, and to the rest (what some see, draws that are hidden, why it was refused). Each is a SHA-256 with a salt of
its own, made from the line's salt. A copy of the journal for one viewer holds the parts that they may see with their
salts, and the commitments to the others. Journals begun under the older recipe hold one plain hash of the outcome
instead.

The line of a game:  {n, at, kind, by, do, args, ..., drawn, hidden, until, salt, out, prev, hash}
A line as shown:     {n, at, kind, by, do, args, ..., prev, hash, shown: {entry, public, rest_hash}}
A line withheld:     {n, prev, hash, withheld: true}
In `shown`, `entry` is the salt of the entry; `public` and `rest` are [salt, content]; a part that is not shown has its
commitment there (`entry_hash`, `rest_hash`), and no order stands in the line; `own` is what one viewer alone sees.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import Any

from nomopoly.runtime.entropy import authenticated
from nomopoly.runtime.journal import Line, encoded, encoded_quickly, is_written_alike

Data = dict[str, Any]
RECIPE = 2  # of lines and dice; a game without a number was begun under the first
PARTS = ("entry", "public", "rest")
MARKS = ("limit", "limit_since", "alone")  # what was noted in a line when it was carried out
OPEN_MARKS = ("redrawn", "dice", *MARKS)  # of these, what everybody sees, beside `drawn`
OUTCOME = frozenset(  # what of a line is no part of the entry, but of what came of it
    ("drawn", "hidden", "redrawn", "redrawn_hidden", "dice", "until", "refused", "limit", "salt", "out", "prev", "hash")
) | {"alone", "limit_since", "shown"}
RARE = OUTCOME - {"drawn", "salt", "out", "prev", "hash"} | {"draws"}  # what few lines have


def content_of(line: Line, prev: str) -> bytes:
    """What an entry is, as canonical JSON: the words that its entropy is made of.

    All but what comes of it: its draws, whether it was refused or ran into a limit, and its seals.
    """
    content = {part: line[part] for part in line if part not in OUTCOME}
    content["prev"] = prev
    return json_of(content, line)


def content_of_new(line: Line, prev: str) -> bytes:
    """What `content_of` says of a line that is being made, which gets its place behind `prev`: nothing has come of it
    yet."""
    line["prev"] = prev
    return json_of(line, line)


def json_of_sealed(line: Line, content: bytes) -> bytes:
    """Canonical JSON of a sealed line, `content` being what `content_of` says of it: its seals are put in at their
    places, which no name of anybody's stands behind."""
    if not RARE.isdisjoint(line):
        return json_of(line, line)
    drawn = f',"drawn":"{line["drawn"]}"' if "drawn" in line else ""
    kind, prev = content.rindex(b',"kind":'), content.rindex(b',"prev":')
    return b'%b%b,"hash":"%b"%b,"out":"%b"%b,"salt":"%b"}' % (
        content[:kind],
        drawn.encode(),
        line["hash"].encode(),
        content[kind:prev],
        line["out"].encode(),
        content[prev:-1],
        line["salt"].encode(),
    )


def json_of(content: Data, line: Line) -> bytes:
    """Canonical JSON of a part of a line, quickly where both encoders write alike."""
    args = line.get("args")  # an altered file has anything there, or nothing
    quickly = "draws" not in line and type(args) is dict and is_written_alike(args)
    return encoded_quickly(content) if quickly else encoded(content)


def salt_of(salts: str, prev: str) -> str:
    """The salt of the line that follows `prev`, from the game's secret for salts."""
    return authenticated(salts, prev.encode())


@lru_cache(128)  # sealing and checking ask twice, `verify` a batch of lines later
def part_salts(salt: str) -> tuple[str, str, str]:
    """The salts of a line's entry, of what all see of its outcome, and of the rest: none says anything of the
    others."""
    made = hashlib.shake_256(salt.encode()).hexdigest(96)
    return made[:64], made[64:128], made[128:]


def part_salt(salt: str, part: str) -> str:
    """The salt of one part within the rest: it says nothing of the others'."""
    return hashlib.sha256(f"{salt}:{part}".encode()).hexdigest()


def leaf(salt: str, content: bytes) -> str:
    """The commitment to one part, given its own salt."""
    return hashlib.sha256(salt.encode() + content).hexdigest()


def entry_part(line: Line) -> Data:
    """What was ordered, by whom and when: the line without its seals and what is in the other parts."""
    return {key: line[key] for key in line if key not in OUTCOME and key != "n"}


def public_part(line: Line, outcome: Data) -> Data:
    """What everybody sees of an outcome: its moment, the open draws, facts and changes, and changes of the rulebook."""
    part: Data = {"at": line["at"]}
    if "drawn" in line:
        part["drawn"] = line["drawn"]
    if not RARE.isdisjoint(line):
        for mark in OPEN_MARKS:
            if mark in line:
                part[mark] = line[mark]
    if "fault" in outcome:
        part["fault"] = True
    elif "refused" not in outcome:
        part["facts"] = facts = outcome["facts"]
        for fact in facts:
            if "only" in fact:
                part["facts"] = [fact for fact in facts if "only" not in fact]
                break
        hides = "veiled" in outcome or "private" in outcome
        part["changes"] = open_changes(outcome) if hides else outcome["changes"]
        if outcome.get("rules"):
            part["rules"] = outcome["rules"]
    else:
        part["refused"] = True
    return part


def open_changes(outcome: Data) -> list[Any]:
    """The changes that everybody may see; none of a private entry."""
    if outcome.get("private"):
        return []
    if "veiled" not in outcome:
        return outcome["changes"]  # type: ignore[no-any-return]
    veiled = {place for place, _ in outcome["veiled"]}
    return [change for place, change in enumerate(outcome["changes"]) if place not in veiled]


def own_part(outcome: Data, viewer: str) -> Data:
    """What one viewer sees of an outcome beyond what all see; nothing if that is nothing."""
    facts = [fact for fact in outcome.get("facts", ()) if "only" in fact and viewer in fact["only"]]
    changes = outcome.get("changes", ())
    mine = {place for place, viewers in outcome.get("veiled", ()) if viewer in viewers}
    seen = [changes[place] for place in sorted(mine)] if not outcome.get("private") else []
    return {name: part for name, part in (("facts", facts), ("changes", seen)) if part}


def viewers_of(outcome: Data) -> list[str]:
    """Everybody who sees something of an outcome that not all see, in order."""
    found = {viewer for fact in outcome.get("facts", ()) for viewer in fact.get("only", ())}
    return sorted({*found, *(viewer for _, viewers in outcome.get("veiled", ()) for viewer in viewers)})


def rest_part(line: Line, outcome: Data) -> Data:
    """The commitments to what not everybody sees: to the hidden draws, to each viewer's part, to all of the outcome."""
    salt = line["salt"]
    part: Data = {}
    hidden = {name: line[name] for name in ("hidden", "redrawn_hidden", "until") if name in line}
    if hidden:
        part["hidden"] = leaf(part_salt(salt, "hidden"), encoded(hidden))
    if "fault" in outcome:
        return part
    viewers = viewers_of(outcome)
    if "refused" in outcome or viewers or outcome.get("veiled") or outcome.get("private"):
        part["whole"] = leaf(part_salt(salt, "whole"), outcome_bytes(outcome))
        part["seen"] = {
            part_salt(salt, f"name:{viewer}"): leaf(
                part_salt(salt, f"seen:{viewer}"), encoded(own_part(outcome, viewer))
            )
            for viewer in viewers
        }
    return part


def with_first(outcome: Data, before: Data) -> Data:
    """An outcome that was computed again, with the one to which its line is committed where that is another."""
    made = before.get("as_made", before)
    same = ("fault" in made) == ("fault" in outcome) and outcome_bytes(made) == outcome_bytes(outcome)
    return outcome if same or not made else {**outcome, "as_made": made}


def outcome_bytes(outcome: Data) -> bytes:
    """All of an outcome but an interpreter's own words, as JSON."""
    if "refused" in outcome:
        return encoded({"refused": outcome["refused"], "rule": outcome["rule"]})
    names = ("facts", "changes", "rules", "veiled", "private")
    return encoded_quickly({name: outcome[name] for name in names if outcome.get(name)})


def out_of(line: Line, outcome: Data, facts: Any = None) -> str:
    """The commitment to an outcome that a line holds: to what all see of it, and to the rest. `facts`: see `seal`."""
    _, public_salt, rest_salt = part_salts(line["salt"])
    part = public_part(line, outcome)
    if shows_all(part, outcome) and RARE.isdisjoint(line):
        rest = b"{}"
        if facts is not None:
            part["facts"] = facts
    else:
        rest = encoded_quickly(rest_part(line, outcome))
    return joined(leaf(public_salt, encoded_quickly(part)), leaf(rest_salt, rest))


def shows_all(public: Data, outcome: Data) -> bool:
    """Whether what all see of an outcome is all there is: told without looking at every viewer."""
    return "facts" in public and public["facts"] is outcome["facts"] and public["changes"] is outcome["changes"]


def joined(public: str, rest: str) -> str:
    """The two halves of what came of an entry as one hash."""
    return hashlib.sha256((public + rest).encode()).hexdigest()


def line_hash(n: int, prev: str, entry: str, out: str) -> str:
    """The hash of a line, from the commitments in it."""
    return hashlib.sha256(f'{{"entry":"{entry}","n":{n},"out":"{out}","prev":"{prev}"}}'.encode()).hexdigest()


def entry_hash(line: Line, content: bytes) -> str:
    """The commitment to the entry of a line, `content` being what `content_of` says."""
    return leaf(part_salts(line["salt"])[0], content)


def seal(line: Line, prev: str, outcome: Data, content: bytes | None = None, facts: Any = None) -> bytes:
    """Chain a line to the one before, commit it to its outcome, give it its hash. Returns it as canonical JSON.

    `line["salt"]` must be there. `content`: what `content_of` has said of it, where that is known. `facts`: those of
    the outcome as `journal.written` has them, where that is done.
    """
    line["out"] = out_of(line, outcome, facts)
    content = content_of(line, prev) if content is None else content
    return json_of_sealed(chain(line, prev, content), content)


def chain(line: Line, prev: str, content: bytes | None = None) -> Line:
    """Chain a line whose outcome is sealed to the one before, and give it its hash."""
    line["prev"] = prev
    found = entry_hash(line, content_of(line, prev) if content is None else content)
    line["hash"] = line_hash(line["n"], prev, found, line["out"])
    return line


def sealed_right(line: Line) -> bytes:
    """What `content_of` says of a whole line, if its hash is that of what it says; else nothing."""
    content = content_of(line, line["prev"])
    right = line["hash"] == line_hash(line["n"], line["prev"], entry_hash(line, content), line["out"])
    return content if right else b""


# ---- what a viewer gets of a line


def shown_line(line: Line, outcome: Data, viewer: str, open_join: bool = False) -> Line:
    """A line as a viewer (a player's name, "admin", "visitor") may have it. `open_join`: an application that everybody
    knows of since it was approved."""
    kept: Line = {"n": line["n"], "prev": line["prev"], "hash": line["hash"]}
    if not outcome:  # forgotten: whether it is for this viewer is not known
        return {**kept, "withheld": True}
    outcome = outcome.get("as_made", outcome)
    own = own_part(outcome, viewer)
    private = bool(outcome.get("private")) and line.get("by") != viewer and not open_join
    public = public_part(line, outcome)
    if private and not own and not public.get("facts"):
        return {**kept, "withheld": True}
    known = not private or any("only" in fact for fact in own.get("facts", ()))
    if known:
        kept |= {key: value for key, value in entry_part(line).items() if key != "entropy"}
    if "salt" not in line or out_of(line, outcome) != line["out"]:  # see `unproven`
        return {**kept, "shown": {"public": ["", public], "unproven": True}}
    salt = line["salt"]
    entry_salt, public_salt, rest_salt = part_salts(salt)
    content = content_of(line, line["prev"])
    shown: Data = {"entry": entry_salt} if known else {"entry_hash": leaf(entry_salt, content)}
    shown["public"] = [public_salt, public]
    rest = rest_part(line, outcome)
    if own:
        shown["rest"] = [rest_salt, rest]
        shown["own"] = [part_salt(salt, f"name:{viewer}"), part_salt(salt, f"seen:{viewer}"), own, viewer]
    else:
        shown["rest_hash"] = leaf(rest_salt, encoded(rest))
    return {**kept, "shown": shown}


def unproven(line: Line) -> bool:
    """Whether a line is shown without what would prove it.

    Under the older recipe a line holds entropy, so that it cannot be handed out whole; and of an entry that was
    computed again after a strike it may be forgotten what it was before.
    """
    return bool(line.get("shown", {}).get("unproven"))


def shown_entry(line: Line) -> Data | None:
    """What a line as shown says was ordered, by whom and when; None if it does not say that."""
    entry = {key: line[key] for key in line if key not in ("n", "prev", "hash", "shown")}
    return entry if "kind" in entry else None


def shown_right(line: Line) -> str:
    """What is wrong with a line as shown, "" if everything in it is what its hash covers."""
    if line.get("withheld"):
        return "" if line == {**{key: line[key] for key in ("n", "prev", "hash")}, "withheld": True} else ALTERED
    if unproven(line):
        return ""
    shown, entry = line["shown"], shown_entry(line)
    hashes = {part: shown[f"{part}_hash"] for part in PARTS if f"{part}_hash" in shown}
    if entry is not None:
        hashes["entry"] = leaf(shown["entry"], encoded({**entry, "n": line["n"], "prev": line["prev"]}))
    for part in ("public", "rest"):
        if part in shown:
            salt, content = shown[part]
            hashes[part] = leaf(salt, encoded(content))
    if "own" in shown:
        name, salt, own, _ = shown["own"]
        if shown["rest"][1].get("seen", {}).get(name) != leaf(salt, encoded(own)):
            return "what it shows to one viewer alone is not what it committed itself to"
    if entry is not None and entry["at"] != shown["public"][1]["at"]:
        return ALTERED
    expected = line_hash(line["n"], line["prev"], hashes["entry"], joined(hashes["public"], hashes["rest"]))
    return "" if expected == line["hash"] else ALTERED


ALTERED = "the line was altered: its hash is not that of what it says"


def line_of(line: Line) -> Line | None:
    """The line of which a viewer's copy shows the entry and what came of it, as far as it shows it; None if it does
    not."""
    entry = shown_entry(line)
    if entry is None or "shown" not in line:
        return None
    _, public = line["shown"]["public"]
    marks = {name: public[name] for name in ("drawn", "redrawn", "dice", "refused", *MARKS) if name in public}
    return {**line, **marks, "out": "", "salt": ""}


def as_shown(line: Line, outcome: Data) -> bool:
    """Whether an outcome is what a viewer's copy shows of it."""
    shown = line["shown"]
    if encoded(public_part(line, outcome)) != encoded(shown["public"][1]):
        return False
    return "own" not in shown or encoded(own_part(outcome, shown["own"][3])) == encoded(shown["own"][2])

"""Votes: which field of a vote says what, and what the event gets at which they are counted."""

from typing import Any

from nomopoly.kernel.world import world


def parts_of_ballot(action: Any, form: Any) -> Any:
    """What the fields of a vote are, by their names in its form: (subject, choice, further ones).

    The action's own first field names what is voted on ("": the game itself), its next one what is chosen. Further ones
    are all others, wherever they stand in the form: those that other rules ask for stand before its own.
    """
    own = list(action.form)
    subject = own[0] if len(own) > 1 else ""
    choice = own[1] if len(own) > 1 else (own[0] if own else "")
    return subject, choice, [key for key in form if key not in (subject, choice)]


def fields_heard(index: Any) -> Any:
    """The fields that the events at which votes are counted have for the further ones of those votes, by event."""
    found: dict[str, Any] = {}
    for action in [each for each in index.actions.values() if each.ballot]:
        more = {key: "" for key in parts_of_ballot(action, index.forms[action.name])[2]}
        found[action.ballot] = {**more, **found.get(action.ballot, {})}
    return found


def counted_ballots(args: Any) -> Any:
    """What an event is handed of the ballots in an entry's `args`, by field.

    A ballot is [subject, choice, player or how many] and, where `args` names further fields in `more`, a list of what
    was said in them. A thing stands there as {"thing": id}, and a choice that is a word and might be taken for a thing
    as {"word": text}.
    """
    rows = args.get("ballots") or ()
    if not rows and "more" not in args:
        return {"ballots": ()}
    ballots = [tuple([as_cast(part) for part in row[:3]]) for row in rows]
    fields: dict[str, Any] = {"ballots": tuple(ballots)}
    more = args.get("more") or []
    for place in range(len(more)):
        said = [as_written(row[3][place]) if len(row) > 3 else None for row in rows]
        fields[more[place]] = tuple([(*ballots[at], said[at]) for at in range(len(rows))])
    return fields


def as_cast(part: Any) -> Any:
    """A part of a ballot as rules get it: what is the id of a thing is that thing."""
    return world.things.get(part, part) if type(part) is str else as_written(part)


def as_written(part: Any) -> Any:
    """What was said in a field of a vote, as rules get it; a thing that is gone is None."""
    if type(part) is dict:
        return part["word"] if "word" in part else world.things.get(part.get("thing"))
    return tuple([as_written(each) for each in part]) if type(part) is list else part

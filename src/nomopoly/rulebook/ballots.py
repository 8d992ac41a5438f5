"""Votes that rules declare: what the event at which they are counted gets, and what would lose them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from nomopoly.rulebook.outline import ACTION_OPTIONS, Declared, called, first_word, form_fields, option, top_calls


def ballot_problems(tree: ast.Module, declared: Declared) -> Iterator[tuple[str, int, str]]:
    """What is wrong with the votes of a program and with the fields that it adds to votes: (level, line, message)."""
    closing = {action: event for action, event, _ in declared.ballots}
    for call, decorator in top_calls(tree):
        event = option(call, "ballot")
        name = first_word(call)
        if called(call) == "action" and decorator and event is not None:
            own = form_fields(call, ACTION_OPTIONS)
            for message in lost_votes(event, list(own), declared):
                yield "error", call.lineno, message
            if len(own) > 1 and called(next(each.value for each in call.keywords if each.arg in own)) != "choose":
                message = f"the first field of a vote says what is voted on: {next(iter(own))}=choose(...)"
                yield "warning", call.lineno, message
            for message in doubles(event, list(own)[2:], declared):
                yield "error", call.lineno, message
        elif called(call) == "also_asks" and name in closing:
            for message in doubles(closing[name], list(form_fields(call, frozenset())), declared):
                yield "error", call.lineno, message


def lost_votes(event: str, own: list[str], declared: Declared) -> Iterator[str]:
    """Why no vote could be counted."""
    if not own:
        yield "a vote has a field for what is chosen: choice=one_of((...))"
    if event not in declared.events:
        yield f'there is no event \'{event}\' at which these votes are counted: event("{event}", ballots="")'
    elif "ballots" not in declared.events[event]:
        yield f'the event \'{event}\' gets no votes: it needs a field, event("{event}", ..., ballots="")'


def doubles(event: str, further: list[str], declared: Declared) -> Iterator[str]:
    """Further fields of a vote that the event at which it is counted has for something else."""
    for name in further:
        if name in declared.closing.get(event, ()):
            yield f"the event '{event}' has a field '{name}' already: give the field of the vote another name"

"""Proposals: kept as things, judged by whoever the rules say."""

import json as _json


def as_text(changes):
    """A list of changes as a word that a thing can keep."""
    return _json.dumps(changes or [], sort_keys=True, ensure_ascii=False)


def from_text(text):
    """The list of changes that `as_text` made a word of."""
    return _json.loads(text)


def make_proposal(e):
    """Record what somebody proposes; returns the proposal."""
    if not (e.title or e.text or e.changes or e.run):
        refuse("the proposal is empty: give it a title, words, changes or a program")
    return create(
        "proposal",
        author=e.who,
        title=e.title or "",
        text=e.text or "",
        changes=as_text(e.changes),
        run=e.run or "",
        made_at=now(),
    )


def undecided(who=None):
    """The proposals that wait for judgement, of all or of one player."""
    return [each for each in every("proposal") if each.status == "undecided" and who in (None, each.author)]


def put_into_effect(proposal, changes=None, run=None):
    """Change the rules and run the program that a proposal carries, or those given in their place."""
    change_rulebook(from_text(proposal.changes) if changes is None else changes, by=proposal.id)
    run_once(proposal.run if run is None else run, by=proposal.id)

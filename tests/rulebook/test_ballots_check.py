"""What the check says of votes that rules declare, and of fields that they add to votes."""

import pytest

from nomopoly.rulebook.check import check_changes
from nomopoly.rulebook.source import load_edition

BOOK = load_edition("iv")


def problems(code):
    found = check_changes([{"enact": "9.20", "text": "A vote.", "code": code}], "", BOOK.records, BOOK.commons)
    return [f"{each.level}: {each.message}" for each in found]


POLL = """
kind("poll", prefix="poll-")
event("poll-closes", poll="poll", {ballots})


@action("say", ballot={closes}, sealed=True, {fields})
def say(e):
    pass


@on("poll-closes")
def close(e):
    note_of(e)


def note_of(e):
    return [said for _, _, _, said in e.remark]
"""


def poll(closes='"poll-closes"', ballots='ballots=""', fields='poll=choose("poll"), points=number(), remark=words()'):
    return problems(POLL.format(closes=closes, ballots=ballots, fields=fields))


def test_a_vote_of_ones_own_has_no_problems_and_its_further_fields_are_known_where_it_is_counted():
    assert poll() == []
    assert (
        problems('also_asks("vote", mark=words())\n\n\n@after("voting-closes")\ndef f(e):\n    tell(None, str(e.mark))')
        == []
    )


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"closes": '"poll-clsoes"'}, "there is no event 'poll-clsoes' at which these votes are counted"),
        ({"ballots": 'text=""'}, "the event 'poll-closes' gets no votes: it needs a field"),
        ({"fields": ""}, "a vote has a field for what is chosen"),
        ({"fields": 'poll=choose("poll"), points=number(), ballots=words()'}, "has a field 'ballots' already"),
        (
            {"fields": 'town=one_of(("A", "B")), points=number()'},
            "the first field of a vote says what is voted on: town=choose",
        ),
    ],
)
def test_what_would_lose_votes_is_found(wrong, said):
    assert any(said in each for each in poll(**wrong)), poll(**wrong)


ELECTION = """
{first}
{second}


@action("elect", ballot="election", whom=choose("player"))
def elect(e):
    pass


@on("election")
def count(e):
    tell(None, str(e.ballots))
"""


def test_a_moment_of_the_calendar_that_counts_votes_declares_its_event_first():
    moment, event = 'calendar("election", weekday=5)', 'event("election", ballots="")'
    assert problems(ELECTION.format(first=event, second=moment)) == []
    assert problems(ELECTION.format(first=moment, second=event)) == [
        'error: calendar("election") above declares this event without fields: write event("election", ...) above it'
    ]
    assert problems(ELECTION.format(first=moment, second="")) == [
        'error: the event \'election\' gets no votes: it needs a field, event("election", ..., ballots="")',
        "error: event 'election' has no field 'ballots' (it has none)",
    ]


def test_an_added_field_may_not_hide_what_the_closing_event_says():
    (found,) = problems('also_asks("vote", proposal=words())')
    assert found == (
        "error: the event 'voting-closes' has a field 'proposal' already: give the field of the vote another name"
    )


@pytest.mark.parametrize("edition", ["original", "mail", "ii", "iv"])
def test_the_votes_of_the_editions_have_no_problems(edition):
    from nomopoly.rulebook.ballots import ballot_problems
    from nomopoly.rulebook.outline import declared_by, parse

    book = load_edition(edition)
    declared = declared_by(book.records, book.commons)
    assert [found for record in book.records for found in ballot_problems(parse(record["code"]), declared)] == []

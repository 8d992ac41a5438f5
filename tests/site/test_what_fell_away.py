"""Proposals that no longer fit: what of an accepted one fell away, what one reads of one that waits, and of all once the
rules about proposals have gone."""

import pytest
from pagewords import SECOND, accept, propose, seated, started, text

from nomopoly.site.tables import domain, live

GONE = {"title": "Away", "changes": [{"repeal": "VIII.6"}]}
TWO = {
    "title": "Two things",
    "changes": [
        {"amend": "VIII.6", "text": "No proposal may speak of anybody."},
        {"enact": "XL.1", "title": "Hats", "text": "Everybody wears a hat."},
    ],
}
FELL = "This part of it fell away: when it came into force there was no such rule any more. VIII.6"


def test_author_and_voters_read_what_of_an_accepted_proposal_fell_away(start_second, people):
    game, go = start_second("Ann", "Ben")
    for who, proposal in (("Ann", GONE), ("Ben", TWO)):
        assert domain.order(game, who, "propose", proposal).ok
    go(4.5)
    with live.of(game).writing() as running:
        for who in ("Ann", "Ben"):
            for number in (1, 2):
                assert running.cast(who, "vote", {"on": f"P{number}", "choice": "yes"}, live.now()).ok
    go(3)
    assert "XL.1" in [record["id"] for record in live.of(game).records()]
    for who in ("ann", "ben"):
        assert FELL in text(people(who).get(f"{SECOND}proposals/2/"))
        first = text(people(who).get(f"{SECOND}proposals/1/"))
        assert "fell away" not in first
        assert "as it was put into effect (history number 1)" in first
    assert "Correction by the Admin" not in text(people("ann").get(f"{SECOND}rules/history/"))


def test_what_a_proposal_that_no_longer_fits_wanted_can_be_read(game, ann, ben):
    changes = [{"amend": "I.4", "text": "Nobody writes."}, {"enact": "X.1", "text": "Everybody wears a hat."}]
    assert domain.order(game, "Ben", "propose", {"title": "Hats", "changes": changes}).ok
    propose(game, changes=[{"repeal": "I.4"}])
    with live.clock_at(live.now() + 60):
        accept(game, "P2")
        page = text(ann.get("/g/friday/proposals/1/"))
    assert "it no longer fits those of now: a rule it is about is not there" in page
    assert "Everybody wears a hat." in page


@pytest.mark.parametrize(("edition", "rule"), [("original", "IX.1"), ("mail", "IX.1")])
def test_pages_of_proposals_outlive_the_rules_about_them(edition, rule, keeper, people):
    game = started(keeper, edition, "friday", title="Friday")
    ann = seated(game, people("ann"), "Ann")
    assert domain.order(game, "Ann", "propose", {"title": "No more", "changes": [{"repeal": rule}]}).ok
    accept(game, "P1")
    if edition == "mail":
        domain.run_due(game, live.now() + 8 * 86400)
    assert rule not in [record["id"] for record in live.of(game).records()]
    assert "the Admin" not in text(ann.get("/g/friday/proposals/")).partition("Outcome")[2].partition("words alone")[0]
    for path in ("", "proposals/", "proposals/1/", f"rules/{rule}/", "rules/history/", "log/", "players/Ann/"):
        assert ann.get(f"/g/friday/{path}").status_code == 200, path
    assert "No rule in force says what a proposal is" in text(ann.get("/g/friday/proposals/1/"))
    assert keeper.get("/g/friday/admin/").status_code == 200
    for path in ("proposals", "proposals/1"):
        assert ann.get(f"/api/v1/g/friday/{path}").status_code == 200, path


def test_what_was_retracted_before_anybody_saw_it_names_no_entry(start_second, people):
    game, _ = start_second("Ann", "Ben")
    assert domain.order(game, "Ann", "propose", {"title": "Hats", "text": "Everybody wears a hat."}).ok
    assert domain.order(game, "Ann", "retract-proposal", {"on": "P1"}).ok
    page = people("ann").get(f"{SECOND}proposals/1/")
    assert "retracted" in text(page)
    assert "None" not in page.content.decode()

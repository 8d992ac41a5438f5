"""Things whose rules declare a page of their own, as the disputes of `mail`: what they are, what can be done, what came
of it."""

import pytest
from django.test import Client
from pagewords import DAY, SECOND, text, well

from nomopoly.site.tables import domain, live

PAGE = f"{SECOND}things/D1/"


@pytest.fixture
def dispute(start_second):
    """A game of `mail` in which Ann has accused Ben."""
    game, go = start_second("Ann", "Ben", "Cid", edition="mail")
    said = {"defendant": "Ben", "charge": "Loud snoring", "facts": "All night.", "sort": "chains", "pounds": 5}
    well(domain.order(game, "Ann", "accuse", said))
    go(7)
    return game


def test_everybody_reads_it_and_its_parties_act_there(dispute, people, keeper):
    for reader in (Client(), people("ann"), people("ben"), people("cid"), keeper):
        page = text(reader.get(PAGE))
        assert "Dispute D1" in page
        for said in (
            "Status open",
            "Accuser Ann",
            "Defendant Ben",
            "Charge Loud snoring",
            "Facts All night.",
            "Penalty Pounds of Chains: 5",
        ):
            assert said in page, said
        assert "accuses Ben : Loud snoring ( D1 )" in page
    ben = people("ben").get(PAGE).content.decode()
    assert f'href="{SECOND}act/argue/?dispute=D1"' in ben
    assert f'href="{SECOND}act/choose-court/?dispute=D1"' in ben
    assert "What you can do" not in text(people("cid").get(PAGE))
    assert f'href="{SECOND}admin/judge-dispute/?on=D1"' in keeper.get(PAGE).content.decode()


def test_lists_and_the_log_lead_there(dispute, people):
    ann = people("ann")
    link = f'href="{PAGE}"'
    for path in ("sections/XXVII/", "log/", "players/Ben/"):
        assert link in ann.get(SECOND + path).content.decode(), path
    well(domain.order(dispute, "Ben", "argue", {"dispute": "D1", "text": "I did not."}))
    page = text(ann.get(PAGE))
    assert "The Defendant argues I did not." in page
    assert "Ben argues in D1" in page


def test_a_party_is_asked_for_a_court_until_it_has_chosen(dispute, people):
    asked = "You may choose a court for D1"
    for name in ("ann", "ben"):
        page = people(name).get(SECOND)
        assert f"{asked} Government Corporate" in text(page), name
        assert f'href="{SECOND}act/choose-court/?dispute=D1"' in page.content.decode()
    assert asked not in text(people("cid").get(SECOND))
    well(domain.order(dispute, "Ben", "choose-court", {"dispute": "D1", "court": "corporate"}))
    assert asked not in text(people("ben").get(SECOND))
    assert asked in text(people("ann").get(SECOND))


def test_a_penalty_is_told_in_words(dispute, people):
    said = {"defendant": "Ann", "charge": "Theft", "sort": "pay", "amount": 500, "to": "Cid"}
    well(domain.order(dispute, "Ben", "accuse", said))
    well(domain.order(dispute, "Ben", "accuse", said | {"sort": "no-vote", "amount": None, "to": None}))
    domain.run_due(dispute, live.now() + 7 * DAY)
    assert "Penalty Pay: $500, to Cid" in text(people("cid").get(f"{SECOND}things/D2/"))
    assert "Penalty Loss of the vote" in text(people("cid").get(f"{SECOND}things/D3/"))


def test_what_has_no_page_is_missing(dispute, people):
    for id in ("D4", "Ann", "%233", "game", "order-1", "$government"):
        assert people("ann").get(f"{SECOND}things/{id}/").status_code == 404, id

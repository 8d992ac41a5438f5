"""Forms and questions of edition mail, as a player meets them: what things cost, whose they are, which way one goes."""

import re

import pytest
from pagewords import grant, seated, started, text, token

AT = "/g/post/"


@pytest.fixture
def ann(keeper, people):
    """Ann, who plays with Ben; Ben owns #3, the Government #10."""
    game = started(keeper, "mail", "post", title="Post")
    seated(game, people("ann"), "Ann")
    seated(game, people("ben"), "Ben")
    grant(game, "#3", "owner", "Ben")
    grant(game, "Ann", "money", 5000)
    return people("ann")


def asked(ann, action, **fields):
    """What is to be confirmed."""
    page = ann.get(f"{AT}act/{action}/")
    page = ann.post(f"{AT}act/{action}/", fields | {"preview": "1", "once": token(page)})
    return re.search(r'id="preview-title"[^>]*>([^<]*)<', page.content.decode())[1]


def test_what_one_pays_is_said_once(ann):
    assert asked(ann, "pay-dues", amount="5") == "Pay Dues to the WETHA: $5?"


def test_products_have_their_names_and_prices(ann):
    page = text(ann.get(f"{AT}act/buy-product/"))
    assert re.search(r"Warp Bubble \(\$[\d,]+\)", page)
    assert "warp-bubble" not in page
    assert asked(ann, "buy-product", product="warp-bubble").startswith("Buy a product: Warp Bubble for $")


def test_a_ride_says_from_where_and_to_where(ann):
    assert "Take a taxi to #9 from #1" in asked(ann, "taxi", to="#9", **{"from": "#1"})


def test_an_account_that_owns_something_is_called_by_its_name(ann):
    page = text(ann.get(f"{AT}act/taxi/"))
    assert "#10 ($100), of The Government" in page
    assert "of $government" not in page
    assert "of Ben" in page


def test_what_is_typed_ends_where_the_question_does_and_labels_are_short(ann):
    penalty = {"sort": "pay", "amount": "500", "to": "Ann"}
    said = {"defendant": "Ben", "charge": "Theft", "facts": "He took it."} | penalty
    assert asked(ann, "accuse", **said) == "Accuse Ben: Theft, He took it, Pay, $500, Ann?"
    page = ann.get(f"{AT}act/accuse/")
    foreseen = text(ann.post(f"{AT}act/accuse/", said | {"preview": "1", "once": token(page)}))
    assert re.search(r"Defendant\W+Ben", foreseen)
    assert not re.search(r"\b1[67]\d{8}\b", foreseen)  # seconds since 1970
    waiting = text(ann.post(f"{AT}act/accuse/", said | {"once": token(page)}, follow=True))
    assert "Accuse Ben: Theft, He took it, Pay, $500, Ann" in re.sub(r" (?=[:,])", "", waiting)


def test_a_penalty_is_chosen_not_typed(ann):
    page = ann.get(f"{AT}act/accuse/").content.decode()
    assert 'name="penalty"' not in page
    assert re.findall(r'<option value="(pay|chains|no-vote)"', page) == ["pay", "chains", "no-vote"]
    assert 'value="$government"' in page
    assert "Loss of the vote" in page
    assert "(optional)" not in page[page.index('for="act-sort"') :][:200]
    said = {"defendant": "Ben", "charge": "Theft", "sort": "chains", "pounds": "101"}
    sent = said | {"preview": "1", "once": token(ann.get(f"{AT}act/accuse/"))}
    refused = text(ann.post(f"{AT}act/accuse/", sent))
    assert "amount must be 1 to 100 pounds" in refused
    sent = {"defendant": "Ben", "charge": "Theft", "preview": "1", "once": token(ann.get(f"{AT}act/accuse/"))}
    assert "Penalty is missing: choose" in text(ann.post(f"{AT}act/accuse/", sent))
    said = {"defendant": "Ben", "charge": "Theft", "sort": "no-vote"}
    assert asked(ann, "accuse", **said) == "Accuse Ben: Theft, Loss of the vote?"
    assert asked(ann, "accuse", defendant="Ben", charge="Theft", penalty="chains 50") == "Accuse Ben: Theft, chains 50?"

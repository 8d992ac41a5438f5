"""A strike names the entry by the number that everybody sees, on the pages, in the feed and in the API."""

import re

from django.test import Client
from pagewords import grant, text

from nomopoly.site.tables import domain, live

AT = "/g/friday/"
API = "/api/v1/g/friday"


def struck(game, n):
    """Strike an entry of the journal."""
    confirm = live.of(game).strike_preview(n)["hash"]
    assert domain.strike(game, n, "a slip", confirm).ok


def struck_gift(game):
    """A gift to Ann, struck; some private entries come before it. Returns its number, the strike's and the
    journal's."""
    for money in (1, 2):  # offers are private: the journal counts them, the log does not
        assert domain.order(
            game, "Ann", "trade", {"with": "Ben", "give": {"money": money}, "take": {"squares": ["#5"]}}
        ).ok
    given = grant(game, "Ann", "money", 5000)
    struck(game, given.n)
    entries = live.of(game).facts("visitor")
    return next(each["number"] for each in entries if each["n"] == given.n), entries[-1]["number"], given.n


def test_pages_feed_and_api_name_the_same_entry(ann, ben, game):
    grant(game, "#5", "owner", "Ben")
    number, strike, n = struck_gift(game)
    assert number != n
    said, wrong = f"entry {number}. a slip", f"entry {n}."
    for address in (f"{AT}log/", f"{AT}log/{strike}/", f"{AT}log/feed.atom"):
        page = text(Client().get(address))
        assert said in page, address
        assert wrong not in page, address
    entry = Client().get(f"{API}/log/{strike}").json()
    assert said in entry["say"]
    assert entry["args"]["entry"] == entry["facts"][0]["entry"] == number
    assert wrong not in str(entry)
    assert Client().get(f"{API}/log/{number}").json()["struck"] == strike


def test_dice_at_the_desk_have_the_size_of_words(ann, keeper, game):
    assert domain.order(game, "Ann", "propose", {"title": "A turn", "text": "Words."}).ok
    judged = domain.desk_act(game, "accept", {"on": "P1"})
    number = next(each["number"] for each in live.of(game).facts("visitor") if each["n"] == judged.n)
    ann.post(f"{AT}log/{number}/question/", {"body": "Is this right?"})
    for address in ("admin/strike/", "admin/"):
        page = keeper.get(f"{AT}{address}").content.decode()
        assert 'class="die-face"' in page, address
        assert re.search(r"\.die-face ?{|<link rel=\"stylesheet\" href=\"[^\"]*play/play[^\"]*\">", page), address


def test_an_entry_that_is_struck_is_not_called_by_the_number_of_the_journal(ann, ben, keeper, game):
    grant(game, "#5", "owner", "Ben")
    number, _, n = struck_gift(game)
    page = text(keeper.get(f"{AT}admin/strike/{number}/"))
    assert "It is already struck." in page
    assert f"ntry {n}" not in page


def test_an_entry_that_not_everybody_sees_has_no_number(ann, ben, game):
    grant(game, "#5", "owner", "Ben")
    offer = {"with": "Ben", "give": {"money": 1}, "take": {"squares": ["#5"]}}
    outcome = domain.order(game, "Ann", "trade", offer)
    struck(game, outcome.n)
    page = text(Client().get(f"{AT}log/"))
    assert "an entry that not everybody sees. a slip" in page
    assert f"entry {outcome.n}" not in page


def test_who_reads_german_reads_of_a_strike_in_german(ann, ben, game):
    grant(game, "#5", "owner", "Ben")
    number, strike, _ = struck_gift(game)
    for address in (f"{AT}log/", f"{AT}log/{strike}/"):
        page = text(ann.get(address, HTTP_ACCEPT_LANGUAGE="de"))
        assert f"Vom Admin gestrichen: Eintrag {number}. a slip" in page, address
        assert "Struck by" not in page, address

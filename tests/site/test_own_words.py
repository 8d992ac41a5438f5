"""A small edition with words of its own: what its rules declare, pages show; and one from before rules could declare
it."""

import re

import pytest
from django.test import Client
from pagewords import DAY, seated, text, token

from nomopoly.rulebook.source import Book, parse_module
from nomopoly.site.notices import mailing
from nomopoly.site.play.views import sections
from nomopoly.site.play.views.players import possessions
from nomopoly.site.tables import domain, idle, live, queries

ORCHARD = '''
section("1", "The orchard")

rule("1.1", """A proposal ripens until the keeper of the orchard tastes it.""", title="Fruit")

kind("proposal", prefix="P", page=True)
attribute("proposal", "ripeness", "hanging", label="Ripeness")
attribute("proposal", "author", None, type="thing", label="Author")
for_all = (("title", ""), ("text", ""), ("changes", "[]"), ("run", ""))
for part, empty in for_all:
    attribute("proposal", part, empty)
attribute("proposal", "made_at", None, moment="real")


@value("phase", of="proposal")
def phase(proposal):
    return {"hanging": "made", "on the table": "to-judge", "in the cellar": "decided"}.get(proposal.ripeness, "done")


@value("result", of="proposal")
def result(proposal):
    return {"in the cellar": "accepted", "eaten": "accepted", "rotten": "rejected", "fallen": "withdrawn"}.get(proposal.ripeness)


@value("standing", of="proposal")
def standing(proposal):
    return proposal.ripeness


@action("propose", "Hang a proposal", fact="proposed", title=words("Title", limit=200))
def propose(e):
    return create("proposal", author=e.who, title=e.title, made_at=now())


@action("pick", "Pick a proposal", by="admin", on=choose("proposal"), ripeness=words("How it is"))
def pick(e):
    put(e.on, "ripeness", e.ripeness)


rule("1.2", """A basket is offered to somebody, who may eat from it until it is empty; and everybody may nap after lunch.""")

kind("basket", prefix="basket-", label="Basket")
attribute(
    "basket", "meant_for", None, type="thing", label="Meant for", asks="eat", until="empty_at", asking="eat from {id}"
)
attribute("basket", "empty_at", None, moment="real", label="Empty at")
attribute("player", "nap_from", None, type="moment", label="Nap from", asks="nap", asking="your nap can begin")


@action("eat", "Eat")
def eat(e):
    pass


@action("nap", "Nap")
def nap(e):
    pass


@action("fill", "Fill a basket", by="admin", player=choose("player"))
def fill(e):
    create("basket", meant_for=e.player, empty_at=now() + days(3))
    put(e.player, "nap_from", now())


rule("1.3", """Cider is for sale, statues are to be looked at.""")

catalogue("drink", for_sale=True)
catalogue("deed")
row("deed", "planting", price=5)
row("drink", "cider", price=3)
kind("statue", prefix="statue-", label="Statue", page=True)
attribute("statue", "square", None, type="thing")
attribute("statue", "sculptor", None, type="thing", label="Sculptor", asks="engrave", asking="engrave {id}")
kind("bench", prefix="bench-", label="Bench")
attribute("bench", "sculptor", None, type="thing", label="Sculptor")


@action("engrave", "Engrave a statue", statue=choose("statue"), motto=words("Motto"))
def engrave(e):
    pass


@action("put-up", "Put up a statue and a bench", by="admin", player=choose("player"))
def put_up(e):
    create("statue", sculptor=e.player)
    create("bench", sculptor=e.player)


rule("1.4", """Who has not eaten for ten days is driven out of the orchard.""")


@value("leaves_at", of="player")
def leaves_at(who):
    return (days(20000) + days(10), (3, 8), "Eat an apple: that is enough.")


@action(
    "drive-out",
    "Drive somebody out",
    by="admin",
    weighty=True,
    done="{player} has left the orchard.",
    player=choose("player", "Player"),
    because=words("Because", wanted=True),
)
def drive_out(e):
    remove(e.player, e.because or "", "driven out")
'''
AT = "/g/orchard/"


def opened(keeper, people, source, commons=()):
    book = Book("orchard", "The orchard", parse_module(source), list(commons))
    game = domain.start_game(keeper.user, book=book, title="Orchard", slug="orchard", at=live.now() - 3600)
    return game, seated(game, people("ann"), "Ann")


@pytest.fixture
def orchard(keeper, people):
    return opened(keeper, people, ORCHARD)


def picked(game, ripeness):
    assert domain.desk_act(game, "pick", {"on": "P1", "ripeness": ripeness}).ok


@pytest.mark.parametrize(
    ("ripeness", "colour", "at_the_desk"),
    [
        ("hanging", "brass", False),
        ("on the table", "brass", True),
        ("in the cellar", "green", True),
        ("eaten", "green", False),
        ("rotten", "brick", False),
        ("fallen", "brick", False),
    ],
)
def test_a_proposal_stands_as_its_own_rules_say(orchard, keeper, ripeness, colour, at_the_desk):
    game, _ = orchard
    assert domain.order(game, "Ann", "propose", {"title": "Plums"}).ok
    picked(game, ripeness)
    listed = Client().get(f"{AT}proposals/")
    assert f'class="tag {colour}" translate="no">{ripeness}</span>' in listed.content.decode()
    desk = text(keeper.get(f"{AT}admin/"))
    assert ("P1: Plums" in desk) is at_the_desk
    assert ("not yet in effect" in desk) is (ripeness == "in the cellar")
    assert len(queries.undecided(live.of(game).view("admin"))) == (ripeness == "on the table")


def test_the_list_is_filtered_by_words_of_the_rules_and_of_all_games(orchard):
    game, _ = orchard
    assert domain.order(game, "Ann", "propose", {"title": "Plums"}).ok
    picked(game, "rotten")
    for said, there in (
        ("rotten", True),
        ("rejected", True),
        ("done", True),
        ("Dead", True),
        ("accepted", False),
        ("Pending", False),
    ):
        assert ("Plums" in text(Client().get(f"{AT}proposals/?status={said}"))) is there, said


def test_what_attributes_ask_waits_for_whom_they_name(orchard):
    game, ann = orchard
    assert queries.waiting_for(live.of(game).view("Ann"), "Ann") == []
    assert domain.desk_act(game, "fill", {"player": "Ann"}).ok
    nap, basket = queries.waiting_for(live.of(game).view("Ann"), "Ann")
    assert (basket["text"], basket["path"], basket["sort"]) == ("eat from basket-1", "act/eat/", "asked")
    assert basket["until"] == live.of(game).view("Ann")["things"]["basket-1"]["empty_at"]
    assert (nap["text"], nap["path"], nap["sort"]) == ("your nap can begin", "act/nap/", "turn")
    assert "eat from basket-1" in text(ann.get("/me/"))
    assert queries.waiting_for(live.of(game).view("Ann"), "Ben") == []


def test_what_waits_leads_to_a_form_in_which_its_thing_is_chosen(orchard):
    game, ann = orchard
    for _ in range(2):
        assert domain.desk_act(game, "put-up", {"player": "Ann"}).ok
    page = ann.get(AT)
    assert "Engrave statue-2 Engrave a statue…" in text(page)
    assert "Not possible now" not in text(page)
    assert page.content.decode().count(f'href="{AT}act/engrave/?statue=statue-2"') == 2
    form = ann.get(f"{AT}act/engrave/?statue=statue-2").content.decode()
    assert re.search(r"""<option value="statue-2"[^>]* selected""", form)


def test_what_is_for_sale_comes_first_in_the_market(orchard):
    game, _ = orchard
    seen = text(Client().get(f"{AT}market/"))
    assert seen.index("For sale") < seen.lower().index("cider") < seen.index("Deeds") < seen.lower().index("planting")
    assert queries.has_market(live.of(game), live.of(game).view("visitor"))


def test_lists_lead_to_the_pages_of_things_and_leave_out_what_the_site_shows_elsewhere(orchard):
    game, _ = orchard
    assert domain.desk_act(game, "put-up", {"player": "Ann"}).ok
    view = live.of(game).view("visitor")
    owned = possessions(view, "Ann", live.of(game).describe()["kinds"])
    assert [thing["id"] for _, things in owned for thing, _ in things] == ["statue-1", "bench-1"]
    assert [kind for kind, *_ in sections.kinds_of(view, "1")] == ["statue", "bench"]
    assert {"statue", "proposal", "player", "game", "question", "applicant"} == set(view["pages"])
    assert f'href="{AT}things/statue-1/"' in Client().get(f"{AT}sections/1/").content.decode()
    assert "Statue 1 · Orchard" in text(Client().get(f"{AT}things/statue-1/"))
    assert Client().get(f"{AT}things/bench-1/").status_code == 404


def test_a_weighty_act_wants_its_reason_is_shown_first_and_says_what_it_did(orchard, keeper):
    page = f"{AT}admin/drive-out/"
    sent = {"player": "Ann", "once": token(keeper.get(page))}
    assert "Say why: the reason is shown to everybody" in text(keeper.post(page, sent))
    shown = keeper.post(page, sent | {"because": "no appetite", "once": token(keeper.get(page))})
    assert 'name="confirm"' in shown.content.decode()
    told = keeper.post(page, sent | {"because": "no appetite", "confirm": "1", "once": token(shown)}, follow=True)
    assert "Ann has left the orchard." in text(told)


def test_who_must_go_is_told_as_the_rules_say(orchard, mailoutbox):
    game, _ = orchard
    leaves = 20010 * DAY
    for before, expected in ((9, 0), (7, 1), (6, 1), (2, 2), (1, 2)):
        with live.clock_at(leaves - before * DAY):
            idle.warn_players(game)
        with live.clock_at(leaves - before * DAY + 20 * 60):
            mailing.mail_all()
        told = [mail for mail in mailoutbox if "out of the game in" in mail.subject]
        assert len(told) == expected, before
    assert [("in 8 days" in told[0].subject), ("in 3 days" in told[1].subject)] == [True, True]
    assert "Eat an apple: that is enough." in told[0].body


OLDER = '''
section("I", "As it was")

rule("I.1", """Proposals, squares and their options.""")

kind("proposal", prefix="P")
attribute("proposal", "status", "undecided")
attribute("proposal", "verdict", None)
attribute("proposal", "author", None, type="thing")
attribute("proposal", "title", "")
attribute("proposal", "changes", "[]")
attribute("proposal", "run", "")
attribute("proposal", "made_at", None, moment="real")
kind("square", prefix="#", numbered="number")
attribute("square", "number", 0)
attribute("square", "option_of", None, type="thing")
attribute("square", "option_until", None, moment="real")
row("ware", "bread", price=2)


@action("propose", "Propose", fact="proposed", title=words("Title", limit=200))
def propose(e):
    return create("proposal", author=e.who, title=e.title, made_at=now())


@action("buy-square", "Buy")
def buy(e):
    pass


@action("judge", "Judge", by="admin", on=choose("proposal"), status=words("Status"), verdict=words("Verdict", optional=True))
def judge(e):
    put(e.on, "status", e.status)
    put(e.on, "verdict", e.verdict or None)


@action("offer", "Offer a square", by="admin", player=choose("player"))
def offer(e):
    create("square", number=1, option_of=e.player, option_until=now() + days(2))


@action("remove-player", "Remove", by="admin", player=choose("player"), because=words("Because", optional=True))
def go(e):
    remove(e.player, e.because or "", "removed")
'''


@pytest.mark.parametrize(
    ("form", "status", "verdict", "stands"),
    [
        (3, "undecided", "", ("to-judge", "", "undecided")),
        (3, "undecided", "rejected", ("decided", "rejected", "rejected")),
        (3, "judged", "accepted", ("done", "accepted", "accepted")),
        (1, "Pending", "", ("to-judge", "accepted", "Pending")),
        (2, "replaced", "", ("done", "replaced", "replaced")),
        (4, "undecided", "", (None, None, None)),
    ],
)
def test_proposals_of_older_books_stand_as_they_did(keeper, people, form, status, verdict, stands):
    game, _ = opened(keeper, people, OLDER, [("language", f"LANGUAGE = {form}\n" if form > 1 else "X = 1\n")])
    assert domain.order(game, "Ann", "propose", {"title": "Bread"}).ok
    assert domain.desk_act(game, "judge", {"on": "P1", "status": status, "verdict": verdict}).ok
    proposal = live.of(game).view("visitor")["things"]["P1"]
    assert tuple(proposal.get(name) for name in ("phase", "result", "standing")) == stands
    assert Client().get(f"{AT}proposals/").status_code == Client().get(f"{AT}proposals/1/").status_code == 200


REJECTING = '''
rule("I.9", """The Admin may reject what is proposed.""")


@action("reject", by="admin", on=choose("proposal"))
def reject(e):
    destroy(e.on)
'''


@pytest.mark.parametrize(("form", "judging"), [(4, {"reject": "rejects"}), (5, {})])
def test_acts_that_judge_are_known_by_name_in_books_that_could_not_say_it(keeper, people, form, judging):
    game, _ = opened(keeper, people, OLDER + REJECTING, [("language", f"LANGUAGE = {form}\n")])
    assert live.of(game).describe()["judging"] == judging
    assert domain.order(game, "Ann", "propose", {"title": "Bread"}).ok
    (act,) = live.of(game).actions("admin", only=("reject",))
    assert act["judges"] == judging.get("reject", "")


@pytest.mark.parametrize("form", [3, 4])
def test_nothing_is_made_up_for_books_that_can_say_it(keeper, people, form):
    game, _ = opened(keeper, people, OLDER, [("language", f"LANGUAGE = {form}\n")])
    assert domain.desk_act(game, "offer", {"player": "Ann"}).ok
    view, older = live.of(game).view("Ann"), form == 3
    assert [each["text"] for each in queries.waiting_for(view, "Ann")] == (["you may buy #1"] if older else [])
    assert ("square" in view["pages"]) is older
    assert queries.has_market(live.of(game), view) is older
    (act,) = live.of(game).actions("admin", only=("remove-player",))
    assert (act["weighty"], [field["wanted"] for field in act["fields"]]) == (older, [False, older])
    assert act["done"] == ("{player} is out of the game." if older else "")

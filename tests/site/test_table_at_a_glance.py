"""What a player sees first: marks that single something out, cards without twins or traps, no word twice, no empty
talk."""

import re
from datetime import UTC, datetime

import pytest
from django.test import Client
from pagewords import accept, grant, propose, text

from nomopoly.site.play import board
from nomopoly.site.tables import domain, live
from nomopoly.site.tables.models import Game

AT = "/g/friday/"
FAR = """
def elsewhere(who):
    return [each for each in every("square") if each is not who.square]

@action("bridge", "Build a bridge", begins=choose("square", "From", choices=elsewhere), ends=choose("square", "To", choices=elsewhere))
def bridge(e):
    put(e.who, "square", e.ends)

@action("toast", "Toast somebody", to=choose("player", "Whom", choices=lambda who: players()))
def toast(e):
    put(e.who, "square", e.who.square)
"""
NEAR = """
@action("rest", "Take a rest")
def rest(e):
    lose(e.who, 5)

@action("adopt", "Adopt", of=one_of(("cat", "dog"), "Animal"))
def adopt(e):
    lose(e.who, 20)
"""


def enact(game, code):
    propose(game, changes=[{"enact": "X.1", "text": "Some more to do.", "code": code}])
    accept(game, "P1")


def marked(page):
    return [each for each in re.findall(r'<a class="(sq-link[^"]*)" id="square-\d+"', page) if "can" in each.split()]


def test_a_field_that_offers_nearly_the_whole_board_marks_none(ann, game):
    enact(game, FAR)
    assert len(marked(ann.get(AT).content.decode())) < 12, "what her turn leads to, but not 47 squares"


def test_one_action_with_two_ways_for_a_square_says_which_is_which(ann, game):
    enact(game, FAR)
    card = text(ann.get(f"{AT}squares/30/?card=1"))
    assert "Build a bridge from #30" in card
    assert "Build a bridge to #30" in card


def test_what_one_can_do_about_players_stands_apart_and_leaving_is_none_of_it(ann, ben, game):
    enact(game, FAR)
    grant(game, "Ben", "square", "#30")
    page = ann.get(f"{AT}squares/30/?card=1").content.decode()
    folded = re.search(r"<details[^>]*>\s*<summary[^>]*>\s*Who is here.*?</details>", page, re.DOTALL)[0]
    assert "act/toast/?to=Ben" in folded
    assert "act/toast/" not in page.replace(folded, "")
    assert "leave-game" not in page


def test_what_asks_for_nothing_is_confirmed_over_the_board(ann, game):
    enact(game, NEAR)
    page = ann.get(AT).content.decode()
    chips = page.partition('class="chips"')[2].partition("</ul>")[0]
    form = re.search(r'<form[^>]*action="/g/friday/act/rest/"[^>]*data-confirm[^>]*>.*?</form>', chips, re.DOTALL)[0]
    assert 'name="preview"' in form
    assert 'href="/g/friday/act/adopt/"' in chips  # it asks which


def test_a_choice_is_asked_for_as_people_say_it(ann, game):
    enact(game, NEAR)
    asked = text(ann.post(f"{AT}act/adopt/", {"of": "dog", "preview": "page"}, follow=True))
    assert "Adopt dog for $20?" in asked


@pytest.mark.parametrize(("edition", "what"), [("mail", "update"), ("ii", "proposals close")])
def test_what_comes_next_is_said_in_words_and_next_only_once(start_second, people, edition, what):
    start_second("Ann", "Ben", edition=edition)
    page = text(people("ann").get("/g/second/"))
    assert re.search(rf"Next: {what} in \d+ [dh]", page)
    assert "Next: next" not in page
    assert "A new week Mon" in page
    assert "Monday Mon" not in page


def test_what_comes_next_for_a_thing_is_said_with_its_moment(ann, game):
    grant(game, "#5", "option_of", "Ann")
    grant(game, "#5", "option_until", live.now() + 3 * 86400 + 60)
    assert re.search(r"Next: #5, option until \w{3} \d+ \w+ \d{4} \d\d:\d\d \w+ \(in 3 d\)\.", text(ann.get(AT)))


def test_the_calendar_has_the_same_words(start_second, ann):
    start_second("Ann", "Ben")
    assert "BEGIN:VEVENT" in (days := ann.get("/g/second/calendar.ics").content.decode())
    assert "A new week" in days


@pytest.mark.parametrize(
    ("said", "not_said"),
    [("Shares: 0", "Sick: no"), ("gets $1,000", "$1000")],
    ids=["players are not told by what they are not", "sums in the log have their thousands apart"],
)
def test_the_table_says(start_second, people, said, not_said):
    start_second("Ann", "Ben", edition="mail")
    page = text(people("ann").get("/g/second/"))
    assert said in page
    assert not_said not in page


def test_accounts_say_only_what_is_known_of_them(start_second, people):
    start_second("Ann", "Ben", edition="mail")
    rows = text(people("ann").get("/g/second/accounts/"))
    assert "Charity" in rows
    assert "Name: Charity" not in rows
    assert "Giveaway Queue" not in rows


def view_of(count):
    things = {"game": {"id": "game", "kind": "game"}}
    for number in range(1, count + 1):
        row, along = divmod(number - 1, 10)
        things[f"#{number}"] = {"id": f"#{number}", "kind": "square", "number": number, "column": along, "row": row}
    return {"viewer": "visitor", "things": things, "schema": {}, "markers": []}


def test_a_board_of_few_rows_has_the_whole_width():
    heads = {count: str(board.draw(view_of(count), "/g/x/")).partition(">")[0] for count in (3, 20, 48)}
    assert [count for count, head in heads.items() if "data-low" in head] == [20]


def test_the_dock_tells_the_time_in_a_few_words(ann, game):
    minutes = [f"{datetime.fromtimestamp(live.now() + later, UTC):%H:%M}" for later in (0, 60)]
    dock = text(ann.get(AT)).partition("Waiting for you")[2].partition("What happened last")[0]
    assert any(each in dock for each in minutes), dock
    assert "which decides what is in time" not in dock
    assert "which decides what is in time" in text(ann.get(f"{AT}act/name-square/"))


def test_orders_that_wait_are_in_the_dock_and_are_taken_back_there(start_second, people):
    game, _ = start_second("Ann", "Ben")
    grant(game, "#7", "owner", "Ann")
    ann, way = people("ann"), "/g/second/"
    assert "orders-title" not in ann.get(way).content.decode()
    named = {"square": "#7", "name": "Mill Lane"}
    sent = ann.post(f"{way}act/name-square/", named, headers={"X-Fragment": "confirm"})
    assert sent.headers["X-Location"] == way, "one stays at the table"
    dock = ann.get(way).content.decode().partition('id="waiting"')[2].partition('id="stage"')[0]
    assert "Your order for the next update" in dock
    assert "Mill Lane" in dock.partition("Your order for the next update")[2].partition("</section>")[0]
    assert "Mill Lane" not in Client().get(way).content.decode()
    form = re.search(r'action="(/g/second/act/queue/\d+/withdraw/)"(.*?)</form>', dock, re.DOTALL)
    given = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form[2]))
    assert ann.post(form[1], given).headers["Location"] == way
    assert "Your order for the next update" not in ann.get(way).content.decode()


def test_a_refusal_over_the_board_leads_to_a_form_where_there_is_one_to_fill(ann, game):
    crown = '@action("crown", "Crown yourself")\ndef crown(e):\n    refuse("not today")\n'
    propose(game, changes=[{"enact": "X.1", "text": "Crowns.", "code": crown}])
    accept(game, "P1")
    for path, led in (("act/crown/", False), ("act/name-square/", True)):
        sent = {"square": "#7", "name": "Mill Lane", "preview": "1"}  # it is not Ann's, wherever she has landed
        answer = ann.post(AT + path, sent, headers={"X-Fragment": "confirm"}).content.decode()
        assert 'id="refusal"' in answer
        assert (f'href="{AT}{path}"' in answer) == led, path


def test_a_name_and_what_it_is_for_are_told_apart(ann, game):
    grant(game, "#7", "owner", "Ann")
    sent = {"square": "#7", "name": "Sam Corner", "preview": "page"}
    assert "Name #7: Sam Corner?" in text(ann.post(f"{AT}act/name-square/", sent, follow=True))


# ---- one's own


@pytest.fixture
def forts(start_second, people):
    """Ann has a fort and a warrior on #1, and nobody else has anything."""
    game, _ = start_second("Ann", "Ben", edition="iv")
    assert domain.order(game, "Ann", "build", {"building": "fort"}).ok
    assert domain.order(game, "Ann", "command-recruit-warrior", {"unit": "fort-1"}).ok
    return game


def test_who_attacks_what_is_their_own_is_warned(forts, people):
    ann, way = people("ann"), "/g/second/act/command-attack/"
    form = text(ann.get(way))
    assert "fort 1 on #1, yours" in form
    asked = text(ann.post(way, {"unit": "warrior-1", "target": "fort-1", "preview": "page"}, follow=True))
    assert "Mind: fort 1 is your own." in asked


def test_what_is_somebody_elses_says_whose_and_needs_no_warning(forts, people):
    for name, value in (("square", "#2"), ("owner", "Ben")):
        grant(forts, "fort-1", name, value)
    ann, way = people("ann"), "/g/second/act/command-attack/"
    assert "fort 1 on #2, of Ben" in text(ann.get(way))
    asked = ann.post(way, {"unit": "warrior-1", "target": "fort-1", "preview": "page"}, follow=True)
    assert "Attack" in text(asked)
    assert "Mind:" not in text(asked)


def test_what_does_ones_own_no_harm_needs_no_warning(forts, people):
    ann, way = people("ann"), "/g/second/act/command-move/"
    asked = ann.post(way, {"unit": "warrior-1", "to_": "#2", "preview": "page"}, follow=True)
    assert "#2" in text(asked)
    assert "Mind:" not in text(asked)


# ---- the time zone of a game


def test_the_zone_of_a_game_is_chosen_at_its_start_and_said_to_stay(people):
    keeper = people("keeper")
    page = keeper.get("/games/new/").content.decode()
    field = re.search(r'<input[^>]*name="time_zone"[^>]*>', page)[0]
    assert "data-zone" in field, "the browser's is the default"
    assert "value=" not in field, "not UTC, where the account has none"
    assert "nomopoly/zone.js" in page
    assert "cannot be changed once the game is open" in text(keeper.get("/games/new/"))
    sent = {"title": "Zoned", "edition": "original", "once": re.search(r'name="once" value="([^"]+)"', page)[1]}
    keeper.post("/games/new/", sent)
    game = Game.objects.get(title="Zoned")
    assert game.time_zone == "UTC"
    assert "Time zone: UTC. It is sealed in the first entry of the game" in text(
        keeper.get(f"{game.address}admin/settings/")
    )


def test_the_zone_of_an_account_goes_before_the_browsers(people):
    keeper = people("keeper")
    keeper.user.time_zone = "Asia/Tokyo"
    keeper.user.save()
    assert 'value="Asia/Tokyo"' in keeper.get("/games/new/").content.decode()


# ---- what is new since the last visit


def test_what_is_new_since_the_last_visit_can_be_played(ann, ben, game):
    ann.get(AT)
    assert "Play what is new" not in text(ann.get(AT))
    with live.clock_at(live.now() + 86400):
        for title in ("One", "Two"):
            assert domain.order(game, "Ben", "propose", {"title": title, "text": "Words."}).ok
        first = live.of(game).facts("Ann")[-2]["number"]
        page = ann.get(AT).content.decode()
    assert f'href="{AT}?at={first}#play"' in page
    assert "Play what is new" not in text(Client().get(AT))


GRUMBLING = r"""
event("grumble", "grumbled", say="{who} cannot {order}", who="player", order="")

@action("fly-off", "Fly \\9 off")
def fly_off(e):
    do("grumble", who=e.who, order="fly-off")
"""


def test_an_order_is_called_by_its_label_in_the_log_however_odd_that_is(ann, game):
    enact(game, GRUMBLING)
    assert domain.order(game, "Ann", "fly-off", {}).ok
    assert r"Ann cannot fly \9 off" in text(ann.get(f"{AT}log/"))

"""What players and the Admin of `iv` meet on pages: forts and what attacks them, a veto, a strike, an item used up."""

import html
import re

import pytest
from django.test import Client
from pagewords import grant, propose, token, well
from test_notices import told_to

from nomopoly.site.tables import domain

AT = "/g/second/"
BANANA = """
def go_home(e):
    jump(e.who, square(1))


item("banana", "Banana", text="Eat it: you jump to #1.", usable=True, effect=go_home)
"""


@pytest.fixture
def table(start_second):
    """(game, a function that lets days go by): Ann has a fort and a warrior on #5, Ben on #6."""
    game, go = start_second("Ann", "Ben", "Cid", edition="iv")
    for name, square, fort in (("Ann", "#5", "fort-1"), ("Ben", "#6", "fort-2")):
        grant(game, name, "square", square)
        well(domain.order(game, name, "build", {"building": "fort"}))
        well(domain.order(game, name, "command-recruit-warrior", {"unit": fort}))
    return game, go


@pytest.fixture
def forts(table):
    return table[0]


def said(response):
    """The words of a page, in which links and marks within a sentence leave no gaps."""
    page = re.sub(r"<svg.*?</svg>|</?(?:a|bdi|span|strong)\b[^>]*>", "", response.content.decode(), flags=re.S)
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", page)).split())


def links_at(client, number):
    """What the card of a square offers, in words."""
    card = client.get(f"{AT}squares/{number}/?card=1").content.decode()
    found = re.findall(r'<a class="btn small[^>]*>(.*?)</a>', card, re.S)
    return [" ".join(re.sub("<[^>]*>", "", each).split()) for each in found]


def attack(game):
    return well(domain.order(game, "Ann", "command-attack", {"unit": "warrior-1", "target": "warrior-2"}))


def test_who_owns_what_is_attacked_gets_a_notice(table, told):
    game, go = table
    grant(game, "warrior-2", "hit_points", 5)
    attack(game)
    go(1)
    told()
    [hit] = told_to("ben", "called")
    assert "warrior 2 is hit for 10" in hit.lower()
    assert "warrior 2 is destroyed" in hit.lower()
    assert told_to("ann", "called") == told_to("cid", "called") == []


def test_the_card_of_a_square_says_who_attacks_and_what_is_attacked(forts, people):
    assert links_at(people("ann"), 5) == ["Attack with warrior 1", "Attack: fort 1, yours", "Move a unit: warrior 1"]
    assert links_at(people("ann"), 6) == [
        "Move a unit to #6",
        "Attack: warrior 2, of Ben",
        "Attack: fort 2, of Ben",
        "Offer a trade with Ben",
    ]


def test_who_rests_says_until_when_where_it_is_chosen(table, people):
    game, go = table
    go(4.01)
    well(domain.order(game, "Ann", "command-recruit-warrior", {"unit": "fort-1"}))
    attack(game)
    ann = people("ann")
    assert any(re.match(r"Attack with warrior 1, ready from: .*\d{4}", each) for each in links_at(ann, 5))
    assert "Attack with warrior 3" in links_at(ann, 5)
    form = ann.get(f"{AT}act/command-attack/").content.decode()
    assert re.search(r">warrior 1 on #5, ready from: [^<]*\d{4}[^<]*</option>", form)


def test_a_command_is_told_once_with_what_it_is_about(forts, people):
    well(domain.order(forts, "Ben", "command-attack", {"unit": "warrior-2", "target": "warrior-1"}))
    well(domain.order(forts, "Ann", "command-move", {"unit": "warrior-1", "to": "#4"}))
    log = said(Client().get(f"{AT}log/"))
    assert "Ann tells warrior 1: move to #4." in log
    assert "moves to #4" not in log
    assert "Ben tells warrior 2: attack warrior 1; warrior 1 is hit for 10." in log
    assert "Ben tells fort 2: recruit a warrior, loses $500, gets warrior 2 on #6." in log


def decided(game, go, **proposal):
    """A proposal that all have accepted."""
    propose(game, **proposal)
    for name in ("Ann", "Ben"):
        well(domain.order(game, name, "vote", {"on": "P1", "choice": "yes"}))
    go(5.01)


def test_a_unit_that_moves_without_a_command_is_told(table):
    game, go = table
    wind = 'do("unit-moves", who=every("unit")[0].owner, unit=every("unit")[0], square=square(4))'
    decided(game, go, title="Wind", text="It blows.", run=wind)
    well(domain.desk_act(game, "implement", {"on": "P1"}))
    assert "P1 is implemented; warrior 1 moves to #4." in said(Client().get(f"{AT}log/"))


def test_an_item_is_used_in_a_sentence(table, people):
    game, go = table
    decided(game, go, title="Fruit", changes=[{"enact": "5.3/banana", "text": "Banana.", "code": BANANA}])
    well(domain.desk_act(game, "implement", {"on": "P1"}))
    grant(game, "Ann", "items", ["banana"])
    ann = people("ann")
    page = ann.post(f"{AT}act/use-item/", {"item": "banana", "once": token(ann.get(f"{AT}act/use-item/"))}, follow=True)
    assert "Ann uses a banana, jumps to #1, lands on #1." in said(page)
    assert "Use an item" not in said(ann.get(f"{AT}act/")).partition("Not possible now")[0]


def test_no_reason_is_chosen_before_the_admin_has_read_them(table, keeper):
    game, go = table
    decided(game, go, title="Tower")
    address = f"{AT}admin/veto/?on=P1"
    page = keeper.get(address)
    assert re.search(r'<select name="because"[^>]*>\s*<option value="">Choose</option>', page.content.decode())
    refused = keeper.post(f"{AT}admin/veto/", {"on": "P1", "because": "", "words": "Sand.", "once": token(page)})
    assert "Say why: the reason is shown to everybody" in said(refused)
    assert ">Sand.</textarea>" in refused.content.decode()


def test_a_veto_is_told_once_with_its_words(table, keeper):
    game, go = table
    decided(game, go, title="Tower")
    assert "Refuse to implement a proposal P1 Tower, by Ann Proposal" in said(keeper.get(f"{AT}admin/veto/?on=P1"))
    well(domain.desk_act(game, "veto", {"on": "P1", "because": "infeasible", "words": "Nothing stands on sand."}))
    page = said(Client().get(f"{AT}proposals/1/"))
    assert page.count("Nothing stands on sand.") == 2  # what came of it, and its line in the log
    for address in (AT, f"{AT}log/"):
        log = said(Client().get(address))
        assert "refuses to implement P1: infeasible. “Nothing stands on sand.”" in log
        assert "“infeasible" not in log


def test_the_pages_of_a_strike_speak_as_the_log_does(forts, keeper, people):
    attack(forts)
    domain.order(forts, "Ben", "propose", {"title": "Peace", "text": "For all."})
    fort = next(line for line in range(3, 12) if "Ben builds a fort" in said(Client().get(f"{AT}log/{line}/")))
    several, one = (said(keeper.get(f"{AT}admin/strike/{at}")) for at in ("", f"{fort}/"))
    assert "Ben tells fort 2: recruit a warrior, loses $500, gets warrior 2 on #6" in several
    assert "Ann tells warrior 1: attack warrior 2; warrior 2 is hit for 10." in one
    for page in (several, one):
        assert not re.search(r"(?:fort|warrior)-\d|: grant|leaving #", page)
    sent = {"because": "Not yours.", "confirm": confirm_of(keeper, fort)}
    keeper.post(f"{AT}admin/strike/{fort}/", sent | {"once": token(keeper.get(f"{AT}admin/strike/{fort}/"))})
    log = said(people("ben").get(f"{AT}log/"))
    assert "Struck by the Admin: entry" in log
    struck = re.search(r"/log/(\d+)/", people("ben").get(f"{AT}log/").content.decode())
    assert not re.search(r"(?:fort|warrior)-\d", said(keeper.get(f"{AT}log/{struck[1]}/")).partition("Hashes")[0])


def confirm_of(client, number):
    page = client.get(f"{AT}admin/strike/{number}/").content.decode()
    return re.search(r'name="confirm" value="([^"]*)"', page)[1]

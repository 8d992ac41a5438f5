"""The end of a game is a page: who won and by what, the rules that players made, the dice, and playing again."""

from collections import Counter

from django.test import Client
from pagewords import accept, grant, propose, text, things

from nomopoly.site.play import ending
from nomopoly.site.tables import domain, live, readings

AT = "/g/friday/"


def test_a_game_that_goes_on_has_no_such_page(ann, game):
    answer = Client().get(f"{AT}end/")
    assert answer.status_code == 404
    assert "not over" in text(answer)
    assert "/end/" not in Client().get(AT).content.decode()


def test_the_end(ann, ben, game):
    propose(game, title="Luck", changes=[{"enact": "X.1", "title": "Luck", "text": "Everybody is lucky."}])
    accept(game, "P1")
    propose(game, title="Done", run='win(thing("Ben"))')
    accept(game, "P2")
    front = Client().get(AT).content.decode()
    assert 'href="/g/friday/end/"' in front
    page = Client().get(f"{AT}end/")
    told, body = text(page), page.content.decode()
    assert "Ben won Friday" in told
    assert "Everybody is lucky." in told
    assert "by Ann , proposal 1" in told
    assert 'href="/games/new/?from=friday"' in body
    assert 'href="/g/friday/?at=0#board"' in body
    assert "How it ended" in told
    assert "P2" in told  # the entry in which it ended
    assert "How the dice fell" in told
    assert ann.get(f"{AT}end/?chart=money").status_code == 200


def test_everybody_counts_the_entries_that_everybody_sees(keeper, ann, ben, game):
    grant(game, "#5", "owner", "Ben")
    assert domain.order(game, "Ann", "trade", {"with": "Ben", "give": {"money": 1}, "take": {"squares": ["#5"]}}).ok
    propose(game, title="Done", run='win(thing("Ann"))')
    accept(game, "P1")
    assert "1 of them concerns others in private" in text(Client().get(f"{AT}export/"))
    number = ending.last_entry(live.of(game).facts("visitor"))["number"]  # from 0, the opening
    for reader in (Client(), keeper, ann, ben):
        assert f"and {number + 1} entries of the log" in text(reader.get(f"{AT}end/"))


def test_a_rule_that_broke_waits_for_nobody_when_the_game_is_over(keeper, ann, game):
    game.faults.create(n=1, rule="VII.1", line=1, message="ZeroDivisionError: division by zero")
    assert "Rule VII.1 broke" in text(keeper.get(f"{AT}admin/"))
    assert "a rule broke" in text(keeper.get("/me/"))
    propose(game, title="Done", run='win(thing("Ann"))')
    accept(game, "P1")
    assert "Rule VII.1 broke" not in text(keeper.get(f"{AT}admin/"))
    assert "a rule broke" not in text(keeper.get("/me/"))


CROWN = """@action("crown", "Crown yourself")
def crown(e):
    win(e.who)
"""


def test_who_would_end_the_game_reads_so_before(ann, ben, game):
    propose(game, changes=[{"enact": "X.1", "text": "Crowns.", "code": CROWN}])
    accept(game, "P1")
    asked = text(ann.post(f"{AT}act/crown/", {"preview": "1"}))
    assert "Winner Ann The game would be over" in asked
    assert "from no to yes" not in asked


def test_programs_read_the_end_too(ann, ben, game):
    assert Client().get("/api/v1/g/friday/end").json() == {"error": "This game is not over."}
    propose(game, title="Luck", changes=[{"enact": "X.1", "title": "Luck", "text": "Everybody is lucky."}])
    accept(game, "P1")
    propose(game, title="Done", run='win(thing("Ben"))')
    accept(game, "P2")
    told = Client().get("/api/v1/g/friday/end").json()
    assert told["winner"] == "Ben"
    assert "P2" in told["entry"]["say"]
    assert told["rules"] == [{"rule": "X.1", "proposal": "P1", "author": "Ann"}]
    dice = told["dice"]["together"]
    assert sum(dice["faces"].values()) >= dice["rolls"] > 0
    assert dice == told["dice"]["players"]["Ann"]  # who proposes what is accepted takes a turn


def test_an_end_without_a_winner(ann, game):
    propose(game, run='put(thing("game"), "over", True)')
    accept(game, "P1")
    told = text(Client().get(f"{AT}end/"))
    assert "Friday ended without a winner" in told
    assert "None: it ended with the rules it began with" in told


FEAST = """@value("feast", of="player", label="Your feast", type="moment")
def feast(player):
    return now() + hours(30)
"""


def test_a_player_awaits_nothing_any_more(ann, ben, game):
    propose(game, changes=[{"enact": "X.1", "text": "Feasts.", "code": FEAST}])
    accept(game, "P1")
    assert "Your feast" in text(ann.get(f"{AT}players/Ben/"))
    propose(game, title="Done", run='win(thing("Ben"))')
    accept(game, "P2")
    page = text(ann.get(f"{AT}players/Ben/"))
    assert "Money" in page
    assert "Your feast" not in page


def entry(n, facts, changes=(), struck=None):
    return {"n": n, "facts": facts, "changes": list(changes), "struck": struck}


def test_the_record_of_dice():
    entries = [
        entry(1, [{"who": "Ann", "dice": [1, 6]}, {"who": "Ann", "dice": [6, 6]}]),
        entry(2, [{"who": "Ben", "dice": [2]}, {"who": "Ben", "dice": [40]}, {"who": "gorilla", "dice": [3, True]}]),
        entry(3, [{"who": "Ann", "dice": [5, 5]}], struck=4),
        entry(5, [{"dice": [4]}]),
    ]
    together, players = ending.record_of_dice(entries, ["Ann", "Ben", "Cid"])
    assert [(each.name, each.rolls, each.average) for each in players] == [("Ann", 2, "4.75"), ("Ben", 1, "2.00")]
    assert together.faces == Counter({6: 3, 1: 1, 2: 1, 4: 1})


def test_the_entry_in_which_it_ended():
    ended = entry(3, [], [["game", "over", False, True]])
    assert ending.last_entry([entry(1, []), ended, entry(4, [], [["Ann", "money", 1, 2]])]) is ended
    assert ending.last_entry([entry(3, [], [["game", "over", False, True]], struck=5)]) is None


def test_the_rules_begin_a_new_game(ann, game, people):
    propose(game, changes=[{"enact": "X.1", "text": "Everybody is lucky."}])
    accept(game, "P1")
    page = people("dot").get("/games/new/?from=friday").content.decode()
    assert 'name="from" value="friday"' in page


def test_who_has_left_before_the_end_is_in_its_chart_and_its_dice(start_second, people):
    game, go = start_second("Ann", "Ben", "Cid", edition="iv")
    assert domain.order(game, "Ben", "take-turn", {}).ok
    for _ in range(3):
        go(1)
        readings.recount_all()
    assert domain.desk_act(game, "remove-player", {"player": "Ben", "because": "Gone."}).ok
    assert domain.desk_act(game, "remove-player", {"player": "Cid", "because": "Gone."}).ok
    assert things(game)["game"]["over"]
    page = Client().get(f"{game.address}end/")
    assert [each.name for each in page.context["dice"]] == ["Ben"]
    assert [line.name for line, _ in page.context["chart"]["lines"]] == ["Ann", "Ben", "Cid"]
    assert [*Client().get(f"/api/v1{game.address}end").json()["dice"]["players"]] == ["Ben"]

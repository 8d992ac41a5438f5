"""What pages keep steady and say of time: a player's colour, the pause's beginning, the clock that decides, what is not
indexed."""

from django.test import Client
from pagewords import accept, propose, seated, text, things

from nomopoly.site.door import Seat
from nomopoly.site.play import pieces
from nomopoly.site.tables import answered, domain, lines, live, queries


def test_who_leaves_takes_nobodys_colour_or_shape_along():
    before = pieces.looks(["Ann", "Ben", "Cid", "Dot"], {"Ben": "ship"})
    after = pieces.looks(["Cid", "Dot"], {"Ben": "ship"}, ever=["Ann", "Ben", "Cid", "Dot"])
    for name in ("Cid", "Dot"):
        assert (after[name].number, after[name].shape) == (before[name].number, before[name].shape)


def test_colours_stay_in_a_game_that_somebody_leaves(game, people, ann, ben):
    def colours():
        live.close_all()
        seat = Seat(None, game, "visitor", None)
        return {name: (look.number, look.shape) for name, look in seat.looks.items()}

    seated(game, people("cid"), "Cid")
    before = colours()
    assert domain.leave(game, queries.membership(game, people("ann").user)).ok
    assert "Ann" not in things(game)
    after = colours()
    assert after == {name: before[name] for name in ("Ben", "Cid")}
    seated(game, people("dot"), "Dot")
    assert colours()["Dot"][0] not in {number for number, _ in before.values()}


def test_the_banner_says_since_when_the_game_is_paused(game, ann, keeper):
    assert domain.desk_act(game, "pause", {"because": "of the holidays"}).ok
    since = queries.in_words(things(game)["game"]["paused_at"], "moment")
    assert f"The game is paused since {since} because of the holidays: only voting is possible" in text(
        ann.get("/g/friday/")
    )


def test_forms_tell_the_time_by_which_they_are_late(game, ann):
    page = ann.get("/g/friday/act/trade/")
    assert "by the clock of this site, which decides what is in time" in text(page)
    told = page.content.decode().partition('class="hint server-time">')[2]
    assert told.startswith("<time datetime=")


def test_pages_with_a_players_name_in_their_title_are_not_indexed(game, ann):
    mark = '<meta name="robots" content="noindex">'
    visitor = Client()
    for path in ("players/Ann/", "players/Ann/account/"):
        page = visitor.get(f"/g/friday/{path}")
        assert "Ann" in page.content.decode().partition("<title>")[2].partition("</title>")[0]
        assert mark in page.content.decode()
    for path in ("", "rules/"):
        page = visitor.get(f"/g/friday/{path}").content.decode()
        assert mark not in page
        assert "Ann" not in page.partition("<title>")[2].partition("</title>")[0]


def test_a_question_that_was_answered_waits_no_more_anywhere():
    def entry(by, question, struck=False):
        return {
            "kind": "order",
            "by": by,
            "do": "answer",
            "refused": None,
            "struck": struck,
            "args": {"question": question},
            "facts": [],
        }

    class Running:
        @staticmethod
        def facts(viewer):
            return lines.Kept([entry("Ann", "q-1"), entry("Ann", "q-2", struck=True), entry("Ben", "q-3")])

        @staticmethod
        def describe():
            return {"events": {"answered": {}}}

        @staticmethod
        def value(name, question):
            if question == "q-6":
                raise KeyError(question)
            return "asked-by-nobody" if question == "q-4" else "answered"

    asked = [{"path": "act/answer/", "about": f"q-{number}"} for number in (1, 2, 3)]
    gone = [{"path": "act/answer/", "about": id} for id in ("q-4", "q-6")]
    vote = {"path": "proposals/1/", "about": "P1"}
    assert answered.left_open(Running, "Ann", [*asked, *gone, vote]) == [*asked[1:], vote]
    assert answered.left_open(Running, "Ann", [vote]) == [vote]


WELL = """event("chosen", answers="")


@action("look", "Look into the well")
def look(e):
    ask(e.who, "Gold or fame?", ("gold", "fame"), then="chosen", default="gold", by=now() + days(3))
"""


def test_a_question_whose_rule_has_gone_waits_no_more_anywhere(game, ann):
    propose(game, changes=[{"enact": "X.1", "text": "The well.", "code": WELL}])
    accept(game, "P1")
    assert domain.order(game, "Ann", "look", {}).ok
    for path in ("/g/friday/", "/me/"):
        assert "Gold or fame?" in text(ann.get(path)).partition("What happened last")[0]
    propose(game, changes=[{"repeal": "X.1"}])
    accept(game, "P2")
    for path in ("/g/friday/", "/me/"):
        assert "Gold or fame?" not in text(ann.get(path)).partition("What happened last")[0]

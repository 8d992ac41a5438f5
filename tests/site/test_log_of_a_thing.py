"""The log of one thing: what each entry speaks of is read on as the log grows, and anew when an entry is struck."""

from nomopoly.site.play import loglines
from nomopoly.site.tables import domain, live


class Looking:
    """A seat, as far as the log of a thing wants one."""

    def __init__(self, game, viewer):
        self.live, self.viewer = live.of(game), viewer


def said_of(game, viewer, id):
    return [entry["n"] for entry in loglines.about(Looking(game, viewer), id)]


def propose(game, who, title):
    return domain.order(game, who, "propose", {"title": title, "text": "Words."}).n


def test_it_grows_with_the_game(game, ann, ben):
    first = propose(game, "Ann", "One")
    assert said_of(game, "Ben", "P1") == [first]
    second = propose(game, "Ben", "Two")
    assert said_of(game, "Ben", "P1") == [first]
    assert said_of(game, "Ben", "P2") == [second]
    judged = domain.desk_act(game, "accept", {"on": "P1"}).n
    assert said_of(game, "Ben", "P1") == [first, judged]
    assert said_of(game, "visitor", "P1") == [first, judged]
    assert said_of(game, "Ann", "P9") == []


def test_each_viewer_has_their_own(start_second):
    game, _ = start_second("Ann", "Ben")
    n = live.of(game).n
    assert domain.order(game, "Ann", "propose", {"title": "Hidden as yet", "text": "Words."}).ok
    told = {viewer: [each for each in said_of(game, viewer, "Ann") if each > n] for viewer in ("Ann", "Ben", "visitor")}
    assert told["Ann"]
    assert told["Ben"] == told["visitor"] == []


def test_a_struck_entry_is_marked_there_too(game, ann, ben):
    first = propose(game, "Ann", "One")
    kept = loglines.about(Looking(game, "Ben"), "P1")
    assert [entry["struck"] for entry in kept] == [None]
    strike = domain.desk_act(game, "strike", {"entry": first, "because": "A slip."})
    assert strike.ok, strike
    again = loglines.about(Looking(game, "Ben"), "P1")
    assert [entry["struck"] for entry in again if entry["n"] == first] == [strike.n]

"""A value over which a rule breaks is told as such, with the rule, and not as one that says nothing."""

from pagewords import accept, propose, text

WORTH = """@value("worth", of="player", label="Worth", type="money")
def worth(who):
    return who.money // (who.money - 1000)


@value("crowd", of="square", label="Crowd")
def crowd(place):
    return 12 // (place.number - 3)


@value("luck", of="game", label="Luck")
def luck(game):
    return 1 // 0


@value("friend", of="player", label="Friend")
def friend(who):
    return None
"""
BENDS = """@modify("worth")
def bends(who, base):
    return add(1 // 0)
"""
BROKEN = "cannot be computed: a rule broke."


def test_pages_say_what_cannot_be_computed(game, ann, ben):
    propose(game, changes=[{"enact": "X.1", "text": "Worth.", "code": WORTH}])
    accept(game, "P1")
    page = text(ben.get("/g/friday/players/Ann/"))
    assert f"Worth {BROKEN} Rule&nbsp;X.1" in page
    assert "Friend none" in page
    assert f"Crowd {BROKEN} Rule&nbsp;X.1" in text(ben.get("/g/friday/squares/3/"))
    assert f"Crowd {BROKEN} Rule&nbsp;X.1" in text(ben.get("/g/friday/squares/3/?card=1"))
    assert "Crowd 12" in text(ben.get("/g/friday/squares/4/"))
    assert f"Luck {BROKEN}" in text(ben.get("/g/friday/sections/X/"))


def test_another_rule_that_breaks_is_named(game, ann, ben):
    whole = WORTH.replace("who.money // (who.money - 1000)", "who.money")
    propose(
        game, changes=[{"enact": "X.1", "text": "W.", "code": whole}, {"enact": "X.2", "text": "B.", "code": BENDS}]
    )
    accept(game, "P1")
    assert f"Worth {BROKEN} Rule&nbsp;X.2 Rule&nbsp;X.1" in text(ben.get("/g/friday/players/Ann/"))

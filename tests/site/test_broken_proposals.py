"""A proposal that breaks on coming into force says where and why on its page: why, to its author and the Admin."""

from django.test import Client
from pagewords import text

from nomopoly.site.tables import domain


def broken(game, **parts):
    assert domain.order(game, "Ann", "propose", {"title": "T", "text": "w", **parts}).ok
    return domain.desk_act(game, "accept", {"on": "P1"})


def test_a_program_that_runs_once(game, ann, bob):
    assert broken(game, run="x = 1\n\nx // 0").fault is not None
    where = "It did not come into force: its program that runs once, line 3 broke at x // 0"
    mine, others = text(ann.get("/g/friday/proposals/1/")), text(bob.get("/g/friday/proposals/1/"))
    assert f"{where} : division by zero." in mine
    assert "division" in mine
    assert f"{where} . ( entry" in others
    assert where in text(Client().get("/g/friday/proposals/1/"))


def test_a_rule_that_it_makes(game, ann):
    changes = [{"enact": "X.1", "section": "S", "text": "w", "code": 'X = 1\nevent("x", say="x" * 300)\n'}]
    assert broken(game, changes=changes).fault is not None
    mine = text(ann.get("/g/friday/proposals/1/"))
    said = mine.partition("It did not come into force: ")[2]
    assert said.startswith("rule X.1, line 2 broke at event(")
    assert "ValueError. Try it out" in said


def test_one_that_is_in_force_says_nothing(game, ann):
    assert broken(game, run="x = 1").ok
    assert "did not come into force" not in text(ann.get("/g/friday/proposals/1/"))


def test_what_a_hidden_value_says_is_not_shown_to_the_author(game, ann, keeper):
    assert broken(game, run="x = {}\nx[str(players()[0].money)]").fault is not None
    assert "1000" not in text(ann.get("/g/friday/proposals/1/")).partition("did not come into force")[2][:120]
    assert "1000" in text(keeper.get("/g/friday/proposals/1/")).partition("did not come into force")[2][:120]


def test_one_that_a_rule_refuses_once_dice_have_fallen_says_which_and_to_its_author_why(game, ann, bob, keeper):
    code = (
        '@after("propose")\ndef nothing(e):\n    pass\n\n\n@check("gild")\ndef never(e):\n    return "nothing is '
        'gilded here"\n'
    )
    code += 'event("gild")\n'
    assert domain.order(game, "Ann", "propose", {"title": "R", "text": "w", "changes": [
        {"enact": "X.1", "section": "S", "text": "w", "code": code}]}).ok  # fmt: skip
    assert domain.desk_act(game, "accept", {"on": "P1"}).ok
    assert domain.order(game, "Ann", "propose", {"title": "T", "text": "w", "run": 'chance.die(6)\ndo("gild")'}).ok
    refused = domain.desk_act(game, "accept", {"on": "P2"})
    assert (refused.refused, refused.rule) == ("nothing is gilded here", "X.1")
    where = "It did not come into force: rule X.1 refused it"
    for reader in (ann, keeper):
        assert f"{where}: nothing is gilded here." in text(reader.get("/g/friday/proposals/2/"))
    others = text(bob.get("/g/friday/proposals/2/"))
    assert f"{where}. ( entry" in others
    assert "nothing is gilded here" not in others.partition("did not come into force")[2][:60]

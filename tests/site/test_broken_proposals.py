"""A proposal that breaks on coming into force says where and why on its page: why, to its author and the Admin."""

from django.test import Client
from pagewords import accept, propose, text

from nomopoly.site.tables import domain, live


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


def test_its_program_is_no_rule_for_the_desk_and_the_log(game, ann, keeper):
    assert broken(game, run="x = 1 // 0").fault is not None
    for path in ("admin/", "log/"):
        page = keeper.get(f"/g/friday/{path}").content.decode()
        assert "rules/P1/" not in page
        assert "/g/friday/proposals/1/" in page
        assert "Rule P1" not in text(keeper.get(f"/g/friday/{path}"))
    assert "The program of proposal 1 broke" in text(keeper.get("/g/friday/admin/"))
    page = text(ann.get("/g/friday/proposals/1/", HTTP_ACCEPT_LANGUAGE="de"))
    assert "sein einmaliges Programm, Zeile 1 brach ab bei x = 1 // 0" in page


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


HUTS = {
    "title": "Huts",
    "changes": [
        {
            "enact": "XL.1",
            "section": "S",
            "text": "w",
            "code": 'kind("hut")\nattribute("hut", "owner", None, label="O")',
        }
    ],
    "run": 'create("hut", owner=players()[0])',
}
NO_HUTS = {"title": "No huts", "changes": [{"repeal": "XL.1"}]}
GO = "It did not come into force: rule XL.1 cannot go: there still are things of the kind 'hut'"


def told(client, number):
    return text(client.get(f"/g/second/proposals/{number}/")).replace("&#x27;", "'")


def voted(game, go, number):
    """Let everybody vote for a proposal, and the week end."""
    go(4.5)
    with live.of(game).writing() as running:
        for who in ("Ann", "Ben"):
            assert running.cast(who, "vote", {"on": f"P{number}", "choice": "yes"}, live.now()).ok
    go(3)


def test_a_rule_that_cannot_go_says_so_to_everybody(game, ann, bob):
    propose(game, **HUTS)
    accept(game, "P1")
    propose(game, **NO_HUTS)
    assert domain.desk_act(game, "accept", {"on": "P2"}).fault is not None
    for client in (ann, bob, Client()):
        assert GO in text(client.get("/g/friday/proposals/2/")).replace("&#x27;", "'")
        assert "did not come into force" not in text(client.get("/g/friday/proposals/1/"))


def test_what_breaks_with_a_later_proposal_is_told_of_that_one(start_second, people):
    game, go = start_second("Ann", "Ben")
    assert domain.order(game, "Ann", "propose", HUTS).ok
    voted(game, go, 1)
    assert domain.order(game, "Ben", "propose", NO_HUTS).ok
    voted(game, go, 2)
    for who in ("ann", "ben"):
        assert "did not come into force" not in told(people(who), 1)
        assert GO in told(people(who), 2)
    mended = {"on": "P2", "changes": [], "run": 'for each in every("hut"):\n    destroy(each)\nrepeal("XL.1")'}
    assert domain.desk_act(game, "implement", mended).ok
    assert "did not come into force" not in told(people("ann"), 2)


def test_what_the_update_could_not_put_in_force_says_why(start_second, people):
    game, go = start_second("Ann", "Ben", edition="mail")
    for number, proposal in ((1, HUTS), (2, NO_HUTS)):
        assert domain.order(game, "Ann", "propose", proposal).ok
        accept(game, f"P{number}")
        go(7)
    assert "did not come into force" not in told(people("ben"), 1)
    assert GO in told(people("ben"), 2)
    assert "The clock goes on without what broke." in text(people("ben").get("/g/second/log/"))
    assert domain.order(game, "Ben", "propose", NO_HUTS | {"title": "Again"}).ok
    assert "did not come into force" not in told(people("ben"), 3)

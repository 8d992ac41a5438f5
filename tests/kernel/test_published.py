"""Attributes that are shown to all once another attribute says so: what is secret until it is published."""

import minigames
import pytest
from minigames import START, done, rule

BOOK = rule(
    "0.2",
    """
kind("letter")
for name, default in (("published", False), ("words", ""), ("author", None)):
    attribute("letter", name, default, show=("owner", "admin", "published"), type="thing" if name == "author" else "")


@action("write", private=True, fact="wrote")
def write(e):
    note(only=(e.who, "admin"))
    create("letter", author=e.who, words="hello")


@action("publish")
def publish(e):
    for each in every("letter"):
        put(each, "published", True)
""",
)


@pytest.mark.parametrize("runtime", minigames.RUNTIMES)
def test_only_its_author_and_the_admin_know_of_it_until_it_is_published(runtime):
    game = minigames.small_game(BOOK, runtime=runtime)
    done(game.order("Ann", "write", {}, START))
    viewers = ("Ann", "admin", "Ben", "visitor")
    assert ["letter-1" in game.view(viewer)["things"] for viewer in viewers] == [True, True, False, False]
    assert [entry["do"] for entry in game.facts("Ben")][-1] != "write"
    done(game.order("Ann", "publish", {}, START))
    for viewer in viewers:
        assert game.view(viewer)["things"]["letter-1"]["words"] == "hello"
    assert [change[:2] for change in game.facts("Ben")[-1]["changes"]] == [["letter-1", "published"]]
    game.runtime.close()


def test_a_form_offers_to_nobody_what_they_may_not_know_of():
    book = {**BOOK, "code": BOOK["code"] + '\n\nattribute("letter", "title", "", show=("owner", "published"))'}
    burn = rule("0.3", '@action("burn", letter=choose("letter"))\ndef burn(e):\n    destroy(e.letter)')
    game = minigames.small_game(book, burn)
    done(game.order("Ann", "write", {}, START))

    def offered(viewer):
        action = next(each for each in game.actions(viewer) if each["id"] == "burn")
        return [choice["id"] for choice in action["fields"][0]["choices"]]

    assert (offered("Ann"), offered("Ben")) == (["letter-1"], [])
    done(game.order("Ann", "publish", {}, START))
    assert offered("Ben") == ["letter-1"]


def test_a_choice_is_named_by_what_one_may_see_of_it_alone():
    book = """
kind("chest")
attribute("chest", "place", "cellar")
attribute("chest", "name", "", show="owner")
attribute("chest", "owner", None, type="thing")


@after("join")
def one_each(e):
    create("chest", owner=e.who, name="of " + e.who.id)


@action("open", chest=choose("chest"))
def open(e):
    pass
"""
    game = minigames.small_game(rule("0.3", book))
    [action] = [each for each in game.actions("Ann") if each["id"] == "open"]
    assert [choice["label"] for choice in action["fields"][0]["choices"]] == ["chest-1 of Ann", "chest-2"]

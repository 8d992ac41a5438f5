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

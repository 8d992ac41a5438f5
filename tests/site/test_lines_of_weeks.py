"""Weeks of each edition, played by bots and scripts: every line of their logs is a sentence for people, whoever
reads."""

import re
from types import SimpleNamespace

import pytest

from nomopoly.site.play import sentences
from nomopoly.site.tables import domain, live, titles
from nomopoly.site.tables.models import Game

NAMELIKE = re.compile(r"\w_\w|[{}]|\bNone\b|\bTrue\b|\bFalse\b|\b[a-z][a-z-]*-\d+\b")
OWN = re.compile(r"(?:Ann|Ben|Cid|Dot|Eva): ")  # an order that waits, which its player alone reads


def seat_of(game, viewer):
    """Somebody who looks at a game."""
    running = live.of(game)
    names = titles.row_names(titles.row_titles(running))
    return SimpleNamespace(view=running.view(viewer), game=game, live=running, viewer=viewer, names=names)


def lines_of(game, viewer):
    """(entry, its line) of a whole log."""
    teller = sentences.Teller(seat_of(game, viewer))
    for entry in live.of(game).facts(viewer):
        yield entry, sentences.plain_line(teller, entry)


def faults(line, names):
    """What in a line is no English: names of attributes and events, ids, holes, and a sentence that begins small."""
    found = NAMELIKE.findall(line) + [name for name in names if re.search(rf"(?<![\w-]){name}(?![\w-])", line)]
    return found + ([line[:1]] if line[:1].islower() else [])


def test_no_line_of_weeks_of_any_edition_is_made_of_names_and_ids(demos_on_a_friday):
    told, wrong = {}, []
    for game in Game.objects.order_by("slug"):
        described = live.of(game).describe()
        inner = {name for name in described["events"] if "-" in name} - {"game-over"}
        for viewer in ("Ann", "Eva", "admin", "visitor"):
            lines = list(lines_of(game, viewer))
            told[game.slug] = max(told.get(game.slug, 0), len(lines))
            wrong += [(game.slug, line, faults(line, inner)) for _, line in lines if faults(line, inner)]
    assert sorted(told) == ["demo", "demo-ii", "demo-iv", "demo-mail"]
    assert min(told.values()) > 40, told
    assert sorted({(slug, line[:200]) for slug, line, _ in wrong}) == []


@pytest.mark.parametrize("slug", ["demo-ii", "second"])
def test_an_order_that_fails_is_called_as_its_form_is(demos_on_a_friday, slug, start_second, people):
    if slug == "second":
        game, go = start_second("Ann", "Ben", edition="mail")
        for do, args in (("name-square", {"square": "#3", "name": "Mine"}), ("accuse", {"defendant": "Ben"})):
            assert domain.order(game, "Ann", do, {"charge": "Noise"} | args if do == "accuse" else args).ok
        go(7)
    lines = [line for _, line in lines_of(Game.objects.get(slug=slug), "visitor")]
    failed = [match for line in lines if (match := re.search(r"\w+ cannot ([^:]*): ", line))]
    labels = live.of(Game.objects.get(slug=slug)).describe()["labels"].values()
    assert len(failed) > 1
    assert {match[1] for match in failed} <= {label[:1].lower() + label[1:] for label in labels}


def test_an_order_that_fails_is_no_thing_that_is_gone(start_second, people):
    game, go = start_second("Ann", "Ben")
    go(1)
    assert domain.order(game, "Ann", "build", {"square": "#1", "building": "house"}).refused is None
    go(7)
    assert [line for _, line in lines_of(game, "visitor") if line.startswith("Ann cannot build: ")]


def test_what_ends_by_being_bought_or_declined_is_said_once(demos_on_a_friday):
    told = list(lines_of(Game.objects.get(slug="demo"), "visitor"))
    assert [fact for entry, _ in told for fact in entry["facts"] if fact.get("how") == "bought"]
    assert [line for _, line in told if re.match(r"\w+ buys #\d+ for \$\d+\.$", line)]
    assert not [line for _, line in told if "ends: bought" in line]


def test_what_stands_beside_a_sentence_is_called_in_words(demos_on_a_friday):
    game = Game.objects.get(slug="demo-ii")
    teller = sentences.Teller(seat_of(game, "Ann"))
    said = {key for entry in live.of(game).facts("Ann") for fact in teller.tree(entry) for key, _ in fact["details"]}
    assert "seen by" in said
    assert not [key for key in said if key == "only" or "_" in key]


def test_a_page_of_an_entry_says_neither_what_is_as_always_nor_the_same_again(demos_on_a_friday):
    game = Game.objects.get(slug="demo-mail")
    teller = sentences.Teller(seat_of(game, "visitor"))
    moved = [
        entry for entry in live.of(game).facts("visitor") if any(each["what"] == "left" for each in entry["facts"])
    ]
    assert moved
    for entry in moved:
        tree = teller.tree(entry)
        assert not [fact for fact in tree for _, value in fact["details"] if "normal" in str(value).split()]
        for first, second in zip(tree, tree[1:], strict=False):
            assert not {each for each in first["details"] if each[0] == "who"} & {*second["details"]}


def test_what_the_clock_takes_says_what_for(demos_on_a_friday):
    lines = [line for _, line in lines_of(Game.objects.get(slug="demo-mail"), "visitor")]
    assert [line for line in lines if line.startswith("The fine for White squares: ")]
    assert [line for line in lines if line.startswith("The elephant rolls ")]
    assert not [line for line in lines if re.match(r"\w+ loses \$[\d,]*\d(?! for |,?\d)", line)]


def test_a_player_whose_name_is_written_small_keeps_it(people, start_second):
    game, _ = start_second("ben", "Ann", edition="mail")
    lines = [line for _, line in lines_of(game, "visitor")]
    assert [line for line in lines if line.startswith("ben joins the game")], lines
    assert not [line for line in lines if "the ben" in line.casefold()]

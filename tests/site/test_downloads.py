"""What anybody downloads of a game can be verified, and holds nothing from which a hidden draw follows."""

import gzip
import json

import pytest
from django.test import Client
from pagewords import SECOND, grant, order, things

from nomopoly.rulebook.source import load_edition
from nomopoly.runtime.host import open_game
from nomopoly.runtime.verify import verify
from nomopoly.site import files
from nomopoly.site.tables import domain, live
from nomopoly.site.tables.models import Entry, Game


def downloaded(browser, slug):
    """The lines of the journal as this browser gets them, from the page and from the API."""
    page = browser.get(f"/g/{slug}/export/?file=journal")
    api = browser.get(f"/api/v1/g/{slug}/export")
    assert page.content == api.content
    return [json.loads(line) for line in gzip.decompress(page.content).decode().splitlines()]


def test_cards_dealt_at_a_casino_are_in_no_file_of_others(start_second, people):
    game, _ = start_second("Ann", "Ben")
    grant(game, "#1", "buildings", ["casino"])
    ann, ben = people("ann"), people("ben")
    order(ann, "play-poker", bet="10")
    hand = things(game, "Ann")["hand-1"]["cards"]
    line = json.loads(Entry.objects.filter(game=game).order_by("n").last().line)
    assert len(line["hidden"]) >= 5 * 8
    for browser in (Client(), ben, people("keeper")):
        told = json.dumps(downloaded(browser, game.slug))
        assert line["hidden"][:16] not in told
        assert "entropy" not in told
        assert not [card for card in hand if f'"{card}"' in told]
    assert all(f'"{card}"' in json.dumps(downloaded(ann, game.slug)) for card in hand)


def test_what_each_of_them_downloads_verifies(start_second, people):
    game, _ = start_second("Ann", "Ben")
    grant(game, "#1", "buildings", ["casino"])
    order(people("ann"), "play-poker", bet="10")
    assert domain.order(game, "Ben", "propose", {"title": "A", "text": "Words."}).ok
    for browser in (Client(), people("ann"), people("ben"), people("keeper")):
        found = verify(downloaded(browser, game.slug))
        assert found.entries == live.of(game).n + 1
        assert found.last_hash == live.of(game).head[1]
        page = browser.get(f"{SECOND}dice/").content.decode()
        assert live.of(game).ask(lambda running: running.first["args"]["hidden_commitment"]) in page
        assert "played with a single secret" not in page


@pytest.fixture
def older():
    """A game of the site that was begun under the older recipe of dice."""
    played = open_game(
        load_edition("original"), title="Older", runtime="cpython", at=live.now() - 600, secret="31" * 32, recipe=1
    )
    played.join("Ann", played.now)
    played.admin("approve-player", {"player": "Ann"}, played.now)
    played.tick(played.now, "turn", {"who": "Ann"})
    played.vault = ""
    return files.put_up(played, "older")


def test_a_running_game_of_the_older_recipe_goes_on_with_new_secrets(older):
    entropies = [json.loads(row.line).get("entropy") for row in older.entries.all()]
    assert any(entropies)
    told = json.dumps(downloaded(Client(), "older"))
    assert not [each for each in entropies if each and each in told]
    before = live.of(older).n
    assert domain.desk_act(older, "grant", {"thing": "Ann", "attribute": "money", "value": 900}).ok
    lines = downloaded(Client(), "older")
    assert [line["kind"] for line in lines[before + 1 :]] == ["reveal", "admin"]
    assert lines[before + 1]["args"]["secret"] is None
    again = Game.objects.get(pk=older.pk)
    assert (again.earlier, len(again.vault)) == (["31" * 32], 64)
    assert again.secret != "31" * 32
    live.close_all()
    assert live.of(again).ask(lambda running: running.recipe) == 2
    assert verify(lines).unproven > 2
    assert "31" * 32 not in json.dumps(lines)


def test_a_copy_for_one_viewer_cannot_be_imported(start_second, tmp_path, people, capsys):
    game, _ = start_second("Ann")
    file = tmp_path / "copy.jsonl.gz"
    file.write_bytes(people("ann").get(f"/g/{game.slug}/export/?file=journal").content)
    with pytest.raises(files.CommandError, match="a copy for one viewer"):
        files.import_game(file, None, None, tmp_path)

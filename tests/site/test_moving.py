"""A game moves to another site with all that belongs to it, and its players take up their seats there by links."""

import contextlib
import io
import json
import tarfile

import pytest
from django.apps import apps
from django.contrib.auth import get_user_model

from nomopoly import cli
from nomopoly.errors import CommandError
from nomopoly.runtime.files import verify as verify_file
from nomopoly.runtime.journal import is_archive
from nomopoly.runtime.verify import JournalFile, verify
from nomopoly.site import files, keeping, moving
from nomopoly.site.accounts import closing
from nomopoly.site.order import acts, operating
from nomopoly.site.play.models import Comment, Note, Thread
from nomopoly.site.tables import bots, deciding, domain, live, seats
from nomopoly.site.tables.models import BallotSalt, Game, Membership


@pytest.fixture
def site(monkeypatch):
    """The commands work on the database of the tests."""
    monkeypatch.setattr(files, "opened", lambda data, new=False: None)
    monkeypatch.setattr(keeping, "at_one_moment", contextlib.nullcontext)


@pytest.fixture
def packed(site, game, ann, ben, tmp_path):
    """A game with an open vote and a forum, stopped and written to a file."""
    assert domain.order(game, "Ann", "propose", {"title": "More", "text": "More of everything."}).ok
    Thread.objects.create(game=game, number=1, title="Hello", user=ann.user, name="Ann")
    Comment.objects.create(game=game, about="thread-1", user=ann.user, name="Ann", body="*Hi* there")
    Note.objects.create(game=game, user=ann.user, body="A secret plan")
    BallotSalt.objects.create(game=game, commitment="c", salt="s")
    assert bots.put(game).ok
    operating.stop(game, "It moves")
    file = tmp_path / "friday.tar.gz"
    assert moving.pack("friday", file, tmp_path) == 0
    return file


def test_each_table_of_a_game_moves_or_stays_for_a_reason():
    """A new table with rows of games is thought about: it stands in one of the two lists."""
    games = {Game, *(apps.get_model(label) for label in moving.MOVES)}
    own = {
        model._meta.label_lower
        for model in keeping.kept_models(apps)
        if any(each.is_relation and each.related_model in games for each in model._meta.concrete_fields)
    }
    own |= {"tables.snapshot"}  # which no backup has either
    assert own == {*moving.MOVES, *moving.STAYS}


def test_a_game_goes_on_elsewhere_as_it_stood(packed, game, capsys, tmp_path):
    before = live.of(game)
    hash_before, n = before.state_hash(), before.n
    assert is_archive(packed)
    assert moving.take_in(packed, None, "keeper@example.org", tmp_path) == 0
    copy = Game.objects.get(slug="friday-2")
    told = capsys.readouterr().out
    assert live.of(copy).state_hash() == hash_before
    assert (copy.secret, copy.vault, copy.admin.email) == (game.secret, game.vault, "keeper@example.org")
    assert copy.invitation != game.invitation
    assert [each.body for each in Comment.objects.filter(game=copy, user=None)] == ["*Hi* there"]
    assert Thread.objects.get(game=copy).title == "Hello"
    assert BallotSalt.objects.get(game=copy).salt == "s"
    assert not Note.objects.filter(game=copy).exists()
    assert [each.seat.player for each in bots.bots_of(copy)] == [each.seat.player for each in bots.bots_of(game)] != []
    assert "friday-2 is still stopped: nomopoly resume friday-2" in told
    assert "friday-2 has no Admin" not in told
    links = [line for line in told.splitlines() if "/seat/?" in line]
    assert [line.split(":")[0] for line in links] == ["Ann", "Ben"]
    operating.resume(copy, "It has moved")
    assert domain.order(copy, "Ann", "propose", {"title": "Next"}).ok
    file = tmp_path / "again.jsonl.gz"
    files.export_game(copy.slug, file, tmp_path)
    assert verify(JournalFile(file)).entries == live.of(copy).n + 1 > n + 2


def test_what_is_left_to_do_is_told_in_an_order_in_which_it_can_be_done(packed, keeper, tmp_path, capsys):
    """The office was to be given first, and nobody can be given that of a game that is stopped."""
    moving.take_in(packed, "moved", None, tmp_path)
    told = [line.partition(": nomopoly ")[2] for line in capsys.readouterr().out.splitlines() if ": nomopoly " in line]
    assert told == ["resume moved", "hand-over moved ADDRESS"]
    for command in told:
        words = command.replace("ADDRESS", "keeper@example.org").split()
        assert cli.run([*words, "--because", "It has moved", "--data", str(tmp_path)]) == 0, command
    assert Game.objects.get(slug="moved").admin == keeper.user


def test_what_moves_names_no_account(packed):
    with tarfile.open(packed) as archive:
        text = b"".join(archive.extractfile(each).read() for each in archive if each.name.startswith("tables/"))
        rows = [json.loads(line) for line in archive.extractfile("tables/tables.membership.jsonl")]
    assert b"@example.org" not in text
    assert b"secret plan" not in text
    assert [row["player"] for row in rows][:2] == ["Ann", "Ben"]
    assert "user_id" not in rows[0]
    assert packed.stat().st_mode & 0o077 == 0


def test_an_offer_of_the_office_stays_where_it_was_made(site, game, tmp_path):
    """Its address went along, and whoever had it at the new site could take the office there."""
    domain.change_game(game, successor="eve@example.org")
    operating.stop(game, "It moves")
    file = tmp_path / "friday.tar.gz"
    moving.pack("friday", file, tmp_path)
    with tarfile.open(file) as archive:
        assert b"eve@" not in archive.extractfile("tables/tables.game.jsonl").read()
    moving.take_in(file, "moved", "keeper@example.org", tmp_path)
    assert Game.objects.get(slug="moved").successor == ""


def test_a_game_that_goes_on_does_not_move(site, game, tmp_path):
    with pytest.raises(CommandError, match="friday goes on here: stop it first, with `nomopoly stop friday"):
        moving.pack("friday", tmp_path / "x.tar.gz", tmp_path)


def test_files_of_other_kinds_are_told_apart(packed, tmp_path, monkeypatch):
    with pytest.raises(CommandError, match="there is a game 'friday' already: say another --slug"):
        moving.take_in(packed, "friday", None, tmp_path)
    with pytest.raises(CommandError, match="--slug Bad Slug: no address"):
        moving.take_in(packed, "Bad Slug", None, tmp_path)
    with pytest.raises(CommandError, match="this is one game that moves: `nomopoly import` takes it"):
        keeping.restore(packed, tmp_path / "new")
    monkeypatch.setattr(keeping, "applied", lambda: [["tables", "0001_older"]])
    with pytest.raises(CommandError, match="bring both sites to the same one"):
        moving.take_in(packed, "other", None, tmp_path)
    assert Game.objects.count() == 1


def test_who_wants_to_verify_a_game_that_moves_is_told_what_it_is(packed, capsys):
    """It said "damaged or cut off"."""
    assert verify_file(packed) == 1
    told = capsys.readouterr().out
    assert told.startswith(f"{packed}: no journal, but a game that moves")
    assert "`nomopoly import`" in told


def test_a_player_takes_up_their_seat_by_its_link(packed, keeper, people, tmp_path, told):
    moving.take_in(packed, "moved", "keeper@example.org", tmp_path)
    game = Game.objects.get(slug="moved")
    page = keeper.get("/g/moved/invite/").content.decode()
    assert "Seats that nobody holds" in page
    assert page.count("/seat/?invitation=") == 2
    anns = seats.link(game, seats.free(game).get(player="Ann"))
    dora, carl = people("dora"), people("carl")
    assert "Play as <bdi>Ann</bdi>" in dora.get(anns).content.decode()
    assert Membership.objects.get(game=game, player="Ann").user is None
    assert "You play as Ann now." in dora.post(anns, follow=True).content.decode()
    assert Membership.objects.get(game=game, player="Ann").user == dora.user
    assert "Somebody has taken this seat up already" in carl.post(anns).content.decode()
    assert "You play as Ann already" in dora.get(anns).content.decode()
    bens = seats.link(game, seats.free(game).get(player="Ben"))
    assert "You have a seat in this game already, as Ann" in dora.post(bens).content.decode()
    assert "the Admin does not play" in keeper.post(bens).content.decode()
    assert "opens no seat" in carl.get(bens[:-1] + ("a" if bens[-1] != "a" else "b")).content.decode()
    assert carl.post(bens[:-1] + ("a" if bens[-1] != "a" else "b")).status_code == 200
    assert [seat.player for seat in seats.free(game)] == ["Ben"]


def test_of_two_who_take_up_a_seat_at_once_one_gets_it(packed, people, tmp_path):
    moving.take_in(packed, "moved", None, tmp_path)
    game = Game.objects.get(slug="moved")
    seat = seats.free(game).get(player="Ann")
    game.closed = True  # to new players: whose seat it is holds it still
    game.save()
    assert seats.take(game, seat, people("dora").user) is None
    assert seats.take(game, seat, people("carl").user) == seats.TAKEN
    assert Membership.objects.get(pk=seat.pk).user == people("dora").user


def test_a_link_of_one_game_opens_no_seat_of_another(packed, game, people, tmp_path):
    moving.take_in(packed, "moved", None, tmp_path)
    moved = Game.objects.get(slug="moved")
    token = seats.link(moved, seats.free(moved).first()).partition("token=")[2]
    assert "opens no seat" in people("dora").get(f"/g/friday/seat/?token={token}").content.decode()


def test_who_is_not_logged_in_comes_back_to_the_seat(packed, client, tmp_path):
    moving.take_in(packed, "moved", None, tmp_path)
    game = Game.objects.get(slug="moved")
    Game.objects.filter(pk=game.pk).update(visibility="private")
    link = seats.link(game, seats.free(game).first())
    answer = client.get(link)
    assert answer.status_code == 302
    assert "/account/login/" in answer["Location"]
    assert "token" in answer["Location"]
    assert get_user_model().objects.filter(email="dora@example.org").count() == 0


def test_a_seat_left_before_makes_way_for_another(packed, game, ben, people, tmp_path):
    """Who has left the copy as one player may take up the seat of another one there."""
    moving.take_in(packed, "moved", None, tmp_path)
    moved = Game.objects.get(slug="moved")
    dora = people("dora")
    Membership.objects.create(game=moved, user=dora.user, player="Dora", status=Membership.Status.LEFT)
    assert seats.take(moved, seats.free(moved).get(player="Ann"), dora.user) is None
    assert Membership.objects.get(game=moved, user=dora.user).player == "Ann"


def test_the_link_of_a_player_who_is_out_of_the_game_says_so(packed, people, tmp_path):
    """It said that somebody had taken the seat up: its owner had closed the account, which left the game."""
    moving.take_in(packed, "moved", "keeper@example.org", tmp_path)
    moved = Game.objects.get(slug="moved")
    operating.resume(moved, "It has moved")
    dora, link = people("dora"), seats.link(moved, seats.free(moved).get(player="Ann"))
    assert "You play as Ann now." in dora.post(link, follow=True).content.decode()
    assert closing.close(dora.user, nameless=False) == []
    for page in (people("carl").get(link), people("carl").post(link)):
        assert "Ann is out of this game, and nobody plays on in that seat" in page.content.decode()


def altered(file, change):
    """A copy of a file that moves, with its tables changed: {name: lines} in, the same out."""
    other = file.with_name("altered.tar.gz")
    with tarfile.open(file) as old, tarfile.open(other, "w:gz") as new:
        parts = {each.name: old.extractfile(each).read() for each in old if each.isfile()}
        change(parts)
        for name, data in parts.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            new.addfile(info, io.BytesIO(data))
    return other


DAMAGES = {
    "no game": lambda parts: parts.pop("tables/tables.game.jsonl"),
    "no rows": lambda parts: parts.update({"tables/tables.game.jsonl": b""}),
    "rubbish": lambda parts: parts.update({"tables/tables.membership.jsonl": b"rubbish\n"}),
    "a list": lambda parts: parts.update({"tables/play.comment.jsonl": b"[]\n"}),
    "a row less": lambda parts: parts.update({"tables/play.comment.jsonl": b""}),
    "a seat twice": lambda parts: parts.update(
        {"tables/tables.botseat.jsonl": parts["tables/tables.botseat.jsonl"] * 2}
    ),
    "a word for a number": lambda parts: parts.update(
        {
            "tables/tables.ballotsalt.jsonl": parts["tables/tables.ballotsalt.jsonl"].replace(
                b'"id": ', b'"id": {}, "x": '
            )
        }
    ),
    "another secret": lambda parts: parts.update(
        {"tables/tables.game.jsonl": parts["tables/tables.game.jsonl"].replace(b'"secret": "', b'"secret": "0')}
    ),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_told_and_leaves_nothing_behind(packed, tmp_path, damage):
    file = altered(packed, DAMAGES[damage])
    with pytest.raises(CommandError, match="damaged|this is not the secret"):
        moving.take_in(file, "moved", None, tmp_path)
    assert not Game.objects.filter(slug="moved").exists()
    assert not Membership.objects.exclude(game__slug="friday").exists()


def test_a_file_without_a_journal_is_told(packed, tmp_path):
    file = altered(packed, lambda parts: parts.pop("journal.jsonl.gz"))
    with pytest.raises(CommandError, match="journal"):
        moving.take_in(file, "moved", None, tmp_path)
    with pytest.raises(CommandError, match="this is a backup of a whole site"):
        moving.take_in(
            altered(packed, lambda parts: parts.update({"manifest.json": b'{"form": 1}'})), None, None, tmp_path
        )


def test_what_was_exported_to_move_is_not_resumed_where_it_was(packed, game, tmp_path):
    for resume in (
        lambda: operating.resume(game, "We want it back"),
        lambda: files.operate("friday", "resume", "", tmp_path),
    ):
        with pytest.raises(CommandError, match="friday was exported to move .* nomopoly resume friday --not-moved"):
            resume()
    assert cli.run(["resume", "friday", "--not-moved", "--data", str(tmp_path)]) == 0
    assert domain.order(game, "Ann", "propose", {"title": "Next"}).ok
    operating.stop(game, "Once more")
    operating.resume(game, "It was nothing")
    assert [each.what for each in acts.latest()] == ["resume", "stop", "resume", "export to move", "stop"]


# ---- a game that the table governs


@pytest.fixture
def governed(site, game, ann, ben):
    """The same game, governed by the table, with an open question that Ann has answered."""
    domain.change_game(game, admin=None, office=Game.Office.TABLE)
    assert domain.order(game, "Ann", "propose", {"title": "More", "text": "More of everything."}).ok
    deciding.decide(game)
    assert deciding.answer(game.table_questions.get(), game.memberships.get(player="Ann"), "yes") is None
    return game


def moved(game, tmp_path, admin=None):
    """The game on another site, where it goes on."""
    operating.stop(game, "It moves")
    file = tmp_path / "friday.tar.gz"
    moving.pack("friday", file, tmp_path)
    moving.take_in(file, "moved", admin, tmp_path)
    copy = Game.objects.get(slug="moved")
    operating.resume(copy, "It has moved")
    return copy


def test_a_game_of_the_table_is_carried_on_by_its_players_alone(governed, people, tmp_path):
    copy = moved(governed, tmp_path)
    eve, fay = people("eve"), people("fay")
    assert seats.take(copy, copy.memberships.get(player="Ben"), eve.user) is None
    page = eve.get("/g/moved/invite/").content.decode()
    assert seats.link(copy, copy.memberships.get(player="Ann")).split("&")[0] in page, "the seat that is still free"
    assert seats.take(copy, copy.memberships.get(player="Ann"), fay.user) is None
    assert fay.get("/g/moved/invite/").status_code == 403
    assert deciding.answer(copy.table_questions.get(), copy.memberships.get(player="Ben"), "yes") is None
    assert live.of(copy).view("visitor")["things"]["P1"]["verdict"] == "accepted"


def test_who_becomes_the_admin_where_it_moves_decides_instead_of_the_table(governed, keeper, tmp_path):
    copy = moved(governed, tmp_path, "keeper@example.org")
    assert copy.office == "person"
    assert keeper.get("/g/moved/admin/").status_code == 200


def test_a_journal_alone_says_who_governs(governed, tmp_path, capsys):
    assert deciding.answer(governed.table_questions.get(), governed.memberships.get(player="Ben"), "yes") is None
    file = tmp_path / "friday.jsonl.gz"
    files.export_game("friday", file, tmp_path)
    assert files.import_game(file, "table", None, tmp_path) == 0
    assert "has no Admin" not in capsys.readouterr().out
    assert files.import_game(file, "person", "keeper@example.org", tmp_path) == 0
    assert [Game.objects.get(slug=slug).office for slug in ("table", "person")] == ["table", "person"]

"""A game goes from one site to another as a file, and goes on there."""

import pytest
from pagewords import seated, text

from nomopoly.errors import CommandError
from nomopoly.runtime.verify import JournalFile, verify
from nomopoly.site import files
from nomopoly.site.order import operating
from nomopoly.site.tables import domain, live
from nomopoly.site.tables.models import Game, Membership


@pytest.fixture
def site(settings, monkeypatch):
    """The commands work on the database of the tests."""
    monkeypatch.setattr(files, "opened", lambda data, new=False: None)


def test_out_and_in_again(site, game, ann, tmp_path, capsys):
    assert domain.order(game, "Ann", "propose", {"title": "More (of everything)"}).ok
    assert domain.desk_act(game, "reject", {"on": "P1"}).ok
    file = tmp_path / "friday.jsonl.gz"
    assert files.export_game("friday", file, tmp_path) == 0
    assert "entries of Friday" in capsys.readouterr().out
    assert game.secret.encode() not in file.read_bytes()
    assert files.import_game(file, None, "keeper@example.org", tmp_path) == 0
    copy = Game.objects.get(slug="friday-2")
    assert live.of(copy).state_hash() == live.of(game).state_hash()
    assert copy.admin.email == "keeper@example.org"
    assert copy.visibility == "link"
    assert "everybody who knows its address can read it, until its Admin changes that" in capsys.readouterr().out
    assert [seat.player for seat in Membership.objects.filter(game=copy)] == ["Ann"]
    assert domain.order(copy, "Ann", "propose", {"title": "Next"}).ok
    assert domain.desk_act(copy, "reject", {"on": "P2"}).ok
    again = tmp_path / "again.jsonl.gz"
    files.export_game(copy.slug, again, tmp_path)
    assert verify(JournalFile(again)).entries == live.of(copy).n + 1


def test_a_game_that_is_over_is_over_where_it_comes_to(site, game, ann, tmp_path):
    assert domain.desk_act(game, "declare-winner", {"because": "enough"}).ok
    file = tmp_path / "friday.jsonl.gz"
    files.export_game("friday", file, tmp_path)
    files.import_game(file, None, None, tmp_path)
    copy = Game.objects.get(slug="friday-2")
    assert (copy.over, copy.due, copy.away_since) == (True, None, None)
    assert copy not in operating.without_admin()


def test_who_has_asked_to_join_or_comes_in_later_has_a_seat_where_the_game_comes_to(
    site, start_second, people, keeper, tmp_path
):
    game, go = start_second("Ann", "Ben")
    go(4)
    seated(game, people("cid"), "Cid")
    assert domain.ask_to_join(game, people("dot").user, "Dot").ok
    file = tmp_path / "second.jsonl.gz"
    files.export_game("second", file, tmp_path)
    files.import_game(file, None, "keeper@example.org", tmp_path)
    copy = Game.objects.get(slug="second-2")
    there = dict(Membership.objects.filter(game=copy).values_list("player", "status"))
    assert there == {"Ann": "approved", "Ben": "approved", "Cid": "approved", "Dot": "asked"}
    page = text(keeper.get("/g/second-2/admin/"))
    assert "Dot asks to join" in page
    assert "Account since" not in page
    assert domain.desk_act(copy, "decline-player", {"player": "Dot", "because": "a test"}).ok
    assert Membership.objects.get(game=copy, player="Dot").status == "declined"


def test_what_cannot_be_exported_or_imported(site, game, tmp_path):
    with pytest.raises(CommandError, match="there is no game 'monday': there are friday"):
        files.export_game("monday", tmp_path / "x.gz", tmp_path)
    files.export_game("friday", tmp_path / "x.gz", tmp_path)
    with pytest.raises(CommandError, match="there is a game 'friday' already"):
        files.import_game(tmp_path / "x.gz", "friday", None, tmp_path)
    with pytest.raises(CommandError, match="there is no account of nobody@example.org"):
        files.import_game(tmp_path / "x.gz", None, "nobody@example.org", tmp_path)


@pytest.mark.parametrize("slug", ["Bad Slug", "UPPER", "a/b", "ünï", "new", "x" * 41])
def test_an_address_that_no_page_could_have_is_refused(site, game, tmp_path, slug):
    """Pages would list such a game, and its link would lead to none."""
    files.export_game("friday", tmp_path / "x.gz", tmp_path)
    with pytest.raises(CommandError, match=f"--slug {slug}: no address: small letters, digits and hyphens, 40 at most"):
        files.import_game(tmp_path / "x.gz", slug, None, tmp_path)
    assert not Game.objects.exclude(slug="friday").exists()


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(CommandError, match="there is no such folder"):
        files.export_game("friday", tmp_path / "x.gz", tmp_path / "nowhere")


def test_programs_that_a_proposal_could_not_have_are_named_and_kept_out(site, game, tmp_path, capsys):
    """Somebody else's site may have let in what this one's check refuses."""
    with live.of(game).writing() as running:
        running.checks = False
        change = {"enact": "X.1", "text": "Odd.", "code": "@action('odd', 'Odd')\ndef odd(e):\n    nothing_known()\n"}
        assert running.join("Ann", running.now).ok
        assert running.admin("approve-player", {"player": "Ann"}, running.now).ok
        assert running.order("Ann", "propose", {"title": "Odd", "changes": [change]}, running.now).ok
        assert running.admin("accept", {"on": "P1"}, running.now).ok
    file = tmp_path / "odd.jsonl.gz"
    files.export_game("friday", file, tmp_path)
    capsys.readouterr()
    with pytest.raises(CommandError, match="the check finds 1 errors in its programs, so it was not taken in"):
        files.import_game(file, "odd", None, tmp_path)
    assert "rule X.1 line 3: error: " in capsys.readouterr().out
    assert not Game.objects.filter(slug="odd").exists()
    assert files.import_game(file, "odd", None, tmp_path, accept_problems=True) == 0
    assert Game.objects.filter(slug="odd").exists()


def test_a_game_that_an_operator_has_stopped_can_be_verified_and_taken_in(site, game, ann, tmp_path, capsys):
    assert domain.operate(game, "stop", "A look at it").ok
    assert domain.operate(game, "resume").ok
    file = tmp_path / "friday.jsonl.gz"
    files.export_game("friday", file, tmp_path)
    assert verify(JournalFile(file)).entries == live.of(game).n + 1
    capsys.readouterr()
    assert files.import_game(file, "again", None, tmp_path) == 0
    told = capsys.readouterr().out
    assert "again has no Admin: nomopoly hand-over again ADDRESS" in told
    assert "again is stopped" not in told

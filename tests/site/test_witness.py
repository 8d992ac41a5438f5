"""What was acknowledged is in the database, or its operator hears of it and can put it back."""

import json
import logging
import os
from collections import OrderedDict

import pytest
from django.db import OperationalError
from pagewords import text, token

from nomopoly.errors import CommandError
from nomopoly.runtime import journal
from nomopoly.runtime.journal import canonical
from nomopoly.runtime.sealing import chain
from nomopoly.runtime.verify import JournalFile, verify
from nomopoly.site import files, recover
from nomopoly.site.tables import domain, live, witness
from nomopoly.site.tables.gathered import Gathered
from nomopoly.site.tables.models import Entry, Outcome


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder of witnesses for the database of the tests."""
    monkeypatch.setattr(witness, "folder", lambda: tmp_path / "witness")
    monkeypatch.setattr(files, "opened", lambda data, new=False: None)
    monkeypatch.setattr(witness, "_examined", {})
    monkeypatch.setattr(witness, "_reported", set())
    return tmp_path / "witness"


@pytest.fixture
def played(place, game, ann):
    """A game in which Ann has made three proposals."""
    ann.raise_request_exception = False
    for number in range(3):
        assert domain.order(game, "Ann", "propose", {"title": f"Proposal {number}"}).ok
    return game


def texts(game):
    return list(Entry.objects.filter(game=game).order_by("n").values_list("line", flat=True))


def anew(game):
    """The game as a process that has just begun finds it."""
    live.forget(game.pk)
    witness._examined.clear()
    return live.of(game)


def lose(game, many):
    """The database loses its last entries, as it does with the end of its log."""
    last = Entry.objects.filter(game=game).count() - many
    Entry.objects.filter(game=game, n__gte=last).delete()
    Outcome.objects.filter(game=game, n__gte=last).delete()


def test_every_entry_is_in_the_witness_word_for_word(place, played):
    path = place / f"{played.pk}.jsonl"
    assert path.read_text().splitlines() == texts(played)
    assert verify(JournalFile(path)).entries == live.of(played).n + 1
    assert path.parent.stat().st_mode & 0o77 == 0, "it holds what is secret: it is nobody else's to read"


def test_an_acknowledged_entry_is_on_the_disk_in_the_witness_too(played, place, monkeypatch):
    """After a power cut as well: it is flushed, not only written."""
    flushed = []
    fsync = os.fsync
    monkeypatch.setattr(
        journal.os, "fsync", lambda number: (flushed.append(os.readlink(f"/proc/self/fd/{number}")), fsync(number))
    )
    assert domain.order(played, "Ann", "propose", {"title": "Four"}).ok
    assert flushed == [str(place / f"{played.pk}.jsonl")]


def test_entries_that_are_lost_are_named_and_put_back(played, ann, place, caplog, capsys):
    before, state = texts(played), live.of(played).state_hash()
    end = len(before) - 1
    lose(played, 2)
    anew(played)
    longer = domain.start_game(ann.user, edition="original", title="Longer", slug="longer")
    for _ in range(end + 1):
        assert domain.desk_act(longer, "rule", {"text": "Words"}).ok
    problem = f"entries {end - 1} to {end} of its journal were acknowledged and are missing from the database"
    assert list(witness.look_at_all()) == [
        f"Game friday is closed: {problem}. Stop the site, keep a copy of its data, then: nomopoly recover friday"
    ]
    page = ann.get("/g/friday/")
    assert page.status_code == 503
    assert "This game is closed: its journal on this site is not what it was" in text(page)
    answer = ann.post("/api/v1/g/friday/act/propose", "{}", content_type="application/json")
    assert (answer.status_code, answer.json()["error"]) == (503, witness.CLOSED)
    assert ann.get("/").status_code == 200, "everything else goes on"
    assert [record.message for record in caplog.records if record.levelno == logging.ERROR][:1] == [
        next(witness.look_at_all())
    ], "once, for the operator"

    assert recover.recover("friday", None) == 0
    told = capsys.readouterr().out
    assert "2 entries put back" in told
    assert "seats, forum and settings are not in a journal" in told
    assert texts(played) == before
    assert anew(played).state_hash() == state
    assert ann.get("/g/friday/").status_code == 200
    assert domain.order(played, "Ann", "propose", {"title": "On"}).ok
    assert recover.recover("friday", None) == 0
    assert "no entry was missing or altered" in capsys.readouterr().out


ALTERED = {
    "a word": lambda line: line.replace("Proposal 1", "Proposal 9"),
    "resealed": lambda line: canonical(chain(json.loads(line) | {"by": "Ben"}, json.loads(line)["prev"])),
    "no line": lambda line: "{}",
    "no text": lambda line: line[:-5],
    "odd": lambda line: line.replace('"n":', '"n":"'),
}


@pytest.mark.parametrize("how", ALTERED)
def test_an_altered_line_is_found_and_put_right(played, ann, how, capsys):
    before = texts(played)
    n = next(n for n, line in enumerate(before) if "Proposal 1" in line)
    Entry.objects.filter(game=played, n=n).update(line=ALTERED[how](before[n]))
    with pytest.raises(witness.Damaged, match=f"entry {n}"):
        anew(played).view("visitor")
    assert ann.get("/g/friday/log/").status_code == 503
    assert recover.recover("friday", None) == 0
    assert "1 entries put back" in capsys.readouterr().out
    assert texts(played) == before
    assert ann.get("/g/friday/log/").status_code == 200


def test_a_chain_that_is_sealed_again_from_somewhere_on_is_not_the_acknowledged_one(played):
    lines = [json.loads(line) for line in texts(played)]
    lines[-2]["args"]["title"] = "Another"
    for at in (-2, -1):
        chain(lines[at], lines[at - 1]["hash"])
        Entry.objects.filter(game=played, n=lines[at]["n"]).update(line=canonical(lines[at]), hash=lines[at]["hash"])
    with pytest.raises(witness.Damaged, match="is not the one that was acknowledged"):
        anew(played).view("visitor")


def test_a_column_that_is_not_its_lines(played):
    Entry.objects.filter(game=played, n=2).update(hash="0" * 64)
    with pytest.raises(witness.Damaged, match="entry 2: its columns"):
        anew(played).view("visitor")


def test_going_on_without_what_was_lost(played, place, capsys):
    lose(played, 1)
    anew(played)
    assert recover.recover("friday", None, as_it_is=True) == 0
    assert "goes on after entry" in capsys.readouterr().out
    assert domain.order(played, "Ann", "propose", {"title": "Instead"}).ok
    assert (place / f"{played.pk}.jsonl").read_text().splitlines() == texts(played)
    assert len(list(place.glob("*.aside"))) == 1


def test_what_was_written_after_the_loss_is_left_out_and_kept(played, place, monkeypatch, capsys):
    """An earlier version of the program went on with a database that had lost entries."""
    lose(played, 2)
    with monkeypatch.context() as patch:
        patch.setattr(witness, "examine", lambda game_id: None)
        patch.setattr(witness, "keep_up", lambda game_id: None)
        live.forget(played.pk)
        for number in range(4):
            assert domain.order(played, "Ann", "propose", {"title": f"Later {number}"}).ok
    with pytest.raises(witness.Damaged, match="is not the one that was acknowledged"):
        anew(played).view("visitor")
    assert recover.recover("friday", None) == 0
    assert "2 entries of the database did not follow" in capsys.readouterr().out
    assert "Later 3" in canonical(list(JournalFile(place / f"{played.pk}.left-out")))
    assert "Later" not in "".join(texts(played))
    assert domain.order(played, "Ann", "propose", {"title": "On"}).ok


def test_a_witness_that_is_behind_catches_up(played, place, monkeypatch):
    """A process was killed between the commit and the witness."""
    with monkeypatch.context() as patch:
        patch.setattr(witness, "keep_up", lambda game_id: None)
        assert domain.order(played, "Ann", "propose", {"title": "Killed"}).ok
    path = place / f"{played.pk}.jsonl"
    assert path.read_text().splitlines() == texts(played)[:-1]
    with path.open("a") as file:
        file.write(texts(played)[-1][:40])  # and in the middle of writing it
    anew(played).view("visitor")
    assert path.read_text().splitlines() == texts(played)


@pytest.mark.parametrize("moment", ["last_acknowledged", "check_chain"])
def test_another_process_may_order_while_a_game_is_taken_up(played, place, monkeypatch, moment):
    """What comes into database and witness between the two looks is not missing from either."""
    step = getattr(witness, moment)

    def and_then_an_order(game_id):
        seen = step(game_id)
        with monkeypatch.context() as patch:
            patch.setattr(live, "_warm", OrderedDict())
            patch.setattr(witness, "examine", lambda game_id: None)
            assert domain.order(played, "Ann", "propose", {"title": "From elsewhere"}).ok
        return seen

    live.forget(played.pk)
    witness._examined.clear()
    monkeypatch.setattr(witness, moment, and_then_an_order)
    witness.examine(played.pk)
    assert len((place / f"{played.pk}.jsonl").read_text().splitlines()) == len(texts(played))


def test_a_witness_that_is_damaged_is_put_aside(played, place, caplog):
    path = place / f"{played.pk}.jsonl"
    path.write_text(path.read_text() + "nonsense\n")
    anew(played).view("visitor")
    assert path.read_text().splitlines() == texts(played)
    assert "a new one is begun" in caplog.text
    path.write_text(path.read_text().replace("Proposal 1", "Proposal 9"))
    with pytest.raises(CommandError, match="the witness is not in order itself"):
        recover.recover("friday", None)


def test_a_witness_that_cannot_be_written_stops_nobody(played, place, monkeypatch, caplog):
    def full(*args, **more):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(witness, "FileJournal", full)
        assert domain.order(played, "Ann", "propose", {"title": "On"}).ok
    assert "No space left on device" in caplog.text
    assert domain.order(played, "Ann", "propose", {"title": "And on"}).ok
    assert (place / f"{played.pk}.jsonl").read_text().splitlines() == texts(played)


@pytest.mark.parametrize("words", ["database or disk is full", "disk I/O error"])
def test_a_full_disk(played, ann, monkeypatch, words):
    """Nothing is kept, a sentence says so, and the game goes on when there is room again."""
    before, n = live.of(played).state_hash(), live.of(played).n
    sent = {"title": "Once", "text": "", "once": token(ann.get("/g/friday/act/propose/?title=x"))}

    def full(self, head, alone):
        raise OperationalError(words)

    with monkeypatch.context() as patch:
        patch.setattr(Gathered, "store", full)
        order = {"fields": {"title": "Once"}}
        answer = ann.post("/api/v1/g/friday/act/propose", order, content_type="application/json")
        assert (answer.status_code, answer["Retry-After"]) == (503, "60")
        assert "disk is full" in answer.json()["error"]
        page = ann.post("/g/friday/act/propose/", sent)
        assert page.status_code == 503
        assert "Nothing was done" in text(page)
    assert (live.of(played).state_hash(), live.of(played).n) == (before, n)
    assert ann.post("/g/friday/act/propose/", sent).status_code == 303
    assert live.of(played).n == n + 1


def test_a_game_without_a_witness_cannot_be_recovered(game, monkeypatch):
    monkeypatch.setattr(witness, "folder", lambda: None)
    monkeypatch.setattr(files, "opened", lambda data, new=False: None)
    with pytest.raises(CommandError, match="no witness of this game"):
        recover.recover("friday", None)


def test_where_there_are_no_witnesses_no_game_is_asked_for_at_the_start(played, monkeypatch, django_assert_num_queries):
    monkeypatch.setattr(witness, "folder", lambda: None)
    with django_assert_num_queries(0):
        assert list(witness.look_at_all()) == []

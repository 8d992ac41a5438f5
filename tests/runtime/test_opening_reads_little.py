"""Taking a game up from a snapshot reads what came after it, however long the journal is; so does the game as it
was."""

import pytest

from nomopoly.rulebook.source import load_edition
from nomopoly.runtime.host import JournalError, load_game, open_game, take_snapshot
from nomopoly.runtime.journal import MemoryJournal
from nomopoly.runtime.past import taken_up

AT = 1_772_442_000
SECRET, VAULT = "ab" * 32, "cd" * 32


class Counted(MemoryJournal):
    """A journal that counts the lines that are read of it."""

    read = 0

    def lines(self, start=0):
        for line in super().lines(start):
            self.read += 1
            yield line


def played(turns):
    """A game of `original` with two players who have taken turns."""
    journal = Counted()
    game = open_game(
        load_edition("original"), title="T", journal=journal, runtime="cpython", at=AT, secret=SECRET, vault=VAULT
    )
    for name in ("Ann", "Ben"):
        game.join(name, AT)
        assert game.admin("approve-player", {"player": name}, AT).ok
    for turn in range(turns):
        assert game.tick(AT + 60 * turn, "turn", {"who": ("Ann", "Ben")[turn % 2]}).ok
    return journal, game


def read_to_open(turns):
    """How many lines are read to take a game up that goes on by three turns after its snapshot."""
    journal, game = played(turns)
    snapshot = take_snapshot(game)
    for turn in range(3):
        assert game.tick(AT + 60 * (turns + turn), "turn", {"who": "Ann"}).ok
    journal.read = 0
    again = load_game(
        journal, runtime="cpython", secret=game.secret, vault=game.vault, snapshot=snapshot, outcomes=game.outcomes
    )
    assert again.state_hash() == game.state_hash()
    return journal.read


def test_a_game_is_taken_up_by_what_came_after_its_snapshot():
    assert read_to_open(10) == read_to_open(100) < 10


def test_a_revealed_secret_is_still_known_from_a_snapshot():
    journal, game = played(4)
    game.reveal(AT + 1000)
    game.tick(AT + 1060, "turn", {"who": "Ann"})
    snapshot = take_snapshot(game)
    options = {"runtime": "cpython", "vault": game.vault, "outcomes": game.outcomes}
    assert load_game(journal, secret=game.secret, snapshot=snapshot, **options).secret == game.secret
    with pytest.raises(JournalError, match="not the secret"):
        load_game(journal, secret=SECRET, snapshot=snapshot, **options)


def test_a_snapshot_of_an_older_release_says_nothing_of_secrets_and_will_do():
    journal, game = played(4)
    game.reveal(AT + 1000)
    older = {name: each for name, each in take_snapshot(game).items() if name != "promised"}
    options = {"runtime": "cpython", "vault": game.vault, "outcomes": game.outcomes}
    again = load_game(journal, secret=game.secret, snapshot=older, **options)
    assert again.secret == game.secret
    assert take_snapshot(again)["promised"] == take_snapshot(game)["promised"]
    with pytest.raises(JournalError, match="not the secret"):
        load_game(journal, secret=SECRET, snapshot=older, **options)


def test_the_game_as_it_was_is_what_it_was():
    journal, game = played(20)
    snapshot, hashes = take_snapshot(game), {}
    for turn in range(10):
        assert game.tick(AT + 60 * (20 + turn), "turn", {"who": "Ben"}).ok
        hashes[game.n] = game.state_hash()
    wanted = sorted(hashes)[4]
    seen, journal.read = [], 0
    past = taken_up(journal, "cpython", snapshot, wanted, lambda game, line: seen.append(line["n"]))
    assert past.state_hash() == hashes[wanted]
    assert seen == list(range(snapshot["n"] + 1, wanted + 1))
    assert journal.read < 10


def test_a_strike_on_the_way_and_another_journal_are_refused():
    journal, game = played(6)
    snapshot = take_snapshot(game)
    assert game.strike(game.n, "A slip.", AT + 1000).ok
    with pytest.raises(JournalError, match="later snapshot"):
        taken_up(journal, "cpython", snapshot, game.n)
    with pytest.raises(JournalError, match="does not belong"):
        taken_up(journal, "cpython", {**snapshot, "hash": "0" * 64}, game.n)

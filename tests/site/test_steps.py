"""What tests begin with may lie in a folder, for the other processes of a run."""

import contextlib
import time

import prepared
import testclock
from django.core import mail
from pagewords import started

from nomopoly.site.tables import live
from nomopoly.site.tables.models import Game


def test_a_step_that_another_process_has_taken_is_as_the_one_that_is_taken_here(keeper, preparing, tmp_path):
    if not preparing:  # on PostgreSQL each step is taken in earnest
        return
    game = started(keeper, "original", "friday", title="Friday")
    head = live.of(game).head
    mail.send_mail("Hello", "Words.", None, ["ann@example.org"])
    kept = prepared.Kept(game)
    kept.write(tmp_path / "step")
    again = prepared.Kept.read(tmp_path / "step")
    assert list(again.database.iterdump()) == list(kept.database.iterdump())
    assert (again.value.pk, again.loaded, again.witness, again.ended) == (game.pk, [game.pk], kept.witness, kept.ended)
    assert kept.witness
    mail.outbox.clear()
    Game.objects.update(title="Saturday")
    assert again.put_back() == game
    preparing.owe(again)
    assert [each.subject for each in mail.outbox] == ["Hello"]
    assert Game.objects.get().title == "Friday"
    assert live.of(game).head == head


def test_one_process_takes_a_step_and_the_others_take_it_up(preparing, tmp_path):
    if not preparing:
        return
    taken = []

    @contextlib.contextmanager
    def folder(name):
        taken.append(name)
        yield tmp_path / name, not (tmp_path / name).exists()

    def make():
        taken.append("made")
        return len(taken)

    known = preparing.first
    for _ in range(2):  # the second time as a process that knows of nothing
        preparing.first = {}
        preparing.begin(preparing.patches)
        assert prepared.do("a step", make, folder) == 2
    preparing.first = known
    assert taken == [taken[0], "made", taken[0]]


def test_a_step_that_was_taken_later_does_not_bring_its_clock_along(preparing):
    if not preparing:
        return
    known, preparing.first = preparing.first, {}
    for moved in (3600, 0, 3600):
        testclock.set_clock(testclock.beginning())
        preparing.begin(preparing.patches)
        testclock.set_clock(testclock.beginning() + moved)
        for step in ("a step", "another one"):
            assert prepared.do(step, lambda: round(time.time() - testclock.beginning(), -2)) == moved
            assert moved <= time.time() - testclock.beginning() < moved + 60
    preparing.first = known

"""Which timer is due is known without looking at all of them, whatever rules set, cancel, put off, destroy or take
back."""

import minigames
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from minigames import RUNTIMES, START, rule
from stepping import rebuilt

SETTING = """
kind("bell")
event("ring", bell="bell")
event("chime", bell="bell")
attribute("player", "heard", 0)


@on("ring")
def ring(e):
    put(every("player")[0], "heard", now())


@action("set", "Set", event=one_of(("ring", "chime")), after=number(), many=number(), real=yes_or_no(), about=number())
def set_them(e):
    bells = every("bell")
    for each in range(e.many):
        bell = bells[(e.about + each) % len(bells)] if bells and e.about else None
        at(now() + e.after, e.event, real=e.real, bell=bell)


@action("make", "Make")
def make(e):
    create("bell")


@action("break", "Break", about=number())
def break_one(e):
    bells = every("bell")
    if bells:
        destroy(bells[e.about % len(bells)])


@action("clear", "Clear", event=one_of(("ring", "chime")))
def clear(e):
    cancel(e.event)


@action("try", "Try and fail", event=one_of(("ring", "chime")), about=number())
def try_in_vain(e):
    for each in every("bell")[: e.about]:
        destroy(each)
    cancel(e.event)
    at(now() + 1, "ring", bell=create("bell"))
    refuse("no")
"""
CHIME = """
@on("chime")
def chime(e):
    put(every("player")[0], "heard", -now())
"""
# As the timers would be found that are due, if all of them were looked at.
LOOKED_FOR = """
def looked_for(data):
    w = world
    paused = w.things["game"].paused
    waiting = [timer for timer in sorted(w.timers.values(), key=lambda each: each.place) if timer.real or not paused]
    moment = min([timer.at for timer in waiting], default=0)
    due = [timer for timer in waiting if timer.at == moment]
    order = {id: place for place, id in enumerate(w.things)}
    due.sort(key=lambda timer: min([order.get(plain(each), 0) for each in timer.fields.values()], default=0))
    due = in_order([(program_of(timer.event), timer) for timer in due])
    return [due[0][1].number if due else None, w.timers_heft == sum([each.heft for each in w.timers.values()]), list(w.things)]


CALLS.update({"looked_for": looked_for})
"""
EVENT = st.sampled_from(("ring", "chime"))
FEW = st.integers(0, 3)
SOME = st.integers(1, 3)
STEPS = st.one_of(
    st.tuples(
        st.just("set"),
        st.fixed_dictionaries({"event": EVENT, "after": SOME, "many": SOME, "real": st.booleans(), "about": FEW}),
    ),
    st.tuples(st.just("make"), st.just({})),
    st.tuples(st.just("break"), st.fixed_dictionaries({"about": FEW})),
    st.tuples(st.just("clear"), st.fixed_dictionaries({"event": EVENT})),
    st.tuples(st.just("try"), st.fixed_dictionaries({"event": EVENT, "about": FEW})),
    st.tuples(st.sampled_from(("pause", "resume", "tick")), st.just({})),
)


def take(game, do, args):
    """One step; seconds go by only where the clock is told to run."""
    if do in ("pause", "resume"):
        game.admin(do, {"because": "so"} if do == "pause" else {}, game.now + 1)
    elif do == "tick":
        game.run_due(game.now + 1)
    else:
        game.order("Ann", do, args, game.now)


@settings(max_examples=150)
@given(st.lists(STEPS, min_size=5, max_size=25))
def test_what_is_due_is_what_looking_at_all_of_them_finds(steps):
    game = minigames.small_game(rule("1.1", SETTING), rule("1.0", CHIME), runtime="cpython")
    game.runtime.add(LOOKED_FOR)
    for do, args in [("make", {})] * 3 + steps:
        take(game, do, args)
        wanted, weighed, things = game.runtime.call("looked_for")
        assert (game.runtime.call("due") or {}).get("timer") == wanted
        assert weighed
        assert things == [id for id, _, _ in game.state()["things"]]
    assert set(rebuilt(game)) == {game.state_hash()}


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_timers_that_a_refused_order_has_cancelled_come_in_their_order(runtime):
    game = minigames.small_game(rule("1.1", SETTING), rule("1.0", CHIME), runtime=runtime)
    for _ in range(3):
        game.order("Ann", "make", {}, START)
    ring = {"after": 50, "many": 3, "real": "false", "about": 2}
    game.order("Ann", "set", {**ring, "event": "ring"}, START)
    game.order("Ann", "set", {**ring, "event": "chime"}, START)
    before = game.state()
    assert game.order("Ann", "try", {"event": "ring", "about": 2}, START).refused == "no"
    assert game.state() == {**before, "n": game.n}
    about = [due["about"] for due, _ in game.passing(START + 100)]
    assert about == [["bell-1"], ["bell-2"], ["bell-3"]] * 2
    game.runtime.close()

"""Orders that wait, the agenda that a moment begins, and calendar moments in a pause: in both interpreters."""

import pytest
from minigames import CHANGING, RUNTIMES, SECRET, START, done, rule, with_players

from nomopoly.rulebook.source import Book, load_edition
from nomopoly.runtime.host import Game, load_game, open_game, take_snapshot
from nomopoly.runtime.verify import verify

DAY = 86400
WEEK = rule(
    "1.1",
    """
attribute("game", "agenda", (), show="nobody")
attribute("game", "following", (), show="nobody")
attribute("game", "agenda_timer", None, show="nobody")
attribute("game", "agenda_aside", (), show="nobody")
attribute("game", "told", (), show="all")
attribute("player", "money", 10, type="money")
attribute("player", "luck", 3)
kind("order", prefix="order-", numbered="entry")
attribute("order", "entry", 0, show=("owner", "admin"))
attribute("order", "owner", None, type="thing", show=("owner", "admin"))
attribute("order", "what", "", show=("owner", "admin"))
attribute("order", "args", "{}", show=("owner", "admin"))
attribute("order", "place", 0, show=("owner", "admin"))
event("order-waits", who="player", order="", args="", entry="")
calendar("dawn", hour=6)
calendar("dusk", hour=20, real=True)
event("all-orders")
event("bell", word="")
event("evening")
step("morning", 20, "bell")
step("morning", 10, "all-orders", when=lambda: every("order"))
event("morning")


def say(word):
    put(thing("game"), "told", (*thing("game").told, word))


@on("order-waits")
def keep(e):
    keep_order(e.who, e.order, e.args, e.entry)


@action("withdraw-order", at_once=True, private=True, order=choose("order", choices=orders_of))
def withdraw(e):
    destroy(e.order)


@action("give-away", n=number(least=1), fact="gave", say="{who} gives {n}")
def give_away(e):
    if e.n > e.who.money:
        refuse(f"cannot afford {e.n}")
    put(e.who, "money", e.who.money - e.n)
    say(f"{name_of(e.who)} {e.n}")


@action("shout", at_once=True)
def shout(e):
    say("shout")


@on("dawn")
def begin_morning(e):
    begin("morning")


@on("dusk")
def dusk(e):
    say("dusk")


@after("entry")
def next_one(e):
    carry_on()


@on("all-orders")
def all_orders(e):
    for who in players():
        for each in orders_of(who):
            follow("carry-out", order=each)


event("carry-out", order="order")


@on("carry-out")
def carry(e):
    order = e.order
    who = order.owner
    what = order.what
    args = order.args
    destroy(order)
    reason = carry_out(who, what, args)
    if reason is not None:
        fact("refused", who=who, order=what, because=reason)


@on("bell")
def bell(e):
    say("bell")


@on("morning")
def morning(e):
    say("morning")
""",
)


@pytest.fixture(params=RUNTIMES)
def make(request):
    opened: list[Game] = []

    def opener(*rules: dict, form: int = 1) -> Game:
        commons = [module for module in load_edition("ii").commons if module[0] in ("board", "agenda", "waiting")]
        if form > 1:
            commons.append(("language", f"LANGUAGE = {form}\n"))
        book = Book("small", "A small game", [CHANGING, WEEK, *rules], commons)
        game = open_game(book, title="Small", game_id="small", runtime=request.param, at=START, secret=SECRET)
        game.checks = False
        opened.append(with_players(game, ("Ann", "Ben")))
        return opened[-1]

    yield opener
    for game in opened:
        game.runtime.close()


def told(game: Game) -> list[str]:
    return list(game.value("told", "game"))


def test_an_order_waits_and_is_carried_out_when_its_moment_comes(make):
    game = make()
    first = done(game.order("Ben", "give-away", {"n": 3}, START))
    assert game.value("money", "Ben") == 10
    assert told(game) == []
    assert f"order-{first.n}" in game.view("Ben")["things"]
    game.run_due(START + DAY)
    assert game.value("money", "Ben") == 7
    assert told(game) == ["dusk", "Ben 3", "bell", "morning"]
    assert f"order-{first.n}" not in game.view("admin")["things"]


def test_what_waits_is_seen_by_its_giver_and_the_admin_alone(make):
    game = make()
    n = done(game.order("Ben", "give-away", {"n": 3}, START)).n
    for viewer, seen in (("Ben", "give-away"), ("admin", "give-away"), ("Ann", None), ("visitor", None)):
        assert game.view(viewer)["things"].get(f"order-{n}", {}).get("what") == seen, viewer
    assert [entry for entry in game.facts("Ann") if entry["n"] == n] == []


def test_an_action_that_never_waits_is_carried_out_at_once(make):
    game = make()
    done(game.order("Ann", "shout", {}, START))
    assert told(game) == ["shout"]


def test_orders_are_entries_of_their_own_in_the_same_second_and_a_refusal_is_told(make):
    game = make()
    for who, n in (("Ann", 4), ("Ann", 40), ("Ben", 1)):
        done(game.order(who, "give-away", {"n": n}, START))
    game.run_due(START + DAY)
    assert told(game) == ["dusk", "Ann 4", "Ben 1", "bell", "morning"]
    entries = [entry for entry in game.facts("Ben") if entry["do"] == "carry-out"]
    assert len(entries) == 3
    assert len({entry["at"] for entry in entries}) == 1
    refused = [fact for entry in entries for fact in entry["facts"] if fact["what"] == "refused"]
    assert [(fact["who"], fact["order"], fact["because"]) for fact in refused] == [
        ("Ann", "give-away", "cannot afford 40")
    ]


@pytest.mark.parametrize(("form", "told_by"), [(5, "1.1"), (6, "1.2")])
def test_what_comes_of_an_order_that_waited_bears_the_rule_of_what_was_ordered(make, form, told_by):
    game = make(rule("1.2", "@action('bow', fact='bowed')\ndef bow(e):\n    pass"), form=form)
    done(game.order("Ann", "bow", {}, START))
    game.run_due(START + DAY)
    facts = [fact for entry in game.facts("visitor") for fact in entry["facts"]]
    assert [fact["rule"] for fact in facts if fact["what"] == "bowed"] == [told_by]


def test_an_unknown_action_or_field_is_refused_when_it_is_ordered(make):
    game = make()
    assert "no action" in game.order("Ann", "fly", {}, START).refused
    assert "takes no 'm'" in game.order("Ann", "give-away", {"m": 1}, START).refused
    assert [id for id, kind in game.runtime.call("ids")["things"].items() if kind == "order"] == []


def test_an_order_can_be_withdrawn(make):
    game = make()
    n = done(game.order("Ann", "give-away", {"n": 4}, START)).n
    done(game.submit("withdraw", "Ann", None, {"order": n}, START))
    game.run_due(START + DAY)
    assert told(game) == ["dusk", "bell", "morning"]
    assert "no longer" in game.submit("withdraw", "Ann", None, {"order": n}, START + DAY).refused


def test_what_breaks_is_undone_alone_and_the_rest_follows_when_the_game_goes_on(make):
    game = make(
        rule(
            "1.2",
            "@after('bell')\ndef f(e):\n    if not [each for each in players() if each.luck > 3]:\n        1 // 0",
        )
    )
    done(game.order("Ann", "give-away", {"n": 4}, START))
    game.run_due(START + DAY)
    assert game.paused()
    assert told(game) == ["dusk", "Ann 4"]
    done(game.admin("grant", {"thing": "Ann", "attribute": "luck", "value": 4}, game.now))
    done(game.run_again(game.now + 60))
    assert not game.paused()
    game.run_due(game.now + 1)
    assert told(game) == ["dusk", "Ann 4", "bell", "morning"]


def test_a_step_whose_rule_is_repealed_meanwhile_is_left_out(make):
    game = make(
        rule(
            "1.2",
            "event('cock')\nstep('morning', 5, 'cock')\n\n\n@on('cock')\ndef f(e):\n    put(thing('game'), 'told', "
            "('cock',))",
        )
    )
    done(game.admin("change", {"changes": [{"repeal": "1.2"}], "run": ""}, START))
    game.run_due(START + DAY)
    assert told(game) == ["dusk", "bell", "morning"]


def test_a_quiet_step_that_breaks_is_dropped_and_stops_nothing(make):
    game = make(
        rule("1.2", "row('quiet', 'bell')\n\n\n@after('bell')\ndef f(e):\n    1 // 0"),
    )
    done(game.order("Ann", "give-away", {"n": 4}, START))
    game.run_due(START + DAY)
    assert not game.paused()
    assert told(game) == ["dusk", "Ann 4", "morning"]


def test_what_begins_in_a_pause_is_done_in_it_and_what_broke_is_taken_up_after_it(make):
    at_dusk = "event('vesper')\nstep('evening', 10, 'vesper')\n\n\n@on('vesper')\ndef g(e):\n    say('vesper')\n\n\n"
    at_dusk += "def say(word):\n    put(thing('game'), 'told', (*thing('game').told, word))\n\n\n"
    at_dusk += "@after('dusk')\ndef h(e):\n    begin('evening')\n\n\n"
    unlucky = "@after('bell')\ndef f(e):\n    if not [each for each in players() if each.luck > 3]:\n        1 // 0"
    game = make(rule("1.2", at_dusk + unlucky))
    game.run_due(START + DAY)
    assert game.paused()
    assert told(game) == ["dusk", "vesper"]
    game.run_due(START + 3 * DAY)
    assert told(game) == ["dusk", "vesper"] * 3
    done(game.admin("grant", {"thing": "Ann", "attribute": "luck", "value": 4}, game.now))
    done(game.admin("resume", {}, game.now + 60))
    game.run_due(game.now + 60)
    assert told(game) == [*["dusk", "vesper"] * 3, "bell", "morning"]
    assert verify(game.journal.lines()).entries == game.n + 1


def test_calendar_moments_in_a_pause_are_dropped_but_real_ones_are_not(make):
    game = make()
    done(game.admin("pause", {"because": "rest"}, START))
    game.run_due(START + 3 * DAY)
    assert told(game) == ["dusk", "dusk", "dusk"]
    done(game.submit("admin", "kernel", "end-outage", {"since": START}, START + 3 * DAY))
    if game.paused():
        done(game.admin("grant", {"thing": "game", "attribute": "paused", "value": False}, game.now))
    game.run_due(game.now + 60)
    assert told(game).count("morning") <= 1


def test_a_check_on_the_event_order_holds_for_every_order(make):
    game = make(
        rule("1.2", "@check('order')\ndef f(e):\n    if e.order != 'shout' and not e.waits:\n        return 'asleep'")
    )
    done(game.order("Ann", "give-away", {"n": 4}, START))
    done(game.order("Ann", "shout", {}, START))
    game.run_due(START + DAY)
    refused = [fact for entry in game.facts("Ann") for fact in entry["facts"] if fact["what"] == "refused"]
    assert [fact["because"] for fact in refused] == ["asleep"]


def test_renew_gives_defaults_back_but_what_is_kept(make):
    code = (
        "@action('renew-me', at_once=True)\ndef f(e):\n    put(e.who, 'luck', 9)\n    put(e.who, 'money', 1)\n    "
        "renew(e.who, 'luck')"
    )
    game = make(rule("1.2", code))
    done(game.order("Ann", "renew-me", {}, START))
    assert (game.value("money", "Ann"), game.value("luck", "Ann")) == (10, 9)


def test_waiting_orders_are_in_the_journal_and_the_snapshot(make):
    game = make()
    for n in (2, 3):
        done(game.order("Ann", "give-away", {"n": n}, START))
    again = load_game(game.journal, runtime=game.runtime.name, secret=SECRET, snapshot=take_snapshot(game))
    again.checks = False
    assert again.state_hash() == game.state_hash()
    again.runtime.close()
    game.run_due(START + DAY)
    assert told(game) == ["dusk", "Ann 2", "Ann 3", "bell", "morning"]
    assert verify(game.journal.lines()).entries == game.n + 1  # the opening too


AT_ONCE = rule(
    "2.1",
    """
event("right-now", who="player", order="", args="")


@instead("order-waits")
def not_this_one(e):
    if e.order == "give-away":
        return e.to("right-now", who=e.who, order=e.order, args=e.args)


@on("right-now")
def right_now(e):
    reason = carry_out(e.who, e.order, e.args)
    if reason is not None:
        refuse(reason)
""",
)


def test_what_rules_carry_out_as_it_arrives_stays_as_private_as_a_waiting_order(make):
    game = make(AT_ONCE)
    outcome = done(game.order("Ben", "give-away", {"n": 3}, START))
    assert game.value("money", "Ben") == 7
    assert next(game.outcomes.get(outcome.n))[1].get("private") is True
    assert "cannot afford" in game.order("Ben", "give-away", {"n": 8}, START).refused
    assert game.value("money", "Ben") == 7


CARRIES = rule(
    "3.1",
    """
@action("make-ann", at_once=True, args=words(limit=100))
def make_ann(e):
    reason = carry_out(thing("Ann"), "give-away", e.args)
    if reason is not None:
        tell(None, reason)
""",
)
NEVER = "nobody has ordered this"


def made(game: Game, args: str = '{"n": 3}'):
    """What comes of it when a rule carries `give-away` out for Ann."""
    return game.order("Ben", "make-ann", {"args": args}, START)


@pytest.mark.parametrize("args", ['{"n": 3}', "{}", "no order", "[", '["n"]'])
def test_a_rule_carries_out_only_what_was_ordered(make, args):
    game = make(CARRIES)
    done(game.order("Ben", "give-away", {"n": 3}, START))
    done(game.order("Ann", "give-away", {"n": 4}, START))
    assert NEVER in made(game, args).fault["message"]
    assert game.value("money", "Ann") == 10


def test_an_order_is_carried_out_once(make):
    game = make(CARRIES)
    done(game.order("Ann", "give-away", {"n": 3}, START))
    done(made(game))
    assert NEVER in made(game).fault["message"]
    assert game.value("money", "Ann") == 7
    assert verify(game.journal.lines()).entries == game.n + 1


def test_an_order_that_is_taken_back_is_not_carried_out(make):
    game = make(CARRIES)
    n = done(game.order("Ann", "give-away", {"n": 3}, START)).n
    done(game.order("Ann", "withdraw-order", {"order": f"order-{n}"}, START))
    assert NEVER in made(game).fault["message"]


def test_an_order_that_was_refused_may_be_tried_again(make):
    game = make(CARRIES)
    done(game.order("Ann", "give-away", {"n": 30}, START))
    done(made(game, '{"n": 30}'))
    done(game.admin("grant", {"thing": "Ann", "attribute": "money", "value": 50}, START))
    done(made(game, '{"n":30}'))
    assert game.value("money", "Ann") == 20
    assert NEVER in made(game, '{"n": 30}').fault["message"]


@pytest.mark.parametrize("older", [False, True])
def test_what_waits_is_known_after_a_snapshot_too(make, older):
    game = make(CARRIES)
    done(game.order("Ann", "give-away", {"n": 3}, START))
    before = game.state_hash()
    snapshot = take_snapshot(game)
    if older:  # one of before the kernel kept it: what rules keep as orders has waited
        snapshot["state"].pop("waiting")
    again = load_game(game.journal, runtime=game.runtime.name, snapshot=snapshot, secret=SECRET)
    again.checks = False
    assert again.state_hash() == before
    done(made(again))
    assert NEVER in made(again).fault["message"]
    again.runtime.close()


def test_what_waited_of_somebody_who_has_left_is_forgotten(make):
    game = make(CARRIES)
    done(game.order("Ann", "give-away", {"n": 3}, START))
    done(game.leave("Ann", START))
    with_players(game, ("Ann",))
    assert NEVER in made(game).fault["message"]

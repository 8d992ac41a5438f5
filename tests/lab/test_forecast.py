"""What a proposal would do: found on copies, which show nobody what they may not see."""

import json

import pytest
from minigames import START, dice_by_number, done, original, rule, small_game

from nomopoly import cli
from nomopoly.errors import CommandError
from nomopoly.lab.forecast import (
    Player,
    compare,
    forecast,
    play_again,
    read_proposal,
    recent,
    state_after,
    told_now,
    try_scenario,
)
from nomopoly.runtime import files, host
from nomopoly.runtime.copies import as_seen, copy_of

DAY = 86400
SECRETS = """
attribute("player", "money", 0, label="Money")
attribute("player", "hand", (), label="Hand", show="owner")
attribute("player", "motto", "", label="Motto")
attribute("game", "treasure", "", show="nobody")
kind("bid", prefix="bid-")
attribute("bid", "owner", None, type="thing", show="owner")
attribute("bid", "amount", 0, show="owner")
event("dig", square="")

@on("dig")
def dig(e):
    put(find("game"), "motto_found", e.square)

attribute("game", "motto_found", "")

@action("get", "Get something", cards=words("Cards"))
def get(e):
    put(e.who, "hand", (*e.who.hand, e.cards))

@action("pay-in", "Pay in", amount=number("How much"))
def pay_in(e):
    put(e.who, "money", e.who.money + e.amount)

@action("bid", "Bid", amount=number("How much"))
def bid(e):
    create("bid", owner=e.who, amount=e.amount)

@action("hide", "Hide a treasure", by="admin", where=words("Where"))
def hide(e):
    put(find("game"), "treasure", e.where)
    at(now() + days(1), "dig", square=e.where)
"""


def proposal(*changes, run="", **more):
    return {"title": "T", "text": "Words.", "changes": list(changes), "run": run, **more}


def enact(id, code, **more):
    return {"enact": id, "text": "Words.", "code": code, **more}


def busy_game(days=6):
    """A game in which Ann and Ben take turns, each by a proposal of theirs, and buy what they land on."""
    game = original()
    at = game.now
    for day in range(days):
        for who in ("Ann", "Ben"):
            at = START + day * DAY + (who == "Ben") * 3600
            made = done(game.order(who, "propose", {"title": f"{who} {day}", "text": "Words."}, at))
            done(game.admin("accept", {"on": made.facts[0]["proposal"]}, at + 60))
            game.order(who, "buy-square", {"square": game.value("square", who)}, at + 90)
        game.run_due(at + DAY // 2)
    return game


@pytest.fixture(scope="module")
def busy():
    with dice_by_number():
        return busy_game()


def secret_game():
    """Ben has cards and a bid that nobody else may see; where the treasure lies, nobody may."""
    game = small_game(rule("1.1", SECRETS))
    for by, do, args in (
        ("Ann", "get", {"cards": "KS"}),
        ("Ben", "get", {"cards": "QH"}),
        ("Ben", "get", {"cards": "ruby"}),
        ("Ben", "bid", {"amount": 777}),
        ("Ann", "pay-in", {"amount": 5}),
    ):
        done(game.order(by, do, args, game.now + 60))
    done(game.admin("hide", {"where": "under-the-oak"}, game.now + 60))
    return game


TELL_ALL = """
for each in every("player"):
    put(each, "motto", " ".join([card for other in every("player") for card in other.hand]))
put(find("Ann"), "money", sum([each.amount for each in every("bid")]))
put(find("game"), "motto_found", find("game").treasure)
"""


# ---- now


def test_what_would_change_is_told_and_nothing_changes():
    game = original()
    before = game.state_hash(), game.n
    found = forecast(game, proposal(run='for each in players():\n    put(each, "money", each.money + 100)\n'))
    money = game.value("money", "Ann")
    assert found.stands
    assert found.problems == []
    assert ["Ann", "money", money, money + 100] in found.changes
    assert found.money[1] - found.money[0] == 200
    assert (game.state_hash(), game.n) == before


def test_the_rules_that_it_overrules_are_named_with_the_reason():
    taking_over = '@on("roll")\ndef roll(e):\n    return (1, 1)\n\n'
    found = forecast(original(), proposal(enact("X.1", taking_over + 'overrides("VII.1")')))
    assert [(clash.winner, clash.loser, clash.reason) for clash in found.clashes] == [
        ("X.1", "VII.1", "says it overrides VII.1")
    ]
    found = forecast(original(), proposal(enact("X.1", taking_over)))
    assert [(clash.winner, clash.loser, clash.reason) for clash in found.clashes] == [("VII.1", "X.1", "older form")]


def test_a_program_that_breaks_is_named_with_its_line():
    found = forecast(original(), proposal(run="x = 1\ny = x // (x - 1)\n"))
    assert not found.stands
    assert found.outcome.fault["line"] == 2
    assert "ZeroDivisionError" in found.outcome.fault["message"]
    assert found.changes == []


def test_what_cannot_be_carried_out_is_not_tried():
    found = forecast(original(), proposal({"amend": "XX.9", "text": "Words."}))
    assert found.outcome is None
    assert "XX.9" in str(found.problems[0])


# ---- the last weeks again


@pytest.mark.parametrize("version", ["a" * 16, "b" * 16])
def test_the_game_that_these_tests_play_is_the_same_under_any_kernel(busy, version, monkeypatch):
    monkeypatch.setattr(host, "kernel_version", lambda: version)
    with dice_by_number():
        again = busy_game(2)
    assert again.last_hash not in [line["hash"] for line in busy.journal.lines()]
    told = [[entry["facts"] for entry in game.facts("admin")[: again.n + 1]] for game in (busy, again)]
    assert told[0] == told[1]


def test_a_proposal_that_does_nothing_leaves_the_last_weeks_as_they_were(busy):
    again = play_again(busy, proposal(enact("X.1", "")))
    assert again.entries > 20
    assert again.orders == sum(line["kind"] == "order" for line in busy.journal.lines())
    assert (again.troubles, again.changes, again.stopped) == ([], [], None)
    assert again.in_force == 0


def test_orders_that_would_be_refused_are_named_with_the_reason_and_rule(busy):
    bought = {fact["square"] for entry in busy.facts("admin") for fact in entry["facts"] if fact["what"] == "bought"}
    assert bought
    never = '@check("buy-square")\ndef never(e):\n    return "nobody buys"\n'
    again = play_again(busy, proposal(enact("X.1", never)))
    assert {each.args["square"] for each in again.refused} == bought
    assert {(each.reason, each.rule) for each in again.refused} == {("nobody buys", "X.1")}
    assert again.broken == []
    owners = [change for change in again.changes if change[1] == "owner"]
    assert {change[0] for change in owners} == {id for id in bought if busy.value("owner", id)}
    assert all(after is None for _, _, _, after in owners)


def test_what_follows_from_an_attribute_that_would_differ_is_no_difference_of_its_own(busy):
    never = '@check("accept")\ndef never(e):\n    return "nobody accepts"\n'
    again = play_again(busy, proposal(enact("X.1", never)), 1, "Ann")
    differs = {name for thing, name, _, _ in again.changes if thing[:1] == "P"}
    assert "status" in differs
    assert not differs & {"phase", "result", "standing"}


def test_orders_in_which_a_rule_would_break_are_named_with_the_line(busy):
    breaks = '@after("buy-square")\ndef after_buying(e):\n    x = []\n    return x[0]\n'
    again = play_again(busy, proposal(enact("X.1", breaks)))
    assert again.refused == []
    assert {(each.rule, each.line) for each in again.broken} == {("X.1", 4)}
    assert again.stopped is None


def test_only_the_wanted_weeks_are_played_again():
    game = original()
    old = done(game.order("Ann", "propose", {"title": "Old"}, START))
    done(game.order("Ben", "propose", {"title": "New"}, START + 30 * DAY))
    assert [play_again(game, proposal(enact("X.1", "")), weeks).orders for weeks in (1, 5)] == [1, 2]
    assert play_again(game, proposal(enact("X.1", "")), 5).first == 1 < old.n


def test_only_so_many_entries_are_played_again(busy, monkeypatch):
    monkeypatch.setattr("nomopoly.lab.forecast.STRIDE", 5)
    wanted = recent(busy, 3, "Ann", most=10)
    assert 10 <= len(wanted.lines) + wanted.left_out < 15
    known = {}
    asked = recent(busy, 3, "Ann", most=10, state_at=lambda game, n: known.setdefault(n, state_after(game, n)))
    assert list(known) == [wanted.lines[0]["n"] - 1]
    assert asked == wanted


@pytest.mark.parametrize("slow", ["without the proposal", "under it"])
def test_weeks_that_take_too_long_are_not_compared(busy, monkeypatch, slow):
    """Where one of the two times is given up on the way, its end is another moment than that of the other."""
    play = Player.play

    def play_slowly(player):
        if (player.proposal is None) == (slow == "without the proposal"):
            player.deadline = 0
        play(player)

    monkeypatch.setattr(Player, "play", play_slowly)
    again = compare(busy, recent(busy, 1), proposal(enact("X.1", "")), seconds=1000)
    assert again.cut_off is not None
    assert again.changes == []


def test_a_change_of_a_rule_that_is_newer_than_that_holds_from_its_making_on():
    game = original()
    made = done(game.order("Ann", "propose", {"title": "New", "changes": [enact("X.1", "")]}, START))
    judged = done(game.admin("accept", {"on": made.facts[0]["proposal"]}, START + 60))
    again = play_again(game, proposal({"amend": "X.1", "text": "Other words."}))
    assert again.in_force == judged.n
    assert again.changes == []


def test_what_breaks_on_the_clock_is_where_it_stops():
    code = 'event("bell", who="player")\nattribute("player", "rung", 0)\n'
    code += '@action("set-bell", "Set a bell")\ndef set_bell(e):\n    at(now() + hours(2), "bell", who=e.who)\n'
    code += '@on("bell")\ndef bell(e):\n    put(e.who, "rung", e.who.rung + 1)\n'
    game = small_game(rule("1.1", code))
    done(game.order("Ann", "set-bell", {}, START + 60))
    assert len(game.run_due(START + DAY)) == 1
    breaks = '@after("bell")\ndef broken(e):\n    return [][1]\n'
    again = play_again(game, proposal(enact("9.1", breaks)))
    assert (again.stopped.do, again.stopped.rule, again.stopped.line) == ("bell", "9.1", 3)
    assert ["Ann", "rung", 1, 0] in again.changes
    late = '@after("set-bell")\ndef twice(e):\n    at(now() + hours(1), "bell", who=e.who)\n'
    again = play_again(game, proposal(enact("9.1", late)))
    assert (again.stopped, again.troubles) == (None, [])
    assert again.changes == [["Ann", "rung", 1, 2]]


# ---- what a viewer may see


def test_a_program_cannot_carry_out_what_is_hidden():
    game = secret_game()
    wanted = proposal(run=TELL_ALL)
    everything = json.dumps(forecast(game, wanted).changes)
    for secret in ("QH", "ruby", "777", "under-the-oak"):
        assert secret in everything
    for viewer in ("Ann", "admin", "visitor"):
        found = forecast(game, wanted, viewer)
        assert found.stands
        told = json.dumps([found.changes, found.told, found.outcome.facts, found.outcome.changes])
        for secret in ("ruby", "777", "under-the-oak"):  # that card may be made up as well as any other
            assert secret not in told, (viewer, secret)
    assert "KS" in json.dumps(forecast(game, wanted, "Ann").changes)


def test_what_is_hidden_is_made_up_from_what_one_knows_and_named():
    game = secret_game()
    state, invented = as_seen(game.state(), game.view("Ann"), "seed")
    things = {id: values for id, _, values in state["things"]}
    assert ("Ben", "Hand") in invented
    assert ("Ann", "Hand") not in invented
    assert things["Ann"]["hand"] == {"tuple": ["KS"]}
    [card] = things["Ben"]["hand"]["tuple"]
    assert card not in ("KS", "ruby")
    assert "bid-1" not in things
    assert state["timers"] == []
    told = json.dumps(state)
    for secret in ("ruby", "777", "under-the-oak"):
        assert secret not in told
    copy = copy_of(game, state)
    assert copy.value("money", "Ann") == 5
    done(copy.order("Ben", "bid", {"amount": 3}, copy.now))
    copy.runtime.close()


def test_hidden_orders_are_not_played_again_for_others():
    code = 'attribute("player", "memory", "", show="owner")\n@action("whisper", "Whisper", word=words("Word"))\n'
    code += 'def whisper(e):\n    put(e.who, "memory", e.word)\n    tell(e.who, e.word)\n'
    code += 'attribute("player", "heard", "")\n'
    game = small_game(rule("1.1", code))
    done(game.admin("grant", {"thing": "Ben", "attribute": "memory", "value": "sesame", "because": "so"}, START + 60))
    spying = '@after("grant")\ndef spy(e):\n    put(find("Ann"), "heard", e.value)\n'
    wanted = proposal(enact("9.1", spying))
    everything = play_again(game, wanted)
    assert ["Ann", "heard", "", "sesame"] in everything.changes
    assert everything.left_out == 0
    seen = play_again(game, wanted, viewer="Ann")
    assert seen.left_out > 0
    assert "sesame" not in repr(seen)


# ---- a copy


def test_a_copy_goes_on_with_other_dice_and_can_be_taken_up_again():
    game = original()
    one, other = copy_of(game, secret="11" * 32), copy_of(game, secret="22" * 32)
    drawn = []
    for copy in (one, other):
        turn = done(copy.tick(copy.now, "turn", {"who": "Ann"}))
        line = next(iter(copy.journal.lines(turn.n)))
        drawn.append(line.get("drawn") or line["entropy"])  # the rolls may be the same by chance
    assert drawn[0] != drawn[1]
    again = type(one)(list(one.journal.lines()), "11" * 32)
    assert again.state_hash() == one.state_hash()
    assert again.facts("Ann") == one.facts("Ann")
    for copy in (one, other, again):
        copy.runtime.close()


def test_a_copy_takes_back_what_puts_forbidden_programs_together():
    game = original()
    copy = copy_of(game)
    before = copy.state_hash(), copy.n
    code = 'enact("X.9", text="Words.", code="imp" + "ort os\\n")\n'
    refused = copy.put_in_force(proposal(run=code))
    assert refused.refused.startswith("check: rule X.9, line 1: ")
    assert (copy.state_hash(), copy.n) == before
    done(copy.tick(copy.now, "turn", {"who": "Ann"}))
    assert copy.value("money", "Ben") == game.value("money", "Ben")
    copy.runtime.close()


# ---- examples and commands


EXAMPLE = {
    "scenario": "A gift",
    "players": ["Ann", "Ben"],
    "steps": [{"expect": {"Ann": {"money": 1100}}}],
}


def test_an_example_is_played_with_the_proposal_in_force():
    game = original()
    gift = proposal(run='for each in players():\n    put(each, "money", 1100)\n')
    assert try_scenario(game, gift, EXAMPLE).failure is None
    assert "money of Ann" in try_scenario(game, proposal(), EXAMPLE).failure
    assert "original" in try_scenario(game, gift, {**EXAMPLE, "edition": "iv"}).failure


def test_the_commands_tell_it_all(busy, tmp_path, capsys):
    game = tmp_path / "game.jsonl.gz"
    files.export(busy.journal, game)
    wanted = tmp_path / "proposal.yaml"
    wanted.write_text(
        "title: No more\nchanges:\n  - enact: X.1\n    text: Nobody buys.\n    code: |\n"
        '      @check("buy-square")\n      def never(e):\n          return "nobody buys"\n'
        'run: |\n  put(find("Ann"), "money", 7)\n'
    )
    assert cli.run(["forecast", str(game), "--proposal", str(wanted)]) == 0
    told = capsys.readouterr().out
    assert "rule X.1 is new" in told
    assert "to 7" in told
    assert "would be refused" not in told
    other = tmp_path / "other.yaml"
    other.write_text("changes: [{amend: IV.1, params: {start_money: 900}}]\n")
    assert cli.run(["forecast", str(game), "--proposal", str(other)]) == 0
    assert "  rule IV.1 is changed\n" in capsys.readouterr().out
    assert cli.run(["try", str(game), "--proposal", str(wanted), "--weeks", "2"]) == 0
    told = capsys.readouterr().out
    assert "The last 2 weeks again" in told
    assert "would be refused: nobody buys (rule X.1)" in told
    assert "owner from Ann to nothing" in told
    assert cli.run(["try", str(game), "--proposal", str(wanted), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert "nobody buys" in {each["reason"] for each in data["again"]["troubles"]}
    wanted.write_text("propose: {by: Ann, title: Broken, run: 'x = 1 // 0'}")
    assert cli.run(["try", str(game), "--proposal", str(wanted)]) == 1
    assert "It breaks: the program that runs once, line 1: ZeroDivisionError" in capsys.readouterr().out


def test_who_refuses_is_named():
    code = 'event("gild")\n@check("gild")\ndef never(e):\n    return "nothing is gilded"\n'
    game = original()
    enacted = forecast(game, proposal(enact("X.1", code), run='do("gild")\n'))
    assert "It would be refused: nothing is gilded (rule X.1)" in list(told_now(enacted, set()))
    own = forecast(game, proposal(run='refuse("not like this")\n'))
    assert "It would be refused: not like this (its own program)" in list(told_now(own, set()))
    proposing = {"propose": {"by": "Ann", "title": "T", "text": "w", "run": 'do("gild")'}}
    steps = [proposing, {"admin": {"do": "accept", "on": "P1"}}]
    example = {"scenario": "R", "players": ["Ann"], "steps": steps}
    assert "nothing is gilded (rule X.1)" in try_scenario(game, proposal(enact("X.1", code)), example).failure


@pytest.mark.parametrize("text", ["[1]", "words", "{a: 1}", "{title: T, changes: 5}", "{title: [1]}", "{"])
def test_what_is_no_proposal_is_refused_with_its_name(text, tmp_path):
    file = tmp_path / "wish.yaml"
    file.write_text(text)
    with pytest.raises(CommandError, match=r"wish\.yaml|changes"):
        read_proposal(file)


def test_a_change_alone_says_where_it_belongs(tmp_path):
    file = tmp_path / "wish.yaml"
    file.write_text("{amend: X.1, params: {bonus: 200}}")
    with pytest.raises(CommandError, match=r"wish\.yaml: 'amend' alone is no proposal: .* a list, named `changes`"):
        read_proposal(file)

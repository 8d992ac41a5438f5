"""Nobody foresees a roll, nobody gets a second try, and what is hidden stays hidden whatever files one has."""

import copy
import hashlib
import hmac
import json

import minigames
import pytest
from minigames import RUNTIMES, START, done, rule

from nomopoly import cli
from nomopoly.lab.simulate import play_weeks
from nomopoly.runtime import sealing
from nomopoly.runtime.entropy import commitment, draws, entropy_of
from nomopoly.runtime.host import load_game, open_game
from nomopoly.runtime.journal import MemoryJournal, canonical, write_file
from nomopoly.runtime.verify import Differs, verify

GAMBLES = """
attribute("player", "money", 100)
attribute("player", "card", None, show="owner")
attribute("player", "bank", 0, show="owner")


@action("peek")
def peek(e):
    refuse(str([chance.die(6) for k in range(4)]))


@action("gamble", fact="gambled")
def gamble(e):
    if chance.die(6) < 6:
        refuse("not this time")
    put(e.who, "money", e.who.money + 500)


@action("crash", fact="crashed")
def crash(e):
    chance.die(6)
    return {}["lost " + str(e.who.card)]


@action("roll", fact="rolled")
def roll(e):
    note(faces=chance.dice((6, 6, 6, 6)))


@action("deal", fact="dealt", say="{who} gets a card")
def deal(e):
    put(e.who, "card", chance.hidden.card(tuple([rank + suit for suit in "SHDC" for rank in "A23456789JQK"])))


@action("save", private=True, amount=number())
def save(e):
    put(e.who, "bank", e.amount)


@action("whisper", fact="whispered", say="somebody whispers", private=True, amount=number())
def whisper(e):
    put(e.who, "bank", e.amount)
    if e.amount == 13:
        refuse("thirteen")
    return 7 // (e.amount - 12)
"""


def gambling(runtime="cpython"):
    return minigames.small_game(rule("1.1", GAMBLES), runtime=runtime)


def last(game):
    return list(game.journal.lines())[-1]


# ---- nobody foresees a roll


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_what_a_refused_order_tells_is_not_what_the_next_one_rolls(runtime):
    game = gambling(runtime)
    before = game.n
    same = 0
    for _ in range(12):
        told = game.order("Ann", "peek", {}, game.now).refused
        rolled = done(game.order("Ann", "roll", {}, game.now)).facts[0]["faces"]
        same += told == str(rolled)
    assert same <= 3, "four dice fall the same by chance once in 1,296 rolls"
    assert game.n == before + 24


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_a_refusal_after_a_draw_is_an_entry_with_its_draws_and_changes_nothing(runtime):
    game = gambling(runtime)
    state = game.state_hash()
    outcome = game.order("Ann", "peek", {}, START)
    assert outcome.n == game.n
    line = last(game)
    assert line["refused"] is True
    assert line["dice"] == json.loads(outcome.refused)
    assert len(line["drawn"]) == 4 * 8
    assert game.state_hash() == state
    shown = game.facts("visitor")[-1]
    assert (shown["do"], shown["refused"], shown["dice"]) == ("peek", True, line["dice"])
    assert game.facts("Ann")[-1]["refused"] == outcome.refused
    assert verify(game.journal.lines(), runtime).state == game.state()


def test_a_refusal_before_any_draw_leaves_no_line():
    game = gambling()
    before = game.n
    assert game.order("Ann", "whisper", {"amount": 13}, START).refused == "thirteen"
    assert game.n == before


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_a_fault_after_a_draw_keeps_its_draws(runtime):
    game = gambling(runtime)
    assert game.order("Ann", "crash", {}, START).fault
    assert len(last(game)["drawn"]) == 8
    assert last(game)["dice"][0] in range(1, 7)
    verify(game.journal.lines(), runtime)


def test_whoever_refuses_the_losses_of_a_gamble_leaves_them_on_record():
    game = gambling()
    before = game.n
    wins = [game.order("Ann", "gamble", {}, game.now).ok for _ in range(60)]
    assert game.n == before + 60
    assert game.value("money", "Ann") == 100 + 500 * sum(wins)
    assert [entry["refused"] is None for entry in game.facts("visitor")[-60:]] == wins


def test_the_same_order_given_twice_rolls_other_dice():
    rolls = set()
    game = gambling()
    for _ in range(20):
        rolls.add(tuple(done(game.order("Ann", "roll", {}, START)).facts[0]["faces"]))
    assert len(rolls) > 15


def test_the_dice_belong_to_what_is_ordered_and_not_to_its_place():
    first, second = gambling(), gambling()
    assert list(first.journal.lines()) == list(second.journal.lines())
    ann, ben = (done(game.order(who, "roll", {}, START)) for game, who in ((first, "Ann"), (second, "Ben")))
    assert ann.facts[0]["faces"] != ben.facts[0]["faces"]


def test_a_refused_draw_stays_refused_after_a_strike():
    game = gambling()
    done(game.order("Ann", "roll", {}, START))
    struck = game.n
    outcome = game.order("Ann", "peek", {}, START)
    assert game.strike_preview(struck)["refused"] == []
    done(game.strike(struck, "a slip", START))
    assert next(entry for entry in game.facts("visitor") if entry["n"] == outcome.n)["refused"]
    verify(game.journal.lines())


MORE = """
attribute("game", "more", 0)


@action("more", by="admin")
def more(e):
    put(thing("game"), "more", 3)


@action("throw", fact="thrown")
def throw(e):
    note(faces=chance.dice((6,) * (5 - thing("game").more)), cards=chance.hidden.sample(range(52), 4 - thing("game").more),
         only=(e.who,))
"""


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_entries_that_draw_more_after_a_strike_can_be_verified(runtime):
    game = minigames.small_game(rule("1.1", MORE), runtime=runtime)
    done(game.admin("more", {}, START))
    struck = game.n
    one = done(game.order("Ann", "throw", {}, START)).facts[0]
    done(game.strike(struck, "a slip", START))
    line = last(game)
    assert [len(words) for words in line["redrawn"].values()] == [5 * 8]
    assert [len(words) for words in line["redrawn_hidden"].values()] == [4 * 8]
    again = next(entry for entry in game.facts("Ann") if entry["n"] == struck + 1)["facts"][0]
    assert (again["faces"][:2], again["cards"][:1]) == (one["faces"], one["cards"])
    assert verify(game.journal.lines(), runtime).state == game.state()
    alone = load_game(MemoryJournal(list(game.journal.lines())), runtime=runtime)
    assert alone.state_hash() == game.state_hash()
    for viewer in ("visitor", "Ann", "Ben", "admin"):
        verify(copy_for(game, viewer), runtime)


# ---- hidden draws


def copy_for(game, viewer):
    """The journal as a viewer downloads it, having gone through a file."""
    outcomes = dict(game.outcomes.get())
    approved = {line["args"].get("player") for line in game.journal.lines() if line["do"] == "approve-player"}
    lines = [
        sealing.shown_line(line, outcomes[line["n"]], viewer, line["kind"] == "join" and line["by"] in approved)
        for line in game.journal.lines()
    ]
    return json.loads(json.dumps(lines))


def texts_in(data):
    """All words in data."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, (dict, list)):
        for part in [*data, *data.values()] if isinstance(data, dict) else data:
            yield from texts_in(part)


def guesses(lines, secrets):
    """What an attacker computes for the first draws of each entry from the recipe and everything like a secret in a
    file."""
    found = {}
    for line in lines:
        entry = {**(sealing.shown_entry(line) or {}), "n": line["n"], "prev": line["prev"]}
        own = {text for text in texts_in(line) if len(text) == 64}
        tried = own | {entropy_of(secret, canonical(entry).encode()) for secret in secrets}
        tried |= {
            hmac.digest(bytes.fromhex(each), f"simulation:{line['n']}".encode(), "sha256").hex() for each in secrets
        }
        found[line["n"]] = [draws(each, [52] * 8) for each in tried]
    return found


def test_a_hidden_card_is_in_nothing_that_others_get():
    game = gambling()
    done(game.order("Ann", "deal", {}, START))
    card = game.value("card", "Ann")
    for viewer in ("visitor", "Ben", "admin"):
        assert card not in json.dumps(copy_for(game, viewer))
        assert card not in json.dumps(game.facts(viewer))
    assert card in json.dumps(copy_for(game, "Ann"))
    assert last(game)["until"] == "the game is over"


def test_no_file_of_a_viewer_holds_entropy_before_its_reveal():
    game = gambling()
    for _ in range(5):
        done(game.order("Ann", "roll", {}, START))
        done(game.order("Ben", "deal", {}, START))
    secrets = {game.secret, game.vault, game.hidden_secret}
    entropies = {
        entropy_of(secret, sealing.content_of(line, line["prev"]))
        for line in game.journal.lines()
        for secret in (game.secret, game.hidden_secret)
    }
    for viewer in ("visitor", "Ann", "Ben", "admin"):
        told = set(texts_in(copy_for(game, viewer))) | set(texts_in(game.facts(viewer)))
        assert not told & (secrets | entropies)
    assert not {text for line in game.journal.lines() for text in texts_in(line)} & (secrets | entropies)


@pytest.fixture(scope="module")
def played():
    """Some weeks of each edition, played by bots: {edition: game}."""
    return {
        edition: play_weeks(edition, players=4, weeks=weeks, seed=5, policy="mixed")[0]
        for edition, weeks in (("original", 2), ("iv", 2), ("mail", 3), ("ii", 5))
    }


def test_an_attacker_with_every_file_and_recipe_does_no_better_than_guessing(played):
    """Cards of `ii` are the only hidden draws of the four editions; so forty cards of another game are dealt
    besides."""
    dealt = gambling()
    for _ in range(40):
        done(dealt.order("Ann", "deal", {}, START))
    tried = hits = 0
    for game in (played["ii"], dealt):
        game.reveal(game.now)
        public = copy_for(game, "visitor")
        known = [text for text in sorted(set(texts_in(public))) if len(text) == 64]
        revealed = [line["args"]["secret"] for line in game.journal.lines() if line["kind"] == "reveal"]
        made = guesses(public, [*revealed, *known[:40], minigames.SECRET])
        for line in [line for line in game.journal.lines() if "hidden" in line]:
            truth = int(line["hidden"][:8], 16) * 52 >> 32
            tried += len(made[line["n"]])
            hits += sum(guess[0] == truth for guess in made[line["n"]])
    assert tried > 2000
    assert hits / tried < 2 / 52


@pytest.mark.parametrize("edition", ["original", "iv", "mail", "ii"])
def test_only_what_is_hidden_is_drawn_from_the_second_secret(played, edition):
    hidden = [line for line in played[edition].journal.lines() if "hidden" in line]
    assert bool(hidden) == (edition == "ii")
    rolled = [line for line in played[edition].journal.lines() if "drawn" in line]
    assert rolled


def test_the_second_secret_is_revealed_when_the_game_is_over():
    code = """
attribute("game", "over", False)


@action("end", by="admin")
def end(e):
    put(thing("game"), "over", True)
"""
    game = minigames.small_game(rule("1.1", GAMBLES), rule("2.1", code))
    done(game.order("Ann", "roll", {}, START))
    done(game.order("Ann", "deal", {}, START))
    secret, hidden = game.secret, game.hidden_secret
    assert game.reveal(START).ok  # a rotation: the game goes on
    assert "hidden" not in last(game)["args"]
    done(game.order("Ann", "deal", {}, START))
    rotated = game.secret
    done(game.admin("end", {}, START))
    args = last(game)["args"]
    assert (args["secret"], args["hidden"]) == (rotated, hidden)
    assert commitment(hidden) == game.first["args"]["hidden_commitment"]
    found = verify(game.journal.lines())
    assert (found.revealed, found.waiting) == (3, 0)
    assert secret != rotated
    forged = copy.deepcopy(list(game.journal.lines()))
    dealt = next(line for line in forged if "hidden" in line)
    other = play_with_other_card(dealt, game)
    with pytest.raises(Differs, match=f"entry {dealt['n']}: its dice do not come from the secret"):
        verify(other)


def test_a_game_whose_secret_is_not_here_ends_without_a_reveal():
    code = 'attribute("game", "over", False)\n\n\n@action("end", by="admin")\ndef end(e):\n    put(thing("game"), "over", True)\n'
    game = load_game(minigames.small_game(rule("2.1", code)).journal, runtime="cpython")
    assert game.secret is None
    done(game.admin("end", {}, START))
    assert (last(game)["do"], game.over()) == ("end", True)


def play_with_other_card(dealt, game):
    """The journal of somebody who dealt another card than the secret says, all that follows made to fit."""
    forger = open_game(
        minigames.Book("small", "A small game", game.first["args"]["rules"], []),
        title="Small",
        game_id="small",
        runtime="cpython",
        at=START,
        secret=minigames.SECRET,
    )
    forger.checks = False
    lines = list(game.journal.lines())
    for line in lines[1:]:
        if line["n"] == dealt["n"]:
            forger.vault = "77" * 32
        if line["kind"] == "reveal":
            forger.submit("reveal", None, None, line["args"], START)
            forger.secret = forger.secret if "hidden" in line["args"] else game_secret_after(lines, line)
        else:
            forger.submit(line["kind"], line["by"], line["do"], line["args"], START)
        if line["do"] == "end":
            reveal = next(each for each in lines if "hidden" in each["args"])
            journal = forger.journal
            journal._lines.pop()  # what it would reveal itself
            forger.fold.n, forger.fold.last_hash = journal.last()["n"], journal.last()["hash"]
            forger.submit("reveal", None, None, reveal["args"], START)
            break
    return list(forger.journal.lines())


def game_secret_after(lines, reveal):
    """The secret of the time after a reveal."""
    return next(line["args"]["secret"] for line in lines if line["kind"] == "reveal" and line["n"] > reveal["n"])


# ---- commitments


def numbers_that_fit(lines, known, most):
    """The amounts that an attacker finds for a private order by trying them all against every hash in a file."""
    hashes = {text for line in lines for text in texts_in(line) if len(text) == 64}
    found = set()
    salts = ["", *hashes]
    for amount in range(most):
        for content in known(amount):
            text = canonical(content)
            for salt in salts:
                if hashlib.sha256((salt + text).encode()).hexdigest() in hashes:
                    found.add(amount)
    return found


def test_the_amount_of_a_private_order_cannot_be_found_by_trying():
    game = gambling()
    done(game.order("Ann", "save", {"amount": 111}, START))
    line, outcome = last(game), dict(game.outcomes.get())[game.n]

    def contents(amount):
        like = json.loads(json.dumps([line, outcome]).replace("111", str(amount)))
        yield from (*like, sealing.entry_part(like[0]), like[1]["changes"], like[1]["facts"])
        yield {key: like[1][key] for key in ("facts", "changes")} | {"rules": []}

    for viewer in ("visitor", "Ben"):
        assert numbers_that_fit(copy_for(game, viewer), contents, 200) == set()
        assert numbers_that_fit([{"log": game.facts(viewer)}], contents, 200) == set()


def test_a_withheld_entry_gives_away_neither_its_moment_nor_its_kind():
    game = gambling()
    done(game.order("Ann", "save", {"amount": 111}, START + 77))
    assert copy_for(game, "visitor")[-1] == {
        "n": game.n,
        "prev": last(game)["prev"],
        "hash": last(game)["hash"],
        "withheld": True,
    }


def test_of_a_private_order_with_a_public_fact_others_see_the_fact_alone():
    game = gambling()
    done(game.order("Ann", "whisper", {"amount": 5}, START))
    for viewer in ("visitor", "Ben", "admin"):
        seen = game.facts(viewer)[-1]
        assert [fact["what"] for fact in seen["facts"]] == ["whispered"]
        assert (seen["by"], seen["do"], seen["args"]) == (None, None, {})
        shown = copy_for(game, viewer)[-1]
        assert set(shown) == {"n", "prev", "hash", "shown"}
        assert "whisper" not in json.dumps({key: shown["shown"][key] for key in shown["shown"] if key != "public"})
    assert game.facts("Ann")[-1]["args"] == {"amount": 5}


def test_of_an_entry_that_hides_one_change_others_see_the_rest():
    code = "@action('both')\ndef both(e):\n    put(e.who, 'bank', 7)\n    put(e.who, 'money', 50)\n"
    game = minigames.small_game(rule("1.1", GAMBLES), rule("2.1", code))
    done(game.order("Ann", "both", {}, START))
    for viewer, own in (("visitor", []), ("Ben", []), ("Ann", [["Ann", "bank", 0, 7]])):
        shown = copy_for(game, viewer)[-1]["shown"]
        assert shown["public"][1]["changes"] == [["Ann", "money", 100, 50]]
        assert (shown["own"][2]["changes"] if own else shown.get("own", [])) == own


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_a_private_order_that_breaks_is_private(runtime):
    game = gambling(runtime)
    assert game.order("Ann", "whisper", {"amount": 12}, START).fault
    assert game.facts("Ann")[-1]["args"] == {"amount": 12}
    for viewer in ("visitor", "Ben"):
        assert game.facts(viewer)[-1]["n"] < game.n
        assert copy_for(game, viewer)[-1].get("withheld")
    again = load_game(MemoryJournal(list(game.journal.lines())), runtime=runtime)
    assert again.facts("Ben")[-1]["n"] < game.n


def test_what_a_fault_says_is_for_the_admin_and_whoever_gave_the_order():
    game = gambling()
    done(game.order("Ann", "deal", {}, START))
    assert game.value("card", "Ann") in game.order("Ann", "crash", {}, START).fault["message"]
    for viewer, knows in (("Ann", True), ("admin", True), ("Ben", False), ("visitor", False)):
        fault = game.facts(viewer)[-1]["fault"]
        assert (fault["rule"], fault["line"] > 0) == ("1.1", True)
        assert (game.value("card", "Ann") in fault["message"]) == knows
    assert game.value("card", "Ann") not in json.dumps(copy_for(game, "visitor"))


# ---- what a viewer downloads verifies


@pytest.mark.parametrize("edition", ["original", "iv", "mail", "ii"])
def test_what_anybody_downloads_verifies_for_them(played, edition):
    game = played[edition]
    whole = verify(game.journal.lines())
    assert whole.whole
    assert whole.carried_out == whole.entries
    players = [id for id, kind in game.runtime.call("ids")["things"].items() if kind == "player"]
    for viewer in ("visitor", "admin", *players[:2]):
        found = verify(copy_for(game, viewer))
        assert found.entries == whole.entries
        assert found.last_hash == whole.last_hash
        assert found.carried_out + found.withheld > 0
        if edition == "original" and not found.withheld:
            assert found.carried_out == found.entries
    assert verify(copy_for(game, "visitor")).carried_out > 4


@pytest.mark.parametrize("edition", ["original", "ii"])
def test_the_command_says_how_much_of_a_copy_was_checked(played, edition, tmp_path, capsys):
    file = tmp_path / "copy.jsonl.gz"
    for viewer in ("visitor", "Ann"):
        write_file(file, copy_for(played[edition], viewer))
        assert cli.run(["verify", str(file)]) == 0
        words = capsys.readouterr().out
        assert f"{played[edition].n + 1} entries" in words
        assert "secret" in words
        if edition == "ii":
            assert "withheld from this copy" in words
            assert "carried out again by the rules" in words
    assert cli.run(["replay", str(file)]) == 1
    assert "a copy for one viewer" in capsys.readouterr().err


def altered(part):
    """The same part of a copy, one word or number of it changed."""
    if isinstance(part, dict):
        key = max(part, default=None)
        if key is None:
            return {"x": 1}
        return {**part, key: altered(part[key])}
    if isinstance(part, list):
        return [*part[:-1], altered(part[-1])] if part else ["x"]
    return f"{part}x" if isinstance(part, str) else 5 if part is None else part + 1


@pytest.mark.parametrize("edition", ["iv", "ii"])
def test_every_part_that_a_copy_shows_is_held_to_its_chain(played, edition):
    game = played[edition]
    for viewer in ("visitor", "Ann"):
        lines = copy_for(game, viewer)
        shapes = {}
        for line in lines[1:]:
            shapes.setdefault(tuple(sorted(line)), line["n"])
        for shape, n in shapes.items():
            for part in (*shape, *lines[n].get("shown", ())):
                forged = lines[: n + 2]  # the first difference is told, at this entry or the next
                forged[n] = copy.deepcopy(lines[n])
                parts = forged[n].get("shown", {})
                if part == "own":
                    parts["own"][2] = altered(parts["own"][2])
                elif part in parts and isinstance(parts[part], list):
                    parts[part][1] = altered(parts[part][1])
                elif part in parts:
                    parts[part] = altered(parts[part])
                elif part == "shown":
                    parts["more"] = parts.pop("public")
                else:
                    forged[n][part] = altered(forged[n][part])
                with pytest.raises(Differs, match=f"entry ({n}|{n + 1}):"):
                    verify(forged)


def test_what_a_copy_says_was_ordered_is_not_proven_by_a_hash_beside_it():
    """The hash of an entry stands for one that is withheld, never for one that is shown."""
    game = gambling()
    done(game.order("Ann", "roll", {}, START))
    lines = copy_for(game, "visitor")
    line = lines.pop()
    hashed = {"entry_hash": sealing.leaf(line["shown"]["entry"], sealing.content_of(last(game), line["prev"]))}
    for salt in ({}, {"entry": line["shown"]["entry"]}):
        forged = {**line, "by": "Ben", "shown": {"public": line["shown"]["public"], **salt, **hashed}}
        forged["shown"]["rest_hash"] = line["shown"]["rest_hash"]
        with pytest.raises(Differs, match=f"entry {game.n}: {sealing.ALTERED}"):
            verify([*lines, forged])


def test_a_rule_that_does_not_follow_is_found_in_a_copy():
    """A forger who seals anew what they made up is found by the rules, as long as nothing was withheld."""
    game = gambling()
    done(game.order("Ann", "roll", {}, START))
    line = copy.deepcopy(last(game))
    outcome = copy.deepcopy(dict(game.outcomes.get())[game.n])
    outcome["facts"][0]["faces"] = [6, 6, 6, 6]
    sealing.seal(line, line["prev"], outcome)
    lines = copy_for(game, "visitor")
    lines[-1] = sealing.shown_line(line, outcome, "visitor")
    with pytest.raises(Differs, match=f"entry {game.n}: it shows another outcome than the rules make of it"):
        verify(json.loads(json.dumps(lines)))

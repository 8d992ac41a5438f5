"""Who has left a game and comes back: under which name, and with what of the time before."""

import re

from pagewords import seated, text, well

from nomopoly.site.tables import bots, deciding, domain, holidays, live, queries, seats
from nomopoly.site.tables.models import Game, Holiday, Membership, TableAnswer, TableQuestion


def seat_of(game, client):
    """The row of somebody's seat."""
    return Membership.objects.get(game=game, user=client.user)


def gone(game, client):
    """Let somebody leave the game."""
    well(domain.leave(game, seat_of(game, client)))


def declined(game, client, name):
    """Let somebody ask to join, and the Admin decline it."""
    well(domain.ask_to_join(game, client.user, name))
    well(domain.desk_act(game, "decline-player", {"player": name}))


def refused(game, client, name):
    """Why somebody cannot be called so."""
    return queries.refusal_of(domain.ask_to_join(game, client.user, name))["reason"]


def test_a_name_stays_with_whom_it_was_though_they_come_back_under_another(game, people, ann, ben):
    gone(game, ann)
    seated(game, ann, "Anne")
    assert "somebody has played here as Ann." in refused(game, people("cid"), "ann")
    assert "name taken" in refused(game, people("cid"), "Anne")
    gone(game, ann)
    seated(game, ann, "Ann")
    assert seat_of(game, ann).earlier == ["Ann", "Anne"]
    assert "somebody has played here as Anne." in refused(game, people("cid"), "Anne")


def test_a_name_stays_with_whom_it_was_though_their_wish_to_come_back_is_declined(game, people, ann, ben):
    for name in ("Ann", "Anne"):
        if name == "Ann":
            gone(game, ann)
        declined(game, ann, name)
        assert (seat_of(game, ann).status, seat_of(game, ann).player) == ("left", "Ann")
        assert "somebody has played here as Ann." in refused(game, people("cid"), "Ann")
    well(domain.ask_to_join(game, people("cid").user, "Anne"))


def test_a_name_stays_with_whom_it_was_though_they_take_back_their_wish(game, people, ann, ben):
    gone(game, ann)
    well(domain.ask_to_join(game, ann.user, "Anne"))
    well(domain.withdraw(game, seat_of(game, ann)))
    assert (seat_of(game, ann).status, seat_of(game, ann).player) == ("left", "Ann")
    assert "somebody has played here as Ann." in refused(game, people("cid"), "Ann")


def test_who_was_declined_under_a_name_does_not_hold_it_when_another_has_played_under_it(game, people, ann):
    cid, dot = people("cid"), people("dot")
    declined(game, cid, "Zoe")
    seated(game, dot, "Zoe")
    assert seat_of(game, dot).status == "approved"
    assert "somebody plays here as Zoe." in refused(game, cid, "Zoe")
    well(domain.order(game, "Zoe", "propose", {"title": "A thing", "text": "Words"}))
    well(domain.strike(game, live.of(game).n, "a mistake"))
    assert [seat_of(game, each).status for each in (cid, dot)] == ["declined", "approved"]
    gone(game, dot)
    assert "somebody has played here as Zoe." in refused(game, cid, "Zoe")


def test_who_is_removed_is_who_plays_under_the_name(game, people, ann):
    cid, dot = people("cid"), people("dot")
    declined(game, cid, "Zoe")
    seated(game, dot, "Zoe")
    well(domain.desk_act(game, "remove-player", {"player": "Zoe", "because": "a test"}))
    assert [(seat_of(game, each).status, seat_of(game, each).barred) for each in (cid, dot)] == [
        ("declined", False),
        ("left", True),
    ]


def test_who_comes_back_is_offered_the_name_they_had(game, people, ann):
    gone(game, ann)
    for more in ("", f"?invitation={game.invitation}"):
        assert re.search(r'<input[^>]* value="Ann"', ann.get(f"/g/friday/join/{more}").content.decode())
    assert 'value="Ann"' not in people("cid").get("/g/friday/join/").content.decode()


def test_the_piece_of_who_was_declined_is_not_that_of_who_plays_under_the_name(game, people, ann):
    cid, dot = people("cid"), people("dot")
    well(domain.ask_to_join(game, cid.user, "Zoe", piece="ship"))
    well(domain.desk_act(game, "decline-player", {"player": "Zoe"}))
    seated(game, dot, "Zoe")
    assert "Zoe" not in queries.pieces(game)


def leave_behind(game, client):
    """Let somebody leave a standing answer, a holiday and an answer to a question of the table."""
    seat, now = seat_of(game, client), live.now()
    domain.leave_answer(game, seat, question="Gold", answer="gold", fields=None, until=None)
    Holiday.objects.create(seat=seat, since=now, until=now + 9 * 86400)
    asked = {"text": "Shall we?", "choices": [["yes", "Yes", "", {}]], "opened": now, "closes": now + 99}
    question = TableQuestion.objects.create(game=game, about="it", **asked)
    TableAnswer.objects.create(question=question, seat=seat, choice="yes")
    return question


def stays_of(game, client, question):
    """What of that is there."""
    seat = seat_of(game, client)
    return seat.standing_answers.count(), len(holidays.of(game)), deciding.counts(question)["yes"]


def test_nothing_is_done_for_who_comes_back_that_they_left_to_be_done_before(game, people, ann, ben):
    question = leave_behind(game, ann)
    assert stays_of(game, ann, question) == (1, 1, 1)
    gone(game, ann)
    seated(game, ann, "Ann")
    assert stays_of(game, ann, question) == (0, 0, 0)


def test_a_freed_seat_does_nothing_that_its_owner_has_left_to_be_done(game, people, ann, ben):
    question = leave_behind(game, ann)
    seat = seat_of(game, ann)
    seats.let_go(seat, "a test")
    assert seats.take(game, seat, people("cid").user) is None
    assert stays_of(game, people("cid"), question) == (0, 0, 0)
    assert "Gold" not in text(people("cid").get("/g/friday/answers/"))


def test_the_table_is_asked_again_about_who_comes_back(game, people, ann, ben):
    domain.change_game(game, office=Game.Office.TABLE)
    cid = people("cid")
    for _ in range(2):
        well(domain.ask_to_join(game, cid.user, "Cid"))
        deciding.decide(game)
        question = game.table_questions.get(settled=None)
        for each in (ann, ben):
            assert deciding.answer(question, seat_of(game, each), "yes") is None
        assert seat_of(game, cid).status == "approved"
        gone(game, cid)


def test_a_bot_takes_nobodys_former_name(game, people, ann, ben):
    first = f"Bot {bots.NAMES[0]}"
    cid = seated(game, people("cid"), first)
    gone(game, cid)
    seated(game, cid, "Cid")
    well(bots.put(game))
    assert not game.memberships.filter(player=first).exists()


def test_the_desk_says_that_no_account_belongs_to_a_wish(game, people, keeper):
    cid = people("cid")
    well(domain.ask_to_join(game, cid.user, "Cid"))
    assert "Account since" in text(keeper.get("/g/friday/admin/"))
    cid.user.delete()
    page = text(keeper.get("/g/friday/admin/"))
    assert "No account belongs to this wish" in page
    assert "Account since" not in page

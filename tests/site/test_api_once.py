"""An order that is sent again with its token is carried out once."""

import threading

from django.db import connection
from test_api import act, bearer

from nomopoly.site import once
from nomopoly.site.tables import domain, live
from nomopoly.site.tables.models import Once

# ---- once


def test_an_order_sent_again_with_its_token_is_done_once(ann, game):
    program = bearer(ann, game)
    token = {"Idempotency-Key": "turn 41"}
    first = act(program, "propose", headers=token, title="Once")
    n = live.of(game).n
    again = act(program, "propose", headers=token, title="Once")
    assert (again.status_code, again.json()) == (200, first.json())
    assert live.of(game).n == n
    other = act(program, "propose", headers=token, title="Twice")
    assert other.status_code == 422
    assert "came with something else" in other.json()["error"]
    assert act(program, "propose", headers={"Idempotency-Key": "turn 42"}, title="Once").status_code == 200
    assert live.of(game).n == n + 1


def test_two_at_the_same_moment_do_it_once(ann, game):
    program, token = bearer(ann, game), {"Idempotency-Key": "turn 41"}
    answers, n = [], live.of(game).n
    together = threading.Barrier(4)

    def send():
        together.wait()
        answers.append(act(program, "propose", headers=token, title="Once"))
        connection.close()

    threads = [threading.Thread(target=send) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert live.of(game).n == n + 1
    assert {answer.status_code for answer in answers} <= {200, 409}
    done = [answer.json() for answer in answers if answer.status_code == 200]
    assert done
    assert all(told == done[0] for told in done)


def test_a_refusal_is_not_kept(ann, game):
    token = {"Idempotency-Key": "turn 41"}
    domain.desk_act(game, "pause", {"because": "holidays"})
    assert act(ann, "propose", headers=token, title="Later").status_code == 409
    domain.desk_act(game, "resume", {})
    assert act(ann, "propose", headers=token, title="Later").status_code == 200


def test_a_token_is_of_one_player(ann, bob, game):
    token = {"Idempotency-Key": "turn 41"}
    assert act(ann, "propose", headers=token, title="Anns").status_code == 200
    assert act(bob, "propose", headers=token, title="Bobs").json()["by"] == "Bob"


def test_a_token_whose_order_was_broken_off_says_so(ann, game):
    token = {"Idempotency-Key": "turn 41"}
    Once.objects.create(user=ann.user, token=f"api-{once.digest('turn 41')[:36]}")  # as earlier versions left it
    answer = act(ann, "propose", headers=token, title="Anns")
    assert answer.status_code == 409
    assert "look at the log" in answer.json()["refused"]

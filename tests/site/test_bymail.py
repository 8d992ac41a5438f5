"""Play by mail: answers to notices play, through a server, a pipe and a provider; what is no order of its player does
nothing."""

import base64
import io
import json
import smtplib
import time
from email.message import EmailMessage
from email.policy import SMTP

import pytest
from anymail.webhooks.postmark import PostmarkInboundWebhookView
from django.core import mail
from django.core.exceptions import SuspiciousOperation
from django.test import Client, RequestFactory
from pagewords import DAY, accept, grant, propose, seated, started, things

from nomopoly.site.bymail import addresses, answering, reading, ways
from nomopoly.site.bymail.models import Received
from nomopoly.site.tables import domain, live, queries

PORT = 18024


@pytest.fixture(autouse=True)
def reply_to(settings):
    settings.NOMOPOLY_REPLY_TO = "play@games.example.org"


def written(game, name, text, **headers):
    """A mail of somebody to a game, as their mail program writes it."""
    user = queries.players_seated(game).get(player=name).user
    message = EmailMessage()
    message["From"] = f"{name} <{user.email}>"
    message["To"] = addresses.address(user, game)
    message["Subject"] = "Re: [Friday] Your turn"
    message["Message-ID"] = f"<{Received.objects.count()}.{abs(hash((name, text)))}@example.org>"
    message.set_content(text)
    for key, value in headers.items():
        del message[key.replace("_", "-")]
        message[key.replace("_", "-")] = value
    return message


def bring(message, sender="someone@example.org"):
    """Bring a mail, and say what became of it and what the answer says."""
    before = len(mail.outbox)
    said = answering.take(message.as_bytes(), [message["To"]], sender)
    return said, "\n".join(each.body for each in mail.outbox[before:] if each.subject.startswith("Re: "))


def play(game, name, text, **headers):
    """What the answer to a mail says."""
    said, answer = bring(written(game, name, text, **headers))
    assert said == "answered"
    return answer


@pytest.fixture
def lands(game, ann, ben):
    """lands("Ann", "#5"): the player stands there and may buy it."""

    def go(name, square):
        grant(game, name, "square", square)

    return go


# ---- a whole game


def test_a_game_of_original_is_played_by_mail_alone(game, ann, ben):
    assert "Done" in play(game, "Ann", 'propose title="No fines" text="Nobody pays fines any more."')
    told = play(game, "Ben", "Propose\ntitle: A bank\ntext: There is a bank.\n\nIt lends money, don't ask.")
    assert "Done" in told
    assert things(game)["P2"]["text"] == "There is a bank.\n\nIt lends money, don't ask."
    accept(game, "P1")
    assert things(game)["P1"]["verdict"].lower() == "accepted"
    grant(game, "#5", "owner", "Ann")
    grant(game, "#7", "owner", "Ann")
    assert "Done" in play(game, "Ann", "name-square #5 Elm Street")
    assert things(game)["#5"]["name"] == "Elm Street"
    assert "Done" in play(game, "Ann", "trade with=Ben give-squares=#5 take-money=30")
    offer = next(id for id, thing in things(game, "Ben").items() if thing["kind"] == "offer")
    answer = play(game, "Ben", f"accept trade {offer}")
    assert "Done" in answer
    assert things(game)["#5"]["owner"] == "Ben"
    assert "Done" in play(game, "Ben", "Leave the game")
    assert "Ben" not in [each.player for each in queries.players_seated(game)]


def test_turns_options_and_purchases_of_original_by_mail(game, ann, ben):
    bought, squares = 0, set()
    for name in ("Ann", "Ben"):
        grant(game, name, "money", 50_000)
    for number in range(1, 9):
        author = ("Ann", "Ben")[number % 2]
        assert "Done" in play(game, author, f'propose title="Words {number}" text="More of them"')
        accept(game, f"P{number}")
        for name in ("Ann", "Ben"):
            mine = [each["id"] for each in things(game).values() if each.get("option_of") == name]
            if mine:
                if len(mine) > 1:
                    assert f"Say which of these you mean: {', '.join(mine)}." in play(game, name, "buy")
                answer = play(
                    game,
                    name,
                    ("buy" if len(mine) == 1 else f"Buy {mine[0]}", mine[0], f"buy-square square={mine[0]}")[
                        bought % 3
                    ],
                )
                assert "Done" in answer, answer
                assert things(game)[mine[0]]["owner"] == name
                squares.add(mine[0])
                bought += 1
    assert len(squares) == bought >= 3


@pytest.fixture
def fourth(keeper, people):
    """A game of edition iv, begun two days ago, with Ann, Ben and Cid in it, and two proposals."""
    made = started(keeper, "iv", "fourth", title="Fourth", since=2 * DAY)
    for name in ("Ann", "Ben", "Cid"):
        seated(made, people(name.lower()), name)
    for name in ("Ann", "Ben"):
        assert "Done" in play(made, name, f'propose title="By {name}" text="Half the fine"')
    return made


def test_votes_and_turns_of_the_fourth_edition_by_mail(fourth):
    answer = play(fourth, "Cid", "vote yes")
    assert "Several votes are open" in answer
    assert "vote yes P1" in answer
    assert "Nothing was done" in answer
    assert live.of(fourth).view("Cid").get("ballots", {}) == {}
    answer = play(fourth, "Cid", "Vote yes on 1.\nvote P2 no")
    assert answer.count("Done") == 2
    assert "Your vote: Yes" in answer
    assert "Your vote: No" in answer
    assert set(live.of(fourth).view("Cid")["ballots"]) == {"P1", "P2"}
    assert "P9 is not open" in play(fourth, "Cid", "vote yes on P9")
    assert "fits no vote" in play(fourth, "Cid", "vote maybe")
    answer = play(fourth, "Cid", "take turn")
    assert "Done: take turn" in answer
    assert "Refused: Take turn" in play(fourth, "Cid", "Take turn")


def test_a_bare_yes_is_about_the_proposal_of_the_answered_mail_or_the_only_one(fourth):
    message = written(fourth, "Cid", "Yes", References="<fourth.x@site> <fourth.proposals-2.x@site>")
    assert "Done" in bring(message)[1]
    assert list(live.of(fourth).view("Cid")["ballots"]) == ["P2"]
    assert "Done" in play(fourth, "Cid", "No.")
    assert set(live.of(fourth).view("Cid")["ballots"]) == {"P1", "P2"}


def test_a_vote_by_mail_is_told_to_nobody_else(fourth, told):
    play(fourth, "Cid", "vote yes 1")
    told()
    for name in ("Ann", "Ben"):
        view = str(live.of(fourth).view(name))
        assert live.of(fourth).view(name).get("ballots", {}) == {}
        assert "'Cid': 'yes'" not in view
    assert not [each for each in mail.outbox if each.to != ["cid@example.org"] and "Your vote" in each.body]


# ---- what is read of a mail


def test_quotations_signatures_and_markup_are_cut_off(game, ann, ben):
    quoted = "name-square #5 Elm\n\nOn Mon, 2 Mar 2026 at 10:00, Nomopoly <x@y.org> wrote:\n> leave-game\n> propose\n"
    assert reading.typed_of(quoted) == "name-square #5 Elm"
    assert reading.typed_of("vote yes\n-- \nAnn\nleave-game") == "vote yes"
    assert reading.typed_of("vote yes\n\nAm 02.03.26 um 10:00 schrieb Nomopoly:\n> Hallo") == "vote yes"
    assert reading.typed_of(f"buy\n\nDen 2 mars, någon skrev:\n\n> {reading.ABOVE}\nleave-game") == "buy"
    assert reading.typed_of("yes\n\n> older\n> words") == "yes"
    page = EmailMessage()
    page["From"], page["To"] = "a@example.org", "b@example.org"
    page.set_content("")
    page.add_alternative(
        "<style>p{}</style><p>vote&nbsp;yes</p><div class='gmail_quote'>On<blockquote>leave-game</blockquote></div>",
        subtype="html",
    )
    assert reading.read(page.as_bytes()).typed == "vote yes"


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("x-unknown", "latin-1"),
        ("x-unknown", "utf-8"),
        ("utf-8", "cp1252"),
        ("us-ascii", "utf-8"),
        ("iso-8859-1", "latin-1"),
        ("base64", "utf-8"),
    ],
)
def test_letters_of_other_charsets_than_the_mail_says_are_read(said, meant, game, ann, ben):
    """An unknown charset was refused, and a wrong one played with signs for what could not be read."""
    message = written(game, "Ann", "")
    del message["Content-Type"], message["Content-Transfer-Encoding"]
    message["Content-Type"] = f"text/plain; charset={said}"
    message["Content-Transfer-Encoding"] = "8bit"
    raw = message.as_bytes() + 'propose title="Größe" text="Süßes"'.encode(meant)
    assert answering.take(raw, [message["To"]]) == "answered"
    assert things(game)["P1"]["title"] == "Größe"


def test_a_mail_that_is_not_understood_does_nothing_and_is_answered_once_with_examples(game, ann, ben):
    before = live.of(game).n
    message = written(game, "Ann", 'propose title="A"\nThanks, and see you on Friday!')
    said, answer = bring(message)
    assert said == "answered"
    assert "“Thanks, and see you on Friday!” is not understood. Nothing was done." in answer
    assert "propose" in answer.partition("You could write now:")[2]
    assert live.of(game).n == before
    assert bring(message) == ("again", "")
    assert "says nothing" in play(game, "Ann", "\n\n")


@pytest.mark.parametrize(
    ("above", "below"),
    [
        ("Hi everybody,\n\n", "\n\nThanks!\nAnn"),
        ("Hallo,\n", "\nViele Grüße\nAnn Müller-Lüdenscheidt\nHamburg"),
        ("Dear Ben,\n", "\nBest regards,"),
    ],
)
def test_a_mail_may_greet(above, below, game, ann, ben):
    told = play(game, "Ann", f'{above}propose title="No fines"{below}')
    assert "Done" in told
    assert things(game)["P1"]["title"] == "No fines"


def test_a_greeting_with_an_order_in_it_is_not_passed_over(game, ann, ben):
    for above in ("Hi vote yes", "Hello propose title=B", "Hi, take turn"):
        assert "is not understood. Nothing was done." in play(game, "Ann", f'{above}\npropose title="A"')
    assert "P1" not in things(game)


@pytest.mark.parametrize("below", ["Thanks\nbyu-square", "Thanks\nvtoe yes on P3", "Thanks\nA\nB\nC", "Hi Ben"])
def test_below_a_farewell_a_mail_has_to_be_understood_too(below, game, ann, ben):
    assert "is not understood. Nothing was done." in play(game, "Ann", f'propose title="A"\n{below}')
    assert "P1" not in things(game)


def test_a_refusal_says_why_and_names_the_rule_and_what_follows_is_left(game, ann, ben):
    answer = play(game, "Ann", 'buy #5\npropose title="A"')
    assert "Refused: buy #5" in answer
    assert "/g/friday/rules/" in answer
    assert 'Not done, because of what was refused before it: propose title="A"' in answer
    assert not [id for id in things(game) if id.startswith("P")]


def test_fields_are_read_as_the_pages_read_them(game, ann, ben):
    before = live.of(game).n
    assert "must be a whole number" in play(game, "Ann", "trade with=Ben take-money=lots")
    assert "is too much" in play(game, "Ann", "leave-game now please")
    assert "“leave” is not understood" in play(game, "Ann", "leave")
    assert live.of(game).n == before


# ---- who may play


def test_a_mail_that_comes_twice_plays_once(game, ann, ben):
    message = written(game, "Ann", 'propose title="Once"')
    assert bring(message)[0] == "answered"
    assert bring(message) == ("again", "")
    del message["Message-ID"]
    message["Date"] = "Mon, 02 Mar 2026 10:00:00 +0000"
    assert bring(message)[0] == "answered"
    message["Received"] = "from elsewhere"
    assert bring(message)[0] == "again"
    assert [each["title"] for each in things(game).values() if each["kind"] == "proposal"] == ["Once", "Once"]


def test_a_mail_whose_answer_was_lost_is_not_played_again(game, ann, ben, monkeypatch):
    message = written(game, "Ann", 'propose title="Once"')
    with monkeypatch.context() as patch:
        patch.setattr(answering, "answer", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            bring(message)
    said, answer = bring(message)
    assert said == "answered"
    assert "Done" in answer
    assert len([each for each in things(game).values() if each["kind"] == "proposal"]) == 1


def test_programs_are_never_answered(game, ann, ben):
    before = len(mail.outbox), live.of(game).n
    for headers in (
        {"Auto_Submitted": "auto-replied"},
        {"Precedence": "bulk"},
        {"List_Id": "<a.b>"},
        {"X_Autoreply": "1"},
    ):
        assert bring(written(game, "Ann", "propose", **headers))[0] == "ignored"
    assert bring(written(game, "Ann", "propose"), sender="")[0] == "ignored"
    bounce = written(game, "Ann", "propose")
    bounce.replace_header("Content-Type", "multipart/report; boundary=x")
    assert bring(bounce)[0] == "ignored"
    assert (len(mail.outbox), live.of(game).n) == before


def test_an_address_is_good_for_one_person_one_game_and_seven_days(game, ann, ben, people):
    theirs = addresses.address(ann.user, game)
    token = addresses.token_in([theirs.upper()])
    assert (addresses.read(token).user, addresses.read(token).game) == (ann.user, game)
    other = domain.start_game(people("owner").user, edition="original", title="Other", slug="other")
    assert addresses.read(addresses.token_in([addresses.address(ann.user, other)])).game == other
    assert len(theirs.partition("@")[0]) <= 64
    for place in (0, 12, 30):
        other = "b" if token[place].casefold() == "a" else "a"
        with pytest.raises(addresses.Unknown):
            addresses.read(token[:place] + other + token[place + 1 :])
    before = live.of(game).n
    stolen = written(game, "Ann", 'propose title="Mine"', From="ben@example.org")
    assert "nothing was done" in bring(stolen)[1]
    assert mail.outbox[-1].to == ["ann@example.org"]
    with live.clock_at(live.now() + 8 * DAY):
        late = written(game, "Ann", "propose", To=theirs)
        assert "was good for 7 days" in bring(late)[1]
    ann.user.email = "new@example.org"
    ann.user.save()
    with pytest.raises(answering.Refused):
        bring(written(game, "Ann", "propose", To=theirs))
    assert live.of(game).n == before


def test_who_has_left_plays_no_more(game, ann, ben):
    message = written(game, "Ben", "propose")
    assert domain.order(game, "Ben", "leave-game", {}).ok
    assert "You do not play in this game any more" in bring(message)[1]


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\x00\xff\xfe",
        b"From: a@b.org\nContent-Type: text/plain; charset=nonsense\n\n\xff",
        b"From: =?x?q?=\nContent-Type: multipart/mixed; boundary=\n\n--\n",
        b"From: a@b.org\nContent-Type: text/plain\nContent-Transfer-Encoding: base64\n\n%%%",
        b"Message-ID: <\n\tFrom\n" * 50,
        b"From: a@b.org\nContent-Type: " + b"multipart/mixed; boundary=x\n\n--x\nContent-Type: " * 200,
        b"From: " + b"(" * 50_000,
        b"a" * 300_000,
    ],
)
def test_bytes_that_are_no_mail_give_a_reason(raw, game, ann):
    with pytest.raises(answering.Refused, match=r"\.$"):
        answering.take(raw, ["play@games.example.org"], "x@example.org")


def test_more_than_is_answered_in_an_hour_has_to_wait(game, ann, ben, monkeypatch):
    monkeypatch.setattr(answering.limits, "refusal", lambda *_: "At most 60")
    message = written(game, "Ann", "propose")
    assert ways.taken(message.as_bytes(), [message["To"]], "x@y.org").startswith("451")
    monkeypatch.undo()


# ---- how mail comes in


@pytest.fixture
def server():
    """A server of ours, on a port of this machine."""
    running = ways.controller(port=PORT, smtp=False)
    running.start()
    yield running
    running.stop()


def test_real_messages_through_a_server(game, ann, ben, server):
    with smtplib.LMTP("127.0.0.1", PORT) as client:
        client.send_message(written(game, "Ann", 'propose title="By LMTP"'))
        with pytest.raises(smtplib.SMTPRecipientsRefused) as refused:
            client.sendmail("a@b.org", ["play+abc@games.example.org"], b"Subject: x\n\nbuy")
        assert refused.value.recipients["play+abc@games.example.org"][0] == 550
        message = written(game, "Ann", "x" * reading.MOST_BYTES)
        with pytest.raises(smtplib.SMTPException):
            client.send_message(message)
    assert [each["title"] for each in things(game).values() if each["kind"] == "proposal"] == ["By LMTP"]
    assert "Done" in mail.outbox[-1].body
    assert mail.outbox[-1].extra_headers["Auto-Submitted"] == "auto-replied"
    assert addresses.token_in([mail.outbox[-1].extra_headers["Reply-To"]])


def test_what_comes_from_nobody_is_not_answered(game, ann, ben, server):
    """The server of somebody who is away, or whose mail box is full, says so from <> (RFC 3834)."""
    before = len(mail.outbox), live.of(game).n
    message = written(game, "Ann", 'propose title="From nobody"')
    with smtplib.LMTP("127.0.0.1", PORT) as client:
        assert client.sendmail("<>", [message["To"]], message.as_bytes(policy=SMTP)) == {}
    for nobody in (b"<>", b"<MAILER-DAEMON>"):  # as the pipe of Postfix calls it
        piped = b"From MAILER-DAEMON\nReturn-Path: " + nobody + b"\n" + message.as_bytes()
        assert ways.from_pipe(io.BytesIO(piped)) == ways.DONE
    assert (len(mail.outbox), live.of(game).n) == before


def test_a_pipe(game, ann, ben):
    message = written(game, "Ann", 'propose title="By pipe"')
    assert ways.from_pipe(io.BytesIO(message.as_bytes())) == ways.DONE
    assert "P1" in things(game)
    assert ways.from_pipe(io.BytesIO(b"From: a@b.org\nTo: c@d.org\n\nbuy")) == ways.DATA_ERROR


def test_a_pipe_is_told_for_whom_by_the_headers_that_the_server_adds(game, ann, ben):
    """A mail to two players was always taken for the first one's."""
    message = written(game, "Ben", 'propose title="To both"')
    to = [addresses.address(queries.players_seated(game).get(player=name).user, game) for name in ("Ann", "Ben")]
    message.replace_header("To", ", ".join(to))
    piped = f"Delivered-To: {to[1]}\n".encode() + message.as_bytes()
    assert ways.from_pipe(io.BytesIO(piped)) == ways.DONE
    assert things(game)["P1"]["author"] == "Ben"


def test_a_notice_can_be_answered_and_says_how(game, ann, ben, told):
    propose(game)
    told()
    grant(game, "#5", "owner", "Ann")
    assert domain.order(game, "Ann", "trade", {"with": "Ben", "give": {"squares": ["#5"]}, "take": {"money": 30}}).ok
    told()
    letter = next(each for each in mail.outbox if each.to == ["ben@example.org"] and "offer by Ann" in each.body)
    assert reading.ABOVE in letter.body
    reply = written(game, "Ben", f"accept-trade\n\n> {letter.body}", To=letter.extra_headers["Reply-To"])
    assert "Done" in bring(reply)[1]
    assert things(game)["#5"]["owner"] == "Ben"


def test_without_an_address_for_answers_nothing_is_said_of_them(game, ann, ben, told, settings):
    settings.NOMOPOLY_REPLY_TO = ""
    propose(game)
    grant(game, "#5", "owner", "Ann")
    assert domain.order(game, "Ann", "trade", {"with": "Ben", "give": {"squares": ["#5"]}, "take": {"money": 30}}).ok
    told()
    letter = next(each for each in mail.outbox if each.to == ["ben@example.org"] and "offer by Ann" in each.body)
    assert "Reply-To" not in letter.extra_headers
    assert "Answer this mail" not in letter.body


def test_the_guide_says_how_and_mails_lead_there(settings):
    page = Client().get("/guide/playing-by-mail/").content.decode()
    assert "vote yes" in page
    assert "takes no mail in" not in page
    settings.NOMOPOLY_REPLY_TO = ""
    assert "takes no mail in" in Client().get("/guide/playing-by-mail/").content.decode()


def test_a_provider_posts_mail_and_has_to_prove_who_it_is(game, ann, ben, settings):
    settings.ANYMAIL = {"WEBHOOK_SECRET": "post:secret"}
    message = written(game, "Ann", 'propose title="Posted"')
    posted = {"RawEmail": message.as_string(), "OriginalRecipient": message["To"], "From": message["From"]}
    factory = RequestFactory()

    def post(password):
        key = base64.b64encode(f"post:{password}".encode()).decode()
        headers = {"Authorization": f"Basic {key}"}
        request = factory.post("/mail/postmark/inbound/", json.dumps(posted), "application/json", headers=headers)
        return PostmarkInboundWebhookView.as_view()(request)

    with pytest.raises(SuspiciousOperation):
        post("guessed")
    assert "P1" not in things(game)
    assert post("secret").status_code == 200
    assert things(game)["P1"]["title"] == "Posted"
    assert Client().post("/mail/postmark/inbound/", posted, "application/json").status_code == 404


def test_the_page_of_the_edition_that_is_called_mail_keeps_its_address():
    assert "answering mails" not in Client().get("/guide/mail/").content.decode()
    assert "answering mails" in Client().get("/guide/").content.decode()


@pytest.mark.parametrize(
    "text", ["\n" * 20_000, ("On " + "a " * 490 + "\n") * 20, " " * 20_000, "- \n" * 6_000, ">" * 20_000]
)
def test_texts_that_are_made_to_take_long_do_not(text):
    before = time.process_time()
    reading.typed_of(text)
    reading.plain("<a " * 60_000)
    assert time.process_time() - before < 10


def test_orders_that_wait_say_so_and_what_would_be_refused_now(start_second):
    game, _ = start_second("Ann", "Ben", edition="mail")
    answer = play(game, "Ann", "1. buy-ticket 8\n2) name-square #3 Süd\n")
    assert "Ordered: buy-ticket 8\n  It waits for the next update" in answer
    assert (
        "As things stand it would be refused: not yours: #3 belongs to Ben.\n" in answer.partition("Ordered: name")[2]
    )
    assert answer.count("would be refused") == 1
    assert "Done:" not in answer
    waiting = [each for each in things(game, "Ann").values() if each["kind"] == "order"]
    assert [each["what"] for each in waiting] == ["buy-ticket", "name-square"]


def test_an_answer_in_german_is_german_and_ends_the_next_mail(start_second):
    game, _ = start_second("Ann", "Ben", edition="mail")
    user = queries.players_seated(game).get(player="Ann").user
    user.language = "de"
    user.save()
    answer = play(game, "Ann", "buy-ticket 12, buy-ticket 13.")
    assert answer.startswith("„buy-ticket 12, buy-ticket 13.“: ")
    assert "13.. " not in answer
    assert "answer above" not in answer
    assert "Antwort bitte über dieser Zeile" in answer
    below = answer[answer.index("-- Antwort bitte") :]
    assert "Angewiesen: buy-ticket 4" in play(game, "Ann", f"buy-ticket 4\n\n{below}")

"""Webhooks and devices: told once, signed, in their own forms, never in a private network, and nothing that a visitor
may not see."""

import base64
import contextlib
import datetime
import gc
import hashlib
import hmac
import json
import re
import socket
import ssl
import threading
import time

import http_ece
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from django.test import Client
from django.utils import timezone
from pagewords import grant, propose, text, token
from py_vapid import Vapid02

from nomopoly.site.notices import calling
from nomopoly.site.post import calls, office, push, reach
from nomopoly.site.post.models import Call, Target
from nomopoly.site.tables import domain, live

HOOK = "https://hooks.example.org/in?x=1"


@pytest.fixture
def posted(monkeypatch):
    """What is posted, as (url, body, headers); the other side takes it."""
    found = []

    def post(url, body, headers):
        found.append((url, body, headers))
        return 200, "ok"

    monkeypatch.setattr(reach, "post", post)
    return found


@pytest.fixture
def call(told, posted):
    """call(): notices are made and told; what was posted, read as JSON."""

    def go():
        before = len(posted)
        with live.clock_at(told()):
            calling.call_all()
            calling.call_all()
        while calls.deliver():
            pass
        return [json.loads(body) for _, body, _ in posted[before:]]

    return go


def test_a_webhook_of_a_game_is_told_what_visitors_see_once_and_signed(game, ann, ben, keeper, call, posted):
    page = keeper.get("/g/friday/admin/webhooks/")
    sent = {"sort": "json", "url": HOOK, "once": token(page)}
    page = keeper.post("/g/friday/admin/webhooks/", sent, follow=True)
    assert "It is kept" in text(page)
    target = Target.objects.get()
    assert target.secret in page.content.decode()
    assert [each["lines"][0]["text"] for each in call()] == ["You will be told here."]
    assert not Call.objects.filter(sent=None).exists(), "a call that was taken is not made again"
    propose(game, title="A <b> thing")
    found = call()
    assert len(found) == 1
    assert found[0]["title"] == "Friday"
    assert any("A <b> thing" in each["text"] for each in found[0]["lines"])
    assert call() == []
    url, body, headers = posted[-1]
    at, sign = re.fullmatch(r"t=(\d+),v1=(\w+)", headers["X-Nomopoly-Signature"]).groups()
    assert hmac.new(target.secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest() == sign


def test_only_the_admin_sets_them_and_a_private_game_has_none(game, ann, keeper, call):
    assert ann.get("/g/friday/admin/webhooks/").status_code == 403
    assert Client().get("/g/friday/admin/webhooks/").status_code in (302, 403)
    calls.add("json", HOOK, game=game, n=live.of(game).n)
    call()
    domain.change_game(game, visibility="private")
    propose(game)
    assert call() == []
    page = keeper.get("/g/friday/admin/webhooks/")
    sent = {"sort": "json", "url": HOOK, "once": token(page)}
    assert "nothing is told" in text(keeper.post("/g/friday/admin/webhooks/", sent))
    page = keeper.get("/g/friday/admin/webhooks/")
    keeper.post("/g/friday/admin/webhooks/", {"remove": str(Target.objects.get().pk), "once": token(page)})
    assert not Target.objects.exists()


def test_each_game_has_its_own_webhooks(game, people, monkeypatch):
    other = domain.start_game(people("owner").user, edition="original", title="Other", slug="other")
    monkeypatch.setattr(calls, "MOST_TARGETS", 1)
    for each in (game, other):
        assert isinstance(calls.add("json", HOOK, game=each), Target)
        assert "At most 1" in calls.add("json", HOOK, game=each)


def test_a_users_webhook_gets_their_notices_and_nobody_elses(game, ann, ben, call):
    for browser, where in ((ann, "https://a.example.org/"), (ben, "https://b.example.org/")):
        page = browser.get("/settings/elsewhere/")
        done = browser.post("/settings/elsewhere/", {"sort": "discord", "url": where, "once": token(page)}, follow=True)
        assert "It is kept" in text(done)
    call()
    grant(game, "#5", "owner", "Ann")
    call()
    assert domain.order(game, "Ann", "trade", {"with": "Ben", "give": {"squares": ["#5"]}, "take": {"money": 30}}).ok
    found = call()
    assert len(found) == 1
    assert "offer by Ann" in found[0]["content"].replace("\\", "")
    assert found[0]["allowed_mentions"] == {"parse": []}
    assert not Call.objects.filter(target__user=ann.user).exclude(cause="hello").exists()
    assert call() == []
    mine = Target.objects.get(user=ann.user)
    page = ben.get("/settings/elsewhere/")
    ben.post("/settings/elsewhere/", {"remove": str(mine.pk), "once": token(page)})
    assert Target.objects.filter(pk=mine.pk).exists()


def test_no_channel_tells_a_planted_secret_to_another(start_second, told, people, call, posted):
    """All ways at once: a card in a hand and a ballot are told to nobody who may not see them."""
    second, go = start_second("Ann", "Ben")
    calls.add("json", HOOK, game=second, n=live.of(second).n)
    for name in ("ann", "ben"):
        user = people(name).user
        for sort in ("json", "slack", "discord"):
            calls.add(sort, f"https://{name}.example.org/{sort}", user=user)
    grant(second, "Ann", "cards", ["ace of spades"])
    assert domain.order(second, "Ann", "propose", {"title": "Open to all", "text": "Words"}).ok
    go(7)
    call()
    others = b" ".join(body for url, body, _ in posted if "ann.example.org" not in url).decode()
    assert "Open to all" in others
    assert "ace of spades" not in others


def test_forms_say_names_as_they_are_and_call_nobody():
    told = {"title": "A & B", "lines": [{"text": "@everyone <!channel> *bold*", "url": "https://x/"}]}
    assert calls.as_slack(told)["text"] == "*A &amp; B*\n@everyone &lt;!channel&gt; *bold*\n<https://x/>"
    assert "\\*bold\\*" in calls.as_discord(told)["content"]
    long = {"title": "T", "lines": [{"text": "x" * 300, "url": "https://x/"}] * 40}
    assert len(calls.as_discord(long)["content"]) <= 2000
    assert len(push.sealed(device(), calls.short(long))[0]) < 4096


# ---- where calls go


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "10.1.2.3",
        "192.168.0.1",
        "172.16.0.1",
        "169.254.169.254",
        "0.0.0.0",
        "100.64.0.1",
        "224.0.0.1",
        "255.255.255.255",
        "::1",
        "::",
        "fe80::1",
        "fc00::1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "64:ff9b::7f00:1",
        "2002:7f00:1::",
        "ff02::1",
        "fe80::1%eth0",
    ],
)
def test_private_addresses_are_not_public(address):
    assert not reach.is_public(address)


def test_public_addresses_are():
    assert reach.is_public("93.184.216.34")
    assert reach.is_public("2606:2800:220:1:248:1893:25c8:1946")


@pytest.mark.parametrize(
    "url",
    [
        "http://a.org/",
        "ftp://a.org",
        "https://",
        "https://u:p@a.org/",
        "https://a.org:22/",
        "https://a.org:x/",
        "https://a.org/\n",
        "https://ä.org/",
    ],
)
def test_addresses_that_are_never_taken(url, ben):
    assert calls.add("json", url, user=ben.user).endswith((".", "https://"))
    with pytest.raises(reach.NotPublic):
        reach.post(url, b"", {})


def test_a_name_of_a_private_machine_is_found_out_at_sending_and_switched_off(ben, monkeypatch):
    both = [(0, 0, 0, "", (each, 443)) for each in ("93.184.216.34", "127.0.0.1")]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **more: both)
    monkeypatch.setattr(socket, "create_connection", lambda *_, **more: pytest.fail("it was connected to"))
    target = calls.add("json", "https://looks.public.org/", user=ben.user)
    calls.deliver()
    target.refresh_from_db()
    assert target.off is not None
    assert "private network" in target.problem
    assert "private network" in text(ben.get("/settings/elsewhere/"))
    assert calls.deliver() == 0


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """The path of a file with a key and a certificate for hooks.example.org."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "hooks.example.org")])
    made = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
    made = made.not_valid_before(datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)).not_valid_after(
        datetime.datetime(2070, 1, 1, tzinfo=datetime.UTC)
    )
    made = made.add_extension(x509.SubjectAlternativeName([x509.DNSName("hooks.example.org")]), critical=False)
    path = tmp_path_factory.mktemp("tls") / "hooks.pem"
    forms = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    path.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, *forms)
        + made.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)
    )
    return path


@pytest.fixture
def endpoint(monkeypatch, certificate):
    """endpoint(answer) is a server on this machine that gives this answer over TLS; the posts that came there. It
    counts as public."""
    came, servers = [], []
    shown = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    shown.load_cert_chain(certificate)

    def serve(*answers):
        server = socket.create_server(("127.0.0.1", 0))
        servers.append(server)

        def run():
            for answer in answers:
                plain, _ = server.accept()
                with contextlib.suppress(OSError), shown.wrap_socket(plain, server_side=True) as sock:
                    came.append(sock.recv(65536))
                    for part in answer:
                        sock.sendall(part) if isinstance(part, bytes) else threading.Event().wait(part)

        threading.Thread(target=run, daemon=True).start()
        connect = socket.create_connection
        monkeypatch.setattr(reach, "public_address", lambda host, port: server.getsockname())
        monkeypatch.setattr(reach.socket, "create_connection", lambda to, timeout: connect(to[0], timeout=timeout))
        monkeypatch.setattr(reach, "trusted", lambda: ssl.create_default_context(cafile=certificate))
        return came

    yield serve
    for each in servers:
        each.close()


def test_nobody_is_followed_anywhere(ben, endpoint):
    came = endpoint([b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1/admin\r\nContent-Length: 0\r\n\r\n"])
    calls.add("json", HOOK, user=ben.user)
    assert calls.deliver() == 1
    assert len(came) == 1
    waiting = Call.objects.get()
    assert waiting.sent is None
    assert waiting.next_try > timezone.now()
    assert "302" in waiting.problem


def test_an_address_without_a_path_is_called_at_its_root(ben, endpoint):
    came = endpoint([b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"])
    calls.add("json", "https://hooks.example.org?x=1", user=ben.user)
    assert calls.deliver() == 1
    assert came[0].startswith(b"POST /?x=1 HTTP/1.1")


def test_who_answers_slowly_is_left_after_a_while(ben, endpoint, monkeypatch):
    monkeypatch.setattr(reach, "SECONDS", 0.6)
    endpoint([b"HTTP/1.1 200 OK\r\n", *[b"X: y\r\n", 0.3] * 60])
    calls.add("json", HOOK, user=ben.user)
    began = time.monotonic()
    calls.deliver()
    assert time.monotonic() - began < 12  # of 18 seconds
    assert Call.objects.get().sent is None
    assert "no whole answer in 0.6 seconds" in Call.objects.get().problem


def test_the_end_of_a_slow_connection_leaves_none_open(ben, endpoint, monkeypatch, recwarn):
    endpoint([b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"])
    assert reach.post(HOOK, "{}", {})[0] == 200
    gc.collect()
    left_open = [str(each.message) for each in recwarn if each.category is ResourceWarning]
    assert [
        each for each in left_open if "unclosed database" not in each
    ] == []  # from Python 3.13 on: other tests' own


def test_retries_grow_and_end_in_three_days_with_the_target_off(ben, monkeypatch):
    monkeypatch.setattr(reach, "post", lambda *_: (500, "sorry"))
    target = calls.add("slack", HOOK, user=ben.user)
    other = calls.add("slack", f"{HOOK}&y=2", user=ben.user)
    Call.objects.filter(target=other).delete()
    waits = []
    for _ in range(len(office.PAUSES) + 1):
        before = timezone.now()
        Call.objects.update(next_try=before)
        assert calls.deliver() == 1
        waits.append(Call.objects.get().next_try)
    target.refresh_from_db()
    assert waits[-1] is None
    assert target.off is not None
    other.refresh_from_db()
    assert (other.problem, other.off) == ("", None), "it was not called"


# ---- devices


def device(url="https://push.example.org/1"):
    """A device with keys of its own, as `own_keys`."""
    key = ec.generate_private_key(ec.SECP256R1())
    point = key.public_key().public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
    words = {"p256dh": point, "auth": b"0123456789abcdef"}
    keys = {name: base64.urlsafe_b64encode(each).decode().rstrip("=") for name, each in words.items()}
    made = Target(sort="push", url=url, keys=keys)
    made.own_keys = key
    return made


def test_a_device_is_told_what_only_it_can_read(game, ann, ben, told, posted, settings, tmp_path):
    mine = device()
    sent = {"endpoint": mine.url, "keys": mine.keys, "name": "Phone"}
    assert ben.post("/settings/elsewhere/device/", sent, "application/json").status_code == 200
    assert ben.post("/settings/elsewhere/device/", sent, "application/json").status_code == 200
    assert Target.objects.count() == 1
    grant(game, "#5", "owner", "Ann")
    assert domain.order(game, "Ann", "trade", {"with": "Ben", "give": {"squares": ["#5"]}, "take": {"money": 30}}).ok
    with live.clock_at(told()):
        calling.call_all()
    while calls.deliver():
        pass
    read = [
        json.loads(
            http_ece.decrypt(body, private_key=mine.own_keys, auth_secret=b"0123456789abcdef", version="aes128gcm")
        )
        for url, body, _ in posted
    ]
    assert [each["title"] for each in read] == ["Nomopoly", "Friday"]
    assert "offer by Ann" in read[1]["body"]
    assert "/g/friday/trades/" in read[1]["url"]
    headers = posted[-1][2]
    assert headers["Content-Encoding"] == "aes128gcm"
    assert headers["Authorization"].startswith("vapid t=")
    assert "Phone" in text(ben.get("/settings/elsewhere/"))


def test_a_device_that_is_gone_is_told_nothing_more(ben, monkeypatch):
    monkeypatch.setattr(reach, "post", lambda *_: (410, ""))
    mine = device()
    made = calls.add("push", mine.url, user=ben.user, keys=mine.keys)
    calls.deliver()
    made.refresh_from_db()
    assert made.off is not None
    assert Call.objects.get().next_try is None


@pytest.mark.parametrize(
    "sent", ["", "[]", "{}", '{"endpoint": "https://a.org/", "keys": {"p256dh": "x", "auth": "y"}}']
)
def test_what_is_no_device_is_told_so(sent, ben):
    answer = ben.post("/settings/elsewhere/device/", sent, "application/json")
    assert answer.status_code == 400
    assert answer.json()["error"]
    assert Client().post("/settings/elsewhere/device/", sent, "application/json").status_code == 303


def test_the_site_can_be_installed_and_opened_without_a_connection(ben):
    manifest = Client().get("/app.webmanifest")
    assert manifest["Content-Type"] == "application/manifest+json"
    assert manifest.json()["display"] == "standalone"
    assert Client().get(manifest.json()["icons"][0]["src"]).status_code == 200
    worker = Client().get("/worker.js")
    assert worker["Content-Type"].startswith("text/javascript")
    assert "No connection" in text(Client().get("/offline/"))
    assert "nomopoly/app.js" in ben.get("/").content.decode()
    assert "nomopoly/app.js" not in Client().get("/").content.decode()


def test_machines_with_the_same_key_of_the_installation_push_with_the_same_key(settings, tmp_path):
    """Each of several machines signs what any of them has promised the browser, and so does a restored site."""
    found = []
    for folder, secret in (("one", "a" * 50), ("two", "a" * 50), ("three", "b" * 50)):
        settings.DATA, settings.SECRET_KEY = tmp_path / folder, secret
        push.key.cache_clear()
        found.append(push.public_key())
        assert len(push.read(found[-1])) == 65
    assert found[0] == found[1] != found[2]


def test_a_site_keeps_the_key_for_pushes_that_it_had(settings, tmp_path):
    old = Vapid02()
    old.generate_keys()
    (tmp_path / "push-key.pem").write_bytes(old.private_pem())
    settings.DATA = tmp_path
    push.key.cache_clear()
    point = old.public_key.public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
    assert push.read(push.public_key()) == point


@pytest.fixture(autouse=True)
def _forget_the_key():
    """No test has the key of another one's settings."""
    yield
    push.key.cache_clear()

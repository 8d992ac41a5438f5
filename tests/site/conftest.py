"""The site under test: a database of its own, games in the real sandbox, mails in a list."""

import os
import tempfile

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "nomopoly.site.settings")
os.environ.setdefault("NOMOPOLY_DATA", tempfile.mkdtemp(prefix="nomopoly-test-"))

import django
import foreign
import pytest
import shared
import testclock

django.setup()

import prepared  # noqa: E402
from django.conf import settings  # noqa: E402
from django.contrib.auth import get_user_model  # noqa: E402
from django.contrib.auth.hashers import make_password  # noqa: E402
from django.core.cache import caches  # noqa: E402
from django.core.management.commands import flush  # noqa: E402
from django.db import connection  # noqa: E402
from django.test import Client, TransactionTestCase, override_settings  # noqa: E402
from pagewords import DAY, FRIDAY, MONDAY, seated, started  # noqa: E402

from nomopoly.demo import make_demo  # noqa: E402
from nomopoly.runtime import interpreters  # noqa: E402
from nomopoly.site import busy, clock, errands  # noqa: E402
from nomopoly.site.middleware import StaticFiles  # noqa: E402
from nomopoly.site.notices import mailing, making  # noqa: E402
from nomopoly.site.play import tryouts  # noqa: E402
from nomopoly.site.post import office  # noqa: E402
from nomopoly.site.tables import domain, live, readings  # noqa: E402

PATIENCE = 120.0
HASHER = "django.contrib.auth.hashers.MD5PasswordHasher"


@pytest.fixture(scope="session", autouse=True)
def quick():
    """Passwords are hashed by a hasher that costs little.

    On PostgreSQL all tables are emptied after each test; the permissions that Django would put back then are used
    nowhere here.
    """
    with pytest.MonkeyPatch.context() as patch, override_settings(PASSWORD_HASHERS=[HASHER]):
        patch.setattr(flush, "emit_post_migrate_signal", lambda *_, **more: None)
        yield


@pytest.fixture(scope="session")
def foreign_files(tmp_path_factory):
    with shared.folder("locale", tmp_path_factory) as (folder, missing):
        if missing:
            foreign.write(folder)
    return folder


@pytest.fixture
def abroad(foreign_files):
    """Everything is said in a language that nobody speaks; abroad(html) -> what is left in English, as
    foreign.untranslated."""
    with foreign.spoken(foreign_files):
        yield foreign.untranslated


@pytest.fixture(scope="session", autouse=True)
def static_files_known():
    """Each test client loads the middleware anew: the files that the site serves as they are are looked for once."""
    look, known = StaticFiles.add_files_from_finders, {}

    def add_files_from_finders(middleware):
        words = (middleware.static_prefix, middleware.max_age, tuple(settings.STATICFILES_DIRS))
        if words not in known:
            look(middleware)
            known[words] = dict(middleware.files)
        middleware.files.update(known[words])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(StaticFiles, "add_files_from_finders", add_files_from_finders)
        yield


class SharedSandbox(interpreters.SharedRuntime):
    """The sandbox as the site has it, in a worker that another test's game of the same rulebook has left as it was."""

    name = "monty"
    small_book = interpreters.monty.SMALL_BOOK  # shared are those that come with the editions


@pytest.fixture(autouse=True)
def shared_sandboxes():
    """To load a rulebook into a worker of its own takes longer than many a test: games of one book use one in turn, as
    scenarios do. Where a rule has changed or broken, or a program has run, nobody else gets the worker.

    For each test of the site, and for no other that the same process runs afterwards.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(interpreters.KINDS, "monty", SharedSandbox)
        yield


@pytest.fixture(scope="session", autouse=True)
def more_spare_sandboxes():
    """Tests of the site go through several rulebooks."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(interpreters.shared, "MOST_SPARE", 6)
        yield


@pytest.fixture(scope="session", autouse=True)
def read_again_at_once():
    """What charts show is read again by the clock itself: a thread of its own holds the game where rows are locked, so
    that the next round passes it by, and is at work still when the tables are emptied after the test."""
    at_once = {readings.recount_aside: readings.recount_all}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clock, "CHORES", tuple((at_once.get(chore, chore), every) for chore, every in clock.CHORES))
        yield


@pytest.fixture(scope="session", autouse=True)
def unhurried():
    """Whatever takes long on a busy machine is waited for here; tests of what is not set the time themselves."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(live, "WAIT", PATIENCE)
        patch.setattr(busy, "WORK_WAIT", PATIENCE)
        patch.setattr(domain, "AT_ONCE_SECONDS", PATIENCE)
        patch.setattr(domain, "CATCH_UP_SECONDS", PATIENCE)
        patch.setattr(errands, "SECONDS_AT_ONCE", PATIENCE)
        patch.setattr(tryouts, "SECONDS", PATIENCE)
        yield


@pytest.fixture(scope="session")
def preparing(django_db_setup, quick):
    """What many tests begin with is made once, see prepared.py. On SQLite, where the empty database is put back too,
    and a connection, which has no state of its own there, serves one test after the other."""
    if connection.vendor != "sqlite":
        yield None
        return
    with pytest.MonkeyPatch.context() as patch:
        prepared.present = prepared.Preparing()
        patch.setattr(flush.Command, "handle", lambda *_, **more: prepared.present.sweep())
        patch.setattr(TransactionTestCase, "_should_reload_connections", lambda test: False)
        yield prepared.present
        prepared.present = None


@pytest.fixture(autouse=True)
def cold(transactional_db, preparing, monkeypatch):
    """No game stays warm, and no throttle stays, from one test to the next."""
    if preparing:
        preparing.begin(monkeypatch)
    else:
        for cache in caches.all():
            cache.clear()
    yield
    live.close_all()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_call(item):
    if prepared.present and "preparing" in item.fixturenames:
        prepared.present.load()
        prepared.present.is_set_up = True


@pytest.fixture(autouse=True)
def post(monkeypatch):
    """Letters go out as soon as they are put in, as with a worker that is quick."""
    monkeypatch.setattr(office, "wake", office.deliver)


@pytest.fixture
def told(monkeypatch):
    """told(): notices are made of all that has happened, and mailed once a quarter of an hour has gone by; the moment
    then."""

    def go(seconds=20 * 60):
        at = live.now() + making.SOON + 1
        with live.clock_at(at):
            while making.look_all():
                pass
        with live.clock_at(at + seconds):
            mailing.mail_all()
        return at + seconds

    return go


@pytest.fixture
def people():
    """people("ann") is a signed-in browser of ann@example.org."""

    def sign_in(name):
        nobodys = {"password": make_password(None)}
        user, _ = get_user_model().objects.get_or_create(email=f"{name}@example.org", defaults=nobodys)
        if not user.emailaddress_set.exists():
            user.emailaddress_set.create(email=user.email, verified=True, primary=True)
        client = Client()
        client.force_login(user, backend="allauth.account.auth_backends.AuthenticationBackend")
        return user, client.cookies

    def browser(name):
        client = Client()
        client.user, client.cookies = prepared.do(("signed in", name), lambda: sign_in(name))
        return client

    return browser


@pytest.fixture
def demos_at(tmp_path_factory):
    """demos_at(moment) makes the four demo games, as they stand at a moment."""

    def make(moment):
        prepared.do(
            ("the demos", moment), lambda: make_demo(moment), lambda name: shared.folder(name, tmp_path_factory)
        )

    return make


@pytest.fixture
def demos(demos_at):
    """The demo games, as they stand at the moment at which each test begins."""
    demos_at(int(testclock.beginning()))


@pytest.fixture
def demos_on_a_friday(demos_at):
    """The demo games on a Friday; it is that moment while a test looks at them."""
    demos_at(FRIDAY)
    with live.clock_at(FRIDAY):
        yield


@pytest.fixture
def keeper(people):
    return people("keeper")


@pytest.fixture
def game(keeper):
    return started(keeper, "original", "friday", title="Friday", since=3600)


@pytest.fixture
def ann(people, game):
    """Ann, a player of the game."""
    return seated(game, people("ann"), "Ann")


@pytest.fixture
def bob(people, game):
    """Bob, a player of the game, with or without Ann."""
    return seated(game, people("bob"), "Bob")


@pytest.fixture
def ben(people, game, ann):
    """Ben, a player of the game beside Ann."""
    return seated(game, people("ben"), "Ben")


@pytest.fixture
def start_second(keeper, people, monkeypatch):
    """start_second("Ann", "Ben") starts a game of edition ii on a Monday morning, in which these play.

    It gives the game, and a function that lets days go by.
    """

    def start(*names, slug="second", edition="ii", at=MONDAY + 9 * 3600, zone="UTC"):
        clock = [at]
        monkeypatch.setattr(live, "now", lambda: clock[0])
        game = started(keeper, edition, slug, title="Second", time_zone=zone)
        for name in names:
            seated(game, people(name.lower()), name)

        def go(days):
            clock[0] += int(days * DAY)
            domain.run_due(game, clock[0])

        return game, go

    return start

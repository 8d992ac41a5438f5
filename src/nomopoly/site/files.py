"""Games of the site as files: writing one out, taking one in."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import TYPE_CHECKING

from nomopoly.errors import CommandError
from nomopoly.languages.spoken import language
from nomopoly.runtime import files
from nomopoly.runtime.host import load_game, take_snapshot
from nomopoly.runtime.journal import MemoryJournal, canonical, read_file
from nomopoly.runtime.protocol import OPERATOR_STOP
from nomopoly.runtime.verify import JournalFile, Verified, verify
from nomopoly.site.serve import bring_up_to_date, looked_at
from nomopoly.site.tables.slugs import check_slug, free_slug

if TYPE_CHECKING:
    from collections.abc import Iterable

    from nomopoly.runtime.host import Game as Running
    from nomopoly.site.accounts.models import User
    from nomopoly.site.shapes import Data
    from nomopoly.site.tables.models import Game


NO_REASON = "no reason was given"  # in the operators' log


def opened(data: Path, new: bool = False) -> None:
    """Set the site up on a data folder that must hold its database already, as this version has it: a database that is
    served is brought up to date by `serve` alone. With `new` a site begins where there is none yet. Raises
    CommandError."""
    looked_at(data)
    from nomopoly.site import health

    form = health.form()
    if form == health.Form.EMPTY and new:
        bring_up_to_date()
    elif form != health.Form.FITS:
        raise CommandError(health.WRONG_FORM[form].format(data=data))


def find(slug: str) -> Game:
    """The game of that address. Raises CommandError."""
    from nomopoly.site.tables.models import Game

    game = Game.objects.filter(slug=slug).first()
    if game is None:
        known = ", ".join(Game.objects.order_by("slug").values_list("slug", flat=True)) or "none"
        raise CommandError(f"there is no game '{slug}': there are {known}")
    return game


def load_game_of(slug: str, data: Path) -> Running:
    """A game of the site, computed from its journal; nothing is written."""
    opened(data)
    from nomopoly.site.tables.journal import DatabaseJournal

    game = find(slug)
    return load_game(DatabaseJournal(game.pk), runtime=game.runtime)


def export_game(slug: str, file: Path, data: Path) -> int:
    """Write a game as one file. Its last secret, from which dice to come are rolled, is not in it."""
    opened(data)
    from nomopoly.site.tables.journal import DatabaseJournal

    game = find(slug)
    count = files.export(DatabaseJournal(game.pk), Path(file))
    print(f"{file}: {count} entries of {game.title}")
    return 0


def import_game(file: Path, slug: str | None, admin: str | None, data: Path, accept_problems: bool = False) -> int:
    """Take a game in from a file that is in order. From then on its dice come from a new secret of this site.

    What the check of proposals finds in its programs is printed; errors keep it out, unless they are accepted.
    """
    check_slug(slug)
    verified = checked(file, file, accept_problems)
    lines = list(read_file(file))
    opened(data, new=True)
    title = lines[0]["args"]["title"]
    game = store(lines, slug or free_slug(title), account(admin) if admin else None)
    print(f"{game.title}: {verified.entries} entries, at {game.address}")
    print("everybody who knows its address can read it, until its Admin changes that")
    tell_what_is_left(game, verified)
    return 0


def tell_what_is_left(game: Game, verified: Verified) -> None:
    """Print what is left to do for a game that has come here and comes to `verified`: its Admin, its start, and the
    links by which players take up their seats."""
    from django.conf import settings

    from nomopoly.site.tables import seats

    stands = next(values for id, _, values in verified.state["things"] if id == "game")
    if stands.get(OPERATOR_STOP) is not None:  # first, since whoever gets the office is named in the log of the game
        print(f"{game.slug} is still stopped: nomopoly resume {game.slug}")
    if game.admin is None and game.office == game.Office.PERSON:
        print(f"{game.slug} has no Admin: nomopoly hand-over {game.slug} ADDRESS")
    for seat in seats.free(game):
        print(f"{seat.player}: {settings.NOMOPOLY_ADDRESS}{seats.link(game, seat)}")


def checked(journal: Path, file: Path, accept_problems: bool) -> Verified:
    """Verify a journal, and print what the check finds in its programs. Returns what it comes to.

    `file` is what messages call it. Raises CommandError where it is not whole, or has errors that are not accepted.
    """
    verified = verify(JournalFile(journal))
    if not verified.whole:
        raise CommandError(f"{file}: this is a copy for one viewer: ask the operator of its site for the whole journal")
    commons = next(iter(read_file(journal)))["args"]["commons"]
    problems = list(files.problems_of(verified, [(name, text) for name, text in commons]))
    for problem in problems:
        print(files.in_one_line(str(problem)))
    errors = sum(problem.level == "error" for problem in problems)
    if errors and not accept_problems:
        raise CommandError(
            f"{file}: the check finds {errors} errors in its programs, so it was not taken in. If you trust "
            "whoever wrote "
            f"them, say --accept-problems"
        )
    return verified


def give_office(slug: str, address: str, data: Path, because: str = "") -> int:
    """Make an account the Admin of a game, without asking anybody; the game's log says so, and the operators' log
    why."""
    opened(data)
    from django.utils.translation import override

    from nomopoly.site.order import operating
    from nomopoly.site.tables import live

    try:
        with override(language()):
            print(operating.give_office(find(slug), address, because or NO_REASON))
    finally:
        live.close_all()
    return 0


def keep_library(words: str, show: str, add: Path | None, accept: str, remove: str, offered: bool, data: Path) -> int:
    """List the library of rules, or change what is in it: one thing at a time."""
    given = {"WORDS": words, "--show": show, "--add": add, "--accept": accept, "--remove": remove, "--offered": offered}
    wanted = ", ".join(name for name, value in given.items() if value)
    if "," in wanted:
        raise CommandError(f"one of these at a time: {wanted}")
    opened(data)
    from nomopoly.site.play import shelf

    if add is not None:
        print(f"{shelf.add(add)} is in the library now")
    elif accept or remove:
        shelf.decide(accept or remove, bool(accept))
        print(f"{accept or remove} is {'in the library now' if accept else 'gone'}")
    elif show:
        entry = shelf.find(show)
        if entry is None:
            raise CommandError(f"there is no rule {show} in the library")
        print(shelf.to_text(entry), end="")
    else:
        listed = [shelf.of_row(row) for row in shelf.offered()] if offered else shelf.entries(words)
        for each in listed:
            print(f"{each.name}: {each.title}\n    {each.about}")
        if not listed:
            print("Nothing.")
    return 0


def operate(slug: str, do: str, because: str, data: Path, not_moved: bool = False) -> int:
    """Stop a game of the site, or let it go on. The operators' log says why.

    `not_moved`: it goes on here though it was written to a file that moves.
    """
    opened(data)
    from nomopoly.site.order import acts, operating
    from nomopoly.site.tables import domain, live, queries

    game = find(slug)
    if do == "stop" and not because.strip():
        raise CommandError("say why with --because: everybody can read it in the game's log")
    if do == "resume" and not not_moved:
        operating.must_not_have_moved(game)
    try:
        outcome = domain.operate(game, do, because if do == "stop" else "")
    finally:
        live.close_all()
    if not outcome.ok:
        raise CommandError(f"{slug}: {queries.refusal_of(outcome)['reason']}")
    acts.note(None, do, f"game {game.slug}", because or NO_REASON)
    print(f"{game.title} {'is stopped' if do == 'stop' else 'goes on'}")
    return 0


def account(email: str) -> User:
    """The account of that address."""
    from django.contrib.auth import get_user_model

    user = get_user_model().objects.filter(email__iexact=email).first()
    if user is None:
        raise CommandError(f"there is no account of {email}: its owner signs up first")
    return user


def store(lines: list[Data], slug: str, admin: User | None) -> Game:
    """Keep the lines of a game as a game of this site, with seats for its players, which nobody holds yet."""
    from django.db import transaction

    from nomopoly.site.tables.lines import catch_up
    from nomopoly.site.tables.models import Game, Membership

    args = lines[0]["args"]
    if Game.objects.filter(slug=slug).exists():
        raise CommandError(f"there is a game '{slug}' already: say another --slug")
    running = load_game(MemoryJournal(lines))
    running.move_in(running.now)
    seats = seats_of(running.view("admin")["things"].values())
    with transaction.atomic():
        game = Game.objects.create(
            slug=slug,
            title=args["title"][:80],
            edition=args["edition"],
            time_zone=args["time_zone"],
            visibility=Game.Visibility.LINK,  # who may have read it where it was, the journal does not say
            admin=admin,
            office=Game.Office.PERSON if admin else office_of(lines),
            secret=running.secret or "",
            vault=running.vault or "",
            over=running.over(),
            invitation=secrets.token_urlsafe(12),
            **columns_of(running),
        )
        keep_lines(game, running)
        for player, status in seats.items():
            Membership.objects.create(game=game, player=player, status=status)
    catch_up(game.pk, running)
    running.runtime.close()
    return game


def office_of(lines: list[Data]) -> str:
    """Who decides, by the lines of a game, what its rules leave to an Admin: who has done so last."""
    from nomopoly.site.tables.models import DECIDERS, Game

    by = next((line["by"] for line in reversed(lines) if line["kind"] == "admin" and line["by"] in DECIDERS), "")
    return DECIDERS.get(by, Game.Office.PERSON)


def seats_of(things: Iterable[Data]) -> dict[str, str]:
    """Who sits in a game whose things these are, or has asked to: {name: the state of the seat}."""
    from nomopoly.runtime.protocol import NEWCOMER
    from nomopoly.site.tables.models import Membership

    states = {"player": Membership.Status.APPROVED, NEWCOMER: Membership.Status.APPROVED}
    states["applicant"] = Membership.Status.ASKED
    found = {each["id"] if each["kind"] == "player" else each.get("name"): each["kind"] for each in things}
    return {name: states[kind] for name, kind in found.items() if kind in states and name}


def columns_of(running: Running) -> Data:
    """When a game that comes here is due, and since when nobody was there for it: columns of its row."""
    from nomopoly.site.tables import life, live

    columns: Data = {"due": running.due(), "moved": running.now}
    if columns["due"] is not None and live.now() - running.now > life.OUTAGE:  # nobody was there since its last entry
        columns |= {"due": min(columns["due"], live.now()), "away_since": running.now, "away_until": live.now()}
    return columns


def keep_lines(game: Game, running: Running) -> None:
    """Store the entries of a game that was computed in memory, and what came of them."""
    import json

    from nomopoly.site.tables.models import Entry, Outcome

    lines = running.journal.lines()
    Entry.objects.bulk_create(
        (Entry(game=game, n=line["n"], line=canonical(line), hash=line["hash"]) for line in lines), 500
    )
    outcomes = running.outcomes.get()
    Outcome.objects.bulk_create((Outcome(game=game, n=n, outcome=json.dumps(each)) for n, each in outcomes), 500)


def put_up(running: Running, slug: str, **columns: object) -> Game:
    """Keep a game that was played in memory as a game of this site, which takes it up where it stands."""
    import json

    from django.db import transaction

    from nomopoly.site.tables.journal import DatabaseBallots
    from nomopoly.site.tables.lines import catch_up
    from nomopoly.site.tables.models import Game, Snapshot

    with transaction.atomic():
        game = Game.objects.create(
            slug=slug,
            title=running.title,
            edition=running.edition,
            time_zone=running.time_zone,
            secret=running.secret or "",
            vault=running.vault or "",
            due=running.due(),
            moved=running.now,
            over=running.over(),
            recount=True,
            **columns,
        )
        keep_lines(game, running)
        for ballot in running.ballots.ballots():
            DatabaseBallots(game.pk).cast(ballot)
        blob = json.dumps(take_snapshot(running), separators=(",", ":")).encode()
        Snapshot.objects.create(game=game, runtime=running.runtime.name, n=running.n, blob=blob)
    catch_up(game.pk, running)
    return game

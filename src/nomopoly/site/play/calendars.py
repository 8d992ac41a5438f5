"""Moments of games as iCalendar files (RFC 5545): what is to come for all, and what falls due for one."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.http import HttpRequest, HttpResponse
from icalendar import Calendar, Event, Timezone, TimezoneStandard

from nomopoly.runtime.calendar import next_occurrence
from nomopoly.site.play import pages, words
from nomopoly.site.tables import answered, live, queries

if TYPE_CHECKING:
    from collections.abc import Iterable

    from nomopoly.site.shapes import Data
    from nomopoly.site.tables.models import Game


MOST = 500  # moments of one game in a calendar: the soonest
AHEAD = 8  # occurrences of what comes every day or week


def public_moments(game: Game) -> list[Any]:
    """What everybody can see coming: [{"at", "what", "uid", "path"}], soonest first."""
    running = live.of(game)
    view = running.view("visitor")
    if view["things"]["game"].get("over"):
        return []
    found = [of_thing(view, each) for each in pages.to_come(view)[:MOST]]
    paused = view["things"]["game"].get("paused")  # what goes by the real calendar goes on all the same
    found += scheduled([each for each in pages.calendar_of(running) if each["real"] or not paused], game.time_zone)
    return sorted(found, key=lambda each: each["at"])


def scheduled(declared: Iterable[Data], zone: str) -> list[Data]:
    """The next times of what the rules do every day or week."""
    found = []
    for each in declared:
        at = live.now()
        for _ in range(AHEAD):
            at = next_occurrence(each, zone, at)
            what = words.name_of_moment(each)
            found.append(
                {
                    "at": at,
                    "what": what[:1].upper() + what[1:],
                    "uid": f"{each['name']}-{at}",
                    "path": f"rules/{each['rule']}/",
                }
            )
    return found


def own_moments(game: Game, player: str) -> list[Any] | list[Data]:
    """What falls due for a player: what waits for them until a moment, and the moments of their own."""
    running = live.of(game)
    view = running.view(player)
    if view["things"]["game"].get("over"):
        return []
    moments = [
        {
            "at": item["until"],
            "what": item["text"][:1].upper() + item["text"][1:],
            "uid": f"{item['path']}-{item['text'].lower()}",
            "path": item["path"],
        }
        for item in answered.left_open(running, player, queries.waiting_for(view, player))
        if item["until"] and item["until"] > live.now()
    ]
    moments += [of_thing(view, each) for each in pages.to_come(view) if each["thing"] == player]
    return sorted(moments, key=lambda each: each["at"])[:MOST]


def of_thing(view: Data, each: Data) -> dict[Any, Any]:
    """A moment of a thing as an entry of the calendar: when, what, its id and its page."""
    id = each["thing"]
    what = each["label"] if id == "game" else f"{words.thing_name(view, id)}: {each['label'].lower()}"
    uid = f"{id}-{each['label']}"
    return {"at": each["at"], "what": what, "uid": uid, "path": words.place_of(view, id) or ""}


def written(request: HttpRequest, title: str, moments: list[Any] | list[tuple[Any, Any]]) -> HttpResponse:
    """The file, as an answer. `moments`: [(game, [moments])]."""
    address = f"{request.scheme}://{request.get_host()}"
    return pages.plain_file(as_file(title, moments, address), "text/calendar; charset=utf-8")


def as_file(title: str, moments: list[tuple[Any, list[Data]]], address: str, method: str = "") -> bytes:
    """The file, as bytes. `moments`: [(game, [moments])]; `address`: that of the site; `method`: PUBLISH in a mail."""
    calendar = Calendar()
    calendar.add("prodid", "-//Nomopoly//Moments of games//EN")
    calendar.add("version", "2.0")
    if method:
        calendar.add("method", method)
    calendar.add("x-wr-calname", plain(title))
    host = address.partition("//")[2]
    for game, its_moments in moments:
        paused = live.of(game).view("visitor")["things"]["game"].get("paused")
        for each in its_moments:
            event = Event()
            name = hashlib.sha256(f"{game.slug} {each['uid']}".encode()).hexdigest()[:32]
            event.add("uid", f"{name}@{host}")
            event.add("dtstamp", datetime.fromtimestamp(live.now(), UTC))
            event.add("dtstart", datetime.fromtimestamp(each["at"], UTC))
            event.add("summary", plain(f"{game.title}: {each['what']}"))
            event.add("url", f"{address}{game.address}{each['path']}")
            event.add("status", "TENTATIVE" if paused else "CONFIRMED")
            event.add("transp", "TRANSPARENT")
            calendar.add_component(event)
    if not calendar.subcomponents:
        calendar.add_component(world_time())
    return calendar.to_ical()


def world_time() -> Timezone:
    """The zone in which all moments are given, for a calendar without any: a file without a part is not valid."""
    part = TimezoneStandard()
    part.add("dtstart", datetime(1970, 1, 1))  # noqa: DTZ001 - of a zone's own time, as the format wants it
    part.add("tzoffsetfrom", timedelta(0))
    part.add("tzoffsetto", timedelta(0))
    zone = Timezone()
    zone.add("tzid", "UTC")
    zone.add_component(part)
    return zone


def plain(text: str) -> str:
    """A text without control characters, which the format does not allow."""
    return "".join(each if each.isprintable() else " " for each in text)

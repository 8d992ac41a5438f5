"""All that waits at the desk in one list, oldest first: each with the card that shows it, since when it waits, and its
rule."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from nomopoly.site.desk import tasks
from nomopoly.site.order import complaints
from nomopoly.site.play import implement, words
from nomopoly.site.play.views.forum import place_of
from nomopoly.site.tables import judging, live, office, queries

if TYPE_CHECKING:
    from nomopoly.site.door import Seat
    from nomopoly.site.play.models import Comment
    from nomopoly.site.shapes import Data


def all_of(seat: Seat, acts: list[Data]) -> list[Data]:
    """The tasks of a desk, oldest first: [{"card" (a template), "at" (seconds since 1970), "rule", and what the card
    shows}]."""
    rules = {act["id"]: act["rule"] for act in acts}
    broken = seat.game.open_faults
    entries = {each["n"]: each for each in seat.live.facts("admin").where(n=[fault.n for fault in broken if fault.n])}
    found: list[Data] = [
        {
            "card": "fault",
            "at": seconds(fault.created),
            "rule": "",
            "fault": fault,
            "ran_once": words.proposal_of(fault.rule),
            "number": entries[fault.n]["number"] if fault.n in entries else None,
            "begun_by": begun_by(seat, entries.get(fault.n), fault.rule),
        }
        for fault in broken
    ]
    found += [
        {"card": "applicant", "at": seconds(each.asked), "rule": rules.get("approve-player", ""), "seat_asked": each}
        for each in queries.applicants(seat.game)
    ]
    for each in queries.to_judge(seat.view):
        ways = judging.ways(acts, each["id"])
        yes = ways[judging.IMPLEMENTS] or ways[judging.ACCEPTS]
        about: Data = {"rule": "", "refusal": None}
        if yes is not None:
            about = {"rule": yes["rule"], "refusal": implement.refusal(seat, yes, each["id"])}
        found.append({"card": "proposal", "at": queries.moment_in(each, "made_at"), "proposal": each, **about, **ways})
    found += [{"card": "act", "at": since(seat, each), "rule": "", "task": each} for each in tasks.waiting(seat, acts)]
    found += [
        {
            "card": "reported",
            "at": seconds(said.written),
            "rule": "",
            "said": said,
            "place": place_of(seat, said),
            "reasons": reasons_of(said),
        }
        for said in queries.reported(seat.game)
    ]
    found += [
        {"card": "complaint", "at": seconds(each.made), "rule": "", "report": each, "about": complaints.shown(each)}
        for each in complaints.waiting(seat.game)
    ]
    found += [task | {"card": task["sort"]} for task in office.tasks(seat.game)]
    return [task | {"template": f"desk/_{task['card']}.html"} for task in sorted(found, key=lambda task: task["at"])]


def begun_by(seat: Seat, entry: Data | None, broken: str) -> str:
    """The rule that declares what was being carried out when another one broke, where it is the newer one of the two:
    the slip may well be there. "" where it is not."""
    if entry is None or not entry["do"]:
        return ""
    since = {each["id"]: each["since"] for each in seat.live.records()}
    declares = seat.live.declares()
    declaring = [id for id, of in declares.items() if entry["do"] in (*of.get("events", ()), *of.get("actions", ()))]
    newer = [id for id in declaring if since.get(id, 0) > since.get(broken, since.get(id, 0))]
    return newer[0] if newer and broken not in declaring else ""


def seconds(moment: datetime) -> int:
    """A moment as seconds since 1970."""
    return int(moment.timestamp())


def reasons_of(said: Comment) -> list[Any]:
    """The reasons given with the reports, without the names of those who reported."""
    return [each for each in said.reports.filter(settled=False).values_list("because", flat=True) if each]


def since(seat: Seat, task: Data) -> int:
    """Since when a thing waits: the moment of its post, or of the entry in which it came into being."""
    if task["post"] is not None:
        return task["post"]["entry"]["at"]
    entries = seat.live.facts("admin").having(f"about:{task['id']}")
    made = (entry["at"] for entry in entries if any(change[0] == task["id"] for change in entry["changes"]))
    return next(made, live.now())

"""What waits for the Admin beside what the rules declare: questions asked of entries, names that players have given,
and players whom the rules will soon take out of the game. Each is {"sort", "at" (seconds since 1970), "text", "rule"}
and what its card shows.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from django.apps import apps
from django.utils.translation import gettext, ngettext

from nomopoly.site.tables import live

if TYPE_CHECKING:
    from nomopoly.site.shapes import Data
    from nomopoly.site.tables.models import Game


ADMIN = "The Admin"  # as who the Admin speaks
DAY = 86_400


def tasks(game: Game) -> list[Any]:
    """All of them, oldest first; nothing in a game that is over."""
    if live.of(game).view("admin")["things"].get("game", {}).get("over"):
        return []
    return sorted([*questions(game), *names(game), *leaving(game)], key=lambda task: task["at"])


def questions(game: Game) -> Iterator[dict[Any, Any]]:
    """The entries of which something was asked last, and not by the Admin: who answers takes the task away."""
    said: Data = {}
    comments = apps.get_model("play", "Comment").objects.filter(game=game, deleted=False, hidden=False)
    for comment in comments.filter(about__startswith="entry-").order_by("written", "pk"):
        said.setdefault(comment.about, []).append(comment)
    asked = {int(about.removeprefix("entry-")): talk[-1] for about, talk in said.items() if talk[-1].name != ADMIN}
    if not asked:
        return
    for entry in live.of(game).facts("admin").where(n=list(asked)):
        if entry["number"] is not None:
            last = asked[entry["n"]]
            at = int(last.written.timestamp())
            about = {"entry": entry, "question": last, "path": f"log/{entry['number']}/#talk"}
            yield {
                "sort": "question",
                "at": at,
                "text": gettext("a question about entry %(number)s") % {"number": entry["number"]},
                "rule": "",
            } | about


def names(game: Game) -> Iterator[dict[Any, Any]]:
    """The names that players have chosen since the Admin last looked at them, as one task; nothing if there are
    none."""
    seen = apps.get_model("desk", "NamesSeen").objects.filter(game=game).values_list("n", flat=True).first() or 0
    view, given = live.of(game).view("admin"), live.of(game).read_on("names", "admin", seen + 1, note_names)
    standing = [each for each in given.values() if view["things"].get(each["id"], {}).get("name") == each["name"]]
    standing = [
        each for each in standing if owner_of(view, each["id"])
    ]  # what rules call things of their own is theirs
    if standing:
        judged = judged_anyway(game)
        standing = [each for each in standing if view["things"][each["id"]]["kind"] not in judged]
    if standing:
        kinds = {view["things"][each["id"]]["kind"] for each in standing}
        rules = [each["rule"] for kind in kinds for each in view["schema"].get(kind, ()) if each["name"] == "name"]
        yield {
            "sort": "names",
            "at": standing[0]["entry"]["at"],
            "text": ngettext("a name to look at", "%(many)s names to look at", len(standing)) % {"many": len(standing)},
            "rule": next(iter(rules), ""),
            "names": standing,
            "upto": live.of(game).n,
        }


def note_names(given: Data, entry: Data) -> None:
    """Take down the names that an entry gives: {thing: its last one}."""
    if entry["kind"] in ("open", "admin") or entry["struck"]:
        return
    for id, attribute, before, after in entry["changes"]:
        if attribute == "name" and isinstance(after, str) and after and before != after:
            given.pop(id, None)
            given[id] = {"id": id, "name": after, "entry": entry}


def owner_of(view: Data, id: str) -> str | None:
    """The player whose a thing is, or None."""
    owner = view["things"][id].get("owner")
    return owner if view["things"].get(owner, {}).get("kind") == "player" else None


def judged_anyway(game: Game) -> set[Any]:
    """The kinds of things that acts of the desk are about by the rules' own declaration (`task`): their names are seen
    there."""
    acts = [act for act in live.of(game).actions("admin", untried=True) if act["task"]]
    return {field["kind"] for act in acts for field in act["fields"] if field["type"] == "thing"}


def looked_at_names(game: Game, n: int) -> None:
    """The Admin has looked at the names that were given up to entry n."""
    apps.get_model("desk", "NamesSeen").objects.update_or_create(game=game, defaults={"n": n})


def leaving(game: Game) -> Iterator[dict[Any, Any]]:
    """The players whom the rules take out of the game so soon that they are warned."""
    rule = live.of(game).describe()["values"].get("leaves_at", "")
    for player, (moment, stages, _) in live.of(game).leaving().items():
        first = moment - max(stages, default=0) * DAY
        if first <= live.now() < moment:
            about = {"player": player, "until": moment}
            yield {
                "sort": "leaving",
                "at": first,
                "text": gettext("%(player)s is about to be removed") % {"player": player},
                "rule": rule,
            } | about

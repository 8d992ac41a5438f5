"""One thing of a kind whose things have pages of their own by its rules, as a dispute has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from nomopoly.site.door import seated
from nomopoly.site.play import loglines, pages, uncomputed, words

if TYPE_CHECKING:
    from nomopoly.site.door import Seat
    from nomopoly.site.shapes import Data


A_PAGE = 25


@require_safe
@seated("rules")
def thing(request: HttpRequest, seat: Seat, id: str) -> HttpResponse:
    """The page of a thing: what the rules say of it, what the viewer can do about it, and what has come of it."""
    found = seat.view["things"].get(id)
    if found is None or not words.has_page(seat.view, found["kind"]):
        raise Http404(_("There is nothing called %(id)s that has a page here.") % {"id": id})
    schema = seat.view["schema"].get(found["kind"], [])
    shown = uncomputed.named_in(seat, found)
    facts = [(each, shown[each["name"]]) for each in schema if each["label"] and each["name"] in found]
    kind = seat.live.describe()["kinds"].get(found["kind"], found["kind"])
    called = words.thing_name(seat.view, id)
    page = Paginator(loglines.about(seat, id)[::-1], A_PAGE).get_page(request.GET.get("page"))
    return pages.show(
        seat,
        "play/thing.html",
        about=found,
        called=f"{kind} {called}" if called.startswith(id) else called[:1].upper() + called[1:],
        section=schema[0]["section"] if schema else "",
        facts=[fact for fact in facts if not pages.says_nothing(fact[1])],
        others=[fact for fact in facts if pages.says_nothing(fact[1])],
        acts=acts_about(seat, id),
        lines=loglines.lines(seat, list(page)),
        page=page,
    )


def acts_about(seat: Seat, id: str) -> list[Data]:
    """What the viewer can do about a thing, as links to forms in which it is chosen: [{"label", "path"}]."""
    if seat.role not in ("player", "admin"):
        return []
    below = "admin" if seat.role == "admin" else "act"
    found: list[Any] = []
    for action in seat.live.actions(seat.viewer):
        about = next((each for each in action["fields"] if id in [choice["id"] for choice in each["choices"]]), None)
        if about and action["possible"] and not action["hidden"] and action["desk"] == (seat.role == "admin"):
            path = f"{below}/{action['id']}/?{urlencode({about['name']: id})}"
            found.append({"label": action["label"], "path": path})
    return found

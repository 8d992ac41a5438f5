"""The words of a game: all that its rules can say, as a page to search and to jump to."""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from typing import TYPE_CHECKING, Any

from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_safe

from nomopoly.rulebook.words import SORTS, search, words_of
from nomopoly.site.busy import work
from nomopoly.site.door import seated
from nomopoly.site.play import pages
from nomopoly.site.play.words import MARKDOWN
from nomopoly.site.said import docstring

if TYPE_CHECKING:
    from nomopoly.site.door import Seat
    from nomopoly.site.shapes import Data


A_PAGE = 80  # words that are explained on one page: on a phone some 50 kB
LONGEST = 100  # characters of what is looked for
IN_PANEL = 30  # words that the panel beside an editor shows
KEYWORDS = ("and", "def", "elif", "else", "for", "if", "in", "not", "or", "return", "False", "None", "True")


def entries(seat: Seat) -> list[Data]:
    """The list of words of this game's rulebook; it is made once for each form of the book."""
    records, commons = seat.live.ask(lambda game: (game.records(), game.commons()))
    with work():
        return words_of(records, commons)


@require_safe
@seated("rules")
def words(request: HttpRequest, seat: Seat) -> HttpResponse:
    """The words by name, each leading to a page that explains it; or those of one sort (`sort`), or of a search
    (`q`)."""
    wanted, sort = request.GET.get("q", "").strip()[:LONGEST], request.GET.get("sort", "")
    if "panel" in request.GET:
        return render(request, "play/_word_list.html", panel(seat, wanted))
    every = placed(entries(seat))
    if wanted:
        matching = search(every, wanted)
    else:
        matching = [each for each in every if each["sort"] == sort]
    page = Paginator(matching, A_PAGE).get_page(request.GET.get("page")) if wanted or matching else None
    return pages.show(
        seat,
        "play/words.html",
        q=wanted,
        chosen=sort if matching and not wanted else "",
        found=len(matching),
        page=page,
        explained=[
            (sort, docstring(SORTS[sort]), [shown(each) for each in listed]) for sort, listed in by_sort(page or ())
        ],
        contents=[(sort, docstring(SORTS[sort]), list(listed)) for sort, listed in by_sort(every)],
    )


def by_sort(found: Page[Data] | tuple[()] | list[Data]) -> groupby[Any, Any]:
    """Entries by their sorts, in their order."""
    return groupby(found, key=lambda each: each["sort"])


def placed(every: list[Data]) -> list[Any]:
    """The entries, each with its place: `anchor` on a page, and `at`, the number of that page among those of its
    sort."""
    found = []
    seen: Counter[str] = Counter()
    for _, listed in by_sort(every):
        for at, each in enumerate(listed):
            anchor = f"{each['sort']}-{each['name']}"
            seen[anchor] += 1  # kinds of things may have attributes of one name
            more = {"anchor": anchor if seen[anchor] == 1 else f"{anchor}-{seen[anchor]}", "at": at // A_PAGE + 1}
            found.append(each | more)
    return found


def shown(each: Data) -> dict[Any, Any]:
    """An entry as a page tells it, and whether a rule declares it."""
    made = each["by"] != "kernel" and not each["by"].startswith("commons/")
    told = mark_safe(MARKDOWN.renderInline(docstring(each["text"])))
    return each | {"rule": made, "text": told}


def panel(seat: Seat, wanted: str) -> dict[Any, Any]:
    """What the panel of words beside an editor shows: those that hold what is looked for, names that begin with it
    first."""
    wanted = wanted.strip()[:LONGEST]
    every = entries(seat)
    found = search(every, wanted) if wanted else []
    found.sort(key=lambda each: (not each["name"].casefold().startswith(wanted.casefold()),))
    sorts = [(docstring(SORTS[sort]), sum(each["sort"] == sort for each in every)) for sort in SORTS]
    return {
        "word_q": wanted,
        "word_found": [shown(each) | {"called": docstring(SORTS[each["sort"]])} for each in found[:IN_PANEL]],
        "word_many": len(found),
        "word_sorts": sorts,
        "game": seat.game,
    }


@require_safe
@seated("rules")
def word_list(request: HttpRequest, seat: Seat) -> JsonResponse:
    """All words with what they take and what they are, for an editor to offer while one types."""
    listed = [{"label": word, "type": "keyword", "detail": "", "info": ""} for word in KEYWORDS]
    for each in entries(seat):
        name = each["name"].removeprefix("e.")
        made = {
            "label": name,
            "type": each["sort"],
            "detail": each["takes"],
            "info": f"{docstring(each['text'])}\n{each['example']}",
        }
        listed.append(made)
    answer = JsonResponse({"words": listed})
    answer["Cache-Control"] = "private, no-store"
    return answer

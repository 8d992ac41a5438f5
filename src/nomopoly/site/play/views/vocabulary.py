"""The words of a game: all that its rules can say, as a page to search and to jump to."""

from itertools import groupby

from django.utils.safestring import mark_safe
from django.views.decorators.http import require_safe

from nomopoly.rulebook.words import SORTS, search, words_of
from nomopoly.site.busy import work
from nomopoly.site.door import seated
from nomopoly.site.play import pages
from nomopoly.site.play.words import MARKDOWN

LONGEST = 100  # characters of what is looked for


def entries(seat):
    """The list of words of this game's rulebook; it is made once for each form of the book."""
    records, commons = seat.live.ask(lambda game: (game.records(), game.commons()))
    with work():
        return words_of(records, commons)


@require_safe
@seated("rules")
def words(request, seat):
    wanted = request.GET.get("q", "").strip()[:LONGEST]
    every = entries(seat)
    found = search(every, wanted) if wanted else every
    return pages.show(
        seat,
        "play/words.html",
        q=wanted,
        found=len(found),
        names=sorted({each["name"] for each in every}),
        groups=[
            (sort, SORTS[sort], [shown(each) for each in listed])
            for sort, listed in groupby(found, key=lambda each: each["sort"])
        ],
    )


def shown(each):
    """An entry with its place on the page, and whether a rule declares it."""
    made = each["by"] != "kernel" and not each["by"].startswith("commons/")
    told = mark_safe(MARKDOWN.renderInline(each["text"]))
    return each | {"anchor": f"{each['sort']}-{each['name']}", "rule": made, "text": told}

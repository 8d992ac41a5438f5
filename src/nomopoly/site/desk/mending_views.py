"""The page on which the Admin mends the typos of a proposal."""

from django.utils.translation import gettext as _

from nomopoly.site import once
from nomopoly.site.desk import mending
from nomopoly.site.door import seated
from nomopoly.site.play import pages
from nomopoly.site.play.views.proposals import find


@seated("proposals", signed_in=True)
def mend(request, seat, number):
    """The words of a proposal in a form, and kept as they are sent."""
    seat.need_admin()
    proposal = find(seat, number)
    now = mending.of(seat.game, proposal) or mending.words_of(proposal)
    words = {
        name: request.POST.get(name, now[name]).replace("\r\n", "\n").strip() if request.method == "POST" else now[name]
        for name in ("title", "text")
    }
    page = f"{seat.game.address}proposals/{number}/"

    def draw(refusal=None):
        parts = {"proposal": proposal, "words": words, "written": mending.words_of(proposal), "refusal": refusal}
        return pages.show(seat, "desk/mend.html", **parts)

    def go():
        if refusal := mending.refusal(proposal, **words):
            return draw(refusal)
        mending.mend(seat.game, proposal, **words)
        return once.Done(_("The words are mended. What was written stays readable beside them."), page)

    return once.send(request, go) if request.method == "POST" else draw()

"""What visitors may want to know about the operator of the site: privacy, terms, contact, and where to report a
weakness.

Each page is prose of ours, which says what the program does, and prose of the operator's: `pages/privacy.md`,
`pages/terms.md` and `pages/contact.md` in the data folder (Markdown). NOMOPOLY_CONTACT is an address of mail or a page,
NOMOPOLY_OPERATOR a name.
"""

from __future__ import annotations

import datetime

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from nomopoly.site.play import words

PAGES = {"privacy": gettext_lazy("Privacy"), "terms": gettext_lazy("Terms"), "contact": gettext_lazy("Contact")}
LONGEST = 100_000  # characters of a page
MONTHS_VALID = 6


def own_words(name: str) -> str:
    """What the operator has written for a page, as safe markup; "" if they have not."""
    path = settings.DATA / "pages" / f"{name}.md"
    try:
        return words.markdown(path.read_text("utf-8")[:LONGEST])
    except (OSError, UnicodeDecodeError):
        return ""


def missing() -> list[str]:
    """What the operator has not filled in yet: [name of a page]."""
    found = [name for name in ("privacy", "terms") if not own_words(name)]
    return found + ([] if settings.NOMOPOLY_CONTACT or own_words("contact") else ["contact"])


def contact_uri() -> str:
    """The operator's contact address as a URI; "" if none is set."""
    contact = settings.NOMOPOLY_CONTACT
    return contact if not contact or ":" in contact else f"mailto:{contact}"


@require_safe
def page(request: HttpRequest, name: str) -> HttpResponse:
    """One of the three pages."""
    context = {"name": name, "heading": PAGES[name], "own": own_words(name), "operator": settings.NOMOPOLY_OPERATOR}
    context |= {"contact": settings.NOMOPOLY_CONTACT, "contact_uri": contact_uri(), "site": settings.NOMOPOLY_ADDRESS}
    return render(request, f"order/{name}.html", context)


@require_safe
def security_txt(request: HttpRequest) -> HttpResponse:
    """RFC 9116: where to report a weakness. Not found as long as the operator has set no contact."""
    if not contact_uri():
        raise Http404("The operator has not said where to write to.")
    lines = [
        f"Contact: {contact_uri()}",
        f"Expires: {expires(timezone.now()):%Y-%m-%dT00:00:00Z}",
        "Preferred-Languages: en",
        f"Canonical: {settings.NOMOPOLY_ADDRESS}/.well-known/security.txt",
        f"Policy: {settings.NOMOPOLY_ADDRESS}/contact/",
    ]
    return HttpResponse("\n".join(lines) + "\n", "text/plain; charset=utf-8")


def expires(now: datetime.datetime) -> datetime.date:
    """The first of the month half a year from now: renewed by itself for as long as the site runs."""
    months = now.year * 12 + now.month - 1 + MONTHS_VALID
    return datetime.date(months // 12, months % 12 + 1, 1)

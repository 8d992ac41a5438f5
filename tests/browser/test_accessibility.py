"""Every page that links lead to, as a visitor, a player and the Admin meet it: checked by axe against WCAG 2.2 AA,
and for the contrast of its dark form."""

import re
from urllib.parse import unquote, urlsplit

import pytest
from page_faults import too_faint_in_the_dark, wrong_by_axe

DEMO = True
NO_PAGE = re.compile(r"\.(md|json|csv|ics|atom|gz|txt)$|/export/|/account/logout/|/api/v1/")
RUNS = [("admin", "demo"), ("player", "demo-ii")]
NOT_FOR_ALL = ("/g/demo/act/",)  # the menu is the same for everybody, and the Admin, who does not play, is told so
MOST = 140  # pages of one run; there are fewer kinds


@pytest.fixture(scope="module")
def people(site):
    """Who can sign in: the Admin of the demo games, and the player who has Ann's seat in the one of edition ii."""
    return site.prepare("""
        player, admin = account("pat@example.org"), account("keeper@example.org")
        Membership.objects.create(game=Game.objects.get(slug="demo-ii"), user=player, player="Ann", status="approved")
        Game.objects.filter(demo=True).update(admin=admin)
        result = {"player": signed_in(player), "admin": signed_in(admin)}
    """)


def kind_of(address: str) -> str:
    """Addresses that differ in a number or a name alone lead to pages of one kind; so do the forms of a game with
    many."""
    path = re.sub(r"(/players/|/squares/|/sections/|demo-[iv]+/act/)[^/]+", r"\1*", urlsplit(address).path)
    path = re.sub(r"^/g/[^/]+", "/g/*", path)
    path = re.sub(r"/rules/(?!history/|diff/)[^/].*", "/rules/*", path)
    return re.sub(r"\d+", "*", path)


def crawl(page, start: str, seen: set[str]):
    """Every kind of page not seen yet that can be reached below an address, opened one after the other: their
    addresses."""
    waiting = [start]
    while waiting:
        address = waiting.pop(0)
        response = page.goto(address)
        assert response is not None, address
        if response.status == 403 and address in NOT_FOR_ALL:
            seen.discard(kind_of(address))  # who may see it shall
            continue
        assert response.status == 200, f"{address}: {response.status}"
        assert "text/html" in response.headers.get("content-type", ""), f"{address} is no page: say so in NO_PAGE"
        yield address
        links = page.eval_on_selector_all(
            "a[href]", "all => all.map(each => new URL(each.getAttribute('href'), location).href)"
        )
        for link in links:
            parts = urlsplit(link)
            inside = parts.netloc == urlsplit(page.url).netloc
            below = not parts.path.startswith("/g/") or parts.path.startswith(start)
            if inside and below and not NO_PAGE.search(parts.path) and kind_of(link) not in seen:
                seen.add(kind_of(link))
                assert len(seen) < MOST, f"so many kinds of pages? {sorted(seen)}"
                waiting.append(unquote(parts.path) + (f"?{parts.query}" if parts.query else ""))


def test_pages_are_accessible(people, page_of):
    seen: set[str] = set()
    wrong = {}
    for who, slug in RUNS:
        page = page_of(people[who], bypass_csp=True)
        for address in crawl(page, f"/g/{slug}/", seen):
            found = wrong_by_axe(page) + too_faint_in_the_dark(page)
            if found:
                wrong[address] = found
    assert len(seen) > 30, sorted(seen)
    assert kind_of("/g/demo-ii/act/") in seen, "only a player sees it"
    assert not wrong, "\n".join(f"{address}\n  " + "\n  ".join(found) for address, found in wrong.items())

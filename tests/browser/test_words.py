"""The words of a game in a browser: from the form to the list, searching, and jumping to a word, on a desk and on a
phone."""

import pytest
from page_faults import too_wide
from playwright.sync_api import expect


@pytest.fixture(scope="module")
def ann(site):
    return site.prepare("""
        admin, ann = account("admin@example.org"), account("ann@example.org")
        game = domain.start_game(admin, edition="original", title="The words", slug="words")
        domain.ask_to_join(game, ann, "Ann")
        domain.desk_act(game, "approve-player", {"player": "Ann"})
        result = signed_in(ann)
    """)


@pytest.mark.parametrize("width", [1280, 360])
def test_from_the_form_to_a_word(ann, page_of, width):
    page = page_of(ann, width)
    page.goto("/g/words/proposals/new/?door=program")
    page.click(".word-panel a[href='/g/words/words/']")
    expect(page.locator("h1")).to_have_text("Words of this game")
    assert too_wide(page) <= 0
    page.fill("#q", "market value")
    page.press("#q", "Enter")
    expect(page.locator("[id='value-market_value']")).to_be_visible()
    expect(page.locator("[id='event-land']")).to_have_count(0)
    page.click("[role=status] a")
    page.goto("/g/words/words/#event-land")
    expect(page.locator("[id='event-land']")).to_be_in_viewport()
    page.click("a[id='event-land']")
    expect(page.locator("tr[id='event-land']")).to_be_in_viewport()
    assert too_wide(page) <= 0
    page.click("tr[id='event-land'] a")
    expect(page).to_have_url(page.url.split("/g/")[0] + "/g/words/rules/VII.1/")

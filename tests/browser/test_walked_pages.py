"""What people stumbled over on a phone: each measured in the browser."""

import pytest
from page_faults import too_wide, with_large_text


@pytest.fixture(scope="module")
def walked(site):
    return site.prepare("""
        admin, pat = account("keeper@example.org"), account("pat@example.org")
        game = domain.start_game(admin, edition="original", title="A title of some length", slug="walked")
        domain.ask_to_join(game, pat, "Pat")
        domain.desk_act(game, "approve-player", {"player": "Pat"})
        assert domain.order(game, "Pat", "propose", {"title": "Rent", "text": "Words."}).ok
        n = next(each["n"] for each in live.of(game).facts("admin") if each["do"] == "propose")
        because = "It was meant for another game, as everybody agreed."
        assert domain.strike(game, n, because, live.of(game).strike_preview(n)["hash"]).ok
        result = signed_in(pat)
    """)


def test_the_reason_of_a_strike_has_the_width_of_the_text(walked, page_of):
    page = page_of(walked, 360)
    page.goto("/g/walked/log/")
    reason = page.locator(".entry.struck .field-error")
    assert "as everybody agreed" in reason.inner_text()
    text = page.locator(".entry.struck .entry-text").bounding_box()
    assert reason.bounding_box()["width"] > 0.9 * text["width"] > 200
    assert reason.bounding_box()["x"] == text["x"]


@pytest.mark.parametrize("width", [320, 360])
@pytest.mark.parametrize("path", ["", "rules/", "proposals/", "forum/", "log/"])
def test_the_names_of_tabs_do_not_run_over_each_other(walked, page_of, width, path):
    page = page_of(walked, width)
    page.goto(f"/g/walked/{path}")
    assert too_wide(page) <= 0
    apart_from_each_other(page)
    with_large_text(page)
    apart_from_each_other(page)
    page.locator("#more summary").click()
    right = "Math.max(...[...document.querySelectorAll('.more-list, .more-list a')].map((each) => each.getBoundingClientRect().right))"
    assert page.evaluate(right) <= width


def apart_from_each_other(page):
    boxes = page.evaluate("""() => [...document.querySelectorAll("nav a, nav summary")].filter((each) => each.checkVisibility())
        .map((each) => { const range = document.createRange(); range.selectNodeContents(each);
            const { left, right, top, bottom } = range.getBoundingClientRect(); return [left, right, top, bottom]; })""")
    boxes = [box for box in boxes if box[1] > box[0]]
    assert len(boxes) > 5
    for at, (left, right, top, bottom) in enumerate(boxes):
        for other in boxes[at + 1 :]:
            apart = right <= other[0] + 1 or other[1] <= left + 1 or bottom <= other[2] + 1 or other[3] <= top + 1
            assert apart, (boxes[at], other)


@pytest.mark.parametrize("address", ["/g/walked/", "/g/walked/rules/", "/games/", "/settings/keys/", "/settings/"])
def test_the_longer_words_of_german_fit_on_a_phone_with_large_text(walked, page_of, address):
    page = page_of(walked, 360, locale="de-DE")
    page.goto(address)
    assert page.locator("html").get_attribute("lang") == "de"
    badge = """each => each.insertAdjacentHTML("beforeend", ' <span class="count">15</span>')"""
    page.eval_on_selector(".site-nav a[href='/me/notices/']", badge)
    with_large_text(page)
    assert too_wide(page) <= 0

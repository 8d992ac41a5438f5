"""Pages as they are printed: the game is named on them, and what can only be pressed is not."""

import pytest


@pytest.fixture(scope="module")
def ann(site):
    return site.prepare("""
        admin, ann = account("keeper@example.org"), account("ann@example.org")
        game = domain.start_game(admin, edition="mail", title="Post", slug="post")
        domain.ask_to_join(game, ann, "Ann")
        domain.desk_act(game, "approve-player", {"player": "Ann"})
        result = signed_in(ann)
    """)


def test_a_printed_page_says_of_which_game_it_is_and_has_nothing_to_press(ann, page_of):
    page = page_of(ann, width=1000)
    for path in ("", "rules/", "log/", "players/Ann/account/", "board/table/"):
        page.goto(f"/g/post/{path}")
        page.emulate_media(media="print")
        assert page.locator(".game-title").inner_text().startswith("Post")
        pressed = page.locator(
            "button, .btn, .filters, .board-tools, .game-menu, .site-nav, footer, .show-me, .log .tag"
        ).all()
        assert not [each.inner_text() for each in pressed if each.is_visible()], path
        page.emulate_media(media="screen")


def test_a_wide_table_is_printed_whole(ann, page_of):
    page = page_of(ann, width=700)
    page.goto("/g/post/board/table/")
    page.emulate_media(media="print")
    assert page.locator(".scroll").first.evaluate("each => getComputedStyle(each).overflowX") == "visible"

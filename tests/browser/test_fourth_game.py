"""A game of edition iv in a browser: a fort is attacked from its square and from the dock, an item used up, a proposal
retracted, another refused by the Admin, an entry struck, and the game left; on a phone, partly without scripts."""

import re

import pytest
from page_faults import too_wide
from playwright.sync_api import expect

AT = "/g/forts"
PHONE = 360
RAW = re.compile(r"\b(?:fort|warrior)-\d|\b[a-z]+_[a-z]+\b|\{\w+\}")


@pytest.fixture(scope="module")
def table(site):
    """Ann has a fort and two warriors on #5 and a banana, Ben a fort on #6; Cid's proposal is accepted."""
    return site.prepare("""
        import time
        from django.db import transaction
        from nomopoly.site.tables import life
        now, moment = int(time.time()), [int(time.time()) - 7 * 86400]
        live.now = lambda: moment[0]
        life.sign = lambda moment: None  # the site has not been away since then
        banana = 'def home(e):\\n    jump(e.who, square(1))\\n\\n\\nitem("banana", "Banana", usable=True, effect=home)\\n'
        with transaction.atomic():  # the server's clock does nothing in the game before it is ready
            admin = account("admin@example.org")
            game = domain.start_game(admin, edition="iv", title="Forts", slug="forts", at=moment[0])

            def order(who, action, **said):
                outcome = domain.order(game, who, action, said)
                assert outcome.ok, outcome

            def act(name, **said):
                outcome = domain.desk_act(game, name, said)
                assert outcome.ok, outcome

            sessions = {"admin": signed_in(admin)}
            for name in ("Ann", "Ben", "Cid"):
                user = account(f"{name.lower()}@example.org")
                sessions[name.lower()] = signed_in(user)
                assert domain.ask_to_join(game, user, name).ok
                act("approve-player", player=name)
            order("Cid", "propose", title="Tower", text="A tower that shoots far.")
            order("Ann", "propose", title="Fruit", changes=[{"enact": "5.3/banana", "text": "Banana.", "code": banana}])
            for name in ("Ann", "Ben"):
                order(name, "vote", on="P1", choice="yes")
                order(name, "vote", on="P2", choice="yes")
            moment[0] += 5 * 86400 + 1
            domain.run_due(game, moment[0])
            act("implement", on="P2")
            for name, square, fort in (("Ann", "#5", "fort-1"), ("Ben", "#6", "fort-2")):
                act("grant", thing=name, attribute="square", value=square, because="To play.")
                order(name, "build", building="fort")
                order(name, "command-recruit-warrior", unit=fort)
            moment[0] = now
            domain.run_due(game, now)
            act("grant", thing="Ann", attribute="items", value=["banana"], because="To play.")
        result = sessions
    """)


def words(page):
    """What stands on a page, which is no wider than it, and says nothing as programs do."""
    assert too_wide(page) <= 0, page.url
    said = page.locator("main").inner_text()
    assert not RAW.search(said), RAW.search(said)
    return said


def test_a_fort_is_attacked_from_its_square_without_scripts(table, page_of):
    page = page_of(table["ann"], PHONE, java_script_enabled=False)
    page.goto(f"{AT}/squares/6/")
    assert "Attack: fort 2, of Ben" in words(page)
    page.get_by_role("link", name="Attack: fort 2, of Ben").click()
    expect(page.get_by_label("Target")).to_have_value("fort-2")
    expect(page.get_by_label("With")).to_have_value("warrior-1")
    page.get_by_role("button", name="Attack…").click()
    assert "Attack with warrior 1: fort 2?" in words(page)
    assert "This rolls dice" in words(page)
    page.get_by_role("button", name="Attack", exact=True).click()
    page.wait_for_url(f"**{AT}/")
    assert re.search(
        r"Ann tells warrior 1: attack fort 2; (?:warrior 1 misses fort 2|fort 2 is hit for 1)\.", words(page)
    )


def test_a_fort_is_attacked_from_the_dock_with_the_keyboard(table, page_of):
    page = page_of(table["ben"])
    page.goto(f"{AT}/")
    page.get_by_role("link", name="Attack", exact=True).focus()
    with page.expect_navigation():
        page.keyboard.press("Enter")
    page.get_by_label("Target").focus()
    page.keyboard.type("fort 1")
    expect(page.get_by_label("Target")).to_have_value("fort-1")
    page.get_by_role("button", name="Attack…").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Attack with warrior 2: fort 1?")).to_be_visible()
    page.get_by_role("button", name="Attack", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.locator("main").get_by_text("tells warrior 2: attack fort 1;").first).to_be_visible()
    words(page)


def test_an_item_is_used_up_on_a_phone(table, page_of):
    page = page_of(table["ann"], PHONE)
    page.goto(f"{AT}/act/use-item/")
    page.get_by_role("button", name="Use an item…").click()
    page.get_by_role("button", name="Use an item", exact=True).click()
    expect(page.locator("main").get_by_text("Ann uses a banana, jumps to #1").first).to_be_visible()
    page.goto(f"{AT}/act/")
    assert "Use an item" not in words(page).partition("Not possible now")[0]


def test_a_proposal_is_retracted_and_another_one_refused(table, page_of):
    page = page_of(table["ann"], PHONE, java_script_enabled=False)
    page.goto(f"{AT}/proposals/new/?door=program")
    page.locator("#title").fill("No turns on Sunday")
    page.locator("[name=text]").fill("Sunday is for rest.")
    page.get_by_role("button", name="Submit").click()
    page.goto(f"{AT}/proposals/3/")
    page.get_by_role("link", name="Retract it").click()
    assert "its votes are never told" in words(page)
    page.get_by_role("button", name="Retract it").click()
    assert "Proposal 3 is retracted." in words(page)

    admin = page_of(table["admin"], PHONE, java_script_enabled=False)
    admin.goto(f"{AT}/admin/")
    admin.get_by_role("button", name="Refuse, with a reason").click()
    expect(admin.get_by_label("Because")).to_have_value("")
    admin.get_by_label("Because").select_option("infeasible")
    admin.get_by_label("In words").fill("Nothing stands on sand.")
    admin.get_by_role("button", name="Refuse to implement a proposal").click()
    assert "Nothing has been done yet" in words(admin)
    admin.get_by_role("button", name="Yes, refuse to implement a proposal").click()
    assert "P1 is refused." in words(admin)
    page.goto(f"{AT}/")
    assert "The Admin refuses to implement P1: infeasible.\n\n“Nothing stands on sand.”" in words(page)
    page.goto(f"{AT}/proposals/1/")
    assert "The Admin refused to implement this: infeasible: Nothing stands on sand." in words(page)


def test_a_fort_is_struck_and_every_page_says_so(table, page_of):
    admin = page_of(table["admin"], PHONE, java_script_enabled=False)
    admin.goto(f"{AT}/admin/strike/")
    words(admin)
    admin.locator("li.entry", has_text="Ben builds a fort").get_by_role("link", name="strike").click()
    said = words(admin)
    assert "Later entries that would now be refused" in said
    assert "Ben tells fort 2: recruit a warrior" in said
    admin.get_by_label("Because").fill("He had no right to build there.")
    admin.get_by_role("button", name=re.compile("^Strike entry")).click()
    reader = page_of(table["ben"], PHONE)
    for path in ("", "log/", "squares/6/", "squares/5/", "players/", "players/Ben/", "proposals/", "act/", "answers/"):
        reader.goto(f"{AT}/{path}")
        words(reader)
    reader.goto(f"{AT}/squares/6/")
    card = reader.locator("#square-6").inner_text()
    assert "fort" not in card
    reader.goto(f"{AT}/log/")
    assert "Struck by the Admin: He had no right to build there." in words(reader)
    reader.locator("li.entry", has_text="Struck by the Admin: entry").get_by_role(
        "link", name=re.compile("^entry")
    ).first.click()
    assert "fort 2" in words(reader)


def test_a_player_leaves_by_typing_the_name(table, page_of):
    page = page_of(table["ben"], PHONE, java_script_enabled=False)
    page.goto(f"{AT}/")
    page.get_by_role("link", name="Leave the game").click()
    assert "Ben leaves the game" in words(page)
    page.get_by_label("Your name in this game").fill("ben")
    page.get_by_role("button", name="Leave for good").click()
    assert "type Ben to leave" in words(page)
    page.get_by_label("Your name in this game").fill("Ben")
    page.get_by_role("button", name="Leave for good").click()
    assert "You have left Forts." in words(page)
    page.goto(f"{AT}/players/Ben/")
    assert "Ben left" in words(page)
    page.goto(f"{AT}/squares/6/")
    assert "warrior" not in page.locator("#square-6").inner_text()

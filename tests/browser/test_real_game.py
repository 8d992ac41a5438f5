"""A stretch of the real game, played through the site's forms in a browser.

Ann on #1 with $1000 rolls, moves, rolls again after doubles, and buys the square on which she landed first for $10
times its number. Then $400 for passing the end of the board is proposed, accepted, paid, amended by its number alone,
and repealed. Nobody can know her dice beforehand, so they are read in the log; the squares must be those to which they
lead.
"""

import re

import pytest

GAME = "the-real-game"

BONUS = """@after("pass")
def lap(e):
    if e.square.number == 1:
        gain(e.who, rule.bonus)
"""


@pytest.fixture(scope="module")
def table(site):
    return site.prepare(f"""
        admin, ann = account("admin@example.org"), account("ann@example.org")
        game = domain.start_game(admin, edition="original", title="The real game", slug="{GAME}")
        domain.ask_to_join(game, ann, "Ann")
        domain.desk_act(game, "approve-player", {{"player": "Ann"}})
        result = {{"admin": signed_in(admin), "ann": signed_in(ann)}}
    """)


def money_of_ann(page) -> int:
    page.goto(f"/g/{GAME}/players/Ann/account/")
    amounts = re.findall(r"-?\$?\s?-?[\d,]+", page.locator("table").last.inner_text())
    assert amounts
    view = page.request.get(f"/api/v1/g/{GAME}/view").json()
    return view["things"]["Ann"]["money"]


def square_of_ann(page) -> str:
    return page.request.get(f"/api/v1/g/{GAME}/view").json()["things"]["Ann"]["square"]


def send(page, button) -> None:
    """Press a button that leads to another page, which must speak of no refusal."""
    with page.expect_navigation():
        button.click()
    assert page.locator("#refusal").count() == 0, page.locator("#refusal").inner_text()


def propose(page, title: str, kind: str, rule: str, text: str = "", code: str = "", numbers=None) -> None:
    page.goto(f"/g/{GAME}/proposals/new/?door=program")
    page.fill("[name=title]", title)
    page.fill("textarea[name=text]", "Written for the test.")
    page.select_option("[name=changes-0-kind]", kind)
    page.fill("[name=changes-0-rule]", rule) if page.locator("input[name=changes-0-rule]").count() else (
        page.select_option("[name=changes-0-rule]", rule)
    )
    if kind == "enact":
        page.fill("[name=changes-0-text]", text)
        page.fill("#changes-0-code-editor", code)
        page.fill("[name=changes-0-params]", numbers)
    elif kind == "amend":
        page.locator("[name=title]").focus()
        name, _, value = numbers.partition(": ")
        page.fill(f"[name=changes-0-number-{name}]", value)
    send(page, page.locator("button[name=submit]"))


def judge(page, verdict: str, proposal: str) -> None:
    page.goto(f"/g/{GAME}/admin/{verdict}/?on={proposal}")
    page.fill("[name=because]", "So be it.")
    send(page, page.locator("main form button[type=submit]").first)
    if page.locator("#preview").count():
        send(page, page.locator("main form button[type=submit]").first)


def another_lap(site) -> None:
    """Let Ann take turns until she passes #1: each follows a proposal that is rejected, as it was in the browser
    before."""
    site.prepare(f"""
        game = Game.objects.get(slug="{GAME}")

        def laps():
            facts = [fact for entry in live.of(game).facts("admin") for fact in entry["facts"]]
            return sum(fact["what"] == "passed" and fact["square"] == "#1" for fact in facts)

        before = laps()
        for _ in range(40):
            if laps() > before:
                break
            assert domain.order(game, "Ann", "propose", {{"title": "Another turn", "text": "Nothing."}}).ok
            proposals = [id for id, each in live.of(game).view("admin")["things"].items() if each["kind"] == "proposal"]
            last = max(proposals, key=lambda id: int(id[1:]))
            assert domain.desk_act(game, "reject", {{"on": last, "because": "So be it."}}).ok
        result = None
    """)


def test_the_first_weeks(site, table, page_of):
    ann, admin = page_of(table["ann"]), page_of(table["admin"])

    propose(ann, "A first turn", "enact", "X.9", "Ann says hello.", "", "")
    judge(admin, "reject", "P1")
    rolled = [fact["dice"] for fact in log_facts(ann) if fact["what"] == "rolled"]
    assert [one == other for one, other in rolled[:-1]] == [True] * (len(rolled) - 1)
    squares = len([id for id in ann.request.get(f"/api/v1/g/{GAME}/view").json()["things"] if id[0] == "#"])
    assert square_of_ann(ann) == f"#{sum(map(sum, rolled)) % squares + 1}"
    ann.goto(f"/g/{GAME}/log/")
    for one, other in rolled:
        assert f"{one}-{other}" in ann.locator("#log").inner_text()

    landed = sum(rolled[0]) % squares + 1
    ann.goto(f"/g/{GAME}/act/buy-square/")
    ann.select_option("[name=square]", f"#{landed}")
    send(ann, ann.locator("main form button[type=submit]").last)
    ann.locator("#preview").wait_for()
    send(ann, ann.get_by_role("button", name=f"Buy for ${10 * landed}").first)
    assert money_of_ann(ann) == 1000 - 10 * landed

    propose(ann, "Passing the end", "enact", "X.1", "Who passes #1 gets ${bonus}.", BONUS, "bonus: 400")
    judge(admin, "accept", "P2")
    another_lap(site)
    assert gains(ann) == [400]

    propose(ann, "Less", "amend", "X.1", numbers="bonus: 150")
    judge(admin, "accept", last_proposal(ann))
    another_lap(site)
    assert gains(ann)[-1] == 150

    propose(ann, "No more", "repeal", "X.1")
    judge(admin, "accept", last_proposal(ann))
    before, lap_from = len(gains(ann)), len(laps(ann))
    another_lap(site)
    assert len(laps(ann)) > lap_from
    assert len(gains(ann)) == before


def log_facts(page) -> list:
    entries = page.request.get(f"/api/v1/g/{GAME}/log?size=200").json()["entries"]
    return [fact for entry in reversed(entries) for fact in entry["facts"]]


def gains(page) -> list[int]:
    return [fact["amount"] for fact in log_facts(page) if fact["what"] == "gained"]


def laps(page) -> list:
    return [fact for fact in log_facts(page) if fact["what"] in ("passed",) and fact["square"] == "#1"]


def last_proposal(page) -> str:
    things = page.request.get(f"/api/v1/g/{GAME}/view").json()["things"]
    return max((id for id, thing in things.items() if thing["kind"] == "proposal"), key=lambda id: int(id[1:]))

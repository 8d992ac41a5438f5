"""Every shape of form at 320 pixels, and at 360 with large text, without scripts: nothing is wider than the phone, no button out of reach."""

import formwalk
import pytest
from page_faults import with_large_text

READERS = ("visitor", "applicant", "ann", "admin", "operator")
OUT_OF_REACH = """() => [...document.querySelectorAll("form button, form input, form select, form textarea, main a.btn")]
    .filter((each) => each.checkVisibility() && !each.closest(".visually-hidden, details:not([open])"))
    .map((each) => [each.name || each.innerText, each.getBoundingClientRect()])
    .filter(([, box]) => box.width > 0 && (box.left < 0 || box.right > innerWidth + 1))
    .map(([name]) => name)"""


@pytest.fixture(scope="module", params=["original", "mail", "ii", "iv"])
def table(site, request):
    slug = f"small-{request.param}"
    return slug, site.prepare(f"""
        named = ("admin", "ann", "ben", "applicant", "operator")
        admin, ann, ben, applicant, operator = [account(name + "@example.org") for name in named]
        operator.is_staff = operator.is_superuser = True
        operator.save()
        game = domain.start_game(admin, edition="{request.param}", title="Small", slug="{slug}")
        for user, name in ((ann, "Ann"), (ben, "Ben")):
            domain.ask_to_join(game, user, name)
            domain.desk_act(game, "approve-player", {{"player": name}})
        domain.order(game, "Ben", "propose", {{"title": "More", "text": "Of it."}})
        domain.ask_to_join(game, applicant, "Eve", "Hello")
        if "{request.param}" != "original":
            domain.order(game, "Ben", "trade", {{"with": "Ann", "give": {{"money": 5}}}})
        if "{request.param}" == "iv":
            domain.order(game, "Ann", "build", {{"building": "fort"}})
            domain.order(game, "Ann", "command-recruit-warrior", {{"unit": "fort-1"}})
        result = {{"visitor": None, "applicant": signed_in(applicant), "ann": signed_in(ann), "admin": signed_in(admin)}}
        result["operator"] = signed_in(operator)
    """)


SHAPES: set = set()  # of forms that have been looked at, in any edition


def shape(form):
    """How a form looks, whatever it is about."""
    return form.method, frozenset((tag, named.get("type"), named.get("class")) for tag, named, _ in form.controls)


def unfit(page, width):
    """What of an open page does not fit into this width."""
    page.set_viewport_size({"width": width, "height": 900})
    wide = page.evaluate("document.documentElement.scrollWidth")
    return [f"is {wide} pixels wide"] * (wide > width) + [
        f"leaves {each} out of reach" for each in page.evaluate(OUT_OF_REACH)
    ]


def test_every_form_fits_the_smallest_phone(table, page_of):
    slug, sessions = table
    at = f"/g/{slug}/"
    wrong, looked_at = [], 0
    for name in READERS:
        page = page_of(sessions[name], width=320, java_script_enabled=False)

        def read(address, page=page):
            answer = page.request.get(address)
            return answer.text() if answer.ok and "html" in answer.headers["content-type"] else ""

        start = [at + each for each in ("", "act/", "admin/", "proposals/new/?door=program", "answers/", "forum/")]
        below = at if slug.endswith("iv") else (f"{at}act/", f"{at}admin/", f"{at}trades/")
        for form, _page in formwalk.walk(read, start, below):
            if shape(form) in SHAPES:
                continue
            SHAPES.add(shape(form))
            looked_at += 1
            page.goto(form.page)
            wrong += [f"{name}: {form.page} {each}" for each in unfit(page, 320)]
            with_large_text(page)
            wrong += [f"{name}: {form.page} with large text {each}" for each in unfit(page, 360)]
            page.set_viewport_size({"width": 320, "height": 900})
    assert not wrong, "\n".join(wrong)
    assert looked_at

"""Every kind of form of a game, in every edition, for everybody who comes there: it can be sent without scripts, says
what it asks, and answers whoever sends it as it stands."""

import formwalk
import pytest
from django.test import Client
from pagewords import grant, text

from nomopoly.site.tables import domain

AT = "/g/second/"
START = ("", "act/", "answers/", "notes/", "try/", "forum/", "proposals/new/?door=program", "proposals/new/?door=say")
START += (
    "proposals/new/?door=number",
    "admin/",
    "admin/settings/",
    "join/",
    "leave/",
    "trades/",
    "market/",
    "holiday/",
)
ANSWERS = {200, 302, 303, 400, 403, 409}  # done, or refused with a reason on the page
WHOLE = "iv"  # the edition of which every page is looked at
PLAYING = ("ann", "keeper")
READERS = {"original": PLAYING, "mail": PLAYING, "ii": PLAYING, WHOLE: ("visitor", "applicant", "operator", *PLAYING)}
BROKEN = """
<form method="post" action="act/"><label for="a">A</label><input id="a" name="a"><input name="b" tabindex="-1"></form>
<form action="log/"><label>C <select name="c"><option value="1">One</select></label><button type="button">Go</button></form>
<form method="post" action="x/"><input type="hidden" name="csrfmiddlewaretoken" value="t"><button>Send</button></form>
"""


def reader(name, people):
    if name == "visitor":
        return Client()
    client = people(name)
    if name == "operator":
        client.user.is_staff = client.user.is_superuser = True
        client.user.save()
    return client


@pytest.fixture
def busy_table(start_second, people):
    """busy_table(edition): a game in which something of each sort is open: a proposal, an offer, an applicant."""

    def begin(edition):
        game, go = start_second("Ann", "Ben", edition=edition)
        domain.ask_to_join(game, people("applicant").user, "Eve", "Hello")
        domain.order(game, "Ben", "propose", {"title": "More", "text": "Of it."})
        if edition != "original":
            domain.order(game, "Ben", "trade", {"with": "Ann", "give": {"money": 5}})
        if edition == "iv":
            domain.order(game, "Ann", "build", {"building": "fort"})
            domain.order(game, "Ann", "command-recruit-warrior", {"unit": "fort-1"})
        else:
            grant(game, "#3", "owner", "Ann")
        return game

    return begin


@pytest.mark.parametrize("edition", READERS)
def test_every_form_can_be_sent_without_scripts_by_everybody(busy_table, people, edition):
    busy_table(edition)
    wrong, count, start = [], {}, [AT + each for each in START]
    below = AT
    if edition != WHOLE:  # the actions and acts of its own; the pages are the same
        start, below = [f"{AT}act/", f"{AT}admin/"], (f"{AT}act/", f"{AT}admin/", f"{AT}trades/")
    for name in READERS[edition]:
        client = reader(name, people)

        def page(address, client=client):
            answer = client.get(address)
            html = answer.status_code == 200 and answer["Content-Type"].startswith("text/html")
            return answer.content.decode() if html else ""

        found = list(formwalk.walk(page, start, below))
        count[name] = len(found)
        wrong += [f"{name}: {form} {each}" for form, seen in found for each in formwalk.wrong_with(form, seen)]
        for form, _page in sorted(found, key=lambda each: "leave" in each[0].action):  # whoever leaves comes last
            sent = dict(form.sent)
            send = client.get if form.method == "get" else client.post
            answer = send(form.action, sent)
            told = answer.status_code in (302, 303) or len(text(answer)) > 40
            if answer.status_code not in ANSWERS or not told:
                wrong.append(f"{name}: {form}: answers {answer.status_code}")
    assert wrong == []
    least = {"original": 6, "mail": 40, "ii": 40, "iv": 30}[edition]
    assert count["ann"] >= least
    assert count["keeper"] >= 8


def test_what_is_wrong_with_a_form_is_found():
    found = list(formwalk.walk({"/g/x/": BROKEN}.get, ["/g/x/"], "/g/x/"))
    assert [formwalk.wrong_with(form, page) for form, page in found] == [
        [
            "has no button that sends it",
            "is sent without the token that posts need",
            "input b has no label",
            "input b cannot be reached by keyboard",
        ],
        ["has no button that sends it"],
        [],
    ]

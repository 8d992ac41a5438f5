"""The API: what the pages show and do, under the same names and with the same refusals."""

from nomopoly.site import busy, elsewhere
from nomopoly.site.api import (
    acting,
    chronicle,
    dealing,
    door,
    duties,
    governing,
    keeping,
    lists,
    mine,
    office,
    reading,
    shelf,
    talking,
)

api = door.Api(
    title="Nomopoly",
    version="1",
    description=(
        "You see what you see when you are signed in: with a key of yours (Authorization: Bearer nomo_...), with your "
        "browser, or as a visitor. A private game is a 404 for all but its members. At most 120 requests a minute for "
        "each key, and for each address without one. A refusal by the rules is a 409."
    ),
    docs_url="/docs",
    auth=[door.Key(), door.Browser()],
    parser=door.Strict(),
    throttle=[door.PER_KEY, door.PER_ADDRESS],
)
door.answer_errors(api)
busy.answer_busy(api)
elsewhere.answer_elsewhere(api)
ROUTERS = (chronicle.chronicle, reading.game, reading.people, reading.record, reading.book, reading.votes, acting.doing)
LATER = (lists.lists, mine.mine, shelf.library, dealing.dealing, talking.talking)
AT_LAST = (
    keeping.keeping,
    duties.duties,
    office.office,
    governing.governing,
)  # the office has an address for acts of any name
for router in (*ROUTERS, *LATER, *AT_LAST):
    api.add_router("", router)

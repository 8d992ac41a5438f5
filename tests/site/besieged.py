"""Games of which some are hostile, for test_slow_games.py, which serves them and plays in the calm one meanwhile.

python besieged.py make     bring the database up to date, make the games, print {game: API key of Ann}
"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import emptysite
from minigames import rule

from nomopoly.rulebook.source import Book
from nomopoly.site.serve import prepare

CALM = """
attribute("player", "touched", 0)


@action("touch")
def touch(e):
    put(e.who, "touched", e.who.touched + 1)


@action("propose", changes=change_list(), run=program())
def propose(e):
    tell(None, "A proposal.")
"""
STORM = """
event("storm", "storms")


@on("storm")
def storm(e):
    total = 0
    for number in range(4):
        for each in range(200000):
            total = total + each
    at(now(), "storm")


@action("begin")
def begin(e):
    at(now() + 2, "storm")
"""
GAMES = {"calm": [CALM], "stormy": [CALM, STORM], "besieged": [CALM]}


def make():
    from allauth.account.models import EmailAddress
    from django.contrib.auth import get_user_model

    from nomopoly.site.accounts import keys
    from nomopoly.site.accounts.models import ApiKey
    from nomopoly.site.tables import domain, live
    from nomopoly.site.tables.models import Membership

    emptysite.arrange()
    found = {}
    for slug, programs in GAMES.items():
        user = get_user_model().objects.create(email=f"{slug}@example.org")
        EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
        records = [rule(f"1.{number}", code) for number, code in enumerate(programs, 1)]
        domain.load_edition = lambda edition, records=records: Book("siege", "Siege", records, [])
        game = domain.start_game(None, edition="siege", title=slug.title(), slug=slug)
        with live.of(game).writing() as running:
            assert running.join("Ann", live.now()).ok
            assert running.admin("approve-player", {"player": "Ann"}, live.now()).ok
        Membership.objects.create(game=game, user=user, player="Ann", status=Membership.Status.APPROVED)
        found[slug], _ = keys.make(user, game=game, name="Siege", scope=ApiKey.Scope.PLAY)
    live.close_all()
    print(json.dumps(found))


if __name__ == "__main__":
    prepare(None)
    make()

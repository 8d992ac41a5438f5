"""What is asked of the tables. Nothing here writes."""

from nomopoly.site.tables.models import Game, Membership


def game(slug):
    return Game.objects.filter(slug=slug).first()


def membership(game, user):
    if not user.is_authenticated:
        return None
    return Membership.objects.filter(game=game, user=user).first()


def applicants(game):
    return Membership.objects.filter(game=game, status=Membership.Status.ASKED)


def last_fault(game):
    return game.faults.filter(settled=None).order_by("-created").first()


def undecided(view):
    """Proposals that wait for the Admin."""
    return [
        thing
        for thing in view["things"].values()
        if thing.get("kind") == "proposal" and thing.get("status") in ("undecided", "pending")
    ]


def task_count(seat):
    return applicants(seat.game).count() + len(undecided(seat.view)) + seat.game.faults.filter(settled=None).count()


def public_games():
    return Game.objects.filter(visibility=Game.Visibility.PUBLIC).order_by("-created")


def memberships_of(user):
    return Membership.objects.filter(user=user).select_related("game").exclude(status=Membership.Status.DECLINED)


def governed_by(user):
    return Game.objects.filter(admin=user).order_by("-created")

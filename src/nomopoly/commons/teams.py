"""Teams, Freemasons and Best Friends."""


def teams_on():
    """Whether there are Teams."""
    return not attribute_of(thing("game"), "teams_abolished", False) and rows("team") != []


def team_names():
    """The names of the Teams, as a list; none once they are abolished."""
    return [each.id for each in rows("team")] if teams_on() else []


def team_of(who):
    """The name of somebody's Team, or None: a Freemason has none."""
    return attribute_of(who, "team") if teams_on() and not attribute_of(who, "freemason", False) else None


def bases_of(place):
    """The names of the Teams in whose bases a square is; none where no rule says what a base is."""
    return value("bases", place) if rule_since("VI.6") is not None else ()


def members_of(team):
    """The players of a Team, in the order in which they joined the game."""
    return [each for each in players() if team is not None and team_of(each) == team]


def mates_of(who):
    """The other players of somebody's Team."""
    return [each for each in members_of(team_of(who)) if each is not who]


def become_freemason(who):
    """Make a player a Freemason; nothing happens to one who is."""
    if not attribute_of(who, "freemason", True):
        do("become-freemason", who=who)


def is_friend(a, b):
    """Whether two are Best Friends."""
    return a is not None and b is not None and attribute_of(a, "best_friend") is b

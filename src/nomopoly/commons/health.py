"""Health: of players, and of whatever else has any."""


def hurt(who, amount):
    """Take health from somebody."""
    do("hurt", who=as_thing(who), amount=amount)


def heal(who, amount):
    """Give somebody health."""
    do("heal", who=as_thing(who), amount=amount)

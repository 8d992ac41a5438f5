"""Conditions of players: Sick, Hurt, and Chains; nothing happens where no rule tells of them."""


def make_sick(who, by=None):
    """Make a player Sick."""
    if can_happen("make-sick"):
        do("make-sick", who=who, by=by)


def cure(who):
    """Make a Sick player well."""
    if can_happen("cure"):
        do("cure", who=who)


def make_hurt(who, by=None):
    """Make a player Hurt."""
    if can_happen("make-hurt"):
        do("make-hurt", who=who, by=by)


def turn_round(who):
    """Let the turn of a player go In Reverse."""
    if attribute_of(who, "in_reverse") is False:
        put(who, "in_reverse", True)


def add_chains(who, pounds):
    """Put Chains on a player: these and all the player has are not Rusty then."""
    if can_happen("add-chains"):
        do("add-chains", who=who, amount=pounds)


def rust_chains(who):
    """Make all Chains of a player Rusty."""
    if can_happen("rust-chains"):
        do("rust-chains", who=who)


def heavy_chains(who):
    """The pounds of a player's Chains that are not Rusty; 0 for a piece that can bear none."""
    return attribute_of(who, "chains", 0)

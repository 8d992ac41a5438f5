"""Section XII: health, and starting over."""

section("XII", "Health")

rule("XII.1", """
Players begin with {start_health} health. Who has 0 or less is reset, and starts over.
""", title="Health", start_health=100)

attribute("player", "health", 0, label="Health", summary=True)
setting("start_health")
event("hurt", "hurt", say="{who} loses {amount} health", who="", amount="")
event("heal", "healed", say="{who} gains {amount} health", who="", amount="")
event("reset", "reset", say="{who} starts over", who="player")


@after("join")
def healthy(e):
    put(e.who, "health", value("start_health"))


@on("hurt")
def take_health(e):
    put(e.who, "health", e.who.health - e.amount)


@on("heal")
def give_health(e):
    put(e.who, "health", e.who.health + e.amount)


@after("hurt")
def worn_out(e):
    if e.who.kind == "player" and e.who.health <= 0:
        do("reset", who=e.who)


@after("grant")
def worn_out_by_decree(e):
    if e.attribute == "health" and exists(e.thing) and e.thing.kind == "player" and e.thing.health <= 0:
        do("reset", who=e.thing)


rule("XII.2", """
A reset brings a player back to the state in which they were when the game began: their money, their health and all that is told
of them are as at first, they are placed on the lowest square, and they own nothing. The squares they owned have no owner then, and
keep what is on them. What the player has proposed, voted, ordered and offered stands; so does an office, a ban from credit cards,
and what their net worth is made of: the number of resets, and what became of their proposals.
""", title="What a reset does")

attribute("player", "resets", 0, label="Resets")


def held_by(who):
    """The items and cards of a player, in words; only how many there are where that is a long list."""
    items = attribute_of(who, "items", ())
    cards = len(attribute_of(who, "cards", ()))
    parts = [item_called(id) for id in items] if len(items) <= 20 else [f"{len(items)} items"]
    return ", ".join([*parts, f"{cards} card{'' if cards == 1 else 's'}"] if cards else parts)


@on("reset")
def start_over(e):
    mine = owned_by(e.who)
    for each in mine:
        do("change-owner", square=each, to=None)
    if mine:
        do("squares-lost", who=e.who, squares=tuple(mine))
    held = held_by(e.who)
    if held:
        tell((e.who,), f"What you held is gone: {held}")
    renew(
        e.who,
        "square",
        "resets",
        "yes_votes_received",
        "accepted_proposals",
        "unanimous_proposals",
        "nonsense_proposals",
        "credit_banned",
        "acted",
        "idle_for",
        "joined_at",
    )
    put(e.who, "money", value("start_money"))
    put(e.who, "health", value("start_health"))
    put(e.who, "resets", e.who.resets + 1)
    do("place", mover=e.who, square=value("start_square"))

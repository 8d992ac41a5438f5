"""Edition `ii`: two updates a week, orders that wait for them, blocks and buildings, creatures, missiles, casinos, elections."""

TITLE = "Nomopoly II"
COMMONS = ("board", "names", "money", "movement", "items", "calendar", "trades", "proposals", "votes", "agenda", "waiting", "health")
SECTIONS = (
    "iv_money",
    "v_items",
    "xii_health",
)

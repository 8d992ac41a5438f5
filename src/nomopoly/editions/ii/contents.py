"""Edition `ii`: two updates a week, orders that wait for them, blocks and buildings, creatures, missiles, casinos, elections."""

TITLE = "Nomopoly II"
COMMONS = ("board", "names", "money", "movement", "items", "calendar", "trades", "proposals", "votes", "agenda", "waiting", "health")
SECTIONS = (
    "i_rules",
    "ii_admin",
    "iii_players",
    "iv_money",
    "v_items",
    "viii_proposals",
    "ix_schedule",
    "x_disruption",
    "xii_health",
    "xv_admin_account",
    "xxxii_exploit_blocks",
)

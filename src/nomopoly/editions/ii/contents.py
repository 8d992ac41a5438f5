"""Edition `ii`: two updates a week, orders that wait for them, blocks and buildings, creatures, missiles, casinos, elections."""

TITLE = "Nomopoly II"
COMMONS = ("board", "names", "money", "movement", "items", "calendar", "trades", "proposals", "votes", "agenda", "waiting", "health", "ownership", "landing", "agreements")
SECTIONS = (
    "i_rules",
    "ii_admin",
    "iii_players",
    "iv_money",
    "v_items",
    "vi_board",
    "vii_turns",
    "viii_proposals",
    "ix_schedule",
    "x_disruption",
    "xii_health",
    "xiii_ownership",
    "xv_admin_account",
    "xvii_railroads",
    "xx_trading",
    "xxix_transportation",
    "xxxii_exploit_blocks",
)

"""Edition `ii`: two updates a week, orders that wait for them, blocks and buildings, creatures, missiles, casinos, elections."""

TITLE = "Nomopoly II"
COMMONS = ("board", "names", "money", "movement", "items", "calendar", "trades", "proposals", "votes", "agenda", "waiting", "health", "ownership", "landing", "blocks", "agreements", "cards", "casinos", "creatures")
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
    "xiv_cards",
    "xv_admin_account",
    "xvi_blackjack",
    "xvii_railroads",
    "xviii_lottery",
    "xix_zoo",
    "xx_trading",
    "xxi_blocks",
    "xxii_buildings",
    "xxiii_terrorism",
    "xxvi_missiles",
    "xxix_transportation",
    "xxxi_bingo",
    "xxxii_exploit_blocks",
)

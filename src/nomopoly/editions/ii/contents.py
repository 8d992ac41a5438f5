"""Edition `ii`: two updates a week, orders that wait for them, blocks and buildings, creatures, missiles, casinos, elections."""

TITLE = "Nomopoly II"
ABOUT = (
    "The longest rulebook: two updates a week that orders wait for, blocks and buildings, creatures, missiles, casinos "
    "and elections."
)
COMMONS = (
    "language", "board", "names", "money", "movement", "items", "calendar", "trades", "proposals", "votes",
    "agenda", "waiting", "ownership", "landing",
)
MOMENTS = {
    "week": "Monday 00:00, when a week begins, with all that it brings",
    "proposals-close": "Thursday 00:00: the week's proposals are public",
    "first-update": "Thursday 00:00: the first update of the week, with all its steps",
    "voting-opens": "Friday 00:00: votes are taken from now on",
    "voting-closes": "Sunday 00:00: no more votes are taken",
    "second-update": "Sunday 00:00: the second update of the week, with all its steps, the count among them",
    "update": "the next update, first or second, with all its steps",
    "votes-counted": "Sunday, in the second update: the votes are counted and what is accepted is in force",
    "creatures": "the creatures have moved, at the end of an update",
    "election-result": "the Governor is elected, in the second update of an election week",
    "week-ends": "Monday 00:00, before the next week begins: what the week that ends still brings",
}
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
    "xi_ending",
    "xii_health",
    "xiii_ownership",
    "xiv_cards",
    "xv_admin_account",
    "xvi_blackjack",
    "xvii_railroads",
    "xviii_lottery",
    "xix_zoo",
    "xix_zoo_skunk",
    "xx_trading",
    "xxi_blocks",
    "xxii_buildings",
    "xxii_gas_station",
    "xxiii_terrorism",
    "xxiv_house_of_cards",
    "xxv_nonsense",
    "xxvi_missiles",
    "xxvii_bank",
    "xxviii_credit_cards",
    "xxix_transportation",
    "xxx_net_worth",
    "xxxi_bingo",
    "xxxii_exploit_blocks",
    "xxxiii_casinos",
    "xxxiii_casino_games",
    "xxxiv_patents",
    "xxxv_governor",
    "definitions_board",
    "definitions_cards",
    "definitions_deals",
    "definitions_absent",
)

"""Edition `mail`: the mail-run game months later, with teams, two powers, colours, products and pieces that move by themselves."""

TITLE = "Nomopoly by Mail"
ABOUT = (
    "Months later: one update a week, Teams, a Government and a Corporation, colours, products, "
    "and pieces that move by themselves."
)
COMMONS = (
    "language", "board", "names", "money", "movement", "items", "trades", "proposals", "agenda", "waiting",
    "ownership", "landing",
)
MOMENTS = {
    "update": "Sunday 20:00 and all that follows in it, from the first orders (U1) to the end (U12)",
    "week": "Monday 00:00 and all that a new week brings (W1 to W5)",
}
SECTIONS = (
    "i_the_admin",
    "ii_players",
    "iii_ending",
    "iv_money",
    "v_prices",
    "vi_the_board",
    "vii_turns",
    "viii_ownership",
    "viii_handing_over",
    "ix_proposals",
    "x_government",
    "xi_corporation",
    "xii_stock",
    "xiii_colours",
    "xiv_lottery",
    "xv_buildings",
    "xvi_bridge",
    "xvii_conditions",
    "xviii_destruction",
    "xix_products",
    "xix_products_from_10",
    "xx_shopping",
    "xxi_easy_movement",
    "xxii_actions",
    "xxiii_cl_turns",
    "xxvii_disputes",
    "xxviii_wetha",
    "xxxii_labor",
    "xxxiii_pseudoplayers",
    "xxxiv_jumpgates",
    "xxxvi_doom",
    "definitions_board",
    "definitions_movement",
    "definitions_money",
    "definitions_players",
    "definitions_products",
    "definitions_absent",
)

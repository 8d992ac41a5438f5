"""Edition `mail`: the mail-run game months later, with teams, two powers, colours, products and pieces that move by themselves."""

TITLE = "Nomopoly by Mail"
COMMONS = ("board", "names", "money", "movement", "items", "trades", "proposals", "agenda", "waiting", "ownership", "landing", "moves", "conditions", "accounts", "teams", "estates", "ending", "updates", "jobs", "colours", "coatings", "roads")
SECTIONS = (
    "i_the_admin",
    "ii_players",
    "iii_ending",
    "iv_money",
    "v_prices",
    "vi_the_board",
    "vii_turns",
    "ix_proposals",
    "xi_corporation",
    "xiii_colours",
    "xvii_conditions",
    "xxi_easy_movement",
    "xxii_actions",
    "xxiii_cl_turns",
    "xxvii_disputes",
    "xxviii_wetha",
    "xxxii_labor",
    "xxxiv_jumpgates",
)

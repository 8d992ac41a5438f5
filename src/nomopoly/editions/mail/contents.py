"""Edition `mail`: the mail-run game months later, with teams, two powers, colours, products and pieces that move by themselves."""

TITLE = "Nomopoly by Mail"
COMMONS = ("board", "names", "money", "movement", "items", "trades", "proposals", "agenda", "waiting", "ownership", "landing", "accounts", "teams", "estates", "updates", "jobs")
SECTIONS = (
    "i_the_admin",
    "ii_players",
    "iii_ending",
    "iv_money",
    "ix_proposals",
    "xi_corporation",
    "xxii_actions",
    "xxvii_disputes",
    "xxxii_labor",
)

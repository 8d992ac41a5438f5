"""Edition `mail`: the mail-run game months later, with teams, two powers, colours, products and pieces that move by themselves."""

TITLE = "Nomopoly by Mail"
COMMONS = ("board", "names", "money", "movement", "items", "trades", "proposals", "agenda", "waiting", "ownership", "landing", "updates", "jobs")
SECTIONS = (
    "ix_proposals",
    "xxii_actions",
    "xxvii_disputes",
    "xxxii_labor",
)

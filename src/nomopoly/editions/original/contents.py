"""Edition `original`: the mail-run game as it began, in nine short sections."""

TITLE = "Nomopoly, the original game"
ABOUT = "How it began: nine short sections, and a turn for every proposal, whichever way it is judged."
COMMONS = ("language", "board", "names", "money", "movement", "ownership", "trades", "proposals")
MOMENTS = {
    "option-ends": "the next option to buy a square that nobody has used is over",
}
SECTIONS = (
    "i_the_admin",
    "ii_players",
    "iii_ending_the_game",
    "iv_money",
    "v_prices",
    "vi_the_board",
    "vii_turns",
    "viii_ownership",
    "ix_proposals",
    "definitions_absent",
)

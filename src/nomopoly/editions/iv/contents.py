"""Edition `iv`: turns at any time, secret votes, and units, buildings and commands as tables of data."""

TITLE = "Nomopoly IV"
ABOUT = "Turns whenever you like, secret votes, and fields of units, buildings and commands."
COMMONS = ("language", "board", "names", "money", "movement", "items", "calendar", "trades", "proposals", "votes")
GAPS = True  # its squares need not be numbered one after the other from the start
MOMENTS = {
    "automatic-turn": "the next turn that is taken for a player who has taken none for five days",
    "voting-closes": "the next close of a vote",
    "command-ready": "the next unit or building that has rested takes commands again",
}
SECTIONS = (
    "s01_the_rules",
    "s02_the_admin",
    "s03_players",
    "s04_money",
    "s05_items",
    "s06_trade",
    "s07_the_board",
    "s08_turns",
    "s09_proposals",
    "s10_disruption",
    "s11_ending_the_game",
    "s12_units",
    "definitions",
    "definitions_absent",
)

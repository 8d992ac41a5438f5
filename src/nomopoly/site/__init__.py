"""The web site: accounts, games, and the pages drawn from what a game declares."""

"""The pages below a game's address. A view reads, asks the domain, and draws."""

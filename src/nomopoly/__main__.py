"""`python -m nomopoly`: the command, where its script is not on the path."""

from nomopoly.cli import main

main()

"""`python -m nomopoly.cli`: the command where it is not installed."""

from nomopoly.cli import main

main()

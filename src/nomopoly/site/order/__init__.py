"""Keeping order: limits by address, conduct in games, reports, blocked accounts, and the operator's console."""

"""Hosts games: journal, the two runtimes, snapshots, replay, verify, corrections and scenarios."""

"""Trials of games: simulations, forecasts, bots and benchmarks."""

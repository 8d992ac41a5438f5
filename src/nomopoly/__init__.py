"""Games whose players rewrite the rules while they play."""

__version__ = "0.1.0"

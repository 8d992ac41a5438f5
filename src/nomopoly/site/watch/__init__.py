"""Watching a site: what it measures (metrics), and what it writes into its logs (logs, security)."""

"""Notices: what players are told of their games, on the site and by mail, each once and to whom it concerns."""

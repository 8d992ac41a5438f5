"""Errors that a user is told about in one line."""


class CommandError(Exception):
    """Something the user can mend: the message names the thing and says what to do. Ends a command with status 1."""

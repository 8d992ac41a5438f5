"""Shared verbs and geometry of the editions, in the sandbox dialect.

A game carries the modules it began with in its journal. They hold functions alone, which become words of the rule
language; what happens in a game, and what things have, is declared by its rules.
"""

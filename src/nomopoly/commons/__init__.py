"""Shared verbs and geometry of the editions, in the sandbox dialect.

A game carries the modules it began with in its journal. They hold functions alone, which become words of rules; what
happens, and what things have, its rules declare.
"""

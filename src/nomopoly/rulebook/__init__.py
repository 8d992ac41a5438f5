"""The source of rules: parse, number, compare, keep history, check, export."""

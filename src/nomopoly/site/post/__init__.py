"""Letters: every mail of the site is a row first, written with its cause, and goes out from there."""

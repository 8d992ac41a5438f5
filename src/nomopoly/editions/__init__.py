"""The editions: rulebooks of complete games, one module a section, in the sandbox dialect."""

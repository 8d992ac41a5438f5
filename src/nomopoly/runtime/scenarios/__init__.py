"""Scenarios: small game scripts with expectations, in YAML 1.2 (design, 7).

A scenario that names an unknown thing, attribute, action, fact or moment fails with that name; it never passes by
omission. `form` reads one, `play` plays its steps, `expect` compares what it expects, `nearest` words what differs,
`coverage` says which rules none runs, `keys` is the reference of its keys.
"""

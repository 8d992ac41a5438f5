"""Tests of what wants an extra (`nomopoly[dask]`, `nomopoly[lab]`, `nomopoly[rl]`): `make test-extras` installs these and runs them."""

import os

collect_ignore_glob = [] if os.environ.get("NOMOPOLY_EXTRAS") else ["test_*.py"]

"""Tests of what wants an extra (`nomopoly[dask]`, `nomopoly[lab]`, `nomopoly[rl]`): `make test-extras` installs these
and runs them. Those of the container image want other programs: `make image` runs them."""

import os

IMAGE = "test_image.py"
collect_ignore_glob = [] if os.environ.get("NOMOPOLY_EXTRAS") else ["test_*.py"]
if os.environ.get("NOMOPOLY_IMAGE"):
    collect_ignore_glob = ["test_[!i]*.py"]
elif not collect_ignore_glob:
    collect_ignore_glob = [IMAGE]

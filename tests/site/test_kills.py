"""A real site whose processes are killed, in small; `make soak` does it three hundred times each (see kills.py)."""

import os

import kills
import pytest
from django.conf import settings


@pytest.mark.skipif(
    "sqlite" not in settings.DATABASES["default"]["ENGINE"], reason="PostgreSQL looks after its own log"
)
def test_a_site_whose_processes_are_killed_keeps_what_it_acknowledged():
    assert kills.run(workers=6, server=1, logs=1, seconds=900, seed=int(os.environ.get("KILLS_SEED") or 1)) == []

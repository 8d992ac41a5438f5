"""Workers that are killed while they send, in small; `make soak` does it two hundred times (see postkills.py)."""

import os

import postkills
import pytest
from django.conf import settings


@pytest.mark.skipif(
    "sqlite" not in settings.DATABASES["default"]["ENGINE"], reason="its workers have a folder of their own"
)
def test_of_workers_killed_as_they_send_none_loses_a_letter_and_each_doubles_one_at_most():
    assert postkills.run(letters=300, kills=6, seed=int(os.environ.get("KILLS_SEED") or 1)) == []

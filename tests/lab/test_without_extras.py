"""What needs an extra says so where it is not installed."""

import importlib
import sys

import pytest


@pytest.mark.parametrize("library", ["gymnasium", "pettingzoo"])
def test_the_environment_names_its_extra(library, monkeypatch):
    monkeypatch.setitem(sys.modules, library, None)
    monkeypatch.delitem(sys.modules, "nomopoly.lab.env", raising=False)
    with pytest.raises(ImportError, match=r"needs the extra 'rl': pip install nomopoly\[rl\]"):
        importlib.import_module("nomopoly.lab.env")

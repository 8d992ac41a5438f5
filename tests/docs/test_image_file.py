"""The container image is made as it should be. `make image` builds it and starts it."""

import json
import re
import shlex
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCKERFILE = ROOT / "deploy/Dockerfile"


def steps():
    """(instruction, words) of the Dockerfile."""
    joined = DOCKERFILE.read_text().replace("\\\n", " ")
    return [tuple(line.split(None, 1)) for line in joined.splitlines() if line.strip() and line[0] != "#"]


def test_the_image_runs_as_nobody_in_particular_and_says_how_it_is():
    said = [name for name, _ in steps()]
    words = dict(steps())
    assert said[0] == "FROM"
    assert re.fullmatch(r"python:3\.\d+-slim", words["FROM"]), "the base says its version"
    assert words["USER"] == "nomopoly"
    assert said.index("USER") > max(at for at, name in enumerate(said) if name == "RUN"), "what is installed is root's"
    assert {"EXPOSE", "HEALTHCHECK", "VOLUME"} <= set(said)
    assert json.loads(words["CMD"])[0] == "nomopoly", "no shell stands between the program and its signals"
    assert "ADD" not in said
    for name, each in steps():
        if name == "COPY":
            assert all((ROOT / source).exists() for source in shlex.split(each)[:-1]), each
        if name == "RUN" and "pip install" in each:
            assert "--constraint constraints.txt" in each
            assert "--no-cache-dir" in each

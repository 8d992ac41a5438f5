"""Trees are made by one thread at a time, wherever in the program one is made."""

import ast
import re
import threading
import time
from pathlib import Path

import nomopoly
from nomopoly.rulebook import trees


def test_two_threads_make_no_tree_at_once(monkeypatch):
    """In CPython 3.11 both can fail with SystemError, when a finalizer lets the other thread go on in the middle."""
    under_way, most = [], []
    parse = ast.parse

    def slowly(source, **more):
        under_way.append(source)
        most.append(len(under_way))
        time.sleep(0.02)
        under_way.remove(source)
        return parse(source, **more)

    monkeypatch.setattr(ast, "parse", slowly)
    made = []
    threads = [threading.Thread(target=lambda: made.append(trees.program_tree("x = 1"))) for _ in range(3)]
    threads += [threading.Thread(target=lambda: made.append(trees.expression_tree("1 + 1"))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(type(each).__name__ for each in made) == ["BinOp"] * 3 + ["Module"] * 3
    assert most == [1] * 6


def test_no_other_place_makes_trees():
    folder = Path(nomopoly.__file__).parent
    elsewhere = [
        str(file.relative_to(folder))
        for file in folder.rglob("*.py")
        if re.search(r"ast\.parse\(|PyCF_ONLY_AST|from ast import", file.read_text())
    ]
    assert elsewhere == ["rulebook/trees.py"]

"""What every interpreter can read: how deeply a program may be nested, and how much may stand in what is jumped over.

CPython reads more than the sandbox does. What one of them cannot read is refused in both, by the same words.
"""

from __future__ import annotations

import ast

DEEPEST = 150  # nested expressions and blocks; each link of a chain of `and` or `or` counts as one
MOST_JUMPED = 3000  # expressions and statements in a block or a condition: the sandbox jumps over 32 kB at most
LOOPS = (ast.For, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
JUMPED = (*LOOPS, ast.If, ast.IfExp, ast.BoolOp, ast.Try, ast.With, ast.Match)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def look_through(node: ast.AST, deep: int = 0) -> int:
    """Go through a program. Returns how many expressions and statements it has, without those of functions within it.

    Raises SyntaxError for what not every interpreter can read, with the line where there is one to name.
    """
    if deep > DEEPEST:
        raise SyntaxError("the program is nested too deeply", ("<string>", 0, 0, ""))
    deep += len(node.values) if isinstance(node, ast.BoolOp) else 1
    many = 1 if isinstance(node, (ast.expr, ast.stmt)) else 0
    for each in ast.iter_child_nodes(node):
        many += look_through(each, deep)
    if many > MOST_JUMPED and isinstance(node, JUMPED):
        line = getattr(node, "lineno", 0)
        raise SyntaxError("this block is too long: make functions of its parts", ("<string>", line, 0, ""))
    return 1 if isinstance(node, FUNCTIONS) else many

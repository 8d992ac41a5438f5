"""What the kernel, the check and the host say to players and writers of rules, as wordings for the message files.

The kernel runs in a sandbox and knows no languages: it says whole English sentences. Those that a program makes of
parts (`f"{label} must be at least {least}"`) become wordings with named gaps, found in the programs themselves. The
site and the command line recognise a sentence by its wording (nomopoly.languages.wordings).
"""

import ast
import pathlib
import re

from nomopoly.rulebook.source import editions, load_edition
from nomopoly.rulebook.words import SORTS, words_of

HOUSE = pathlib.Path(__file__).parents[1] / "src" / "nomopoly"
ROOMS = ("kernel", "rulebook", "rulebook/dialect", "runtime")
COMMANDS = (  # what these say, the command line alone shows
    "cli/*.py", "environment.py", "lab/*.py", "rulebook/cli.py", "rulebook/own.py", "rulebook/restoring.py",
    "runtime/files.py",
    "runtime/opening.py", "runtime/scenarios/*.py", "runtime/sealing.py", "runtime/shape.py", "runtime/verify.py",
    "site/clock.py", "site/doctor.py", "site/files.py", "site/health.py", "site/keeping.py", "site/moving.py",
    "site/recover.py", "site/serve.py", "site/server.py", "site/commands.py",
)  # fmt: skip
NOT = (
    "rulebook/export.py",
    "runtime/protocol.py",
    "lab/bench.py",
    "lab/env.py",
    "lab/player.py",
)  # for programs, and for files
WHOLE = (
    "check",
    "clashes",
    "dialect",
    "letters",
    "seen",
    "slips",
    "texts",
    "usage",
)  # modules of the rulebook whose every sentence is a message
WITH_HELP = (
    "cli/books.py",
    "cli/games.py",
    "cli/hosting.py",
    "site/commands.py",
)  # where commands stand, whose docstrings are their help
SAYS = {
    "CommandError", "JournalError", "refuse", "refuse_as", "exhausted", "add", "fromkeys", "Problem", "ChangeError",
    "HistoryError", "LanguageError", "MovedOn", "SandboxGone", "SourceError", "SyntaxError", "Unreadable",
    "ValueError", "unfit", "error", "warning",
}  # fmt: skip
DECLARES = ("event", "action")  # what the kernel declares with a sentence for the log
DOCSTRINGS = ("word", "chance", "part", "shared")  # sorts of words whose text is a docstring of ours
WORD = re.compile(r"[A-Za-z']{2,}")
# Queries, programs, patterns, data, lines of the server's log, and what has a place in a message file already.
NO_WORDING = re.compile(
    r"""SELECT |SET |COPY |@\w|tag:|\{"|nomopoly\.editions|for each in |.*(?:%\(\w+\)s|%s|\(\.\+|\\S|\|no |\.\*)"""
)
FEWEST = 3  # words of what a program returns, for it to be a sentence


def told():
    """Yields (file below `src`, wording) of all that is said to players and writers of rules."""
    apart = [*found(COMMANDS), *found(NOT)]
    for path in found(f"{room}/*.py" for room in ROOMS):
        if path not in apart:
            tree = ast.parse(path.read_text("utf-8"))
            at = path.relative_to(HOUSE).parts
            whole = written_in(tree, 2) if at[0] == "rulebook" and at[1].removesuffix(".py") in WHOLE else ()
            for wording in dict.fromkeys([*said_in(tree), *whole]):
                yield path.relative_to(HOUSE.parent).as_posix(), wording


def commanded():
    """Yields (file below `src`, wording) of all that the command line says."""
    apart = found(NOT)
    for path in found(COMMANDS):
        if path not in apart:
            for wording in dict.fromkeys(written_in(ast.parse(path.read_text("utf-8")))):
                yield path.relative_to(HOUSE.parent).as_posix(), wording


def helped():
    """Yields (file below `src`, text) of the help of the commands: those that the command line imports, and the
    operator's."""
    imported = ast.parse((HOUSE / "cli/__init__.py").read_text("utf-8"))
    named = {each.name for node in ast.walk(imported) if isinstance(node, ast.ImportFrom) for each in node.names}
    for path in found(WITH_HELP):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.FunctionDef) and (node.name in named or node.decorator_list):
                text = ast.get_docstring(node)
                if text and not any("contextmanager" in ast.unparse(each) for each in node.decorator_list):
                    yield path.relative_to(HOUSE.parent).as_posix(), text


def found(patterns):
    """The files below the house that these patterns name, in their order."""
    return [path for pattern in patterns for path in sorted(HOUSE.glob(pattern))]


def documented():
    """Yields (file below `src`, text) of what the list of words says of the language and of the shared modules."""
    for heading in SORTS.values():
        yield "nomopoly/rulebook/words.py", heading
    for edition in editions():
        book = load_edition(edition)
        for each in words_of(book.records, book.commons):
            if each["sort"] in DOCSTRINGS and each["text"] and each["by"][:1].islower():
                place = "kernel/language" if each["by"] == "kernel" else each["by"]
                yield f"nomopoly/{place}.py", each["text"]


def said_in(tree):
    """Yields the wordings of a program: what it hands to the words of SAYS, and sentences that its functions return."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in SAYS:
            for given in [*node.args, *(each.value for each in node.keywords)]:
                yield from wordings(given, 1)
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in DECLARES:
            for given in node.keywords:  # one that begins with who acts runs on into sentences of rules, and stays
                if given.arg == "say" and not ast.unparse(given.value).startswith(("'{", '"{')):
                    yield from wordings(given.value, FEWEST)
        elif isinstance(node, ast.Return) and isinstance(
            node.value, (ast.Constant, ast.JoinedStr, ast.IfExp, ast.BinOp)
        ):
            yield from wordings(node.value, FEWEST)
        elif isinstance(node, ast.Dict) or (isinstance(node, ast.Assign) and is_said(node)):
            parts = node.values if isinstance(node, ast.Dict) else [node.value]
            for part in parts:
                yield from wordings(part, FEWEST)


def is_said(node):
    """Whether what a name is set to may be a sentence: words, or in a constant (TOO_MANY) words with gaps."""
    constant = isinstance(node.targets[0], ast.Name) and node.targets[0].id.isupper()
    return isinstance(node.value, ast.Constant) or (constant and isinstance(node.value, ast.JoinedStr))


def written_in(tree, fewest=FEWEST):
    """Yields the wordings of a program that speaks to the command line alone: all its sentences but for its
    docstrings."""
    parts = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            parts.add(node.value)
        elif isinstance(node, ast.JoinedStr):
            parts |= set(ast.walk(node)) - {node}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "said":
            yield from wordings(node.args[0], 2)
        if isinstance(node, (ast.Constant, ast.JoinedStr)) and node not in parts:
            yield from wordings(node, fewest)


def wordings(node, fewest):
    """Yields the wordings that an expression may come to; each is at least so many words long."""
    if isinstance(node, ast.IfExp):
        yield from wordings(node.body, fewest)
        yield from wordings(node.orelse, fewest)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        yield from wordings(node.left, fewest)
        yield from wordings(node.right, fewest)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        if (
            " " in node.value.strip()
            and len(WORD.findall(node.value)) >= max(2, fewest)
            and not NO_WORDING.match(node.value)
        ):
            yield re.sub(r"(\{\w+\})|[{}]", lambda found: found[1] or found[0] * 2, node.value)  # {who} is a gap
    elif isinstance(node, ast.JoinedStr):
        names, parts, inner = {}, [], []
        for part in node.values:
            if isinstance(part, ast.Constant):
                parts.append(part.value.replace("{", "{{").replace("}", "}}"))
            else:
                parts.append("{" + gap(part.value, names) + "}")
                inner.append(part.value)
        whole = "".join(parts)
        if NO_WORDING.match(whole.replace("{{", "{")):
            return
        if len(WORD.findall(re.sub(r"\{\w+\}", "", whole))) >= max(2, fewest):
            yield whole
            for part in inner:
                if isinstance(part, ast.IfExp):
                    yield from wordings(part, 2)


def gap(node, names):
    """The name of a gap: that of what fills it, or a letter; the same again for the same."""
    text = ast.unparse(node)
    if text not in names:
        if text.startswith("with_article("):
            name = "a_" + (re.findall(r"\w+", text)[-1])
        elif re.fullmatch(r"[\w.]+", text):
            name = text.rpartition(".")[2]
        else:
            found = re.findall(r"[a-z_]{3,}", text)
            name = found[-1] if found else "x"
        while name in names.values():
            name += "_"
        names[text] = name
    return names[text]

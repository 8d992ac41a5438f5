"""Pages of the documentation that the program has already, made when the documentation is built (a hook of MkDocs).

How to play each edition, the guide to rules, the list of words, and a drawing of the house come from where they are
used, so that no second copy can fall behind.
"""

import ast
import os
import re
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import grimp
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parent.parent
ROOMS = (
    "cli",
    "demo",
    "site",
    "lab",
    "runtime",
    "rulebook",
    "editions",
    "commons",
    "languages",
    "kernel",
)  # from the top down
TOLD = {
    "cli": "the command",
    "demo": "the demo games",
    "site": "the web site (Django)",
    "lab": "simulations, bots, futures, benchmarks",
    "runtime": "a game: journal, dice, fold, log, the two interpreters",
    "rulebook": "rules as source: parse, compare, check, sentences",
    "editions": "the rulebooks, one module a section, with their scenarios",
    "commons": "functions that several editions share",
    "languages": "the house's sentences in other languages",
    "kernel": "things, events, rules, orders, views, with no game in it",
}
FLOORS = "The rooms of the site have floors"  # the import contract that says which is above which
SITE = {
    "api": "what programs ask and do",
    "desk": "what waits for the Admin of a game",
    "lobby": "pages outside a game, the guide, the way into one",
    "notices": "what users are told of, and how",
    "trial": "trial copies of a game",
    "bymail": "orders that come by mail",
    "play": "the pages of a game",
    "order": "conduct, reports, the operator's console",
    "accounts": "coming in, keys, closing an account",
    "tables": "games: kept warm, asked, changed, and what is stored of them",
    "post": "letters and calls, in the language of who reads them",
    "watch": "what is measured, logs",
}


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are made. Raises ValueError for an address of the site that no page of the documentation
    has."""
    for path, text in made().items():
        files.append(File.generated(config, path, content=text))
    return files


def made() -> dict[str, str]:
    """The pages that are made, and how boards in them look: {path: Markdown or style sheet}."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "nomopoly.site.settings")
    os.environ.setdefault("NOMOPOLY_SECRET_KEY", "the documentation keeps no secret")
    import django

    django.setup()
    from nomopoly.site.lobby import first_rule, handbook, playing

    pages = {f"playing/{edition}.md": how_to_play(playing, edition) for edition, _title in playing.described()}
    pages |= {f"rules/{slug}.md": linked(handbook, text) for slug, text in handbook.sources("en").items()}
    pages["board.css"] = styles()
    pages["rules/words.md"] = words(handbook)
    pages["rules/first-rule.md"] = first(first_rule)
    pages["contributing.md"] = contributing()
    pages["operating/settings.md"] = settings()
    pages["changelog.md"] = (ROOT / "CHANGELOG.md").read_text("utf-8")
    pages["house.md"] = house()
    return pages


def settings() -> str:
    """What a host may set, as the settings of the site say it."""
    told = ast.get_docstring(ast.parse((ROOT / "src/nomopoly/site/settings.py").read_text())) or ""
    rows = re.findall(r"^([A-Z_]+) +(.*(?:\n {10,}.*)*)", told, re.M)
    lines = [f"| `{name}` | {' '.join(text.split()).replace('<', '&lt;')} |" for name, text in rows]
    intro = "They come from the environment: from `/etc/nomopoly.env`, or from `.env` with containers."
    return "\n".join(["# All settings", "", intro, "", "| setting | what it says |", "| --- | --- |", *lines, ""])


def contributing() -> str:
    """How to work on it, its links as they are here."""
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8").replace("](CHANGELOG.md)", "](changelog.md)")
    return text.replace("](docs/decisions)", "](decisions/0001-record-decisions.md)").replace("](docs/", "](")


def how_to_play(playing: Any, edition: str) -> str:
    """The page of an edition, with the board that its scenario comes to."""
    before, after = playing.page(edition, "en")
    board = f'<div class="table board-frame"><div class="board-scroll">{drawn(playing.picture(edition))}</div></div>'
    return "\n\n".join([f"# {playing.title(edition)}", html(before), board, html(after)])


def drawn(picture: Any) -> str:
    """A board as a drawing alone: nothing in it leads anywhere."""
    markup = re.sub(
        r"<a\b([^>]*)>", lambda found: "<g" + re.sub(r'\s(?:href|tabindex)="[^"]*"', "", found[1]) + ">", str(picture)
    )
    return re.sub(r"\n\s*\n", "\n", markup.replace("</a>", "</g>"))


def styles() -> str:
    """How boards look: as on the site, with its colours and letters."""
    site = ROOT / "src/nomopoly/site"
    sheet = (site / "static/nomopoly/style.css").read_text("utf-8")
    names = re.search(r":root\s*{[^}]*}", sheet)
    owners = re.findall(r"^\.owner-.*$", sheet, re.MULTILINE)
    if names is None or not owners:
        raise ValueError("style.css has no names of colours in :root, or no colours of owners, any more")
    light = names[0].replace("color-scheme: light dark;", "")
    return "\n".join([light, *owners, (site / "play/static/play/board.css").read_text("utf-8")])


def html(markup: Any) -> str:
    """Markup of the site with its own addresses taken out: they lead nowhere here. No empty lines, which would end
    it."""
    return re.sub(r"\n\s*\n", "\n", re.sub(r'<a href="/[^"]*">(.*?)</a>', r"\1", str(markup), flags=re.DOTALL))


def linked(handbook: Any, text: str) -> str:
    """A chapter in which the headings that it quotes are links."""
    places = {
        heading: re.sub(r"^/guide/rules/([\w-]+)/", r"\1.md", address)
        for heading, address in handbook.places("en").items()
    }
    parts = re.split(r"(^```.*?^```$|`[^`\n]*`)", text, flags=re.DOTALL | re.MULTILINE)
    parts[::2] = [
        re.sub(
            r'"([A-Z][^"\n]+)"',
            lambda found: f"[{found[1]}]({places[found[1]]})" if found[1] in places else found[0],
            part,
        )
        for part in parts[::2]
    ]
    return "".join(parts)


def words(handbook: Any) -> str:
    """The words that rules of all games can say, as tables."""
    lines = ["# All words", "", "What rules of every game can say. `nomopoly words EDITION` lists those of an edition."]
    for group, listed in handbook.all_words():
        lines += ["", f"## {group}", "", "<table><thead><tr><th>Word</th><th>What it does</th></tr></thead><tbody>"]
        lines += [
            f"<tr><td><code><b>{name}</b>{takes}</code></td><td>{html(told)}</td></tr>" for name, takes, told in listed
        ]
        lines.append("</tbody></table>")
    return "\n".join(lines) + "\n"


def first(first_rule: Any) -> str:
    """The page of the first rule."""
    before, after = first_rule.page("en")
    made = first_rule.made()
    steps = [f"| {label} | **{chosen}** | {group or '–'} |" for label, chosen, group in made["steps"]]
    table = ["| At | you choose | which stands under |", "| --- | --- | --- |", *steps]
    program = "```python\n" + made["code"].rstrip() + "\n```"
    parts = ["# Your first rule in ten minutes", html(before), f"Press **{made['start']}**", "\n".join(table)]
    return "\n\n".join([*parts, f"> {made['text']}", program, html(after)]) + "\n"


# ---- the house


def house() -> str:
    """A tour of the house: its rooms, how large they are, and who imports whom, counted in the code."""
    sizes, arrows = counted()
    rows = [f"| `{room}` | {TOLD[room]} | {sizes[room]:,} |" for room in ROOMS]
    return "\n".join(
        [
            "# A tour of the house",
            "",
            "Imports point downwards only, and a check keeps it so. An arrow is as thick as there are imports; its "
            "number says how",
            "many modules above import one below. Kernel, commons and editions are carried out in CPython and in the "
            "sandbox.",
            "",
            drawing(arrows),
            "",
            "| room | what is in it | lines |",
            "| --- | --- | --- |",
            *rows,
            "",
            "## The site",
            "",
            "The rooms of the site have floors too. A room imports only those below its own; rooms on one floor know "
            "nothing of each",
            "other. The tables of the database (`models.py`) are the ground below all of them, and know only one "
            "another.",
            "",
            "| floor | room | what is in it |",
            "| --- | --- | --- |",
            *floors(),
            "",
            "Begin with `kernel/`: it is small and has no game in it. Then read a section of `editions/original/`, "
            "and its scenarios",
            "beside it. `runtime/fold.py` is what a journal comes to. A page of the site begins in `site/urls.py`.",
            "",
            "Some names that one looks for: who may see a hand is in `runtime/views.py`, why an action is greyed in",
            "`runtime/forms.py`, a strike in `runtime/corrections.py`. [Working on Nomopoly](contributing.md) has "
            "more of them.",
            "",
            "Why it is as it is: the decisions in `docs/decisions/` of the source.",
            "",
        ]
    )


def floors() -> list[str]:
    """The rooms of the site from the top down, as the contract has them: rows of a table."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    layers = next(each["layers"] for each in contracts if each["name"] == FLOORS)
    return [
        f"| {len(layers) - at} | `{room}` | {SITE[room]} |"
        for at, layer in enumerate(layers)
        for room in re.findall(r"nomopoly\.site\.(\w+)", layer)
    ]


def counted() -> tuple[Counter[str], Counter[tuple[str, str]]]:
    """The lines of each room, and how many modules of a room import one of another: {(above, below): modules}."""
    package = ROOT / "src/nomopoly"
    sizes: Counter[str] = Counter()
    for file in package.rglob("*.py"):
        sizes[file.relative_to(package).parts[0].removesuffix(".py")] += len(file.read_text("utf-8").splitlines())
    graph = grimp.build_graph("nomopoly")
    arrows: Counter[tuple[str, str]] = Counter()
    for module in graph.modules:
        above = room_of(module)
        for below in {room_of(each) for each in graph.find_modules_directly_imported_by(module)}:
            if above in ROOMS and below in ROOMS and above != below:
                arrows[above, below] += 1
    return sizes, arrows


def room_of(module: str) -> str:
    """The room that a module stands in: `nomopoly.site.play.board` stands in `site`."""
    return [*module.split("."), ""][1]


def drawing(arrows: Counter[tuple[str, str]]) -> str:
    """The rooms one below the other, and an arc for each pair of rooms of which one imports the other, as SVG on one
    line."""
    top = {room: 30 + 64 * at for at, room in enumerate(ROOMS)}
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 620 {top[ROOMS[-1]] + 60}" role="img"'
        ' aria-label="The rooms of the house and their imports" style="max-width:620px;width:100%">'
    ]
    for (above, below), modules in sorted(arrows.items()):
        start, end = top[above] + 20, top[below] + 20
        bend = 210 + 44 * abs(ROOMS.index(below) - ROOMS.index(above))
        parts.append(
            f'<path d="M160 {start} C{bend} {start} {bend} {end} 168 {end}" fill="none" stroke="#47715d"'
            f' stroke-opacity=".6" stroke-width="{1 + min(modules, 60) / 15:.1f}"/>'
            f'<path d="M160 {end} l9 -5 v10 z" fill="#47715d"/>'
            f'<text x="{160 + (bend - 160) * 0.75:.0f}" y="{(start + end) // 2 + 4}" font-size="12" '
            f'fill="#47715d">{modules}</text>'
        )
    for room in ROOMS:
        parts.append(
            f'<rect x="20" y="{top[room]}" width="140" height="40" rx="6" fill="#e9f1ec" stroke="#47715d"/>'
            f'<text x="90" y="{top[room] + 25}" text-anchor="middle" font-size="15" fill="#1c2b24">{room}</text>'
        )
    return "".join([*parts, "</svg>"])

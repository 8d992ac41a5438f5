"""How a page comes by its programs: those that others import are fetched with them, not after them."""

import re
from pathlib import Path

from nomopoly.site import styles

SITE = Path(styles.__file__).parent
STATIC = re.compile(r"""<(?:script type="module" src|link rel="modulepreload" href)="{% static '([^']+)' %}">""")
IMPORTED = re.compile(r"^(?:import|export)\b[^;]*?\bfrom \"\./([^\"]+)\";", re.M)


def imported_by(module):
    """The modules that one imports before it runs, and those that these import, as the templates name them."""
    (file,) = SITE.glob(f"*/static/{module}")
    names = {f"{module.rpartition('/')[0]}/{name}" for name in IMPORTED.findall(file.read_text())}
    return names.union(*map(imported_by, names))


def test_a_slow_phone_waits_but_once_for_the_programs_of_a_page():
    pages = {file: set(STATIC.findall(file.read_text())) for file in SITE.rglob("templates/**/*.html")}
    late = {
        (file.name, module, name)
        for file, named in pages.items()
        for module in named
        for name in imported_by(module) - named
    }
    assert sum(bool(imported_by(module)) for named in pages.values() for module in named) > 2, "some import others"
    assert not late, "say modulepreload for them in the same template"

"""What six friends stumbled over who sat down at games of all editions for months: each has a test, here where no
other has it."""

import re
from pathlib import Path

import nomopoly.site


def test_programs_on_pages_can_be_scrolled_with_the_keyboard():
    templates = [*Path(nomopoly.site.__file__).parent.rglob("*.html")]
    programs = [found for each in templates for found in re.findall(r"<pre\b[^>]*>", each.read_text())]
    assert len(programs) > 20
    assert [each for each in programs if 'tabindex="0"' not in each] == []

"""Pages about players and what is theirs, in a language that nobody speaks."""

import foreign
import pytest

AT = "/g/friday/"


@pytest.mark.parametrize("path", ["notes/", "answers/"])
def test_no_word_of_a_page_is_outside_of_the_message_files(abroad, ann, game, path):
    html = ann.get(f"{AT}{path}", HTTP_ACCEPT_LANGUAGE=foreign.CODE).content.decode()
    assert abroad(html.split("<h1", 1)[1].split("<footer")[0].replace("Friday", "")) == []

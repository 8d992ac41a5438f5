"""Proposals in other languages: no wording of the site outside of the message files."""

import foreign
import pytest
from test_votes import iv, proposed  # noqa: F401 (fixtures)


def main(html):
    return html.split("<main")[1].split("<footer")[0]


@pytest.mark.django_db
def test_no_word_about_proposals_is_outside_of_the_message_files(proposed, people, abroad):  # noqa: F811
    for client, address in (
        (proposed, "proposals/"),
        (proposed, "proposals/?by=nobody"),
        (proposed, "proposals/1/retract/"),
        (people("ben"), "proposals/1/retract/"),
    ):
        html = client.get("/g/fourth/" + address, HTTP_ACCEPT_LANGUAGE=foreign.CODE).content.decode()
        assert abroad("<main" + main(html)) == [], address

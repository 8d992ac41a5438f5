"""HTML of drawings, made quicker than Django makes it: the same, whatever is put in."""

from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy
from hypothesis import given
from hypothesis import strategies as st

from nomopoly.site import formats


class Drawn(str):
    """A word of a sort of its own."""


WORDS = st.one_of(
    st.text(alphabet="a<>&'\"é{} 1"), st.just("<b>&</b>").map(mark_safe), st.text(alphabet="a<&").map(Drawn)
)
PART = st.one_of(
    WORDS,
    st.integers(),
    st.floats(),
    st.booleans(),
    st.none(),
    st.just(gettext_lazy("a <b> & c")),
    st.lists(st.just("<"), max_size=2),
)


@given(PART, PART, PART)
def test_it_is_what_django_makes(first, second, named):
    made = formats.markup("<i>{} {name} {}</i>", first, second, name=named)
    assert made == format_html("<i>{} {name} {}</i>", first, second, name=named)
    assert type(made) is SafeString


@given(st.lists(WORDS))
def test_pieces_put_together_are_escaped_once(parts):
    made = formats.together(parts)
    assert made == "".join([conditional_escape(part) for part in parts])
    assert type(made) is SafeString

"""What the kernel, the check and the host say, in the reader's language (nomopoly.languages.wordings)."""

from functools import lru_cache

from django.utils.translation import get_language, override, pgettext

from nomopoly.languages import wordings


def said(text: str) -> str:
    """A sentence of the kernel, the check or the host in the reader's language; anything else as it is."""
    language = get_language() or "en"
    return text if language == "en" or not isinstance(text, str) else in_language(text, language)


@lru_cache(4096)
def in_language(text: str, language: str) -> str:
    """A sentence of ours in another language."""
    with override(language):
        return wordings.again(text, (wordings.HOUSE,), pgettext)


def docstring(text: str) -> str:
    """What a word of the language does, in the reader's language; that of a rule's own word as it is."""
    found = pgettext(wordings.HOUSE, text) if text else text
    return found if found != text else said(text)

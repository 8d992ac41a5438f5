"""What a test reads off a page."""

import re


def text(response):
    """The words of a page, without markup."""
    return " ".join(re.sub(r"<[^>]*>", " ", response.content.decode()).split())


def token(response):
    """The `once` token of the first form of a page."""
    return re.search(r'name="once" value="([^"]+)"', response.content.decode()).group(1)

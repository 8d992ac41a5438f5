"""Typos of proposals and of posts: the Admin mends them for readers, and both versions stay readable (`original` I.4).

A post is given here as a proposal is, as a thing with `id` ("post-7") and `text`; see `post`. Nothing of the game
changes: its journal, the text that was voted on and its hash are what the author wrote. A number is no typo, since it
may be what the proposal is about.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from nomopoly.rulebook.diff import diff_words, readable
from nomopoly.site.desk.models import Mended
from nomopoly.site.tables import live

if TYPE_CHECKING:
    from nomopoly.site.play.models import Comment
    from nomopoly.site.shapes import Data
    from nomopoly.site.tables.models import Game


NUMBERS = re.compile(r"\d+(?:[.,]\d+)*")
NUMBER = gettext_lazy(
    "Only typos are mended, and a number has changed: {before} became {after}. What a proposal means stays as it is; "
    "its author can make a new version."
)


def of(game: Game, proposal: Data) -> dict[Any, Any] | None:
    """The mended words of a proposal (a thing of the view), with what has changed: {"title", "text", "made", "titles",
    "texts"}, the last two comparisons word by word; None where nothing was mended."""
    row = Mended.objects.filter(game=game, about=proposal["id"]).first()
    return None if row is None else told(row, words_of(proposal))


def told(row: Mended, written: dict[Any, Any]) -> dict[Any, Any]:
    """What was mended (`row`: a Mended) of words (`written`: {"title", "text"}), as `of` says."""
    return {
        "title": row.title,
        "text": row.text,
        "made": row.made,
        "titles": readable(diff_words(written["title"], row.title)),
        "texts": readable(diff_words(written["text"], row.text)),
    }


def post(comment: Comment) -> dict[Any, Any]:
    """A post as a thing whose words can be mended."""
    return {"id": f"post-{comment.pk}", "text": comment.body}


def of_posts(game: Game) -> dict[Any, Any]:
    """All that was mended of posts: {id of the post's thing: its row}."""
    return {row.about: row for row in Mended.objects.filter(game=game, about__startswith="post-")}


def forget(comment: Comment) -> None:
    """The author has changed or deleted a post: what was mended of it is no longer about its words."""
    Mended.objects.filter(game=comment.game_id, about=post(comment)["id"]).delete()


def words_of(proposal: dict[Any, Any] | Data) -> dict[Any, Any]:
    """The words of a proposal or post as its author wrote them: {"title", "text"}."""
    return {name: str(proposal.get(name) or "") for name in ("title", "text")}


def refusal(proposal: dict[Any, Any] | Data, title: str, text: str) -> str | None:
    """Why these words cannot stand for a proposal's own, or None."""
    written = words_of(proposal)
    before = NUMBERS.findall(f"{written['title']}\n{written['text']}")
    after = NUMBERS.findall(f"{title}\n{text}")
    if before != after:
        at = next((at for at, pair in enumerate(zip(before, after, strict=False)) if pair[0] != pair[1]), None)
        at = min(len(before), len(after)) if at is None else at
        return NUMBER.format(
            before=before[at] if at < len(before) else "nothing", after=after[at] if at < len(after) else "nothing"
        )
    if bool(written["title"].strip()) != bool(title.strip()) or bool(written["text"].strip()) != bool(text.strip()):
        return _(
            "Mending takes no words away and adds none where there were none: leave the title and the text in "
            "their places."
        )
    return None


def mend(game: Game, proposal: dict[Any, Any] | Data, title: str, text: str) -> None:
    """Show a proposal or post in these words from now on. If they are the author's own, the correction is removed."""
    rows = Mended.objects.filter(game=game, about=proposal["id"])
    if {"title": title, "text": text} == words_of(proposal):
        rows.delete()
        return
    rows.update_or_create(
        game=game, about=proposal["id"], defaults={"title": title, "text": text, "made": live.present()}
    )

"""Calls: what is posted to webhooks and devices, from the same outbox as letters, each in the form that its target
reads."""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
import secrets
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from django.utils import timezone
from django.utils.translation import gettext as _

from nomopoly.site.post import office, push, reach
from nomopoly.site.post.models import Call, Target

if TYPE_CHECKING:
    from nomopoly.site.accounts.models import User
    from nomopoly.site.shapes import Data
    from nomopoly.site.tables.models import Game


log = logging.getLogger("nomopoly.mail")
GONE = (404, 410)
MOST_TARGETS = 5
MOST_DISCORD, MOST_SLACK, MOST_PUSH = 2000, 3000, 1500


def add(
    sort: str,
    url: str,
    *,
    user: User | None = None,
    game: Game | None = None,
    n: int = 0,
    keys: dict[Any, Any] | None = None,
    name: str = "",
) -> str | Target:
    """Keep a new target, for whoever has the right to. Returns it, or why it is not taken."""
    wrong = reach.problem(url) or (_("This address is too long.") if len(url) > 1000 else None)
    if wrong:
        return wrong
    mine = Target.objects.filter(user=user, game=game)
    if sort != Target.Sort.PUSH and mine.exclude(sort=Target.Sort.PUSH).count() >= MOST_TARGETS:
        return _("At most %(most)s webhooks: remove one first.") % {"most": MOST_TARGETS}
    if sort == Target.Sort.PUSH:  # the same device again, and none that was forgotten
        mine.filter(sort=sort, url=url).delete()
        for old in mine.filter(sort=sort).order_by("-pk")[MOST_TARGETS - 1 :]:
            old.delete()
    secret = "" if sort == Target.Sort.PUSH else secrets.token_urlsafe(32)
    made = Target.objects.create(
        user=user, game=game, sort=sort, url=url, name=name[:100], n=n, secret=secret, keys=keys or {}
    )
    put(made, "hello", "Nomopoly", [{"text": _("You will be told here."), "url": office.address("/")}])
    return made


def put(target: Target, cause: str, title: str, lines: list[Any]) -> None:
    """Put a call in, in the transaction that is under way; one a cause."""
    Call.objects.get_or_create(target=target, cause=cause[:100], defaults={"told": {"title": title, "lines": lines}})


def deliver(most: int = office.AT_ONCE, stopped: Callable[[], bool] = bool) -> int:
    """Make the calls that are due, at most so many, and none more once it is stopped. Returns how many were taken
    on."""
    taken = 0
    while taken < most and not stopped() and (call := office.claim(Call)) is not None:
        attempt(call)
        taken += 1
    return taken


def attempt(call: Call) -> None:
    """Make one claimed call, and note what became of it."""
    target = call.target
    if target.off is not None:
        return office.done(call, "The target takes no more.")
    try:
        status, said = send(call)
    except reach.NotPublic as error:
        switch_off(target, str(error))
        return office.done(call, str(error))
    except (OSError, ValueError) as error:
        return later(call, f"{type(error).__name__}: {error}")
    if 200 <= status < 300:
        Call.objects.filter(pk=call.pk).update(sent=timezone.now(), next_try=None, problem="")
        Target.objects.filter(pk=target.pk).exclude(problem="").update(problem="")
        return None
    if status in GONE:
        switch_off(target, f"It has answered {status}: there is nobody any more.")
        return office.done(call, str(status))
    return later(call, f"It has answered {status}. {said[:100]}")


def later(call: Call, problem: str) -> None:
    """Try again as letters are; a target that has refused for three days is switched off."""
    Target.objects.filter(pk=call.target_id).update(problem=problem[:300])
    if call.tries > len(office.PAUSES):
        switch_off(call.target, problem)
    return office.later(call, problem)


def switch_off(target: Target, problem: str) -> None:
    """Call a target no more; its owner sees that, and why."""
    Target.objects.filter(pk=target.pk).update(off=timezone.now(), problem=problem[:300])


def send(call: Call) -> tuple[int, str]:
    """Post one call. Returns (status, answer). Raises NotPublic, OSError and ValueError."""
    target = call.target
    if target.sort == Target.Sort.PUSH:
        body, headers = push.sealed(target, short(call.told))
    else:
        body = json.dumps(FORMS[Target.Sort(target.sort)](call.told), ensure_ascii=False).encode()
        headers = {"Content-Type": "application/json", "X-Nomopoly-Cause": f"{target.pk}-{call.pk}"}
        headers |= signature(target.secret, body)
    return reach.post(target.url, body, headers)


def signature(secret: str, body: bytes, now: int | None = None) -> dict[Any, Any]:
    """The header by which a receiver knows that a call is ours and new: HMAC-SHA256 over "<seconds>.<body>"."""
    at = str(int(time.time() if now is None else now))
    sign = hmac.new(secret.encode(), at.encode() + b"." + body, hashlib.sha256).hexdigest()
    return {"X-Nomopoly-Signature": f"t={at},v1={sign}"}


# ---- forms


def as_discord(told: Data) -> dict[Any, Any]:
    """News in the form that Discord takes, cut to what it allows."""
    lines = [f"**{plain_discord(told['title'])}**", *(plain_discord(each["text"]) for each in told["lines"])]
    more = f"\n<{told['lines'][-1]['url']}>"
    return {"content": cut("\n".join(lines), MOST_DISCORD - len(more)) + more, "allowed_mentions": {"parse": []}}


def plain_discord(text: str) -> str:
    """Words that Discord shows as they are."""
    return "".join(f"\\{each}" if each in "\\*_~`|>[]#" else each for each in text)


def as_slack(told: Data) -> dict[Any, Any]:
    """News in the form that Slack takes, cut to what it allows."""
    lines = [f"*{plain_slack(told['title'])}*", *(plain_slack(each["text"]) for each in told["lines"])]
    return {"text": f"{cut(chr(10).join(lines), MOST_SLACK)}\n<{told['lines'][-1]['url']}>"}


def plain_slack(text: str) -> str:
    """Words that Slack shows as they are, and that call nobody."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def as_json(told: Data) -> Any:
    """News as data, for programs."""
    return told


def short(told: Data) -> dict[Any, Any]:
    """What a device shows: {"title", "body", "url"}."""
    text = "\n".join(each["text"] for each in told["lines"])
    return {"title": cut(told["title"], 100), "body": cut(text, MOST_PUSH // 4), "url": told["lines"][0]["url"]}


def cut(text: str, most: int) -> str:
    """A text of at most so many characters; what is cut ends with an ellipsis."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


FORMS = {Target.Sort.JSON: as_json, Target.Sort.DISCORD: as_discord, Target.Sort.SLACK: as_slack}


def is_sort(word: str) -> bool:
    """Whether a webhook can have this form."""
    return word in FORMS


def tidy() -> None:
    """Forget calls that were done with a month ago."""
    Call.objects.filter(next_try=None, made__lt=timezone.now() - office.KEPT).delete()

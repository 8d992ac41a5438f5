"""Programs that run beside a server, with its database: each in a fork of one process in which Django has been loaded.

Loading Django and the site takes a second and a half of a core, and a module asks up to thirty times. Run as a program,
this reads one program a line, as JSON, and answers each with a line: {"result": what it assigned to `result`} or
{"error": why not}.
"""

import json
import os
import subprocess
import sys
import textwrap
import traceback
from pathlib import Path


class Beside:
    """The process that runs programs in a folder."""

    def __init__(self, data: Path, environment: dict[str, str]) -> None:
        import nursery  # the program itself has no use for it

        self.process = nursery.start(
            [__file__],
            env=environment,
            cwd=data,
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def run(self, program: str):
        """Run a program; what it assigns to `result` comes back. Raises AssertionError with its traceback if it
        fails."""
        self.process.stdin.write(json.dumps(textwrap.dedent(program)) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline() or '{"error": "it has ended"}')
        assert "error" not in answer, answer["error"]
        return answer["result"]

    def close(self) -> None:
        """End the process."""
        self.process.stdin.close()
        self.process.wait(timeout=300)
        self.process.stdout.close()


def names() -> dict:
    """What programs find at hand."""
    import django

    django.setup()
    from allauth.account.models import EmailAddress
    from django.conf import settings
    from django.contrib.auth import get_user_model
    from django.contrib.sessions.backends.db import SessionStore

    from nomopoly.site.tables import domain, live, queries
    from nomopoly.site.tables.models import Game, Membership

    def account(address):
        user, _ = get_user_model().objects.get_or_create(email=address)
        EmailAddress.objects.get_or_create(user=user, email=address, defaults={"verified": True, "primary": True})
        return user

    def signed_in(user):
        session = SessionStore()
        session["_auth_user_id"] = str(user.pk)
        session["_auth_user_backend"] = settings.AUTHENTICATION_BACKENDS[-1]
        session["_auth_user_hash"] = user.get_session_auth_hash()
        session.create()
        return session.session_key

    return {
        "Game": Game,
        "Membership": Membership,
        "SessionStore": SessionStore,
        "account": account,
        "domain": domain,
        "json": json,
        "live": live,
        "queries": queries,
        "signed_in": signed_in,
    }


def answer(program: str, known: dict) -> dict:
    """What a program says, which is run here and now."""
    try:
        exec(program, known)
        known["live"].close_all()
        return {"result": known["result"]}
    except BaseException:
        return {"error": traceback.format_exc()}


def main() -> None:
    """Run what is asked for until nobody asks."""
    said = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a program prints is no answer
    known = names()
    for line in sys.stdin:
        child = os.fork()
        if child:
            _, status = os.waitpid(child, 0)
            if status:
                print(json.dumps({"error": f"it ended with status {status}"}), file=said, flush=True)
        else:
            print(json.dumps(answer(json.loads(line), known)), file=said, flush=True)
            os._exit(0)


if __name__ == "__main__":
    main()

"""Serves the site: the database brought up to date, the clock running, a demo game if wanted."""

import os
import threading
from pathlib import Path


def prepare(data):
    """Set Django up on a data folder."""
    if data is not None:
        os.environ["NOMOPOLY_DATA"] = str(data)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "nomopoly.site.settings")
    import django
    from django.conf import settings

    Path(os.environ.get("NOMOPOLY_DATA", "data")).mkdir(parents=True, exist_ok=True)
    django.setup()
    return settings


def serve(host="127.0.0.1", port=8000, demo=False, data=None, clock=True):
    """Serve until stopped. With `demo`, a game one can look at and join is there. Without `clock`, others run it."""
    settings = prepare(data)
    from django.core.management import call_command

    call_command("migrate", interactive=False, verbosity=0)
    from nomopoly.site.tables import witness

    for sentence in witness.look_at_all():
        print(sentence, flush=True)
    if "NOMOPOLY_ADDRESS" not in os.environ:
        settings.NOMOPOLY_ADDRESS = f"http://{host}:{port}"
    if host not in (*settings.ALLOWED_HOSTS, "0.0.0.0", "::"):
        settings.ALLOWED_HOSTS.append(host)
    if demo:
        from nomopoly.site.demo import make_demo

        make_demo()
    from nomopoly.site.clock import Worker

    worker = Worker()
    thread = threading.Thread(target=worker.run, name="clock", daemon=True)
    if clock:
        thread.start()
    print(f"Nomopoly is at http://{host}:{port}/", flush=True)
    if settings.EMAIL_BACKEND.endswith("FileAndConsole"):
        print("Mails, log-in codes among them, are shown here and kept in", settings.EMAIL_FILE_PATH, flush=True)
    import uvicorn

    try:
        uvicorn.run("nomopoly.site.asgi:application", host=host, port=port, log_level="warning", lifespan="off")
    finally:
        worker.stop.set()
        if clock:
            thread.join(timeout=10)
        from nomopoly.site.tables import live

        live.close_all()


def run_clock(data):
    """A clock without a server, beside `serve --no-clock`; there may be several."""
    prepare(data)
    from nomopoly.site import clock

    clock.run()

"""The site for an ASGI server, with live news (see news.py) and what is handed over (see handing.py)."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "nomopoly.site.settings")
django = get_asgi_application()

from nomopoly.site.handing import Handing  # noqa: E402
from nomopoly.site.news import Wire  # noqa: E402

application = Handing(Wire(django))

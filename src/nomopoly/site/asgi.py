"""The site for an ASGI server, with live news (see news.py)."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "nomopoly.site.settings")
django = get_asgi_application()

from nomopoly.site.news import Wire  # noqa: E402

application = Wire(django)

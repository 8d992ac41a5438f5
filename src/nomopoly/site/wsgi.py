"""The site for a WSGI server."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "nomopoly.site.settings")
application = get_wsgi_application()

"""Where a provider posts the mails that come in, if the operator has named one."""

from anymail.urls import urlpatterns as providers
from django.conf import settings

urlpatterns = [
    each
    for each in providers
    if settings.NOMOPOLY_MAIL_PROVIDER and each.name == f"{settings.NOMOPOLY_MAIL_PROVIDER}_inbound_webhook"
]

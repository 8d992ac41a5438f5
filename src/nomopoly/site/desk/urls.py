"""The Admin's desk."""

urlpatterns = []

"""Pages that show a game."""

urlpatterns = []

from django.apps import AppConfig


class Post(AppConfig):
    name = "nomopoly.site.post"
    label = "post"

"""What is asked for at one address and stands at another, as the page of a player whose name was spelt in another way."""

from django.shortcuts import redirect


class Elsewhere(Exception):
    """Raised by whatever finds out that what is asked for stands at another address; answered with a redirection."""

    def __init__(self, address):
        super().__init__(address)
        self.address = address


class Redirections:
    """The middleware that answers it on pages."""

    def __init__(self, get_response):
        self.get_response = get_response

    def __call__(self, request):
        """Answer the request as without this middleware."""
        return self.get_response(request)

    def process_exception(self, request, error):
        """Answer Elsewhere with a redirection to its address; leave others (None) to Django."""
        return redirect(error.address) if isinstance(error, Elsewhere) else None


def answer_elsewhere(api):
    """The same for a NinjaAPI, which answers its exceptions itself."""
    api.add_exception_handler(Elsewhere, lambda request, error: redirect(error.address))

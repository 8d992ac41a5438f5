"""The API described on a page of ours, which needs no JavaScript; the page to try it out comes with django-ninja."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.http import require_safe
from ninja.openapi.schema import OpenAPISchema

from nomopoly.site.api.door import SAYS
from nomopoly.site.api.routes import api
from nomopoly.site.shapes import Data


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """The page that describes the API, from its OpenAPI schema."""
    schema = api.get_openapi_schema()
    groups: Data = {}
    for path, operations in schema["paths"].items():
        for method, operation in operations.items():
            told = operation | {"method": method.upper(), "path": path, "fields": fields(operation, schema)}
            groups.setdefault(operation["tags"][0], []).append(told)
    says = [(status, gettext(words)) for status, words in SAYS.items()]
    return render(request, "api_docs.html", {"groups": groups.items(), "told": api.description, "says": says})


def fields(operation: Any, schema: OpenAPISchema) -> list[tuple[Any, Any, Any, Any]]:
    """What goes into an address, a header or a body: (name, where, whether it must be, what it is)."""
    found = [
        (each["name"], each["in"], each["required"], each.get("description", "")) for each in operation["parameters"]
    ]
    if "requestBody" in operation:
        name = operation["requestBody"]["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
        body = schema["components"]["schemas"][name]
        found += [
            (field, "body", field in body.get("required", ()), told.get("description", ""))
            for field, told in body["properties"].items()
        ]
    return found

"""Write the rows of the log for the games that there are. A game some of whose outcomes are lost is left to its next reader."""

import json
from dataclasses import asdict

from django.db import migrations
from django.db.models import Max

from nomopoly.runtime.lines import is_public, rows_of
from nomopoly.runtime.replay import struck_numbers

CHUNK = 250
LONGEST = 100


def those_there_are(apps, schema_editor):
    for game in apps.get_model("tables", "Game").objects.all():
        last = game.entries.aggregate(last=Max("n"))["last"]
        if last is not None and game.outcomes.count() == last + 1:
            write(apps, game, last)


def write(apps, game, last):
    rows = apps.get_model("tables", "LogLine").objects
    marks = (json.loads(line) for line in game.entries.filter(line__contains='"kind":"strike"').order_by("n").values_list("line", flat=True))
    strikes = [(line["n"], line["args"]["entry"]) for line in marks if line["kind"] == "strike"]
    struck = {target: n for n, target in strikes if n not in struck_numbers(strikes)}
    number, numbers = -1, {}
    for first in range(0, last + 1, CHUNK):
        lines = game.entries.filter(n__gte=first, n__lt=first + CHUNK).order_by("n").values_list("line", flat=True)
        outcomes = dict(game.outcomes.filter(n__gte=first, n__lt=first + CHUNK).values_list("n", "outcome"))
        made = []
        for line in map(json.loads, lines):
            n, outcome = line["n"], json.loads(outcomes.get(line["n"], "{}"))
            public = is_public(outcome)
            number += public
            numbers[n] = number if public else None
            made += rows_of(line, outcome, numbers[n], struck.get(n), numbers)
        rows.bulk_create([rows.model(game=game, **columns(row)) for row in made if len(row.viewer) <= LONGEST], CHUNK)
    game.lined = last
    game.save(update_fields=["lined"])


def columns(row):
    """A row as the database takes it: no NUL, and no more than so much."""
    values = {name: value.replace("\0", " ") if isinstance(value, str) else value for name, value in asdict(row).items()}
    return values | {"by": values["by"][:LONGEST], "do": values["do"][:LONGEST]}


class Migration(migrations.Migration):

    dependencies = [
        ('tables', '0020_lines_of_the_log'),
    ]

    operations = [
        migrations.RunPython(those_there_are, migrations.RunPython.noop),
    ]

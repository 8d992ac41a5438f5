import calendar
import json
import time

from django.db import migrations, models


def those_there_are(apps, schema_editor):
    """When somebody last did something in the games that there are."""
    entries = apps.get_model("tables", "Entry").objects
    for game in apps.get_model("tables", "Game").objects.all():
        last = entries.filter(game=game).exclude(line__contains='"kind":"tick"').order_by("-n").first()
        if last is not None:
            moment = time.strptime(json.loads(last.line)["at"][:19], "%Y-%m-%dT%H:%M:%S")
            game.moved = calendar.timegm(moment)
            game.save(update_fields=["moved"])


class Migration(migrations.Migration):

    dependencies = [
        ('tables', '0018_bots'),
    ]

    operations = [
        migrations.AddField(
            model_name='game',
            name='moved',
            field=models.BigIntegerField(db_index=True, default=0),
        ),
        migrations.RunPython(those_there_are, migrations.RunPython.noop),
    ]

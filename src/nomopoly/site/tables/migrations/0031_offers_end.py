import time

from django.db import migrations, models

OFFER_SECONDS = 14 * 86_400


def end(apps, schema_editor):
    """Offers that stand already have as long as new ones, from now on."""
    offered = apps.get_model("tables", "Game").objects.exclude(successor="")
    offered.update(successor_until=int(time.time()) + OFFER_SECONDS)


class Migration(migrations.Migration):

    dependencies = [
        ('tables', '0030_earlier_names'),
    ]

    operations = [
        migrations.AddField(
            model_name='game',
            name='successor_until',
            field=models.BigIntegerField(null=True),
        ),
        migrations.RunPython(end, migrations.RunPython.noop),
    ]

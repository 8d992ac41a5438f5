import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


def those_there_are(apps, schema_editor):
    """The demo games are by the house; every other game was started by whoever is its Admin, as far as is known."""
    game = apps.get_model("tables", "Game")
    game.objects.filter(demo=True, admin=None).update(office="house")
    game.objects.exclude(admin=None).update(starter=models.F("admin"))


class Migration(migrations.Migration):

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ('tables', '0014_further_fields_of_votes'),
    ]

    operations = [
        migrations.AddField(
            model_name='game',
            name='office',
            field=models.CharField(choices=[('person', 'A person: you let players in and decide what the rules leave to the Admin'), ('table', 'The table: the players vote on it, for a day, by simple majority'), ('house', 'The house: the site lets everybody in and accepts whatever can be put into effect')], default='person', max_length=10),
        ),
        migrations.AddField(
            model_name='game',
            name='starter',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='game',
            name='host',
            field=models.CharField(blank=True, default='', max_length=30),
        ),
        migrations.RunPython(those_there_are, migrations.RunPython.noop),
    ]

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0009_closed_games_and_successors"),
    ]

    operations = [
        # True for the games that are there already: their journals are yet to be read.
        migrations.AddField(model_name="game", name="recount", field=models.BooleanField(default=True)),
        migrations.AlterField(model_name="game", name="recount", field=models.BooleanField(default=False)),
        migrations.CreateModel(
            name="Reading",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("n", models.PositiveIntegerField()),
                ("at", models.BigIntegerField()),
                ("numbers", models.JSONField()),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="readings", to="tables.game"
                    ),
                ),
            ],
            options={
                "ordering": ["game", "n"],
                "constraints": [models.UniqueConstraint(fields=("game", "n"), name="one_reading_a_number")],
            },
        ),
    ]

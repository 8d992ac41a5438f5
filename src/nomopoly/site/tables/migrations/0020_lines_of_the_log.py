"""The rows of the log: who may know of which entry. They are written when a game is next read (tables/lines.py)."""

import django.db.models.deletion
from django.db import migrations, models

# One index of whole texts for all games; `scope` is the game. It holds no texts of its own.
SQLITE = (
    "CREATE VIRTUAL TABLE tables_logtext USING fts5(scope, text, words, content='', tokenize='unicode61')",
    """CREATE TRIGGER tables_logtext_made AFTER INSERT ON tables_logline BEGIN
        INSERT INTO tables_logtext(rowid, scope, text, words) VALUES (new.id, 'g' || new.game_id, new.text, new.words);
    END""",
    """CREATE TRIGGER tables_logtext_gone AFTER DELETE ON tables_logline BEGIN
        INSERT INTO tables_logtext(tables_logtext, rowid, scope, text, words)
        VALUES ('delete', old.id, 'g' || old.game_id, old.text, old.words);
    END""",
)


def index_texts(apps, schema_editor):
    """An index of the texts and of the words that an entry is found by, as the database has such."""
    if schema_editor.connection.vendor == "sqlite":
        for statement in SQLITE:
            schema_editor.execute(statement)
    elif schema_editor.connection.vendor == "postgresql":
        from django.contrib.postgres.indexes import GinIndex
        from django.contrib.postgres.search import SearchVector

        model = apps.get_model("tables", "LogLine")
        for name in ("text", "words"):
            schema_editor.add_index(model, GinIndex(SearchVector(name, config="simple"), name=f"log_lines_of_{name}"))


def forget_texts(apps, schema_editor):
    if schema_editor.connection.vendor == "sqlite":
        schema_editor.execute("DROP TABLE tables_logtext")


class Migration(migrations.Migration):

    dependencies = [
        ('tables', '0019_last_moves'),
    ]

    operations = [
        migrations.AddField(
            model_name='game',
            name='lined',
            field=models.IntegerField(default=-1),
        ),
        migrations.CreateModel(
            name='LogLine',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('n', models.PositiveIntegerField()),
                ('viewer', models.CharField(blank=True, max_length=100)),
                ('number', models.PositiveIntegerField(null=True)),
                ('alone', models.BooleanField()),
                ('others', models.BooleanField()),
                ('at', models.BigIntegerField()),
                ('kind', models.CharField(max_length=20)),
                ('by', models.CharField(blank=True, max_length=100)),
                ('do', models.CharField(blank=True, max_length=100)),
                ('struck', models.PositiveIntegerField(null=True)),
                ('text', models.TextField(blank=True)),
                ('words', models.TextField(blank=True)),
                ('game', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='log_lines', to='tables.game')),
            ],
            options={
                'indexes': [models.Index(fields=['game', 'number'], name='log_lines_by_number'), models.Index(condition=models.Q(('viewer', ''), _negated=True), fields=['game', 'viewer', 'alone'], name='log_lines_of_some'), models.Index(condition=models.Q(('kind', 'tick'), _negated=True), fields=['game', 'kind', 'n'], name='log_lines_by_kind'), models.Index(condition=models.Q(('by', ''), _negated=True), fields=['game', 'by', 'do'], name='log_lines_by_order')],
                'constraints': [models.UniqueConstraint(fields=('game', 'n', 'viewer'), name='one_log_line_a_viewer')],
            },
        ),
        migrations.RunPython(index_texts, forget_texts),
    ]

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0015_offices"),
    ]

    operations = [
        migrations.AddField(
            model_name="membership",
            name="piece",
            field=models.CharField(blank=True, default="", max_length=20),
        ),
    ]

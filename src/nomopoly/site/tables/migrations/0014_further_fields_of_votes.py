from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0013_vaults"),
    ]

    operations = [
        migrations.AddField(
            model_name="ballot",
            name="more",
            field=models.TextField(default="{}"),
        ),
        migrations.AlterField(
            model_name="ballot",
            name="choice",
            field=models.JSONField(null=True),
        ),
    ]

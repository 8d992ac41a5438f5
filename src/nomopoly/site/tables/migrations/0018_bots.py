import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tables', '0017_questions_of_the_table'),
    ]

    operations = [
        migrations.CreateModel(
            name='BotSeat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('next_at', models.BigIntegerField(db_index=True)),
                ('seat', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='bot', to='tables.membership')),
            ],
        ),
    ]

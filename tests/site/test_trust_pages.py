"""What whoever comes here may trust in: pages of the operator, security.txt."""

import datetime

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal import auth as totp
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.test import Client
from pagewords import fresh_code, text

from nomopoly.site import doctor
from nomopoly.site.accounts import factors, takeout
from nomopoly.site.lobby import trust
from nomopoly.site.order import complaints, conduct
from nomopoly.site.order.models import Complaint, Silence

PAGES = ("privacy", "terms", "contact")


@pytest.fixture
def own(tmp_path, settings):
    """own(privacy="...") writes pages of the operator's."""
    settings.DATA = tmp_path
    (tmp_path / "pages").mkdir()

    def write(**pages):
        for name, words in pages.items():
            (tmp_path / "pages" / f"{name}.md").write_text(words, "utf-8")

    return write


@pytest.mark.parametrize("name", PAGES)
def test_the_pages_are_there_before_anybody_has_written_them(own, name):
    answer = Client().get(f"/{name}/")
    assert answer.status_code == 200
    assert f'href="/{name}/"' in Client().get("/").content.decode()


@pytest.mark.parametrize("name", PAGES)
def test_what_the_operator_writes_is_shown_without_markup_of_their_own(own, name):
    own(**{name: "We are *the club*.\n\n<script>alert(1)</script>"})
    page = Client().get(f"/{name}/").content.decode()
    assert "<em>the club</em>" in page
    assert "<script>alert" not in page


def test_what_is_not_filled_in_is_said(own, settings, tmp_path):
    assert trust.missing() == ["privacy", "terms", "contact"]
    assert "has not said yet" in text(Client().get("/contact/"))
    assert [level for level, _ in doctor.pages(tmp_path)] == ["look"]
    settings.NOMOPOLY_CONTACT, settings.NOMOPOLY_OPERATOR = "club@example.org", "The club"
    own(privacy="x", terms="y")
    assert trust.missing() == []
    assert [level for level, _ in doctor.pages(tmp_path)] == ["ok"]
    page = Client().get("/contact/").content.decode()
    assert 'href="mailto:club@example.org"' in page
    assert "The club" in page


def test_security_txt_names_a_contact_and_expires_within_a_year(settings):
    assert Client().get("/.well-known/security.txt").status_code == 404
    settings.NOMOPOLY_CONTACT = "club@example.org"
    answer = Client().get("/.well-known/security.txt")
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    fields = dict(line.split(": ", 1) for line in answer.content.decode().splitlines())
    assert fields["Contact"] == "mailto:club@example.org"
    expires = datetime.datetime.fromisoformat(fields["Expires"])
    assert 100 < (expires - datetime.datetime.now(datetime.UTC)).days < 365
    settings.NOMOPOLY_CONTACT = "https://example.org/contact"
    assert "Contact: https://example.org/contact" in Client().get("/.well-known/security.txt").content.decode()


@pytest.mark.parametrize(
    ("year", "month", "told"), [(2026, 1, "2026-07-01"), (2026, 7, "2027-01-01"), (2026, 12, "2027-06-01")]
)
def test_when_it_expires(year, month, told):
    assert str(trust.expires(datetime.datetime(year, month, 28, tzinfo=datetime.UTC))) == told


# ---- secrets at rest, passwords


def test_seeds_of_second_factors_are_encrypted(people, settings):
    user = people("ann").user
    secret = totp.generate_totp_secret()
    made = totp.TOTP.activate(user, secret)
    kept = Authenticator.objects.get(user=user).data["secret"]
    assert secret not in kept
    assert made.validate_code(fresh_code(secret))
    settings.SECRET_KEY = "another installation"
    other = totp.TOTP(Authenticator.objects.get(user=user))
    assert not other.validate_code(fresh_code(secret))
    assert not other.validate_code(fresh_code("")), "what cannot be read is no empty secret"


def test_a_seed_of_before_is_read_as_it_stands():
    assert factors.Factors().decrypt("JBSWY3DPEHPK3PXP") == "JBSWY3DPEHPK3PXP"


@pytest.mark.parametrize("password", ["nomopoly2026", "Nomopoly-Nomic"])
def test_a_password_is_more_than_the_name_of_the_site(password):
    with pytest.raises(ValidationError, match="name of the site"):
        validate_password(password)
    validate_password(f"{password} and five horses")


# ---- data of one's own


def test_reports_and_silences_are_taken_along_and_go_with_the_account(game, ann, keeper):
    ann.post("/g/friday/report/", {"sort": "admin", "because": "Takes sides"})
    assert conduct.mute(game, "Ann", 3, "Insults").ok
    ann.post("/g/friday/answers/", {"question": "buy-square", "answer": "#12"})
    told = takeout.everything_of(ann.user)
    assert told["complaints"][0]["because"] == "Takes sides"
    assert told["silences"][0]["because"] == "Insults"
    assert [each["question"] for each in told["games"][0]["standing_answers"]] == ["buy-square"]
    assert complaints.for_operators().count() == 1
    ann.user.delete()
    assert Complaint.objects.get().user is None
    assert Silence.objects.get().user is None


def test_a_log_out_clears_what_the_browser_kept(ann):
    answer = ann.post("/account/logout/")
    assert answer["Clear-Site-Data"] == '"cache", "storage"'
    assert "Clear-Site-Data" not in ann.get("/")

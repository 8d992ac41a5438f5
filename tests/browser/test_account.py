"""A passkey as the second factor, with an authenticator that the browser plays; the pages of an account on a phone."""

import re

import pytest
from page_faults import too_wide
from test_newcomer import code_in


@pytest.fixture(scope="module")
def people(site):
    return site.prepare("""
        admin, pat, quin = account("keeper@example.org"), account("pat@example.org"), account("quin@example.org")
        for user in (pat, quin):
            user.set_unusable_password()
            user.save()
        game = domain.start_game(admin, edition="original", title="Keys", slug="keys")
        domain.ask_to_join(game, quin, "Quin")
        domain.desk_act(game, "approve-player", {"player": "Quin"})
        result = {"pat": signed_in(pat), "quin": signed_in(quin)}
    """)


def by_name(site):
    """The site under a name: a passkey belongs to a name, never to a number."""
    return site.url.replace("127.0.0.1", "localhost")


def test_a_passkey_is_added_and_asked_for(site, people, chromium):
    context = chromium.new_context(base_url=by_name(site))
    context.set_default_timeout(120_000)
    context.add_cookies([{"name": "sessionid", "value": people["pat"], "url": by_name(site)}])
    page = context.new_page()
    devtools = context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    devtools.send(
        "WebAuthn.addVirtualAuthenticator",
        {
            "options": {
                "protocol": "ctap2",
                "transport": "internal",
                "hasResidentKey": True,
                "hasUserVerification": True,
                "isUserVerified": True,
                "automaticPresenceSimulation": True,
            }
        },
    )
    page.goto("/settings/")
    page.get_by_role("main").get_by_role("link", name="Second factor").first.click()
    page.goto("/account/2fa/webauthn/add/")
    page.locator("#id_name").fill("My laptop")
    page.locator("#id_passwordless").check()
    page.locator("#mfa_webauthn_add").click()
    page.wait_for_url(re.compile("recovery-codes/$"))  # the key was shown a moment ago, and is not asked for again
    assert "Recovery Codes" in page.get_by_role("main").inner_text()
    page.goto("/account/2fa/webauthn/")
    assert "My laptop" in page.get_by_role("main").inner_text()
    context.clear_cookies()

    page.goto("/account/login/")
    page.locator("#code_email").fill("pat@example.org")
    page.get_by_role("button", name="Send me a code").click()
    page.wait_for_url(re.compile("code"))
    page.locator("[name=code]").fill(code_in(site.mails()))
    page.locator("[name=code]").press("Enter")
    page.wait_for_url(re.compile("2fa/authenticate"))
    page.locator("#mfa_webauthn_authenticate").click()
    page.wait_for_url(re.compile("/me/"))
    assert "Nothing waits for you" in page.get_by_role("main").inner_text()
    context.clear_cookies()

    page.goto("/account/login/?next=/settings/")
    page.get_by_text("Use a password or a passkey instead").click()
    page.locator("#passkey_login").click()
    page.wait_for_url(re.compile("/settings/$"))
    context.close()


@pytest.mark.parametrize("path", ["/settings/", "/settings/close/", "/account/2fa/", "/account/sessions/"])
def test_pages_of_an_account_fit_a_narrow_phone(people, page_of, path):
    page = page_of(people["quin"], width=320)
    assert page.goto(path).status == 200
    assert too_wide(page) <= 0


def test_the_picture_of_a_secret_can_be_scanned_in_the_dark(people, page_of):
    page = page_of(people["quin"], color_scheme="dark")
    page.goto("/account/2fa/totp/activate/")
    assert page.locator("img.qr").evaluate("each => getComputedStyle(each).backgroundColor") == "rgb(255, 255, 255)"


def test_notices_that_are_seen_are_marked_as_read_by_the_form_of_the_page(site, people, page_of):
    def unread():
        return site.prepare("""
            from nomopoly.site.notices.models import Notice
            result = Notice.objects.filter(user__email="quin@example.org", read=None).count()
        """)

    site.prepare("""
        from nomopoly.site.notices.models import Notice
        from nomopoly.site.tables.models import Game
        user, game = account("quin@example.org"), Game.objects.get(slug="keys")
        Notice.objects.update(read=user.date_joined)
        told = {"text": "Something new", "path": "log/", "due": live.present()}  # due in whole seconds, as all are
        Notice.objects.create(user=user, game=game, kind="happened", cause="seen", **told)
        result = None
    """)
    page = page_of(people["quin"], 360)
    page.goto("/settings/")
    assert unread() == 1
    page.goto("/me/notices/")
    assert "new" in page.get_by_role("listitem").filter(has_text="Something new").inner_text()
    page.locator("form[data-seen]").wait_for(state="detached")
    assert unread() == 0
    assert page.get_by_role("button", name="Mark all as read").is_visible()

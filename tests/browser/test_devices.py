"""A browser as a device: allowed, refused, expired, removed; what its service worker shows without a connection.

Where pushes are delivered is the browser's maker's, so the page gets a subscription as a browser would give it; that
the site keeps it, and what is sent there, is real. What arrives is handed to the real service worker by the browser's
own tools.
"""

import base64
import re
import time

import pytest
from page_faults import too_wide, wrong_by_axe
from playwright.sync_api import expect

ELSEWHERE = "/settings/elsewhere/"
POINT = base64.urlsafe_b64encode(b"\x04" + bytes(range(64))).decode().rstrip("=")
SECRET = base64.urlsafe_b64encode(bytes(16)).decode().rstrip("=")
PUSHES = f"""
PushManager.prototype.subscribe = async function (options) {{
  window.asked = options;
  const keys = {{ p256dh: "{POINT}", auth: "{SECRET}" }};
  return {{ toJSON: () => ({{ endpoint: window.ENDPOINT || "https://push.example.org/one", keys }}) }};
}};
"""
SHOWN = """async () => {
  const all = await (await navigator.serviceWorker.ready).getNotifications();
  all.forEach((each) => each.close());
  return all.map((each) => [each.title, each.body, each.data]);
}"""
NO_PUSHES = "delete window.PushManager;"


@pytest.fixture(scope="module")
def people(site):
    return site.prepare("""
        admin, pat, quin = account("keeper@example.org"), account("pat@example.org"), account("quin@example.org")
        game = domain.start_game(admin, edition="original", title="Devices", slug="devices")
        for name, user in (("Pat", pat), ("Quin", quin)):
            domain.ask_to_join(game, user, name)
            domain.desk_act(game, "approve-player", {"player": name})
        result = {"pat": signed_in(pat), "quin": signed_in(quin)}
    """)


@pytest.fixture
def device(page_of, people, site):
    """device(script, allowed=True, who="pat", width=1280) -> the page of devices, in a browser in which the script runs
    first."""

    def opened(script=PUSHES, *, allowed=True, who="pat", width=1280, windows=False):
        page = page_of(people[who], width, windows=windows)
        page.context.grant_permissions(["notifications"] if allowed else [], origin=site.url)
        if not allowed:  # a headless browser has nobody to ask
            script += 'Notification.requestPermission = async () => "denied";'
        page.add_init_script(script)
        page.goto(ELSEWHERE)
        return page

    return opened


@pytest.fixture(autouse=True)
def none_kept(site, people):
    site.prepare("""
        from nomopoly.site.post.models import Target
        Target.objects.all().delete()
        result = None
    """)


def kept(site):
    """The devices that the site has: [[address, keys, whether it is off]]."""
    return site.prepare("""
        from nomopoly.site.post.models import Target
        result = [[each.url, each.keys, each.off is not None] for each in Target.objects.filter(sort="push")]
    """)


def add(page):
    """Press the button, and wait for the page that the script loads then: it may look as before."""
    with page.expect_navigation():
        page.get_by_role("button", name="Tell this device").click()
    expect(page.locator("#targets")).to_contain_text("A device")


def test_a_device_that_is_allowed_is_kept_once_and_removed(site, device):
    page = device()
    asked_with = page.locator("#device").get_attribute("data-key")
    add(page)
    expect(page.get_by_role("main")).to_contain_text(re.compile("This device|A device"))
    assert kept(site) == [["https://push.example.org/one", {"p256dh": POINT, "auth": SECRET}, False]]
    assert len(base64.urlsafe_b64decode(asked_with + "=" * (-len(asked_with) % 4))) == 65
    assert wrong_by_axe(page) == []
    add(page)
    assert len(kept(site)) == 1
    page.get_by_role("button", name=re.compile("^Remove")).click()
    expect(page.locator("#targets")).to_have_count(0)
    expect(page.locator("body")).to_contain_text("It is removed. Nothing is told there any more.")
    assert kept(site) == []
    expect(page.get_by_role("button", name="Tell this device")).to_be_enabled()


def test_the_browser_subscribes_with_the_key_of_this_site_and_shows_what_comes(device):
    page = device(PUSHES + "window.fetch = async () => { throw new Error('The connection is gone.'); };")
    page.get_by_role("button", name="Tell this device").click()
    expect(page.locator("#device-says")).to_have_text("The connection is gone.")
    asked = page.evaluate("[window.asked.userVisibleOnly, window.asked.applicationServerKey.length]")
    assert asked == [True, 65]
    expect(page.get_by_role("button", name="Tell this device")).to_be_enabled()


@pytest.mark.parametrize("width", [360, 1280])
def test_who_refuses_is_told_how_to_allow_it_and_can_try_again(site, device, width):
    page = device(allowed=False, width=width)
    button = page.get_by_role("button", name="Tell this device")
    button.focus()
    page.keyboard.press("Enter")
    expect(
        page.get_by_role("status").filter(has_text="Allow notifications for this site in your browser")
    ).to_be_visible()
    expect(button).to_be_enabled()
    assert kept(site) == []
    assert too_wide(page) <= 0
    assert wrong_by_axe(page) == []
    page.evaluate('Notification.requestPermission = async () => "granted"')
    add(page)
    assert len(kept(site)) == 1


def test_a_browser_that_takes_no_pushes_is_told_so(device):
    page = device(NO_PUSHES)
    expect(page.locator("#device-says")).to_contain_text("This browser cannot be told anything")
    expect(page.get_by_role("button", name="Tell this device")).to_be_hidden()
    expect(page.get_by_label("Address")).to_be_visible()


def test_what_the_site_does_not_take_is_said(site, device):
    page = device(PUSHES + 'window.ENDPOINT = "http://push.example.org/plain";')
    page.get_by_role("button", name="Tell this device").click()
    expect(page.locator("#device-says")).to_have_text("The address has to begin with https://")
    assert kept(site) == []


def test_a_subscription_that_has_expired_is_shown_with_the_reason_and_added_anew(site, device):
    page = device()
    add(page)
    said = site.prepare("""
        from nomopoly.site.post import calls, push, reach
        from nomopoly.site.post.models import Call, Target
        target = Target.objects.get(sort="push")
        Call.objects.all().delete()
        calls.put(target, "x", "Devices", [{"text": "Your turn", "url": "/"}])
        reach.post, push.sealed = (lambda url, body, headers: (410, "gone")), (lambda target, told: (b"", {}))
        calls.deliver()
        calls.put(target, "y", "Devices", [{"text": "Your turn", "url": "/"}])
        reach.post = None  # nothing more goes there
        calls.deliver()
        result = [each.problem for each in Call.objects.order_by("pk")]
    """)
    assert said == ["410", "The target takes no more."]
    page.goto(ELSEWHERE)
    expect(page.locator("#targets")).to_contain_text(
        "Nothing goes there any more: It has answered 410: there is nobody any more."
    )
    assert wrong_by_axe(page) == []
    add(page)
    expect(page.locator("#targets")).not_to_contain_text("Nothing goes there any more")
    assert [off for _, _, off in kept(site)] == [False]


def test_the_devices_of_others_are_not_seen_nor_removed(site, device):
    add(device())
    other = device(who="quin")
    expect(other.locator("#targets")).to_have_count(0)
    number = site.prepare("""
        from nomopoly.site.post.models import Target
        result = Target.objects.get().pk
    """)
    other.evaluate(
        """number => {
            const form = document.querySelector("main form.card");
            form.insertAdjacentHTML("beforeend", `<input type="hidden" name="remove" value="${number}">`);
            form.noValidate = true;
            form.submit();
        }""",
        number,
    )
    expect(other.locator("body")).to_contain_text("It is removed")
    assert len(kept(site)) == 1


def test_a_push_is_shown_by_the_service_worker(site, device):
    page = device(windows=True)
    tools = page.context.new_cdp_session(page)
    found = []
    tools.on("ServiceWorker.workerRegistrationUpdated", lambda event: found.extend(event["registrations"]))
    tools.send("ServiceWorker.enable")
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    registration = next(each["registrationId"] for each in found if each["scopeURL"] == f"{site.url}/")
    pushed = {
        '{"title": "Devices", "body": "Your turn is possible", "url": "/g/devices/"}': [
            ["Devices", "Your turn is possible", "/g/devices/"]
        ],
        "no JSON": [["Nomopoly", "", "/me/notices/"]],
    }
    for data, notification in pushed.items():
        push = {"origin": site.url, "registrationId": registration, "data": data}
        assert shown_of(page, lambda push=push: tools.send("ServiceWorker.deliverPushMessage", push)) == notification


def shown_of(page, deliver):
    """The notifications that a push leads to; they are closed. The browser's tools drop a push while a worker starts,
    so it is delivered again if nothing has come of it for five seconds."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        deliver()
        for _ in range(50):
            page.wait_for_timeout(100)
            if shown := page.evaluate(SHOWN):
                return shown
    return []


KEPT_PAGES = """async () => {
  const kept = await (await caches.open("nomopoly-1")).keys();
  return kept.map((each) => new URL(each.url).pathname).filter((path) => path.startsWith("/g/") || path === "/me/");
}"""


def seen_pages(page, *paths):
    """Look at pages with the service worker at work. Returns which it keeps on the device."""
    for path in paths:
        page.goto(path)
    return sorted(page.evaluate(KEPT_PAGES))


def test_a_page_that_is_closed_to_its_reader_is_no_longer_kept_on_the_device(site, page_of):
    session = site.prepare("""
        admin, ann = account("closer@example.org"), account("ann@example.org")
        game = domain.start_game(admin, edition="original", title="Closed", slug="closed")
        domain.ask_to_join(game, ann, "Ann")
        result = signed_in(ann)
    """)
    page = page_of(session)
    page.goto("/g/closed/")
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    page.reload()
    assert seen_pages(page, "/g/closed/", "/me/") == ["/g/closed/", "/me/"]
    site.prepare("""
        from nomopoly.site.tables.models import Game
        Game.objects.filter(slug="closed").update(visibility="private")
        result = None
    """)
    page.context.clear_cookies()
    assert seen_pages(page, "/g/closed/", "/me/") == []


@pytest.mark.parametrize("path", ["/g/devices/", "/guide/"])
def test_what_was_seen_last_says_so_in_its_language_until_there_is_a_connection(site, people, page_of, path):
    page = page_of(site.prepare('result = signed_in(account("otto@example.org"))'), 360, locale="de")
    page.goto(path)
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    page.reload()
    page.wait_for_function("navigator.serviceWorker.controller")
    page.goto(path)
    page.context.set_offline(True)
    page.reload()
    told = page.locator("#offline")
    expect(told).to_have_text("Keine Verbindung: Das hast du zuletzt gesehen. Was du absendest, kommt nicht an.")
    page.context.set_offline(False)
    if path == "/guide/":  # it may be of another day, and it stays as it is until one asks for it
        expect(told).to_have_text("Du bist wieder verbunden. Lade die Seite neu.")
        told.get_by_role("link").click()
    expect(told).to_have_count(0)


def test_a_holiday_is_kept_from_a_phone(site, page_of, people):
    page = page_of(people["quin"], 360)
    page.goto("/g/devices/holiday/")
    assert wrong_by_axe(page) == []
    today = page.evaluate("new Date().toISOString().slice(0, 10)")
    page.get_by_label("First day").fill(today)
    page.get_by_label("Last day").fill(today)
    page.get_by_role("button", name="Keep this holiday").click()
    expect(page.locator("#holiday")).to_contain_text("Quin is away until")
    assert too_wide(page) <= 0
    assert wrong_by_axe(page) == []
    other = page_of(people["pat"])
    other.goto("/g/devices/players/")
    expect(other.locator("#players")).to_contain_text("is away until")
    assert wrong_by_axe(other) == []
    page.get_by_role("button", name="I am here after all").click()
    expect(page.get_by_role("button", name="Keep this holiday")).to_be_visible()

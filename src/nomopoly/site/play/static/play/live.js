// Keeps an open page up to date. The server says only that there is news; the page then fetches itself and takes over what
// has changed in its live parts, so that nothing can come this way that the page itself would not show.
const ASK_AGAIN = 30_000; // milliseconds, where the server's events do not come
const CLOSED = [403, 404, 410]; // what the answer of a game that its reader may see no more has
const place = document.body.dataset;
let source = null, asking = null, due = null, seen = +place.news, fetched = Date.now();

export async function refresh({ live = false } = {}) {
  let answer;
  try {
    answer = await fetch(location.pathname + location.search, { headers: live ? { "X-Live": "1" } : {} });
  } catch {
    return;
  }
  if (CLOSED.includes(answer.status)) return location.reload();
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  fetched = Date.now();
  if (fresh.body.dataset.seat !== place.seat) return location.reload(); // logged out, joined, left
  const before = newestLine(document);
  for (const part of document.querySelectorAll("[data-live], #board")) {
    const now = part.id && fresh.getElementById(part.id);
    if (now && !(live && part.id === "notices" && !now.children.length)) takeOver(part, now);
  }
  document.getElementById("offline")?.remove(); // what was seen last is what there is now
  seen = +fresh.body.dataset.news;
  document.title = fresh.title;
  showCount();
  waitForDue();
  const line = newestLine(document), told = document.getElementById("newest-line");
  if (live && told && line !== before) told.textContent = line;
  document.dispatchEvent(new CustomEvent("nomopoly:refreshed"));
}

function newestLine(page) {
  return page.querySelector("#log .entry-text p")?.textContent.trim().replace(/\s+/g, " ") ?? "";
}

// ---- taking over what has changed, in place: focus, what is typed and what is open stay as they are

function takeOver(part, now) {
  const asked = new CustomEvent("nomopoly:refresh", { bubbles: true, cancelable: true, detail: { now } });
  if (!part.dispatchEvent(asked)) return; // its own script shows it
  const focused = part.contains(document.activeElement) ? document.activeElement : null;
  morph(part, now);
  if (focused && !focused.isConnected) {
    const heading = part.querySelector("h2") ?? part;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  }
}

function morph(old, now) {
  if (old.isEqualNode(now)) return;
  if (old.nodeName !== now.nodeName || old.id !== now.id) return old.replaceWith(document.importNode(now, true));
  if (!(old instanceof Element)) {
    old.data = now.data;
    return;
  }
  if (old.matches("input, textarea, select") && (old === document.activeElement || isTyped(old))) return;
  for (const { name, value } of now.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  for (const { name } of [...old.attributes]) {
    const kept = (name === "open" && old.nodeName === "DETAILS") || (name === "tabindex" && old === document.activeElement);
    if (!now.hasAttribute(name) && !kept) old.removeAttribute(name); // without its tabindex a heading would lose the focus
  }
  let here = old.firstChild;
  for (const child of [...now.childNodes]) {
    const same = child.id && [...old.children].find((each) => each.id === child.id);
    if (same && same !== here) {
      old.insertBefore(same, here);
      here = same;
    }
    if (!here) old.append(document.importNode(child, true));
    else {
      const next = here.nextSibling;
      if (here.id && here.id !== child.id) old.insertBefore(document.importNode(child, true), here);
      else {
        morph(here, child);
        here = next;
      }
    }
  }
  while (here) {
    const next = here.nextSibling;
    here.remove();
    here = next;
  }
}

function isTyped(field) {
  if (field.type === "hidden") return false;
  return field.nodeName === "SELECT"
    ? [...field.options].some((each) => each.selected !== each.defaultSelected)
    : field.value !== field.defaultValue || field.checked !== field.defaultChecked;
}

// ---- what waits, in the tab

function showCount() {
  const icon = document.querySelector('link[rel="icon"]'), count = document.title.match(/^\((\d+)\)/)?.[1];
  icon.dataset.plain ??= icon.getAttribute("href");
  const sign = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1d4a37"/>
    <circle cx="16" cy="16" r="13" fill="#b5402f"/><text x="16" y="23" font-family="sans-serif" font-weight="700" font-size="20"
    fill="#fff" text-anchor="middle">${count > 9 ? "9+" : count}</text></svg>`;
  icon.setAttribute("href", count ? `data:image/svg+xml,${encodeURIComponent(sign)}` : icon.dataset.plain);
}

// ---- news

function waitForDue() {
  clearTimeout(due);
  const seconds = +document.getElementById("waiting")?.dataset.again;
  if (seconds) due = setTimeout(() => refresh({ live: true }), (seconds + 1) * 1000);
}

function take(news) {
  if (news !== seen) refresh({ live: true });
}

function listen() {
  stop();
  if (document.hidden) return;
  source = new EventSource(`${place.newsAt}?seen=${seen}`);
  source.onopen = () => document.getElementById("offline") && refresh({ live: true });
  source.onmessage = (event) => take(+event.data);
  source.onerror = () => {
    if (source?.readyState === EventSource.CLOSED) asking ??= setInterval(ask, ASK_AGAIN);
  };
}

async function ask() {
  try {
    const answer = await fetch(place.newsAt, { headers: { Accept: "application/json" } });
    if (answer.ok) {
      take((await answer.json()).news);
      if (asking) listen(); // the site answers again, or there is room for one more who listens
    } else if (CLOSED.includes(answer.status)) refresh({ live: true });
  } catch {
    // the site is away: the next time is soon enough
  }
}

function stop() {
  source?.close();
  clearInterval(asking);
  source = asking = null;
}

if (place.newsAt) {
  showCount();
  waitForDue();
  listen();
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return stop();
    if (Date.now() - fetched > ASK_AGAIN) refresh({ live: true });
    listen();
  });
  addEventListener("pagehide", stop);
  addEventListener("pageshow", (event) => event.persisted && (refresh({ live: true }), listen()));
}

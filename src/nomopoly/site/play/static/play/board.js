// The board: one tab stop with arrow keys inside, zoom and pan, and the card of a square beside it.
// Without this script squares are links to their pages and the board fits the window.

const gettext = window.gettext ?? ((text) => text);
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const MOST = 5, STEP = 1.35, LEAST_ROOM = 280;
const stage = document.querySelector("[data-stage]");
const frame = stage?.querySelector(".board-scroll");
const card = document.getElementById("square-card");
let svg = null, scale = 1, opener = null;

const squares = () => [...svg.querySelectorAll("a.sq-link")];
const current = () => svg.querySelector('a.sq-link[tabindex="0"]') ?? svg.querySelector(".mine") ?? squares()[0];

// ---- one tab stop

function settle() {
  const found = stage?.querySelector("svg[data-board]");
  if (!found) return;
  const kept = found === svg ? current() : null;
  svg = found;
  const first = kept ?? current();
  for (const square of squares()) square.tabIndex = square === first ? 0 : -1;
  if (opener && !opener.isConnected) opener = svg.querySelector(`#${opener.id}`);
  if (card?.firstElementChild) opener?.setAttribute("aria-expanded", "true");
  fit();
}

// Another drawing of the board takes the place of this one; focus, size and what is seen stay as they are.
export function redraw(fresh) {
  const focused = svg.contains(document.activeElement) ? document.activeElement.id : "", { scrollLeft, scrollTop } = frame;
  const at = current()?.id;
  svg.replaceWith(fresh);
  svg = null;
  const kept = at && fresh.querySelector(`#${at}`);
  if (kept) kept.tabIndex = 0;
  settle();
  frame.scrollTo(scrollLeft, scrollTop);
  if (focused) fresh.querySelector(`#${focused}`)?.focus({ preventScroll: true });
}

// An open page hears of news: the board is drawn afresh, and so is an open card.
function renew(event) {
  const fresh = event.detail.now.querySelector("svg[data-board]");
  if (!fresh || !svg || !event.target.contains(svg)) return;
  event.preventDefault();
  redraw(document.importNode(fresh, true));
  if (card.firstElementChild && opener && !card.contains(document.activeElement)) open(opener, opener, false);
}

function walk(to) {
  if (!to) return;
  for (const square of squares()) square.tabIndex = square === to ? 0 : -1;
  to.focus({ preventScroll: true });
  to.scrollIntoView({ block: "nearest", inline: "nearest" });
}

function nearest(from, [dx, dy]) {
  let best = null, least = Infinity;
  for (const square of squares()) {
    const x = square.dataset.x - from.dataset.x, y = square.dataset.y - from.dataset.y;
    const ahead = x * dx + y * dy, aside = Math.abs(x * dy) + Math.abs(y * dx);
    if (ahead > 0 && ahead + 3 * aside < least) [best, least] = [square, ahead + 3 * aside];
  }
  return best;
}

function key(event) {
  if (event.key === "Escape" && card?.firstElementChild) return close(event);
  const here = event.target.closest?.("svg[data-board] a.sq-link");
  if (!here || !svg?.contains(here) || event.ctrlKey || event.altKey || event.metaKey) return;
  const all = squares(), at = all.indexOf(here), way = WAYS[event.key];
  if (way && event.shiftKey) frame.scrollBy(way[0] * 80, way[1] * 80);
  else if (way) walk(nearest(here, way));
  else if (event.key === "n" || event.key === "p") walk(all[at + (event.key === "n" ? 1 : -1)]);
  else if (event.key === "Home" || event.key === "End") walk(all.at(event.key === "Home" ? 0 : -1));
  else if (event.key === "+" || event.key === "=") zoom(scale * STEP);
  else if (event.key === "-") zoom(scale / STEP);
  else if (event.key === "0") zoom(1);
  else return;
  event.preventDefault();
}

// ---- fit, zoom and pan

const narrow = () => matchMedia("(max-width: 40rem)").matches;

function fit() {
  const top = frame.getBoundingClientRect().top + scrollY;
  const left = innerHeight - (top < innerHeight * 0.45 ? top : 16) - 64;
  stage.style.setProperty("--board-room", `${Math.max(LEAST_ROOM, left, innerHeight * 0.6)}px`);
  size();
}

function natural() {
  const { width, height } = svg.viewBox.baseVal, room = parseFloat(stage.style.getPropertyValue("--board-room"));
  const least = Number(svg.getAttribute("width")), many = svg.classList.contains("many");
  const wide = many ? Math.max(least, frame.clientWidth) : frame.clientWidth;
  const fitted = narrow() ? wide : Math.min(wide, (room * width) / height);
  return [many ? Math.max(least, fitted) : fitted, height / width];
}

function size() {
  const zoomed = scale > 1, [wide, ratio] = natural();
  stage.classList.toggle("zoomed", zoomed);
  const room = narrow() ? Math.min(wide * ratio, innerHeight * 0.75) : parseFloat(stage.style.getPropertyValue("--board-room"));
  stage.style.setProperty("--zoom-room", `${Math.min(room, wide * ratio)}px`);
  svg.style.width = zoomed || svg.classList.contains("many") ? `${wide * scale}px` : "";
  svg.style.height = zoomed ? `${wide * ratio * scale}px` : "";
}

function zoom(to, at) {
  const next = Math.min(MOST, Math.max(1, to));
  if (next === scale) return;
  const edge = frame.getBoundingClientRect(), seen = svg.getBoundingClientRect();
  const focus = document.activeElement?.closest?.("svg[data-board] a") && document.activeElement.getBoundingClientRect();
  const x = at?.x ?? (focus ? focus.left + focus.width / 2 : edge.left + edge.width / 2);
  const y = at?.y ?? (focus ? focus.top + focus.height / 2 : edge.top + edge.height / 2);
  const [across, down] = [(x - seen.left) / seen.width, (y - seen.top) / seen.height];
  scale = next;
  size();
  frame.scrollLeft = across * svg.clientWidth - (x - edge.left);
  frame.scrollTop = down * svg.clientHeight - (y - edge.top);
}

function centre(square) {
  if (!square || (frame.scrollWidth <= frame.clientWidth && frame.scrollHeight <= frame.clientHeight)) return;
  const seen = square.getBoundingClientRect(), edge = frame.getBoundingClientRect();
  frame.scrollLeft += seen.left + seen.width / 2 - edge.left - edge.width / 2;
  frame.scrollTop += seen.top + seen.height / 2 - edge.top - edge.height / 2;
}

function buttons() {
  const row = document.querySelector("[data-tools]");
  if (!row) return;
  stage.querySelector("input.zoom")?.remove();
  row.querySelector(".zoom-word")?.remove();
  const group = document.createElement("span");
  group.className = "zoom-buttons";
  group.setAttribute("role", "group");
  group.setAttribute("aria-label", gettext("Size of the board"));
  const mine = svg.querySelector(".mine");
  const acts = [["−", gettext("Smaller"), () => zoom(scale / STEP)], ["+", gettext("Larger"), () => zoom(scale * STEP)]];
  acts.push([gettext("Fit"), gettext("Whole board"), () => zoom(1)]);
  if (mine) acts.push([gettext("Me"), gettext("To my piece"), () => { zoom(Math.max(scale, 2)); centre(svg.querySelector(".mine")); }]);
  for (const [sign, name, act] of acts) {
    const button = document.createElement("button");
    Object.assign(button, { type: "button", className: "quiet small", textContent: sign, onclick: act });
    button.setAttribute("aria-label", name);
    group.append(button);
  }
  row.prepend(group);
  const hint = document.createElement("span");
  hint.className = "muted keys-hint";
  hint.textContent = gettext("On a square: arrow keys walk, n and p follow the numbers, + and − zoom.");
  row.append(hint);
}

function wheel(event) {
  if (!event.ctrlKey && !event.metaKey) return; // the wheel alone scrolls, as everywhere
  event.preventDefault();
  zoom(scale * Math.exp(-event.deltaY / 300), { x: event.clientX, y: event.clientY });
}

let grip = null, dragged = false;
function grab(event) {
  dragged = false;
  if (event.pointerType === "mouse" && event.button === 0 && scale > 1)
    grip = { x: event.clientX, y: event.clientY, left: frame.scrollLeft, top: frame.scrollTop };
}
function drag(event) {
  if (!grip) return;
  const dx = event.clientX - grip.x, dy = event.clientY - grip.y;
  if (!dragged && Math.hypot(dx, dy) < 6) return;
  dragged = true;
  frame.classList.add("panning");
  frame.scrollLeft = grip.left - dx;
  frame.scrollTop = grip.top - dy;
}
function drop() {
  grip = null;
  frame?.classList.remove("panning");
}

let pinch = null;
function fingers(event) {
  if (event.touches.length !== 2) return (pinch = null);
  const [a, b] = event.touches, wide = Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
  event.preventDefault();
  pinch ??= { wide, scale };
  zoom((pinch.scale * wide) / pinch.wide, { x: (a.clientX + b.clientX) / 2, y: (a.clientY + b.clientY) / 2 });
}

// ---- the card of a square

let asked = null;
async function open(link, from, take = true) {
  const address = new URL(link.getAttribute("href"), location.href);
  address.searchParams.set("card", "1");
  asked?.abort();
  asked = new AbortController();
  let answer;
  try {
    answer = await fetch(address, { signal: asked.signal });
  } catch (error) {
    if (error.name !== "AbortError" && take) location.assign(link.getAttribute("href"));
    return;
  }
  if (!answer.ok) return take && location.assign(link.getAttribute("href"));
  card.innerHTML = await answer.text();
  const number = address.pathname.match(/\/squares\/(\d+)\//)?.[1];
  opener = svg.querySelector(`#square-${number}`) ?? from;
  for (const square of squares()) square.toggleAttribute("aria-expanded", false);
  opener.setAttribute("aria-expanded", "true");
  for (const square of squares()) square.tabIndex = square === opener ? 0 : -1;
  fit();
  if (!take) return;
  opener.scrollIntoView({ block: "nearest", inline: "nearest" });
  const sheet = card.firstElementChild?.getBoundingClientRect(), under = opener.getBoundingClientRect();
  if (sheet && under.bottom > sheet.top && under.right > sheet.left) scrollBy(0, under.bottom - sheet.top + 24);
  card.querySelector("h2")?.focus({ preventScroll: true });
}

function close(event) {
  event?.preventDefault();
  const had = card.contains(document.activeElement) || document.activeElement === document.body;
  card.replaceChildren();
  opener?.removeAttribute("aria-expanded");
  fit();
  if (had && opener?.isConnected) opener.focus();
}

function click(event) {
  if (dragged && event.target.closest?.("svg[data-board]")) return event.preventDefault();
  if (event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || !card) return;
  const square = event.target.closest?.("svg[data-board] a.sq-link"), other = event.target.closest?.("#square-card a[data-card]");
  if (event.target.closest?.("#square-card [data-close]")) return close(event);
  if (!square && !other) return;
  event.preventDefault();
  open(square ?? other, square);
}

if (frame) {
  settle();
  if (svg) {
    buttons();
    fit();
    centre(current());
    document.addEventListener("keydown", key);
    document.addEventListener("click", click);
    document.addEventListener("nomopoly:refresh", renew);
    addEventListener("resize", fit);
    addEventListener("pointermove", drag);
    addEventListener("pointerup", drop);
    frame.addEventListener("pointerdown", grab);
    frame.addEventListener("wheel", wheel, { passive: false });
    frame.addEventListener("touchstart", fingers, { passive: false });
    frame.addEventListener("touchmove", fingers, { passive: false });
    frame.addEventListener("touchend", fingers);
    frame.addEventListener("dragstart", (event) => event.preventDefault());
  }
}

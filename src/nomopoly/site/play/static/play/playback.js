// Shows on the board what happened: dice, ways square by square, money from hand to hand, squares and rules that change.
// What is shown comes from the viewer's own log (playback.json). Where motion is not wanted, the board simply stands as it is.
import { redraw } from "./board.js";

const gettext = window.gettext ?? ((text) => text);
const ngettext = window.ngettext ?? ((one, many, n) => (n === 1 ? one : many));
const SVG = "http://www.w3.org/2000/svg", CELL = 100;
const stage = document.querySelector("[data-stage]"), frame = stage?.querySelector(".board-frame");
const still = matchMedia("(prefers-reduced-motion: reduce)");
const PIPS = { 1: [[12, 12]], 2: [[7, 7], [17, 17]], 3: [[7, 7], [12, 12], [17, 17]], 4: [[7, 7], [17, 7], [7, 17], [17, 17]],
  5: [[7, 7], [17, 7], [12, 12], [7, 17], [17, 17]], 6: [[7, 7], [17, 7], [7, 12], [17, 12], [7, 17], [17, 17]] };
let run = null; // what is being shown: { ghosts, layer, box, paused, over }

const board = () => stage.querySelector("svg[data-board]");
const wanted = () => Boolean(frame && board()) && !still.matches;

function drawn(name, attributes = {}, ...inside) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...inside);
  return made;
}

function square(id) {
  const link = board().querySelector(`#square-${id.slice(1)}`);
  return link && { x: +link.dataset.x, y: +link.dataset.y };
}

const piece = (id) => board().querySelector(`a.sq-link [data-piece="${CSS.escape(id)}"]`);

// ---- moving things

// Every motion goes through here, so that all of it can be paused and skipped.
async function move(element, frames, ms, more = {}) {
  if (!run || run.over) return;
  const motion = element.animate(frames, { duration: ms, easing: "ease-in-out", fill: "forwards", ...more });
  run.motions.add(motion);
  if (run.paused) motion.pause();
  await motion.finished.catch(() => {});
  run?.motions.delete(motion);
}

const wait = (ms) => move(run.box, [{ zIndex: 5 }, { zIndex: 5 }], ms, { fill: "none" });

function begin() {
  end();
  const box = document.createElement("div"), said = document.createElement("p"), dice = document.createElement("div"), row = document.createElement("p");
  box.className = "playback";
  [said.className, dice.className, row.className] = ["playback-said", "playback-dice", "playback-buttons"];
  said.setAttribute("aria-hidden", "true"); // it is in the log, which is read
  dice.setAttribute("aria-hidden", "true");
  row.append(button(gettext("Pause"), pause), button(gettext("Skip"), finish));
  box.append(said, row);
  frame.append(dice, box);
  const layer = drawn("g", { class: "playback-layer", "aria-hidden": "true" });
  board().append(layer);
  run = { box, said, dice, layer, ghosts: new Map(), motions: new Set(), paused: false, over: false };
  return run;
}

function button(word, act) {
  const made = Object.assign(document.createElement("button"), { type: "button", className: "small", textContent: word });
  made.addEventListener("click", () => act(made));
  return made;
}

function pause(pressed) {
  run.paused = !run.paused;
  pressed.textContent = run.paused ? gettext("Go on") : gettext("Pause");
  for (const motion of run.motions) run.paused ? motion.pause() : motion.play();
}

function end() {
  if (!run) return;
  const old = run;
  run = null;
  old.over = true;
  for (const motion of old.motions) motion.cancel();
  for (const { real } of old.ghosts.values()) real.classList.remove("away");
  for (const part of [old.layer, old.dice, old.box]) part.remove();
  if (old.held) old.held.place.dispatchEvent(new CustomEvent("nomopoly:refresh", { bubbles: true, cancelable: true, detail: old.held.detail }));
}

// The end of what is shown: what has happened meanwhile follows.
function finish() {
  const more = run?.more;
  end();
  if (more) catchUp();
}

// News do not redraw the board while something is being shown: it is redrawn afterwards.
function hold(event) {
  if (!run || !event.target.contains(run.layer) || !event.detail.now.querySelector("svg[data-board]")) return;
  event.preventDefault();
  event.stopPropagation();
  run.held = { place: event.target, detail: event.detail };
}

// A copy of a piece that goes the way while the piece itself, which stands where it ends, is out of sight.
function ghost(id, from) {
  const real = piece(id), at = real && square(`#${real.closest("a").dataset.n}`), begins = square(from ?? "") ?? at;
  if (!at || run.ghosts.has(id)) return;
  const inner = drawn("g", { transform: `translate(${at.x} ${at.y})` }, real.cloneNode(true)), outer = drawn("g", { class: "ghost" }, inner);
  const place = { dx: begins.x - at.x, dy: begins.y - at.y };
  outer.style.transform = `translate(${place.dx}px, ${place.dy}px)`;
  run.layer.append(outer);
  real.classList.add("away");
  run.ghosts.set(id, { real, outer, at, ...place });
}

// On a phone the board may be out of sight: it comes into view where one's own piece moves, but not under somebody who types.
function intoView(moved) {
  const mine = stage.dataset.mine;
  if (!moved.includes(mine) || !piece(mine) || document.querySelector("dialog[open]") || document.activeElement?.matches("input, textarea, select")) return;
  const fits = frame.offsetHeight + parseFloat(getComputedStyle(frame).scrollMarginBottom) <= innerHeight;
  (fits ? frame : piece(mine).closest("a")).scrollIntoView({ block: fits ? "nearest" : "center", behavior: "smooth" });
}

async function walk({ who, to }, ms) {
  const one = run.ghosts.get(who), goal = square(to);
  if (!one || !goal) return;
  const [dx, dy] = [goal.x - one.at.x, goal.y - one.at.y];
  if (dx === one.dx && dy === one.dy) return;
  const spot = (x, y) => ({ transform: `translate(${x}px, ${y}px)` });
  await move(one.outer, [spot(one.dx, one.dy), spot((one.dx + dx) / 2, (one.dy + dy) / 2 - 18), spot(dx, dy)], ms);
  [one.dx, one.dy] = [dx, dy];
}

function purse(id) {
  const one = id && run.ghosts.get(id), real = id && piece(id);
  if (one) return { x: one.at.x + one.dx + 70, y: one.at.y + one.dy + 70 };
  if (real) {
    const at = square(`#${real.closest("a").dataset.n}`);
    return { x: at.x + 70, y: at.y + 70 };
  }
  const { width, height } = board().viewBox.baseVal;
  return { x: width / 2, y: height - 10 }; // the bank
}

async function pay({ from, to, amount }) {
  const a = purse(from), b = purse(to), words = `$${amount.toLocaleString("en")}`;
  const coin = drawn("g", { class: "coin" }, drawn("circle", { r: 15 }), Object.assign(drawn("text", { y: 6 }), { textContent: "$" }));
  const labels = [[from, a, "−"], [to, b, "+"]].filter(([id]) => id).map(([, at, sign]) => {
    const label = drawn("text", { class: `sum ${sign === "+" ? "plus" : "minus"}`, x: at.x, y: at.y - 30 });
    label.textContent = sign + words;
    return label;
  });
  run.layer.append(coin, ...labels);
  const spot = ({ x, y }) => `translate(${x}px, ${y}px)`;
  const top = { x: (a.x + b.x) / 2, y: Math.min(a.y, b.y) - 60 };
  const rise = [{ opacity: 0 }, { opacity: 1, offset: 0.3 }, { opacity: 1, offset: 0.8 }, { opacity: 0 }];
  await Promise.all([
    move(coin, [{ transform: spot(a) }, { transform: spot(top) }, { transform: spot(b) }], 800),
    ...labels.map((label) => move(label, rise, 1300)),
  ]);
  coin.remove();
  for (const label of labels) label.remove();
}

async function roll(numbers) {
  run.dice.replaceChildren(...numbers.map((number) => {
    if (!PIPS[number]) return Object.assign(document.createElement("b"), { textContent: number });
    const pips = PIPS[number].map(([cx, cy]) => drawn("circle", { cx, cy, r: 2.3 }));
    return drawn("svg", { viewBox: "0 0 24 24", class: "die-face" }, drawn("rect", { x: 1, y: 1, width: 22, height: 22, rx: 5 }), ...pips);
  }));
  const tumble = (turns) => [{ transform: `translateY(-60px) rotate(${-turns}turn) scale(.5)`, opacity: 0 }, { opacity: 1, offset: 0.3 }, { transform: "none", opacity: 1 }];
  await Promise.all([...run.dice.children].map((die, at) => move(die, tumble(1 + at / 2), 650 + at * 120, { easing: "cubic-bezier(.2,.9,.3,1.2)" })));
  await wait(500);
}

async function light(ids) {
  const rings = ids.map(square).filter(Boolean).map(({ x, y }) => drawn("rect", { class: "ring", x: x - 4, y: y - 4, width: CELL + 8, height: CELL + 8, rx: 10 }));
  run.layer.append(...rings);
  await Promise.all(rings.map((ring) => move(ring, [{ opacity: 0 }, { opacity: 1 }, { opacity: 0 }], 750)));
  for (const ring of rings) ring.remove();
}

// ---- one entry after the other

async function show(step, hop) {
  if (step.say) run.said.textContent = step.say;
  if (step.dice) await roll(step.dice);
  else run.dice.replaceChildren();
  if (run && step.move) await walk(step.move, hop);
  if (run && step.money) await pay(step.money);
  if (run && step.squares) await light(step.squares);
  if (run && step.rules) {
    run.said.textContent = ngettext("In force: rule {rules}", "In force: rules {rules}", step.rules.length).replace("{rules}", step.rules.join(", "));
    await wait(1200);
  }
  if (run && step.say && !step.dice && !step.money && !step.squares) await wait(step.move ? 350 : 800);
}

// Plays entries on the board that stands after the last of them. Resolves when it is over, true if it was not cut short.
export async function play(entries) {
  if (!wanted() || !entries.length) return true;
  const mine = begin();
  intoView(entries.flatMap(({ moves }) => Object.keys(moves)));
  for (const { moves } of entries) for (const [id, [from]] of Object.entries(moves)) ghost(id, from);
  for (const { steps } of entries) {
    const hops = steps.filter((step) => step.move).length, hop = Math.max(70, Math.min(260, 2600 / (hops || 1)));
    for (const step of steps) {
      await show(step, hop);
      if (run !== mine) return false;
    }
  }
  await wait(500);
  if (run !== mine) return false;
  finish();
  return true;
}

async function steps(question) {
  const answer = await fetch(`${stage.dataset.steps}?${question}`).catch(() => null);
  return answer?.ok ? answer.json() : null;
}

// ---- the present board: what is new since it was looked at last

const moments = document.getElementById("moments");
const kept = `played ${stage?.dataset.steps}`;
const newestLine = () => Math.max(-1, ...[...document.querySelectorAll("#log [id^=entry-]")].map((line) => +line.id.slice(6)));

async function catchUp() {
  const newest = newestLine(), seen = sessionStorage.getItem(kept);
  if (newest < 0) return;
  if (run && newest > +seen) return void (run.more = true);
  sessionStorage.setItem(kept, newest);
  if (seen === null || newest <= +seen || !wanted() || document.hidden) return;
  const told = await steps(`after=${seen}`);
  if (told) play(told.entries);
}

async function showMe(event) {
  const link = event.target.closest?.("a.show-me");
  if (!link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || !wanted()) return;
  const number = new URL(link.href, location.href).searchParams.get("at");
  if (moments || +number !== newestLine()) return; // the page of that moment shows it
  event.preventDefault();
  const told = await steps(`entry=${number}`);
  if (!told?.entries.length) return location.assign(link.href);
  frame.scrollIntoView({ block: "nearest" });
  play(told.entries);
}

// ---- the table as it was: a slider over the whole game, and playing it on from there

let going = false;

async function go(number, animate) {
  const address = new URL(moments.action, location.href);
  address.searchParams.set("at", number);
  const answer = await fetch(address, { headers: animate ? { "X-Ahead": "1" } : {} }).catch(() => null);
  if (!answer?.ok) return location.assign(address);
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html"), drawing = fresh.querySelector("svg[data-board]");
  end();
  if (drawing && board()) redraw(document.importNode(drawing, true));
  for (const id of ["as-of", "log", "then"]) {
    const now = fresh.getElementById(id);
    if (now) document.getElementById(id)?.replaceWith(document.importNode(now, true));
  }
  history.replaceState(null, "", address);
  moments.elements.moment.value = number;
  document.getElementById("moment-shown").textContent = number;
  if (!animate) return true;
  const told = await steps(`entry=${number}`);
  return told ? play(told.entries) : true;
}

async function playOn(pressed) {
  if (going) return stop(pressed);
  going = true;
  pressed.textContent = gettext("Stop");
  let number = +moments.elements.moment.value;
  if (number >= +moments.dataset.last) number = -1; // once more from the beginning
  while (going && number < +moments.dataset.last) {
    number += 1;
    if ((await go(number, true)) === undefined) return;
    if (still.matches && going) await new Promise((done) => setTimeout(done, 1200));
  }
  stop(pressed);
}

function stop(pressed) {
  going = false;
  pressed.textContent = gettext("Play from here");
  end();
}

function slider() {
  const row = moments.querySelector(".moments-buttons"), range = moments.elements.moment;
  const step = (by) => () => { going = false; const next = +range.value + by; if (next >= 0 && next <= +range.max) go(next, by > 0); };
  const playing = button(gettext("Play from here"), playOn), earlier = button("←", step(-1)), later = button("→", step(1));
  earlier.setAttribute("aria-label", gettext("One entry earlier"));
  later.setAttribute("aria-label", gettext("One entry later"));
  row.replaceChildren(earlier, playing, later);
  range.addEventListener("input", () => (document.getElementById("moment-shown").textContent = range.value));
  range.addEventListener("change", () => { going = false; go(range.value, false); });
  moments.addEventListener("submit", (event) => { event.preventDefault(); go(range.value, true); });
  if (location.hash === "#play") playOn(playing);
  else if (location.hash === "#board") steps(`entry=${range.value}`).then((told) => told && play(told.entries));
}

if (frame) {
  document.addEventListener("click", showMe);
  document.addEventListener("nomopoly:refresh", hold, true);
  still.addEventListener("change", end);
  if (moments) slider();
  else {
    document.addEventListener("nomopoly:refreshed", catchUp);
    catchUp();
  }
}

// The form of a proposal without reloading: its own buttons, and choosing a rule, ask for the page as it would be and take
// from it what is new. Programs get an editor, and are checked as one types.
import { numberDoor } from "./numbers.js";
import { liveCheck } from "./livecheck.js";
import { sayDoor } from "./say.js";
import { wordPanel } from "./wordpanel.js";

const form = document.querySelector("form[data-workshop]");
const loading = form.querySelector(".program") ? import("./editor.js").catch(() => null) : Promise.resolve(null);
let words = null; // asked for once, when the first editor opens

async function vocabulary() {
  words ??= fetch(form.dataset.words).then((answer) => answer.json()).then((found) => found.words).catch(() => []);
  return words;
}

async function edit(part) {
  const editor = await loading; // without it the plain fields stay
  for (const field of editor ? part.querySelectorAll(".program > textarea:not([hidden])") : []) {
    editor.edit(field, { nonce: form.dataset.nonce, words: vocabulary });
  }
}

const sent = () => new URLSearchParams(new FormData(form)).toString();
const box = (at) => document.getElementById(`change-${at}`);

// What the page would be after a button: null where it cannot be had. It is asked for again where somebody typed meanwhile.
async function pageAfter(name, value) {
  const before = sent();
  const lost = document.getElementById("lost");
  const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(`${before}&${name}=${value}`) })
    .catch(() => null);
  lost.hidden = answer !== null;
  if (!answer) return null;
  if (!answer.ok || answer.redirected) return leave(name, value);
  const text = await answer.text();
  return sent() === before ? new DOMParser().parseFromString(text, "text/html") : pageAfter(name, value);
}

// Sent as a form after all: the answer says what is wrong, or asks to log in.
function leave(name, value) {
  form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
  HTMLFormElement.prototype.submit.call(form); // form.submit is the button
  return null;
}

function showRefusal(page) {
  document.getElementById("refusal")?.remove();
  const refusal = page.getElementById("refusal");
  if (refusal) form.before(refusal);
  return refusal;
}

// Carry out one of the form's own buttons: another change is added, one is filled in, and where one goes, all are drawn again.
async function press(name, value) {
  const page = await pageAfter(name, value);
  if (!page) return null;
  const refusal = showRefusal(page);
  const changes = document.getElementById("changes");
  const fresh = [...page.querySelectorAll("[data-change]")];
  const focused = document.activeElement;
  if (name === "add") {
    if (fresh.length > changes.querySelectorAll("[data-change]").length) changes.lastElementChild.before(fresh.at(-1));
  } else if (name.startsWith("remove-")) {
    changes.replaceChildren(...page.getElementById("changes").childNodes);
  } else {
    box(value).replaceWith(fresh[value]);
  }
  if (refusal) refusal.scrollIntoView({ block: "center" });
  else if (!focused.isConnected) document.getElementById(focused.id)?.focus();
  edit(changes); // may come later, when somebody types elsewhere
  return { last: changes.querySelector("[data-change]:nth-last-of-type(1)"), refused: Boolean(refusal) };
}

form.addEventListener("click", async (event) => {
  const button = event.target.closest("#changes button[name]");
  if (!button) return;
  event.preventDefault();
  const { name, value } = button;
  const done = await press(name, value);
  if (!done || done.refused) return;
  if (document.activeElement !== document.body && document.activeElement !== button) return; // is elsewhere by now
  const at = name.startsWith("remove-") ? Math.max(0, name.slice(7) - 1) : value;
  const place = name === "add" ? done.last : box(at);
  (place.querySelector(".ask") ?? place.querySelector("select")).focus();
});

form.addEventListener("change", ({ target }) => {
  const place = target.closest("[data-change]");
  if (!place || !/-(kind|rule)$/.test(target.name)) return;
  const part = (name) => place.querySelector(`[name$="-${name}"]`);
  const rule = part("rule").value.trim();
  const known = [...document.getElementById("rule-numbers").options].some(({ value }) => value === rule);
  const hint = place.querySelector(".chosen-rule"); // speaks of the rule that was there
  if (hint?.querySelector("a").textContent !== rule) hint?.remove();
  if (part("kind").value === "amend" && known && part("filled").value !== rule) press("fill", place.dataset.change);
});

// A problem's line leads into the editor.
document.addEventListener("click", async (event) => {
  const link = event.target.closest("a[data-line]");
  const field = link && document.querySelector(`${link.hash} > textarea[hidden]`);
  if (!field) return;
  event.preventDefault();
  field.closest("details")?.setAttribute("open", "");
  (await loading).goTo(field, Number(link.dataset.line));
});

window.addEventListener("pageshow", async () => {
  const editor = await loading;
  for (const field of editor ? form.querySelectorAll(".program > textarea[hidden]") : []) editor.catchUp(field);
});

edit(form);
numberDoor(form, pageAfter, showRefusal);
sayDoor(form, pageAfter, showRefusal);
liveCheck(form, loading);
wordPanel(form);

// What is typed is kept: as a draft some seconds after a change and on leaving, and in this browser where the server does not
// answer or one is no longer logged in.
const gettext = window.gettext ?? ((text) => text);
const WAIT = 4000; // milliseconds after the last change
const LANGUAGE = document.documentElement.lang.replace(/^en$/, "en-GB"); // of the page, with its order of day and month
const form = document.querySelector("form[data-drafts]");
const said = document.getElementById("kept");
const shelf = `draft ${form.dataset.drafts} ${form.dataset.seat}`;
const NOT_KEPT = new Set(["csrfmiddlewaretoken", "once", "saving"]);
const NOT_PROPOSED = ["key", "door", "draft", "q", "word_q", "word_q-was"]; // what was searched for, and which form it is
const opened = Math.random().toString(36).slice(2); // this form, as it is open here
let sendings = 0;
let waiting = 0;
let underWay = ""; // what is being saved: it arrives even where the page is left meanwhile
let leaving = false; // the form is being sent: the page that follows knows what was typed
let offered = false; // what was typed earlier, and is kept here until somebody takes it up or types something else

const fields = (of = form) => [...new FormData(of)].filter(([name]) => !NOT_KEPT.has(name));
const content = (of = form) => JSON.stringify(fields(of));
let stored = "unsaved" in form.dataset ? "" : content(asItCame()); // a form that was checked came without being saved

// The form without what was typed before this was loaded.
function asItCame() {
  const copy = form.cloneNode(true);
  HTMLFormElement.prototype.reset.call(copy);
  return copy;
}

function say(text, warning = false) {
  said.hidden = false;
  said.textContent = text;
  said.classList.toggle("warning", warning);
}

function keepHere() {
  try {
    localStorage.setItem(shelf, JSON.stringify({ at: Date.now(), next: [opened, sendings + 1], fields: fields() }));
    return gettext("What you have typed is kept in this browser.");
  } catch {
    return "";
  }
}

const forget = () => { try { localStorage.removeItem(shelf); } catch { /* nothing is kept there */ } };

// What goes to the server, numbered: of two that are under way, the later one counts, whichever arrives first.
function numbered() {
  form.elements.saving.value = `${opened}-${++sendings}`;
  return new URLSearchParams(new FormData(form));
}

async function save() {
  const now = content();
  if (leaving || now === stored || now === underWay) return;
  underWay = now;
  const answer = await fetch(form.dataset.drafts, { method: "POST", body: numbered(), keepalive: document.visibilityState === "hidden" })
    .catch(() => null);
  underWay = "";
  if (leaving) return;
  if (answer?.ok) {
    stored = now;
    if (!offered) forget();
    const { at } = await answer.json().catch(() => ({}));
    if (at) say(gettext("Draft saved at {time}.").replace("{time}", at));
  } else if (answer?.status === 401) {
    say([
      gettext("You are no longer logged in."), keepHere(),
      gettext("Log in in another tab, or send the form: it comes back after the log-in."),
    ].join(" "), true);
  } else {
    say([gettext("The draft could not be saved."), keepHere()].join(" "), true);
    waiting = setTimeout(save, 3 * WAIT);
  }
}

const changed = () => {
  clearTimeout(waiting);
  waiting = setTimeout(save, WAIT);
};

if (content() !== stored) changed();
form.addEventListener("input", () => {
  offered = false;
  changed();
});
form.addEventListener("change", changed);
form.addEventListener("program-typed", changed);
form.addEventListener("submit", () => {
  leaving = true;
  numbered();
  keepHere(); // for the case that no answer comes; `offer` forgets it where one has come
  setTimeout(() => { leaving = false; }, 5000);
});

// On leaving, what is not saved yet goes along; where nobody answers, it is here next time.
window.addEventListener("pagehide", () => {
  if (leaving || content() === stored) return;
  if (!offered) keepHere();
  if (content() === underWay) return;
  navigator.sendBeacon(form.dataset.drafts, numbered());
  underWay = content();
});
window.addEventListener("pageshow", () => { underWay = ""; });

// A phone that shows something else may end the page without a word.
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState !== "hidden" || leaving || [stored, underWay].includes(content())) return;
  if (!offered) keepHere();
  save();
});

// What was typed here and reached nobody is offered again.
function offer() {
  let found = null;
  try { found = JSON.parse(localStorage.getItem(shelf)); } catch { /* nothing is kept there */ }
  if (!found) return;
  const here = Object.fromEntries(fields());
  const there = Object.fromEntries(found.fields);
  const bare = (text) => String(text ?? "").replace(/\s+/g, ""); // the server takes spaces off the ends
  const same = Object.entries(there)
    .every(([name, value]) => NOT_PROPOSED.includes(name) || bare(here[name]) === bare(value));
  const [page, sending] = found.next ?? [];
  const arrived = JSON.parse(form.dataset.saved ?? "{}")[page] >= sending; // what was sent on leaving is a draft by now
  if (same || arrived || form.dataset.made.split(" ").includes(there.key)) return forget();
  offered = true;
  const time = new Date(found.at).toLocaleString(LANGUAGE, { dateStyle: "medium", timeStyle: "short", hourCycle: "h23" });
  said.hidden = false;
  said.classList.add("warning");
  const button = (text, act) => {
    const made = Object.assign(document.createElement("button"), { type: "button", className: "small quiet", textContent: text });
    made.addEventListener("click", act);
    return made;
  };
  said.replaceChildren(
    gettext("What you typed on {time} was not saved.").replace("{time}", time) + " ",
    button(gettext("Put it back"), () => putBack(found.fields)), " ",
    button(gettext("Forget it"), () => { forget(); offered = false; said.hidden = true; }),
  );
}

function putBack(kept) {
  leaving = true;
  const again = document.createElement("form");
  again.method = "post";
  again.action = form.action;
  const mine = [...new FormData(form)].filter(([name]) => NOT_KEPT.has(name));
  for (const [name, value] of [...mine, ...kept.filter(([name]) => !NOT_KEPT.has(name)), ["look", "1"]]) {
    again.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
  }
  document.body.append(again);
  again.submit();
}

offer();

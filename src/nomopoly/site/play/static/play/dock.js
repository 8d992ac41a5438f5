// Confirming over the board: a button of the dock asks what it would do, and the answer is shown in a dialog. Without this
// script the same forms lead to a page.
import { refresh } from "./live.js";

const gettext = window.gettext ?? ((text) => text);
const dialog = document.createElement("dialog");
dialog.className = "over-board";
dialog.setAttribute("aria-labelledby", "preview-title");
document.body.append(dialog);

// `words`: what the form says, with the button that was pressed. Sent a second time they do nothing twice.
async function send(form, words) {
  let answer;
  try {
    answer = await fetch(form.getAttribute("action"), { method: "POST", body: words, headers: { "X-Fragment": "confirm" } });
  } catch {
    return offerAgain(form, words);
  }
  if (answer.headers.get("X-Fragment") || answer.headers.get("X-Location")) forgetTyped();
  const where = answer.headers.get("X-Location");
  if (where) {
    if (new URL(where, location).pathname !== location.pathname) return location.assign(where);
    if (dialog.open) dialog.close();
    await refresh();
    document.getElementById("notice")?.scrollIntoView({ block: "nearest" }); // what came of it, wherever the button was
    return keepFocus();
  }
  if (answer.headers.get("X-Fragment")) return show(await answer.text());
  if (!form.isConnected) document.body.append(form); // it was sent again after its dialog had gone
  HTMLFormElement.prototype.submit.call(form); // a page of its own: that the site is busy, say
}

// What typed.js keeps until a page answers: this page goes on, and has its answer.
function forgetTyped() {
  try {
    sessionStorage.removeItem("typed");
  } catch {
    // nothing is kept in this browser
  }
}

function offerAgain(form, words) {
  const told = words.has("preview")
    ? gettext("Nothing was done. Try again in a moment.")
    : gettext("No answer has come, so nobody knows whether it was done. Try again: it is done only once.");
  const buttons = `<button type='button' class='big'>${gettext("Try again")}</button>
    <button type='button' class='quiet' data-close>${gettext("Not now")}</button>`;
  show(`<section class='confirm'><h2 id='preview-title'>${gettext("The site cannot be reached")}</h2><p>${told}</p>
    <div class='actions-row'>${buttons}</div></section>`);
  dialog.querySelector("button.big").addEventListener("click", () => send(form, words), { once: true });
}

function keepFocus() {
  const heading = document.getElementById("waiting-title");
  if (!heading || document.activeElement !== document.body) return;
  heading.tabIndex = -1; // what had the focus is done with, and gone
  heading.focus({ preventScroll: true });
}

function show(markup) {
  dialog.innerHTML = markup;
  if (!dialog.open) dialog.showModal();
  (dialog.querySelector("button.big") ?? dialog.querySelector("[data-close]"))?.focus();
}

addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.matches("[data-confirm]") && !dialog.contains(form)) return;
  event.preventDefault();
  if (form.dataset.sent) return; // a second click
  form.dataset.sent = "1";
  send(form, new FormData(form, event.submitter)).finally(() => delete form.dataset.sent);
});

dialog.addEventListener("click", (event) => {
  if (event.target !== dialog && !event.target.closest("[data-close]")) return;
  event.preventDefault();
  dialog.close();
});

// The list behind "More" closes by Escape and by a click beside it.
const more = document.getElementById("more");
addEventListener("click", (event) => more.contains(event.target) || (more.open = false));
more.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  more.open = false;
  more.querySelector("summary").focus();
});

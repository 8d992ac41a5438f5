// Confirming over the board: a button of the dock asks what it would do, and the answer is shown in a dialog. Without this
// script the same forms lead to a page.
import { refresh } from "./live.js";

const gettext = window.gettext ?? ((text) => text);
const dialog = document.createElement("dialog");
dialog.className = "over-board";
dialog.setAttribute("aria-labelledby", "preview-title");
document.body.append(dialog);

async function send(form, button) {
  const words = new FormData(form, button);
  let answer;
  try {
    answer = await fetch(form.getAttribute("action"), { method: "POST", body: words, headers: { "X-Fragment": "confirm" } });
  } catch {
    const [title, told] = [gettext("The site cannot be reached"), gettext("Nothing was done. Try again in a moment.")];
    return show(`<h2 id='preview-title'>${title}</h2><p>${told}</p>`);
  }
  const where = answer.headers.get("X-Location");
  if (where) {
    if (new URL(where, location).pathname !== location.pathname) return location.assign(where);
    if (dialog.open) dialog.close();
    await refresh();
    return keepFocus();
  }
  if (answer.headers.get("X-Fragment")) return show(await answer.text());
  HTMLFormElement.prototype.submit.call(form); // a page of its own: that the site is busy, say
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
  send(form, event.submitter).finally(() => delete form.dataset.sent);
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

// Whether a name can be had in a game is said while one types it; without script the answer to the form says so.
"use strict";
{
  const gettext = window.gettext ?? ((text) => text);
  const form = document.querySelector("form[data-name]");
  const field = form?.elements.name;
  const said = document.createElement("p");
  said.className = "hint";
  said.id = "name-said";
  said.setAttribute("role", "status");
  let waiting = 0;

  async function ask() {
    const name = field.value;
    const place = `${form.dataset.name}?name=${encodeURIComponent(name)}`;
    const answer = name.trim() ? await fetch(place).catch(() => null) : null;
    const found = answer?.ok ? await answer.json() : null;
    if (field.value !== name) return; // what was typed since is asked by itself
    said.textContent = !found ? "" : found.refused || gettext("This name is free.");
    said.classList.toggle("field-error", Boolean(found?.refused));
    field.setAttribute("aria-invalid", String(Boolean(found?.refused)));
  }

  if (field) {
    field.after(said);
    field.setAttribute("aria-describedby", `${field.getAttribute("aria-describedby") ?? ""} name-said`.trim());
    field.addEventListener("input", () => {
      clearTimeout(waiting);
      waiting = setTimeout(ask, 400);
    });
  }
}

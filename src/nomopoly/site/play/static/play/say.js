// Say it: what is chosen decides which choices follow, so each is asked for at once; what is typed, a moment after the last key.
const WAIT = 700; // milliseconds after the last key

export function sayDoor(form, pageAfter, showRefusal) {
  const door = document.getElementById("say-door");
  if (!door) return;
  form.classList.add("scripted");
  let waiting = 0;
  let asked = 0;

  // The door as it would be. Where somebody types, only what the choices say is drawn again. While all of it is drawn again
  // nothing can be typed, since what comes would replace it; what is overtaken by a later question is not drawn.
  async function draw(name, value, whole) {
    clearTimeout(waiting);
    const mine = ++asked;
    const focused = document.activeElement;
    door.inert = whole;
    try {
      const page = await pageAfter(name, encodeURIComponent(value));
      const fresh = page?.getElementById("say-door");
      if (!fresh || mine !== asked) return;
      showRefusal(page);
      document.getElementById("unseen").replaceChildren(...page.getElementById("unseen").childNodes);
      const part = whole ? null : document.getElementById("said");
      if (part?.contains(document.activeElement) && document.activeElement.id === "prose") return;
      if (part) part.replaceWith(fresh.querySelector("#said"));
      else door.replaceChildren(...fresh.childNodes);
    } finally {
      if (mine === asked) {
        door.inert = false;
        door.dataset.drawn = mine;
        if (whole) (document.getElementById(focused.id) ?? door.querySelector("select, button"))?.focus();
      }
    }
    form.dispatchEvent(new Event("program-typed"));
  }

  door.addEventListener("click", (event) => {
    const button = event.target.closest("button[name=say-press]");
    if (!button) return;
    event.preventDefault();
    draw(button.name, button.value, true);
  });
  door.addEventListener("change", ({ target }) => {
    if (target.matches("select, [type=checkbox]")) draw("say-update", "1", true);
  });
  door.addEventListener("input", ({ target }) => {
    if (!target.matches("input:not([type=checkbox])")) return;
    clearTimeout(waiting);
    waiting = setTimeout(() => draw("say-update", "1", false), WAIT);
  });
}

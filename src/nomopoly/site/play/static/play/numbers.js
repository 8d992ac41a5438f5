// Change a number: rules are found as one types, taken into the form without reloading, and their sentences say what one types.
const WAIT = 300; // milliseconds after the last key

export function numberDoor(form, pageAfter, showRefusal) {
  const door = document.getElementById("number-door");
  if (!door) return;
  let waiting = 0;

  async function press(name, value, focus) {
    const page = await pageAfter(name, encodeURIComponent(value));
    const fresh = page?.getElementById("number-door");
    if (!fresh) return;
    showRefusal(page);
    document.getElementById("unseen").replaceChildren(...page.getElementById("unseen").childNodes);
    if (name === "find") document.getElementById("numbers-found").replaceWith(fresh.querySelector("#numbers-found"));
    else door.replaceChildren(...fresh.childNodes);
    focus?.();
  }

  // What was taken last stands above the list, which may be far away.
  function toItsNumber() {
    const field = [...door.querySelectorAll(".change-number")].at(-1)?.querySelector("input:not([type=hidden]), select");
    field?.focus();
    field?.select?.();
  }

  const find = () => press("find", "1");
  door.addEventListener("click", (event) => {
    const button = event.target.closest("button[name]");
    if (!button || button.name === "to") return;
    event.preventDefault();
    if (button.name === "find") find();
    else if (button.name === "take") press("take", button.value, toItsNumber);
    else press(button.name, button.value, () => document.getElementById("q").focus());
  });
  // What was typed before this was loaded is searched for now.
  const typed = document.getElementById("q");
  if (typed && typed.value !== typed.defaultValue) find();
  door.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.target.id !== "q") return;
    event.preventDefault();
    clearTimeout(waiting);
    find();
  });
  door.addEventListener("input", ({ target }) => {
    if (target.id === "q") {
      clearTimeout(waiting);
      waiting = setTimeout(find, WAIT);
      return;
    }
    for (const place of door.querySelectorAll(`[data-field="${CSS.escape(target.name)}"]`)) say(place, target);
  });
}

// Let a sentence say what is typed: amounts of money as people write them.
function say(place, { value, inputMode }) {
  const plain = inputMode === "numeric" ? value.trim().replace(/[$,'’\s]/g, "") : value;
  place.querySelector("ins").textContent = plain || "…";
  place.querySelector("del").hidden = plain === place.dataset.now;
}

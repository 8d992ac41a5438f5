// The words of the game beside the editor: found as one types.
const WAIT = 250; // milliseconds after the last key

export function wordPanel(form) {
  const list = document.getElementById("word-list");
  const field = document.getElementById("word_q");
  if (!list || !field) return;
  let waiting = 0;

  async function look() {
    const wanted = field.value;
    const answer = await fetch(list.dataset.address + encodeURIComponent(wanted)).catch(() => null);
    if (!answer?.ok || field.value !== wanted) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    list.replaceChildren(...page.body.childNodes);
  }

  field.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(look, WAIT);
  });
  const now = (event) => {
    event.preventDefault();
    clearTimeout(waiting);
    look();
  };
  field.addEventListener("keydown", (event) => { if (event.key === "Enter") now(event); });
  form.querySelector("button[name=look]").addEventListener("click", now);
}

// Programs are checked as one types: some time after the last key, one check at a time, and later where the server has much to do.
const gettext = window.gettext ?? ((text) => text);
const WAIT = 1200; // milliseconds after the last key
const TIRED = 20000; // after the server has said that it is too much

export function liveCheck(form, loading) {
  const door = form.querySelector(".program-door");
  const said = document.getElementById("live");
  if (!door || !said) return;
  let waiting = 0;
  let asking = null;
  const sent = () => new URLSearchParams(new FormData(form)).toString();
  const later = (wait = WAIT) => {
    clearTimeout(waiting);
    waiting = setTimeout(check, wait);
  };

  async function check() {
    if (asking) return later();
    const before = sent();
    asking = fetch(form.action, { method: "POST", body: new URLSearchParams(`${before}&check=quick`) }).catch(() => null);
    const answer = await asking;
    asking = null;
    if (!answer || !answer.ok || answer.redirected) return answer?.status === 429 ? later(TIRED) : undefined;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (sent() !== before) return undefined; // a later check answers for what was typed since
    return show(page);
  }

  async function show(page) {
    const editor = await loading;
    for (const program of form.querySelectorAll(".program")) {
      program.querySelector(".problems")?.remove();
      const fresh = page.querySelector(`[id="${program.id}"] .problems`);
      if (fresh) program.append(fresh);
      editor?.mark(program.querySelector("textarea"));
    }
    const result = page.querySelector("#check > .problems, #check > .fine");
    const hint = page.getElementById("refusal");
    said.hidden = !result && !hint;
    if (result) said.replaceChildren(result);
    else if (hint) said.textContent = hint.textContent.replace(gettext("Refused:"), gettext("Not complete yet:"));
  }

  door.addEventListener("input", ({ target }) => { if (target.id !== "word_q") later(); });
  form.addEventListener("program-typed", () => later());
}

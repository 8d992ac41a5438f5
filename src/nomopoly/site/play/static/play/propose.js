// Choosing a rule to change fills in what it says now, where nothing has been typed yet.
const form = document.querySelector("form[data-rules]");
let book = null;

async function rule(id) {
  book ??= fetch(form.dataset.rules).then((answer) => answer.json());
  return (await book).rules.find((each) => each.id === id);
}

const written = (value) => (typeof value === "string" ? value : JSON.stringify(value));

const unwrapped = (text) =>
  text.trim().split(/\n\s*\n/)
    .map((part) => (/^\s*([|*+-]|\d+[.)] )/m.test(part) ? part : part.split(/\s+/).join(" "))).join("\n\n");

async function fill(box) {
  const part = (name) => box.querySelector(`[name$="-${name}"]`);
  if (part("kind").value !== "amend" || part("filled").value === part("rule").value) return;
  const found = await rule(part("rule").value.trim());
  if (!found || part("filled").value === found.id) return;
  if (["text", "code", "params", "title"].some((name) => part(name).value.trim())) return;
  part("text").value = unwrapped(found.text);
  part("code").value = found.code;
  part("title").value = found.title;
  part("params").value = Object.entries(found.params).map(([name, value]) => `${name}: ${written(value)}`).join("\n");
  part("filled").value = found.id;
}

for (const box of form?.querySelectorAll("[data-change]") ?? []) {
  for (const name of ["kind", "rule"]) box.querySelector(`[name$="-${name}"]`).addEventListener("change", () => fill(box));
}

// What is typed into a form survives a lost connection: it is kept in this tab until a page of the site has answered.
"use strict";
{
  const SHELF = "typed";
  const gettext = window.gettext ?? ((text) => text);
  const typedIn = (form) => [...form.elements].filter(({ name, type }) => name && !["hidden", "submit", "button", "file", "password"].includes(type));
  const isTicked = ({ type }) => type === "checkbox" || type === "radio";
  const shelf = (act) => { try { return act(sessionStorage); } catch { return null; } };

  document.addEventListener("submit", ({ target: form }) => {
    if (form.method !== "post" || form.matches("[data-drafts]") || form.querySelector("[type=password]")) return;
    const typed = typedIn(form).map((each) => [each.name, each.value, isTicked(each) && each.checked]);
    if (typed.length) shelf((kept) => kept.setItem(SHELF, JSON.stringify({ page: location.pathname, action: form.action, typed })));
  });

  const formTo = (action) => [...document.forms].find((form) => form.method === "post" && form.action === action);

  function putBack(form, typed) {
    for (const each of typedIn(form)) {
      const kept = typed.find(([name, value]) => name === each.name && (each.type !== "radio" || value === each.value));
      if (!kept) continue;
      if (isTicked(each)) each.checked = kept[2];
      else each.value = kept[1];
    }
    const told = document.createElement("p");
    told.className = "notice warning";
    told.setAttribute("role", "status");
    told.textContent = gettext("This was not sent: the connection was lost. What you had typed is here again.");
    form.before(told);
  }

  // One is back at the form without an answer, by the browser's button or by its address; an answer follows the form itself.
  const { page, action, typed } = JSON.parse(shelf((kept) => kept.getItem(SHELF)) ?? "{}");
  if (page) {
    const came = performance.getEntriesByType("navigation")[0]?.type;
    const answered = came !== "back_forward" && document.referrer && new URL(document.referrer).pathname === page;
    const form = location.pathname === page && !answered && formTo(action);
    if (form) putBack(form, typed);
    if (form || answered) shelf((kept) => kept.removeItem(SHELF));
  }
}

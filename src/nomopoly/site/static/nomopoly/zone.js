// Fills in the time zone of the browser where a form asks for it and nothing stands there.
for (const field of document.querySelectorAll("[data-zone]")) {
  if (!field.value) field.value = Intl.DateTimeFormat().resolvedOptions().timeZone || "";
}

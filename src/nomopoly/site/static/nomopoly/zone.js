// Fills in the time zone of the browser where a form asks for it and nothing stands there; and where a page asks for it
// by the name of a cookie, says it to the next pages, until the browser is closed.
{
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || "";
  const cookie = document.currentScript?.dataset.cookie;
  const secure = location.protocol === "https:" ? "; Secure" : "";
  if (cookie && zone) document.cookie = `${cookie}=${zone}; Path=/; SameSite=Lax${secure}`;
  for (const field of document.querySelectorAll("[data-zone]")) {
    if (!field.value) field.value = zone;
  }
}

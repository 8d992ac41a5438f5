// Notices that somebody has before their eyes are marked as read: the form of the page is sent by itself, once the page is seen.
"use strict";
{
  const form = document.querySelector("form[data-seen]");
  const send = async () => {
    if (document.visibilityState !== "visible") return;
    document.removeEventListener("visibilitychange", send);
    const told = { method: "POST", body: new FormData(form), headers: { "X-Live": "1" }, keepalive: true };
    const answer = await fetch(form.action, told).catch(() => null);
    if (answer?.ok) form.remove(); // else the button is still there
  };
  if (form) {
    document.addEventListener("visibilitychange", send);
    send();
  }
}

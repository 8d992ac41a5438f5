// Lets the browser of this device be told what happens.
"use strict";
(() => {
  const gettext = window.gettext ?? ((text) => text);
  const place = document.getElementById("device");
  const says = document.getElementById("device-says");
  const button = document.getElementById("device-add");
  if (!("serviceWorker" in navigator) || !("PushManager" in window)) {
    says.textContent = gettext("This browser cannot be told anything. On an iPhone, put the site on the home screen first.");
    return;
  }
  const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (each) => each.charCodeAt(0));
  button.hidden = false;
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      if ((await Notification.requestPermission()) !== "granted") throw new Error(gettext("Allow notifications for this site in your browser, then try again."));
      const worker = await navigator.serviceWorker.ready;
      const given = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(place.dataset.key) });
      const answer = await fetch("/settings/elsewhere/device/", {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-CSRFToken": place.querySelector("[name=csrfmiddlewaretoken]").value },
        body: JSON.stringify({ ...given.toJSON(), name: navigator.platform || "" }),
      });
      const said = await answer.json();
      if (!answer.ok) throw new Error(said.error);
      location.reload();
    } catch (error) {
      says.textContent = error.message;
      button.disabled = false;
    }
  });
})();

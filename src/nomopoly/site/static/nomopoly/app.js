// The site as an app: pages that were seen last can be opened without a connection.
"use strict";
if ("serviceWorker" in navigator) navigator.serviceWorker.register("/worker.js").catch(() => undefined);

// Such a page says so. With a connection it stays as it is, in case something has been typed, until it is reloaded.
addEventListener("online", () => {
  const gettext = window.gettext ?? ((text) => text);
  const link = document.createElement("a");
  link.href = location.href;
  link.textContent = gettext("You are connected again. Reload the page.");
  document.getElementById("offline")?.replaceChildren(link);
});

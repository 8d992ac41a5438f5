// The site as an app: pages that were seen last can be opened without a connection.
"use strict";
if ("serviceWorker" in navigator) navigator.serviceWorker.register("/worker.js").catch(() => undefined);

{% load nomopoly static %}// Shows pages that were seen last when there is no connection, and what the site tells this device.
"use strict";
const KEPT = "nomopoly-1";
const OFFLINE = "/offline/";
const PAGES = 60; // that are kept
const SEEN_LAST = {{ seen_last|safe }}; // what a kept page says, by its language

self.addEventListener("install", (event) => {
  // What a page sends while it is left would be lost on its way through here.
  event.addRoutes?.({ condition: { requestMethod: "POST", urlPattern: new URLPattern({ pathname: "/g/*/proposals/draft/" }) }, source: "network" });
  event.waitUntil(caches.open(KEPT).then((kept) => kept.addAll([OFFLINE, "{% stamped 'nomopoly/style.css' %}", "{% static 'nomopoly/mark.svg' %}"])));
  self.skipWaiting();
});

self.addEventListener("activate", (event) => {
  event.waitUntil(caches.keys().then((names) => Promise.all(names.filter((name) => name !== KEPT).map((name) => caches.delete(name)))).then(() => self.clients.claim()));
});

// What pages are made of, the words of scripts among it; it is nobody's own.
const isFile = (url) => url.pathname.startsWith("/static/") || url.pathname === "{% url 'wordings' %}";
const isPage = ({ url }) => !isFile(new URL(url)) && new URL(url).pathname !== OFFLINE;

// Whoever logs out, or logs in, leaves nothing of what they saw to the next one at this device.
const ends = (request) => new URL(request.url).pathname.startsWith("/account/") && request.method === "POST";

async function forget() {
  const kept = await caches.open(KEPT);
  const pages = (await kept.keys()).filter(isPage);
  await Promise.all(pages.map((each) => kept.delete(each)));
}

function isKept(url) {
  return url.pathname === "/me/" || url.pathname === "/me/notices/" || url.pathname.startsWith("/g/") || url.pathname.startsWith("/guide/") || isFile(url);
}

// A page that asks for a log-in, or is not there for this reader.
function leadsAway(fresh) {
  return fresh.type === "opaqueredirect" || [401, 403, 404, 410].includes(fresh.status);
}

async function answer(request) {
  const kept = await caches.open(KEPT);
  const url = new URL(request.url);
  try {
    const fresh = await fetch(request);
    if (leadsAway(fresh)) {
      await kept.delete(request); // who may see it no more must not see it without a connection either
    } else if (fresh.ok && !fresh.redirected && isKept(url)) {
      if (url.search && url.pathname.startsWith("/static/")) await kept.delete(request, { ignoreSearch: true }); // an older form of it
      await kept.put(request, fresh.clone());
      const all = await kept.keys();
      const pages = all.filter(isPage);
      await Promise.all(pages.slice(0, Math.max(0, pages.length - PAGES)).map((each) => kept.delete(each)));
    }
    return fresh;
  } catch (error) {
    const seen = await kept.match(request);
    if (!seen) {
      if (request.mode === "navigate") return kept.match(OFFLINE);
      throw error;
    }
    if (request.mode !== "navigate") return seen;
    const text = await seen.text();
    const told = SEEN_LAST[text.match(/<html lang="([^"]*)"/)?.[1]] ?? SEEN_LAST.en;
    const page = text.replace(/<main /, `<p class="notice warning wrap" id="offline" role="status">${told}</p><main `);
    return new Response(page, { headers: { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": seen.headers.get("Content-Security-Policy") || "" } });
  }
}

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (url.origin !== self.location.origin) return;
  if (ends(event.request)) {
    event.waitUntil(forget());
    return;
  }
  if (event.request.method !== "GET") return;
  if (event.request.mode === "navigate" || isFile(url)) event.respondWith(answer(event.request));
});

self.addEventListener("push", (event) => {
  let told = { title: "Nomopoly", body: "", url: "/me/notices/" };
  try {
    told = Object.assign(told, event.data.json());
  } catch (error) {
    // A message without words still says that there is something to see.
  }
  event.waitUntil(self.registration.showNotification(told.title, { body: told.body, data: told.url, icon: "{% static 'nomopoly/mark.svg' %}" }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const url = new URL(event.notification.data || "/me/", self.location.origin);
  if (url.origin === self.location.origin) event.waitUntil(self.clients.openWindow(url.href));
});

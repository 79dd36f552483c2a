// The service worker keeps the shell of the pages (scripts, styles, fonts), one page that says that the connection is
// lost, in the language of the page that came last, and for who reads it the guide and the rules. It never keeps anything of a table: a page, a piece of one, a stream
// and an answer of the API pass by it.
//
// The server writes self.norn before this: {cache, kept, base}: the cache's name, all paths that may be cached, and the path below which norn is. The
// files' names change with their content, and the cache's name with them.
const { cache: name, kept, base = "" } = self.norn;

addEventListener("install", () => skipWaiting());

addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const old of await caches.keys()) if (old !== name) await caches.delete(old);
    await clients.claim();
  })());
});

// A page sends what to cache: the page and files that show a lost connection, and pages of the guide and the rules.
addEventListener("message", (event) => {
  const { offline, files, pages } = event.data;
  event.waitUntil((async () => {
    const cache = await caches.open(name);
    for (const had of await cache.keys()) {
      const { pathname } = new URL(had.url);
      if (!kept.includes(pathname) && pathname !== offline && !readable(pathname)) await cache.delete(had);
    }
    for (const path of [offline, ...files.filter((file) => kept.includes(file))]) {
      if (!(await cache.match(path, { ignoreVary: true }))) await cache.add(path);
    }
    for (const path of pages.filter(readable)) await cache.add(path);
  })());
});

addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  if (request.mode === "navigate") event.respondWith(fetch(request).catch(() => lost(new URL(request.url).pathname)));
  else if (kept.includes(new URL(request.url).pathname)) event.respondWith(keep(request));
});

// A question waits at a table that nobody looks at; what comes says no more.
addEventListener("push", (event) => {
  const { title, text, path, tag } = event.data.json();
  event.waitUntil(registration.showNotification(title, { body: text, tag, renotify: true, data: path, icon: `${base}/assets/favicon.svg` }));
});

addEventListener("notificationclick", (event) => {
  const { notification } = event;
  notification.close();
  event.waitUntil((async () => {
    for (const page of await clients.matchAll({ type: "window" })) {
      if (new URL(page.url).pathname === notification.data) return page.focus();
    }
    return clients.openWindow(notification.data);
  })());
});

// readable reports whether a path is a page of the guide or the rules: the same for everybody, cached once somebody reads it.
const readable = (path) => path.startsWith(`${base}/`) && /^\/(guide|rules)\/[\w/-]+$/.test(path.slice(base.length));

// lost answers for a page while the connection is lost: that page if it's cached, else the one that says so.
async function lost(path) {
  const cache = await caches.open(name);
  const page = readable(path) && await cache.match(path, { ignoreVary: true });
  if (page) return page;
  for (const { url } of await cache.keys()) {
    const { pathname } = new URL(url);
    if (!kept.includes(pathname) && !readable(pathname)) return cache.match(url, { ignoreVary: true });
  }
  return Response.error();
}

async function keep(request) {
  const cache = await caches.open(name);
  const had = await cache.match(request, { ignoreVary: true });
  if (had) return had;
  const answer = await fetch(request);
  if (answer.ok) await cache.put(request, answer.clone());
  return answer;
}

// The service worker keeps the shell of the pages (scripts, styles, fonts) and one page that says that the connection is
// lost. It never keeps anything of a table: a page, a piece of one, a stream and an answer of the API pass by it.
//
// The server writes self.norn before this: {cache, offline, first, kept}, the name of the cache, the path of the page for a
// lost connection, the paths to keep at once, and all paths that may be kept. Their names change with their content,
// and the cache's name with them.
const { cache: name, offline, first, kept } = self.norn;

addEventListener("install", (event) => {
  event.waitUntil((async () => {
    await (await caches.open(name)).addAll([offline, ...first]);
    await skipWaiting();
  })());
});

addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const old of await caches.keys()) if (old !== name) await caches.delete(old);
    await registration.navigationPreload?.enable(); // the page needn't wait for the worker to wake
    await clients.claim();
  })());
});

addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  if (request.mode === "navigate") event.respondWith(visit(event));
  else if (kept.includes(new URL(request.url).pathname)) event.respondWith(keep(request));
});

// visit brings a page, or says that the connection is lost.
async function visit(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    return (await caches.match(offline, { cacheName: name })) ?? Response.error();
  }
}

async function keep(request) {
  const cache = await caches.open(name);
  const had = await cache.match(request, { ignoreVary: true });
  if (had) return had;
  const answer = await fetch(request);
  if (answer.ok) await cache.put(request, answer.clone());
  return answer;
}

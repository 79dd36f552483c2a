// Browsers allow six connections to one address, and each page of a table has a stream. So the pages
// of one browser share them: at most four keep their streams, those that were looked at last, and the
// others ask now and then whether something has come (live.js). Two connections stay free.
//
// Each page sends the others its state: its id, whether it's in front, and when it was last looked
// at. BroadcastChannel, which does that, works over plain http, too.
export const most = 4; // pages that keep their streams
const beat = 30_000; // ms after which a page tells of itself again; a hidden page's timers may take a minute
const silence = 200_000; // ms after which a page that tells nothing more is taken for closed
const pause = 5_000; // ms between two looks that others are told of

// keepers returns the ids of the pages that keep their streams, of {id, front, looked}.
export function keepers(pages) {
  const order = (a, b) => b.front - a.front || b.looked - a.looked || (a.id < b.id ? -1 : 1);
  return [...pages].sort(order).slice(0, most).map(({ id }) => id);
}

// share joins the pages of this browser, and calls changed when this one may have a stream or no longer.
export function share(changed) {
  const front = !document.hidden;
  const me = { id: `${Date.now()}.${Math.random()}`, front, looked: front ? Date.now() : 0 };
  const others = new Map(); // by their ids
  const page = { streams: true, look };
  if (!globalThis.BroadcastChannel) return page; // it knows of no other
  let channel;

  function decide() {
    for (const [id, { heard }] of others) if (Date.now() - heard > silence) others.delete(id);
    const may = keepers([me, ...others.values()]).includes(me.id);
    if (may === page.streams) return;
    page.streams = may;
    changed();
  }

  function hear({ data }) {
    const known = others.has(data.id);
    if (data.gone) others.delete(data.id);
    else others.set(data.id, { ...data, heard: Date.now() });
    if (!known && !data.gone) channel.postMessage(me); // it can't know of this page
    decide();
  }

  // look says that somebody looks at this page, or has just looked away.
  function look() {
    me.front = !document.hidden;
    me.looked = Date.now();
    channel?.postMessage(me);
    decide();
  }

  function join() {
    channel = new BroadcastChannel("norn");
    channel.onmessage = hear;
    channel.postMessage(me);
  }

  join();
  setInterval(() => {
    channel?.postMessage(me);
    decide();
  }, beat);
  document.addEventListener("visibilitychange", look);
  addEventListener("focus", look);
  for (const touched of ["pointerdown", "keydown"]) {
    addEventListener(touched, () => { if (!page.streams || Date.now() - me.looked > pause) look(); }, { capture: true, passive: true });
  }
  addEventListener("pagehide", () => {
    channel?.postMessage({ ...me, gone: true });
    channel?.close();
    channel = undefined;
    others.clear();
  });
  addEventListener("pageshow", ({ persisted }) => { if (persisted) join(); });
  return page;
}

// Notifications: a browser subscribes with its push service, and sends norn the address. One press begins, at the seat's page
// for notifications; from then on the seat's pages send the address again, so that notifications go on after norn has moved,
// or the service has given the browser another address.
const known = (seat) => `called ${seat}`;
const seatOf = (link) => new URL(link, location).pathname.replace(/\/called$/, "");

const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
const same = (a, b) => a && a.byteLength === b.length && new Uint8Array(a).every((byte, i) => byte === b[i]);

export const can = () => "serviceWorker" in navigator && "PushManager" in window && "Notification" in window && Boolean(document.documentElement.dataset.worker);

// subscribe gives norn the browser's address for a seat.
async function subscribe(seat) {
  const answer = await fetch(`${seat}/called/key`);
  if (!answer.ok) throw new Error("no key");
  const key = bytes((await answer.text()).trim());
  await navigator.serviceWorker.register(document.documentElement.dataset.worker, { updateViaCache: "none" });
  const { pushManager } = await navigator.serviceWorker.ready;
  let at = await pushManager.getSubscription();
  if (at && !same(at.options.applicationServerKey, key)) { // another norn's at this address
    await at.unsubscribe();
    at = null;
  }
  at ??= await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint, keys } = at.toJSON();
  const told = await fetch(`${seat}/called`, { method: "POST", headers: { "Norn-Script": "1" }, body: new URLSearchParams({ endpoint, ...keys }) });
  if (!told.ok) throw new Error(told.status === 422 ? await told.text() : "");
  localStorage.setItem(known(seat), "1");
}

// press is that of a button or link that has the reader called; toast says what came of it.
export async function press(link, toast) {
  const seat = seatOf(link.href);
  const page = `${seat}/called`;
  const here = location.pathname === page;
  if (!can() || (!here && localStorage.getItem(known(seat)))) return location.assign(page);
  try {
    if (await Notification.requestPermission() !== "granted") return here ? toast(link.dataset.denied) : location.assign(page);
    await subscribe(seat);
    if (here) location.reload();
    else toast(link.dataset.done);
  } catch (error) {
    if (here) toast(error.message || link.dataset.denied);
    else location.assign(page);
  }
}

// begin runs at the page for notifications, and at the pages of a seat that has turned them on in this browser.
export function begin() {
  const seat = location.pathname.replace(/\/called$/, "");
  const place = document.getElementById("called-here");
  if (place) {
    const link = place.querySelector("[data-call]");
    if (can()) link.hidden = false;
    else place.textContent = place.dataset.no;
    document.querySelector("[data-form=uncalled]")?.addEventListener("submit", () => localStorage.removeItem(known(seat)));
    if (document.querySelector("[data-form=uncalled]") === null) return; // stopped, maybe elsewhere
  }
  if (localStorage.getItem(known(seat)) && can() && Notification.permission === "granted") subscribe(seat).catch(() => {}); // the next page tries again
}

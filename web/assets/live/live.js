// The live connection of a page: one stream of server-sent events that stays open.
//
// It resumes after the last event id it saw (Last-Event-ID), waits longer after
// each failure, takes silence for a lost connection, comes back when a server that
// closes asks it to, and stops when the server says that there is nothing more to
// hear. Where more pages of norn are open in this browser than may have a stream (tabs.js), it rests:
// it asks now and then whether something has come, and goes on from its last event when it's looked
// at. Its state is in the element's data-live-state: connecting, open, waiting, resting or ended.
import { events } from "./events.js";
import { waits as slow } from "./slow.js";
import { share } from "./tabs.js";

const shortest = 500; // ms before the first new try
const longest = 8_000; // ms between tries at most: somebody is looking at the page
const silence = 45_000; // ms without a byte; the server breaks its silence every 15 s
const asks = 15_000; // ms between two questions of a page without a stream
const final = [204, 401, 403, 404, 410]; // answers that no new try would change

const mark = "• "; // before the title of a page that has missed something

let last = ""; // the id of the last event that came
let shown = 0; // the seq up to which the page shows what came
let waits = []; // for an event to be shown
let again = () => {}; // opens the stream anew
let away = false; // the page isn't in front, as the stream was told

// upTo is the seq up to which all has come, though the last of it may still be on its way into the page.
export const upTo = () => Number(last);

// told waits until the page shows all events up to a seq.
export const told = (seq) => new Promise((go) => {
  if (shown >= seq) go();
  else waits.push({ seq, go });
});

// selected returns who acts in the move form, by which move, and for which call.
export const selected = () => Object.fromEntries(["_a", "_m", "_call"].map((name) => [name, document.querySelector(`#composer-form [name=${name}]`)?.value]));

// reopen opens the stream anew, which follows what the page showed when it began.
export function reopen() { again(); }

// due reopens the stream if a seq doesn't arrive soon: a dead connection may go unnoticed for long.
const soon = 1500;
export function due(seq) {
  if (upTo() < seq) setTimeout(() => { if (upTo() < seq) again(); }, soon);
}

// live listens to the stream at the element's data-live, from after the event
// whose id is in data-live-after, and gives each event, in order, to show.
// An event named "end" ends the connection for good; "again" ends it until the
// time is over that came with it; after "anew" the page isn't what it was and is
// loaded again.
export async function live(element, show) {
  last = element.dataset.liveAfter ?? "";
  shown = upTo();
  let failures = 0;
  let asked = 0; // ms that the server asks to wait before the next try
  let hurried = false;
  let connection;
  let wake = () => {};

  const state = (name) => { element.dataset.liveState = name; };
  const drop = () => connection?.abort();

  // Opens the stream and reads it to its end; true when that end is final.
  async function listen() {
    connection = new AbortController();
    const { signal } = connection;
    let watch = setTimeout(drop, silence);
    const heard = () => {
      failures = 0;
      clearTimeout(watch);
      watch = setTimeout(drop, silence);
    };
    try {
      const headers = { Accept: "text/event-stream" };
      if (last) headers["Last-Event-ID"] = last;
      away = document.hidden;
      const answered = slow();
      signal.addEventListener("abort", answered);
      const shows = { _seat: element.dataset.reader, _c: document.querySelector("#sheet > [data-sheet]")?.dataset.sheet, ...selected(), _away: away ? "1" : "" };
      const query = Object.entries(shows).filter(([, value]) => value).map(([name, value]) => `&${name}=${encodeURIComponent(value)}`).join("");
      const answer = await fetch(element.dataset.live + query, { headers, signal, cache: "no-store" });
      answered();
      if (final.includes(answer.status)) return true;
      if (!answer.ok || !answer.headers.get("Content-Type")?.startsWith("text/event-stream")) return false;
      state("open");
      document.title = document.title.replace(mark, "");
      for await (const event of events(answer.body, heard)) {
        if (!element.isConnected) return false;
        if (event.retry) asked = Math.min(event.retry, longest);
        if (event.id !== undefined) last = event.id;
        if (event.event === "anew") location.reload();
        if (["anew", "end"].includes(event.event)) return true;
        if (event.event === "again") return false;
        try {
          await show(event);
        } catch (error) {
          reportError(error); // one piece that can't be shown doesn't hold up the rest
        }
        shown = upTo();
        for (const { seq, go } of waits) if (seq <= shown) go();
        waits = waits.filter(({ seq }) => seq > shown);
      }
      return false;
    } catch {
      return false; // the network, or drop: both only mean a new try
    } finally {
      clearTimeout(watch);
      drop();
    }
  }

  // Asks without a stream whether something has come. That keeps the seat online, and who listens to
  // live:asked may call its reader. A page in front that has missed something takes a stream.
  async function ask() {
    away = document.hidden;
    try {
      const answer = await fetch(`${element.dataset.live.replace("/live?", "/news?")}&_seat=${element.dataset.reader}`, { cache: "no-store" });
      if (answer.status !== 200 || page.streams) return;
      const { told, waits } = await answer.json();
      element.dispatchEvent(new CustomEvent("live:asked", { detail: { waits } }));
      if (told <= upTo()) return;
      if (!document.title.startsWith(mark)) document.title = mark + document.title;
      if (!document.hidden) page.look();
    } catch {
      // The network: it asks again.
    }
  }

  const pause = (time) => new Promise((resolve) => {
    const timer = setTimeout(resolve, time);
    wake = () => { clearTimeout(timer); resolve(); };
  });

  again = () => {
    hurried = true;
    drop();
    wake();
  };
  addEventListener("online", () => wake());
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) wake();
    setTimeout(() => { if (document.hidden !== away) again(); }, document.hidden ? 3000 : 0); // who looks isn't called
  });
  addEventListener("offline", drop);
  addEventListener("pagehide", drop);
  addEventListener("pageshow", () => wake());

  const page = share(() => again());
  state("connecting");
  while (element.isConnected) {
    hurried = false;
    if (!page.streams) {
      state("resting");
      await ask();
      if (!page.streams) await pause(asks);
      continue;
    }
    if (await listen()) break;
    if (!page.streams) continue;
    state("waiting");
    const time = Math.min(longest, shortest * 2 ** failures++) * (0.7 + 0.6 * Math.random());
    if (!hurried) await pause(asked || time);
    asked = 0;
  }
  state("ended");
}

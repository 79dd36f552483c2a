// Which pages of one browser keep their streams.
import assert from "node:assert/strict";
import test from "node:test";

import { keepers, most, share } from "./tabs.js";

const page = (id, looked, front = false) => ({ id, looked, front });

test("up to four pages keep their streams, hidden or not", () => {
  const pages = [page("a", 0), page("b", 4), page("c", 2, true), page("d", 0)];
  assert.deepEqual(keepers(pages).sort(), ["a", "b", "c", "d"]);
});

test("of more, those that were looked at longest ago close theirs", () => {
  const pages = [page("a", 5), page("b", 1), page("c", 4), page("d", 3), page("e", 2), page("f", 0)];
  assert.deepEqual(keepers(pages), ["a", "c", "d", "e"]);
});

test("what is in front comes before what was, and all pages agree where looks are as old", () => {
  const pages = [page("e", 9), page("d", 9), page("c", 9), page("b", 9), page("a", 9), page("z", 1, true)];
  assert.deepEqual(keepers(pages), ["z", "a", "b", "c"]);
  assert.deepEqual(keepers(pages.toReversed()), keepers(pages));
});

// A browser of pages, each with its own globals while its code runs, and a channel between them.
function browser() {
  const pages = [];
  const channels = new Set();
  globalThis.setInterval = () => {}; // nobody falls silent here
  return {
    pages,
    streams: () => pages.filter(({ open, is }) => open && is.streams).map(({ name }) => name),
    open(name, hidden = false) {
      const hears = {};
      const heard = (event, hear) => { (hears[event] ??= []).push(hear); };
      const document = { hidden, addEventListener: heard };
      const one = { name, document, open: true };
      one.tell = (event, about = {}) => {
        Object.assign(globalThis, { document });
        for (const hear of hears[event] ?? []) hear(about);
      };
      globalThis.document = document;
      globalThis.addEventListener = heard;
      globalThis.BroadcastChannel = class {
        constructor() { channels.add(this); this.of = one; }
        postMessage(data) {
          for (const other of channels) if (other !== this) {
            const { document: before } = globalThis;
            globalThis.document = other.of.document;
            other.onmessage({ data: { ...data } });
            globalThis.document = before;
          }
        }
        close() { channels.delete(this); one.open = false; }
      };
      pages.push(one);
      one.is = share(() => {});
      return one;
    },
  };
}

test("nine pages have four streams, whichever is looked at is among them, and a closed page leaves its own", (t) => {
  let now = 1000;
  t.mock.method(Date, "now", () => now++);
  const { open, streams, pages } = browser();
  for (let n = 1; n <= 9; n++) {
    const one = open(`page ${n}`);
    assert.equal(streams().length, Math.min(n, most));
    one.document.hidden = true; // another comes in front
    one.tell("visibilitychange");
  }
  assert.deepEqual(streams(), ["page 6", "page 7", "page 8", "page 9"]);
  const [first] = pages;
  first.document.hidden = false;
  first.tell("visibilitychange");
  assert.deepEqual(streams(), ["page 1", "page 7", "page 8", "page 9"]);
  first.tell("pagehide");
  assert.deepEqual(streams(), ["page 6", "page 7", "page 8", "page 9"]);
  open("behind", true); // in a tab behind others, which nobody has looked at
  assert.equal(streams().includes("behind"), false);
});

test("a press on a page that rests is a look at it", (t) => {
  let now = 1000;
  t.mock.method(Date, "now", () => now++);
  const { open, streams, pages } = browser();
  for (let n = 1; n <= 5; n++) open(`page ${n}`);
  assert.equal(pages[0].is.streams, false);
  pages[0].tell("pointerdown");
  assert.equal(pages[0].is.streams, true);
  assert.equal(streams().length, most);
});

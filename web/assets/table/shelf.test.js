import assert from "node:assert/strict";
import { test } from "node:test";

// A table's page, as much of it as the shelf's opener uses.
const opened = [];
const open = (address, files) => { opened.push([address, files.map((file) => file.name)]); };

const page = Object.assign(new EventTarget(), { href: "/t/x/pictures", dataset: { shelf: "Pictures and clocks" } });
const button = new EventTarget();
const row = { querySelector: () => ({ before: (one) => { assert.equal(one, button); } }) };
globalThis.document = Object.assign(new EventTarget(), {
  createElement: () => button,
  querySelector: (what) => ({ ".line-row": row, "#drawer [data-shelf]": page })[what] ?? { outerHTML: "<svg></svg>" },
});
const { shelf } = await import("./shelf.js");
shelf(open);

const picture = new File([new Uint8Array(3)], "map.png", { type: "image/png" });
const text = new File(["words"], "words.txt", { type: "text/plain" });

// happens gives the table an event, and returns what it opened and whether the browser does nothing of its own.
function happens(type, own) {
  opened.length = 0;
  const event = Object.assign(new Event(type, { cancelable: true }), own);
  document.dispatchEvent(event);
  return [opened.flatMap(([, files]) => files), event.defaultPrevented];
}

const pasted = (files, types) => ({ clipboardData: { files, types } });

test("a press opens the shelf, which is named for who can't see it", () => {
  assert.equal(button.ariaLabel, "Pictures and clocks");
  opened.length = 0;
  button.dispatchEvent(new Event("click"));
  assert.deepEqual(opened, [["/t/x/pictures", []]]);
});

test("a picture that is pasted or dropped at the table lies on the shelf", () => {
  assert.deepEqual(happens("paste", pasted([picture], ["Files"])), [["map.png"], true]);
  assert.deepEqual(happens("drop", { dataTransfer: { files: [picture] } }), [["map.png"], true]);
});

test("pasted text stays text", () => {
  document.closest = () => ({}); // where it can be typed
  assert.deepEqual(happens("paste", pasted([picture], ["text/plain", "Files"])), [[], false]);
  assert.deepEqual(happens("paste", pasted([picture], ["Files"])), [["map.png"], true]);
  delete document.closest;
  assert.deepEqual(happens("paste", pasted([], ["text/plain"])), [[], false]);
  assert.deepEqual(happens("paste", pasted([text], ["Files"])), [[], false]);
});

test("dragged text is dropped where it was dropped, and a file doesn't replace the table", () => {
  assert.deepEqual(happens("drop", { dataTransfer: { files: [] } }), [[], false]);
  assert.deepEqual(happens("dragover", { dataTransfer: { types: ["text/plain"] } }), [[], false]);
  assert.deepEqual(happens("dragover", { dataTransfer: { types: ["Files"] } }), [[], true]);
});

import assert from "node:assert/strict";
import test from "node:test";
import { events } from "./events.js";

async function read(pieces) {
  const body = ReadableStream.from(pieces.map((piece) => new TextEncoder().encode(piece)));
  let heard = 0;
  const all = [];
  for await (const event of events(body, () => { heard++; })) all.push(event);
  return { all, heard };
}

const text = "retry: 700\nevent: again\ndata: closing\n\n: quiet\n\nid: 7\nevent: view\ndata: <p>один: два</p>\ndata:  three\u2028\ndata\n\nid: 8\n\ndata: cut off\n";
const whole = [
  { retry: "700", event: "again", data: "closing" },
  { id: "7", event: "view", data: "<p>один: два</p>\n three\u2028\n" },
];

test("events are read whole, however they are cut into pieces", async () => {
  for (const size of [1, 2, 3, 7, 1000]) {
    const pieces = text.match(new RegExp(`[^]{1,${size}}`, "g"));
    const { all, heard } = await read(pieces);
    assert.deepEqual(all, whole, `in pieces of ${size}`);
    assert.equal(heard, pieces.length, "each piece is heard");
  }
});

test("lines may end with a carriage return", async () => {
  assert.deepEqual((await read([text.replaceAll("\n", "\r\n")])).all, whole);
});

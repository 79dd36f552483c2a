import assert from "node:assert/strict";
import { test } from "node:test";
import { packed, unpacked } from "./lab.js";

const state = { text: "d6 + d8", move: "strike", now: { bonus: 2 }, kept: [{ bonus: 0 }] };

test("a link opens as what it was made of", async () => {
  assert.deepEqual(await unpacked(await packed(state)), state);
});

test("a link of something else is refused", async () => {
  for (const wrong of [
    { ...state, kept: "none" }, { ...state, kept: [null] }, { ...state, kept: Array(6).fill({}) }, { ...state, now: [] },
    { ...state, text: 6 }, { ...state, text: "1".repeat(16_001) }, { ...state, move: null }, [],
  ]) await assert.rejects(unpacked(await packed(wrong)), TypeError);
});

test("a link that unpacks to more than any page is refused", async () => {
  await assert.rejects(unpacked(await packed({ ...state, more: "1".repeat(1 << 19) })), RangeError);
});

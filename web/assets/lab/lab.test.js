import assert from "node:assert/strict";
import { test } from "node:test";
import { isPage, packed, unpacked } from "./lab.js";

const kept = [{ text: "d6 + d8", move: "strike", set: { bonus: "0" } }, { at: "/odds/lantern/dare?risk=2" }];
const state = { text: "d6 + d8", move: "strike", now: { bonus: "2" }, kept };

test("a link opens as what it was made of", async () => {
  assert.deepEqual(await unpacked(await packed(state)), state);
});

test("an older link, which kept only settings of its rule, opens with them", async () => {
  const bytes = await new Response(new Blob([JSON.stringify({ ...state, kept: [{ bonus: "0" }] })]).stream().pipeThrough(new CompressionStream("deflate-raw"))).arrayBuffer();
  const old = btoa(String.fromCharCode(...new Uint8Array(bytes))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  assert.deepEqual(await unpacked(old), { ...state, kept: kept.slice(0, 1) });
});

test("only pages of odds of this norn are compared with", () => {
  for (const at of ["/odds/dice?notation=3d6", "/odds/lantern/dare"]) assert.ok(isPage(at), at);
  for (const at of ["//evil.example/odds/dice", "/odds/../t/abc", "https://evil.example/odds/dice", "/odds/rule", "/t/abc", 7, "/odds/dice#x"]) assert.ok(!isPage(at), String(at));
});

test("a link of something else is refused", async () => {
  for (const wrong of [
    { ...state, kept: "none" }, { ...state, kept: [null] }, { ...state, kept: Array(6).fill(kept[0]) }, { ...state, kept: [{ at: "//evil.example" }] }, { ...state, now: [] }, { ...state, now: { bonus: 2 } },
    { ...state, text: 6 }, { ...state, text: "1".repeat(16_001) }, { ...state, move: null }, [],
  ]) await assert.rejects(unpacked(await packed(wrong)), TypeError);
});

test("a link that unpacks to more than any page is refused", async () => {
  await assert.rejects(unpacked(await packed({ ...state, more: "1".repeat(1 << 19) })), RangeError);
});

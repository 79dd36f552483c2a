// The vectors are those that norn itself is held to.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import test from "node:test";
import { fromHex, seed, sha256, thrown, toHex, verify } from "./fairdice.js";

const vectors = async (name) => JSON.parse(await readFile(new URL(`../../../dice/testdata/${name}.json`, import.meta.url), "utf8"));

test("streams", async () => {
  const { streams } = await vectors("stream");
  assert.notEqual(streams.length, 0);
  for (const { seed, sides, faces } of streams) assert.deepEqual(thrown(fromHex(seed), sides), faces);
});

test("keys", async () => {
  for (const v of await vectors("key")) {
    assert.equal(toHex(sha256(fromHex(v.secret))), v.commitment);
    assert.equal(toHex(seed(v, v.part)), v.key);
    assert.deepEqual(thrown(fromHex(v.key), v.d10.map(() => 10)), v.d10);
  }
});

test("what was changed doesn't fit", async () => {
  for (const v of await vectors("key")) {
    const check = { ...v, throws: [{ place: v.part, sides: 10, faces: v.d10 }] };
    assert.equal(verify(check), undefined);
    const faces = v.d10.map((f, i) => (i === 4 ? f % 10 + 1 : f));
    assert.deepEqual(verify({ ...check, throws: [{ place: v.part, sides: 10, faces }] }),
      { place: v.part, die: 5, have: faces[4], want: v.d10[4] });
    assert.equal(verify({ ...check, commitment: v.key }), "secret");
    for (const other of [{ nonce: `${v.nonce}!` }, { table: `${v.table} ` }, { move: "m0" }, { shares: [...v.shares, ""] }]) {
      assert.notEqual(verify({ ...check, ...other }), undefined);
    }
  }
});

// What the service worker does with what a push service delivers.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import test from "node:test";
import vm from "node:vm";

const text = await readFile(new URL("worker.js", import.meta.url), "utf8");

function worker(windows) {
  const hears = {};
  const did = [];
  const world = {
    self: { norn: { cache: "c", kept: [] } }, URL, did,
    addEventListener: (name, heard) => { hears[name] = heard; },
    registration: { showNotification: async (title, { body, tag, data }) => { did.push(["shows", title, body, tag, data]); } },
    clients: { matchAll: async () => windows, openWindow: async (path) => { did.push(["opens", path]); } },
  };
  vm.runInNewContext(text, world);
  const tell = async (name, event) => {
    let done;
    hears[name]({ ...event, waitUntil: (promise) => { done = promise; } });
    await done;
    return did;
  };
  return { did, tell };
}

const message = { title: "A question waits for you", text: "Thursday", path: "/t/x", tag: "x" };

test("what is pushed is shown", async () => {
  const { tell } = worker([]);
  assert.deepEqual(await tell("push", { data: { json: () => message } }), [["shows", message.title, "Thursday", "x", "/t/x"]]);
});

test("a press leads to the table's page where there's one, else opens it", async () => {
  const press = { notification: { data: "/t/x", close() {} } };
  let focused = 0;
  const windows = [{ url: "https://norn.example/t/other" }, { url: "https://norn.example/t/x?a=c1", focus: async () => { focused++; } }];
  assert.deepEqual(await worker(windows).tell("notificationclick", press), []);
  assert.equal(focused, 1);
  assert.deepEqual(await worker(windows.slice(0, 1)).tell("notificationclick", press), [["opens", "/t/x"]]);
});

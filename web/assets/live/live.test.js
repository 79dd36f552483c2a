// What has come, and what the page shows of it, are two things.
import assert from "node:assert/strict";
import test from "node:test";

globalThis.document = { hidden: false, title: "Table", querySelector: () => null, addEventListener() {} };
globalThis.addEventListener = () => {};
globalThis.BroadcastChannel = undefined; // one page alone
const { live, told, upTo } = await import("./live.js");

const later = () => new Promise((go) => { setTimeout(go, 5); });
async function until(come) { while (!come()) await later(); }

test("what is still being shown isn't told yet, though it has come", async () => {
  const asked = [];
  let send;
  globalThis.fetch = async (_, { headers }) => {
    asked.push(headers["Last-Event-ID"]);
    if (asked.length > 1) return new Response(null, { status: 204 }); // nothing more to hear
    const body = new ReadableStream({ start(to) { send = to; } });
    return new Response(body.pipeThrough(new TextEncoderStream()), { headers: { "Content-Type": "text/event-stream" } });
  };
  const element = { dataset: { live: "/live?_", reader: "s1", liveAfter: "3" }, isConnected: true };
  const showing = []; // what ends the showing of each event
  const over = live(element, () => new Promise((shown, failed) => { showing.push({ shown, failed }); }));
  await later();

  const done = [];
  const waiting = [3, 4, 5].map((seq) => told(seq).then(() => done.push(seq)));
  await later();
  assert.deepEqual(done, [3], "what the page was made with is shown");

  send.enqueue("id: 4\ndata: four\n\nid: 5\ndata: five\n\n");
  await until(() => showing.length > 0);
  assert.equal(showing.length, 1, "one event is shown after the other");
  assert.equal(upTo(), 4, "the fourth has come");
  assert.deepEqual(done, [3], "and isn't shown yet");
  waiting.push(told(4).then(() => done.push("late")));
  await later();
  assert.deepEqual(done, [3], "nor is it for who asks now");

  showing[0].shown();
  await until(() => showing.length > 1);
  assert.deepEqual(done, [3, 4, "late"]);

  // What can't be shown holds nobody up.
  const { reportError } = globalThis;
  globalThis.reportError = () => {};
  showing[1].failed(new Error("no place for it"));
  await Promise.all(waiting);
  globalThis.reportError = reportError;

  send.close();
  await over;
  assert.deepEqual(asked, ["3", "5"], "the stream goes on after what has come");
  assert.equal(element.dataset.liveState, "ended");
});

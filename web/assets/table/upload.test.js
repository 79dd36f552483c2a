import assert from "node:assert/strict";
import { test } from "node:test";

// page holds one form with a chooser, as much of them as the script uses.
function page(picture) {
  const canvases = [];
  const input = new EventTarget();
  Object.assign(input, { files: [], closest: () => ({ append: (canvas) => canvases.push(canvas) }) });
  const form = new EventTarget();
  Object.assign(form, {
    dataset: { upload: "2048" }, sent: 0, classList: { add() {}, remove() {} },
    querySelector: (what) => (what === "canvas" ? null : input),
    requestSubmit() { if (form.dispatchEvent(new Event("submit", { cancelable: true }))) form.sent++; },
  });
  globalThis.DataTransfer = class {
    files = [];
    items = { add: (file) => this.files.push(file) };
  };
  globalThis.createImageBitmap = async () => {
    if (!picture) throw new DOMException("no picture", "InvalidStateError");
    return { ...picture, close() {} };
  };
  globalThis.document = Object.assign(new EventTarget(), {
    querySelectorAll: () => [form],
    createElement: () => ({ getContext: () => ({ drawImage() {} }), toBlob(done, type) { done(new Blob([new Uint8Array(300_000)], { type })); } }),
  });
  return { form, input, canvases };
}

let loads = 0;
const load = () => import(`./upload.js?${loads++}`);

const file = (name, size, type) => new File([new Uint8Array(size)], name, { type });

async function choose({ form, input }, chosen) {
  input.files = [chosen];
  input.dispatchEvent(new Event("change"));
  await form.shrinking;
}

test("a phone's photo of 48 megapixels is made smaller", async () => {
  const shown = page({ width: 8064, height: 6048 });
  await load();
  await choose(shown, file("photo.jpg", 12_000_000, "image/jpeg"));
  const [sent] = shown.input.files;
  assert.equal(sent.size, 300_000);
  assert.equal(sent.type, "image/jpeg");
  assert.deepEqual([shown.canvases[0].width, shown.canvases[0].height], [2048, 1536]);
});

test("a photo of many pixels is made smaller though its file is small", async () => {
  const shown = page({ width: 8064, height: 6048 });
  await load();
  await choose(shown, file("snow.jpg", 900_000, "image/jpeg"));
  assert.equal(shown.input.files[0].size, 300_000);
});

test("a HEIC photo that the browser reads is sent as JPEG", async () => {
  const shown = page({ width: 4032, height: 3024 });
  await load();
  await choose(shown, file("IMG_1.HEIC", 2_000_000, "image/heic"));
  assert.equal(shown.input.files[0].name, "IMG_1.jpg");
  assert.equal(shown.input.files[0].type, "image/jpeg");
});

test("what the browser can't read is sent as it is, and the server says what to do", async () => {
  const shown = page(undefined);
  await load();
  const chosen = file("IMG_1.HEIC", 2_000_000, "image/heic");
  await choose(shown, chosen);
  assert.equal(shown.input.files[0], chosen);
});

test("a small picture is sent as it is", async () => {
  const shown = page({ width: 800, height: 600 });
  await load();
  const chosen = file("map.png", 200_000, "image/png");
  await choose(shown, chosen);
  assert.equal(shown.input.files[0], chosen);
});

test("the form waits until the photo is smaller", async () => {
  const shown = page({ width: 8064, height: 6048 });
  await load();
  shown.input.files = [file("photo.jpg", 12_000_000, "image/jpeg")];
  shown.input.dispatchEvent(new Event("change"));
  const { shrinking } = shown.form;
  shown.form.requestSubmit();
  assert.equal(shown.form.sent, 0);
  await shrinking;
  await new Promise((next) => { setImmediate(next); });
  assert.equal(shown.form.sent, 1);
  assert.equal(shown.input.files[0].size, 300_000);
});

// What lets a picture be dropped or pasted, and sends large ones smaller: a phone's come in a second then, and without what else
// they say. Without script the form sends the file as it is.
const most = 1 << 20; // bytes that are sent as they are
const pixels = 6_000_000; // that any server takes

document.querySelectorAll("form[data-upload]").forEach(takes);

// takes lets a form take pictures.
export function takes(form) {
  if (form.taken) return;
  const input = form.querySelector("input[type=file]");
  const take = (files) => {
    const file = [...files].find((one) => one.type.startsWith("image/"));
    if (!file) return false;
    const one = new DataTransfer();
    one.items.add(file);
    input.files = one.files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
    return true;
  };
  form.addEventListener("dragover", (event) => {
    event.preventDefault();
    form.classList.add("drop-here");
  });
  form.addEventListener("dragleave", () => form.classList.remove("drop-here"));
  form.addEventListener("drop", (event) => {
    event.preventDefault();
    form.classList.remove("drop-here");
    take(event.dataTransfer.files);
  });
  const shrink = () => { form.shrinking = smaller(form, input).finally(() => { form.shrinking = undefined; }); };
  input.addEventListener("change", shrink);
  shrink(); // it may have been chosen before this came
  form.addEventListener("submit", (event) => { // a large photo takes seconds: what is sent is the small one
    if (!form.shrinking) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    form.shrinking.then(() => form.requestSubmit(event.submitter));
  }, true);
  form.taken = take;
}

document.addEventListener("paste", (event) => {
  if (event.defaultPrevented) return; // it's on its way to the shelf
  const form = event.target.closest?.("form[data-upload]") ?? document.querySelector("form[data-upload]");
  if (form?.taken(event.clipboardData.files)) event.preventDefault();
});

async function smaller(form, input) {
  form.querySelector("canvas")?.remove();
  const file = input.files[0];
  if (!file) return;
  const side = Number(form.dataset.upload);
  try {
    const whole = await createImageBitmap(file, { imageOrientation: "from-image" });
    const by = Math.min(1, side / Math.max(whole.width, whole.height));
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [Math.max(1, Math.round(whole.width * by)), Math.max(1, Math.round(whole.height * by))];
    canvas.getContext("2d").drawImage(whole, 0, 0, canvas.width, canvas.height);
    input.closest(".field").append(canvas);
    if (by === 1 || (file.size <= most && whole.width * whole.height <= pixels) || input.files[0] !== file) return;
    const blob = await new Promise((done) => { canvas.toBlob(done, file.type === "image/png" && file.size <= 8 << 20 ? "image/png" : "image/jpeg", 0.9); });
    whole.close();
    if (!blob || (blob.size >= file.size && file.size > most) || input.files[0] !== file) return;
    const one = new DataTransfer();
    one.items.add(new File([blob], file.name.replace(/\.hei[cf]$/i, ".jpg"), { type: blob.type }));
    input.files = one.files;
  } catch {
    // The server says what is wrong with it.
  }
}

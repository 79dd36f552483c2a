// The shelf of pictures over the table. What is on it comes from the server and is asked for again whenever it's opened; a form
// on it that somebody has typed in stays. It's a step of history: Back and Esc close it. What was shown is then in view.
import { takes } from "./upload.js";

let dialog;

// open opens the shelf, and puts pictures on it one after another.
export async function open(address, files) {
  dialog ??= made(address);
  if (!dialog.open) {
    dialog.showModal();
    history.pushState({ ...history.state, shelf: true }, "");
  }
  await filled();
  for (const file of files) {
    const form = dialog.querySelector("#shelf-new");
    if (form.taken([file])) await new Promise((done) => { form.addEventListener("htmx:finally:request", done, { once: true }); });
  }
}

function made(address) {
  const box = document.createElement("dialog");
  box.id = "shelf";
  box.dataset.from = `${address}?_shelf=1`;
  box.setAttribute("aria-labelledby", "shelf-head");
  document.body.append(box);
  addEventListener("popstate", ({ state }) => { if (!state?.shelf) box.close(); });
  box.addEventListener("close", () => { if (history.state?.shelf) history.back(); });
  box.addEventListener("click", ({ target }) => { if (target === box || target.closest("[data-shut]")) box.close(); });
  box.addEventListener("change", ({ target }) => {
    if (target.type !== "file") audience();
    else if (target.files.length) target.form.requestSubmit();
  });
  box.addEventListener("reset", () => { setTimeout(audience); });
  document.addEventListener("htmx:before:response", async ({ detail: { ctx } }) => {
    const form = ctx.sourceElement;
    if (ctx.request.method !== "POST" || !ctx.response.raw.ok || !box.contains(form)) return;
    if (form.id !== "shelf-new") {
      box.close();
      reveal(`e${ctx.response.headers.get("Norn-Seq")}`);
      return;
    }
    form.reset();
    form.querySelector("canvas")?.remove();
    await filled();
    box.querySelector("[data-shows]").focus(); // the newest's
  });
  return box;
}

// filled fills the shelf with what is there now.
async function filled() {
  await globalThis.htmx.ajax("GET", dialog.dataset.from, { source: dialog, target: "#shelf", swap: "innerMorph" });
  takes(dialog.querySelector("#shelf-new"));
  audience();
}

// audience has each button that shows something name who will see it.
function audience() {
  for (const button of dialog.querySelectorAll("[data-shows]")) {
    const only = [...button.form.querySelectorAll("[name=_to]:checked")].map((box) => box.nextElementSibling.textContent);
    button.dataset.all ??= button.textContent;
    button.textContent = only.length ? `${button.dataset.only} ${only.join(", ")}` : button.dataset.all;
  }
}

// reveal scrolls the log to a card once it's there.
function reveal(id) {
  const look = () => {
    const card = document.getElementById(id);
    card?.scrollIntoView({ block: "nearest" });
    return card;
  };
  if (look()) return;
  const watch = new MutationObserver(() => { if (look()) watch.disconnect(); });
  watch.observe(document.getElementById("log"), { childList: true });
}

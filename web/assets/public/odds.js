// What script adds to public odds: the address follows the fields, a drawing
// becomes a PNG, and arrows go from bar to bar.

// blame links each error, which is shown in the result, to the control that it's about.
function blame() {
  for (const control of document.querySelectorAll("#odds-form [aria-invalid=true]")) {
    control.setAttribute("aria-invalid", "false");
    control.removeAttribute("aria-describedby");
  }
  for (const { id, dataset: { wrong } } of document.querySelectorAll("#odds-result [data-wrong]")) {
    const control = [...document.querySelectorAll("#odds-form :is(input, select, textarea):not([type=hidden])")]
      .find(({ name }) => name === wrong || name.startsWith(`${wrong}.`));
    control?.setAttribute("aria-invalid", "true");
    control?.setAttribute("aria-describedby", id);
  }
}

function settle() {
  blame();
  for (const button of document.querySelectorAll(":is([data-png], [data-copies], [data-embeds])[hidden]")) button.hidden = false;
}

// embedded is the code by which another site shows the odds of a button in a frame.
function embedded({ dataset: { embeds, title, height } }) {
  const frame = document.createElement("iframe");
  for (const [name, value] of Object.entries({ src: new URL(embeds, document.baseURI).href, title, width: "100%", height, loading: "lazy", style: "border:0;max-width:720px" })) frame.setAttribute(name, value);
  return frame.outerHTML;
}

async function copy(button, text) {
  await navigator.clipboard.writeText(text);
  button.textContent = button.dataset.copied;
}

// The address is that of what is shown, so that it can be sent on. It replaces
// the one before: a number that was only passed through is no page to go back to. (shell/address.js
// does more, for pages whose links to their own parts mustn't load them anew.)
document.addEventListener("htmx:after:swap", () => {
  blame();
  const shown = document.querySelector("[data-odds][data-link]");
  if (!shown) return;
  settle();
  if (location.pathname + location.search !== shown.dataset.link) history.replaceState(history.state, "", shown.dataset.link);
});

async function png(button) {
  const answer = await fetch(button.dataset.png);
  if (!answer.ok) return;
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(await answer.text())}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = 2 * image.naturalWidth;
  canvas.height = 2 * image.naturalHeight;
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = button.dataset.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-png], [data-copies], [data-embeds]");
  if (!button) return;
  if (button.dataset.png) png(button);
  else copy(button, button.dataset.copies ?? embedded(button));
});

// A plot is one stop of the tab key.
document.addEventListener("keydown", (event) => {
  const bar = event.target.closest?.(".plot .bar");
  if (!bar) return;
  const bars = [...bar.closest("[data-plot]").querySelectorAll(".bar")];
  const at = bars.indexOf(bar);
  const to = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: bars.length - 1 }[event.key];
  if (to === undefined || !bars[to]) return;
  event.preventDefault();
  bar.setAttribute("tabindex", "-1");
  bars[to].setAttribute("tabindex", "0");
  bars[to].focus();
});

settle();

// What was changed before this ran, or what a browser brings back with a page, is counted, too.
function changed(control) {
  if (control.type === "checkbox" || control.type === "radio") return control.checked !== control.defaultChecked;
  if (control.tagName !== "SELECT") return control.value !== control.defaultValue;
  const preset = [...control.options].findIndex((option) => option.defaultSelected);
  return control.selectedIndex !== Math.max(preset, 0);
}

function catchUp() {
  const control = [...document.querySelectorAll("#odds-form :is(input, select, textarea)")].find(changed);
  control?.dispatchEvent(new Event("input", { bubbles: true }));
}
catchUp(); // heard if htmx has seen the form already, else when it has
document.querySelector("#odds-form")?.addEventListener("htmx:after:init", catchUp, { once: true });

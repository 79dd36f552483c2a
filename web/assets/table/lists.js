// Lists of a table's own: how far a large one is sent, with a way to stop it, and a copy of one to
// another table, whose seat this browser has. Without script a large list is sent without a word, and a
// copy goes by a file. It imports nothing, so that what the table's page loads stays in one piece.

const large = 256 << 10; // bytes of a form that are worth a word

// bytes returns about how much a form sends.
function bytes(form) {
  let sum = 0;
  for (const [, value] of new FormData(form)) sum += value.size ?? value.length;
  return sum;
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  const note = form.querySelector(".list-sending");
  if (!note || event.defaultPrevented || bytes(form) < large) return;
  event.preventDefault();
  send(form, new FormData(form, event.submitter), note);
});

function send(form, data, note) {
  const [bar, said, stop] = ["progress", "[role=status]", "button"].map((part) => note.querySelector(part));
  const buttons = [...form.querySelectorAll("button[type=submit]")];
  const request = new XMLHttpRequest();
  const percent = new Intl.NumberFormat(document.documentElement.lang, { style: "percent" });
  let shown = "";
  const say = (text) => { if (text !== shown) said.textContent = shown = text; };
  const show = (on) => {
    note.hidden = !on;
    for (const button of buttons) button.disabled = on;
  };
  const ended = (text) => {
    show(false);
    buttons.at(-1)?.focus();
    if (!text) return;
    form.querySelector(":scope > .problem")?.remove();
    form.prepend(Object.assign(document.createElement("p"), { className: "problem", role: "alert", textContent: text }));
  };
  request.upload.addEventListener("progress", ({ loaded, total }) => {
    bar.value = loaded / total;
    say(`${note.dataset.sending} ${percent.format(Math.floor(10 * loaded / total) / 10)}`); // in tenths, so that it's heard ten times
  });
  request.upload.addEventListener("load", () => {
    bar.removeAttribute("value");
    say(note.dataset.reading);
  });
  request.addEventListener("error", () => ended(note.dataset.lost));
  request.addEventListener("abort", () => ended());
  request.addEventListener("load", () => {
    const { pathname } = new URL(request.responseURL);
    if (pathname !== new URL(form.action).pathname) return void location.assign(request.responseURL);
    const main = new DOMParser().parseFromString(request.responseText, "text/html").querySelector("main");
    if (!main?.querySelector(".list-sending")) return ended(main?.querySelector("p")?.textContent ?? note.dataset.lost); // an error's page has no form
    document.querySelector("main").replaceWith(main);
    offer();
    const next = main.querySelector("[role=alert], #list-preview") ?? main;
    next.tabIndex = -1;
    next.focus();
    next.scrollIntoView({ block: "center" });
  });
  stop.onclick = () => request.abort();
  request.open("POST", form.action);
  request.send(data);
  show(true);
  stop.focus();
}

// tables returns the tables at which somebody has sat in this browser, as recent.js keeps them.
function tables() {
  try {
    return JSON.parse(localStorage.getItem("norn.tables")) ?? [];
  } catch {
    return []; // a browser that keeps nothing
  }
}

// offer shows the form that copies a list, if this browser has led other tables of the game.
function offer() {
  const form = document.querySelector("form[data-copies]");
  if (!form) return;
  const others = tables().filter(({ path, of, leads }) => leads && of === form.dataset.of && path !== form.dataset.here);
  form.querySelector("select").replaceChildren(...others.map(({ path, title, seat }) => new Option(`${title} · ${seat}`, path)));
  form.hidden = others.length === 0;
}

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.matches("form[data-copies]") || form.ready) return;
  event.preventDefault();
  const button = form.querySelector("button");
  button.disabled = true;
  try {
    const answer = await fetch(form.dataset.copies);
    if (!answer.ok) throw new Error(answer.statusText);
    const one = new DataTransfer();
    one.items.add(new File([await answer.blob()], "list.json", { type: "application/json" }));
    form.querySelector("input[type=file]").files = one.files;
    form.action = `${form.querySelector("select").value}/lists`;
    form.ready = true;
    form.submit();
  } catch {
    form.querySelector("[role=alert]").hidden = false;
  } finally {
    button.disabled = false;
    form.ready = false;
  }
});

offer();

// Changes a sheet in place, in edit mode. Each value that the reader may change is
// a button ([data-value], its path); pressed, or with an arrow on a number, it
// opens a control over itself. Enter or leaving the control saves what was
// typed, Escape discards it. The control is placed outside the sheet's element, so
// a live update changes the sheet under it and leaves it alone. What is refused
// stays in its control, with the reason.

// change lets the values of sheets be changed from now on, by what sheet.js and the page have for it.
export function change({ about, complain, keep, key, get }) {
  const panel = document.getElementById("panel-sheet");
  const open = new Map(); // controls that are open, by the id of their value

  // control makes the input of a value.
  function control(field, value) {
    let input;
    if (field.kind === "choice") {
      input = document.createElement("select");
      input.append(document.getElementById(field.choices).content.cloneNode(true));
      const known = [...input.options].some((option) => option.value === value);
      if (!known) input.add(new Option(value || "—", value), 0);
      input.value = value;
      return input;
    }
    input = document.createElement(field.kind === "prose" ? "textarea" : "input");
    if (field.kind === "number") {
      input.type = "number";
      input.min = field.min;
      input.max = field.max;
      input.inputMode = "numeric";
    } else {
      input.maxLength = field.max;
      input.autocomplete = "off";
    }
    input.required = "required" in field;
    input.value = value;
    return input;
  }

  // edit opens the control of a value, over it.
  function edit(element, value, problem) {
    const field = about(element);
    const already = open.get(field.id);
    if (already) {
      already.focus();
      return already;
    }
    const box = document.createElement("div");
    box.className = "value-box";
    box.dataset.boxOf = field.id;
    const label = document.createElement("label");
    label.textContent = field.label;
    label.htmlFor = `${field.id}-input`;
    const wrong = document.createElement("p");
    wrong.className = "problem";
    wrong.id = `${field.id}-problem`;
    wrong.setAttribute("role", "alert");
    wrong.hidden = true;
    let input = control(field, value ?? field.held);
    let sent = ""; // what is on its way, or was refused
    let number = key();
    let closed = false;

    const dress = () => {
      input.id = label.htmlFor;
      input.addEventListener("keydown", pressed);
      input.addEventListener("blur", () => commit(false));
      if (field.kind === "choice") input.addEventListener("change", chosen);
    };
    const place = () => {
      box.hidden = !document.getElementById(`changing-${field.sheet}`); // another sheet is shown
      const over = document.getElementById(field.id)?.getBoundingClientRect();
      if (!over || over.width + over.height === 0) return;
      const around = panel.getBoundingClientRect();
      const left = Math.max(0, Math.min(over.left - around.left - 6, panel.clientWidth - box.offsetWidth - 8));
      box.style.insetInlineStart = `${left}px`;
      box.style.insetBlockStart = `${Math.max(4, over.top - around.top + panel.scrollTop - label.offsetHeight - 6)}px`;
      if (field.kind === "text" || field.kind === "prose") box.style.minInlineSize = `${Math.min(over.width + 24, panel.clientWidth - 16)}px`;
    };
    const close = (back) => {
      if (closed) return;
      closed = true;
      open.delete(field.id);
      const had = box.contains(document.activeElement);
      if (back || had) document.getElementById(field.id)?.focus({ preventScroll: true });
      box.remove();
    };
    const refuse = (text) => {
      wrong.textContent = text;
      wrong.hidden = false;
      input.setAttribute("aria-invalid", "true");
      input.setAttribute("aria-describedby", wrong.id);
      box.classList.add("field-wrong");
      place();
    };
    // commit saves what was typed; back says that the reader stays with the value.
    const commit = async (back) => {
      if (closed || input.value === other) return;
      const now = input.value;
      if (now === field.held && wrong.hidden) return close(back);
      if (now === sent && !back) return; // on its way, or refused as it is
      if (now !== sent) number = key();
      sent = now;
      const current = document.getElementById(field.id);
      if (current && wrong.hidden === false) field.among = current.dataset.among; // the reader has looked again
      box.classList.add("value-sending");
      const problem = await keep(field, now, number);
      box.classList.remove("value-sending");
      if (problem) {
        refuse(problem);
        if (problem === panel.dataset.lost) sent = "";
        return;
      }
      if (input.value === now) close(back);
      else field.held = now;
    };
    const pressed = (event) => {
      event.stopPropagation(); // no keys of the page while something is typed
      if (event.isComposing) return;
      if (event.key === "Escape") close(true);
      else if (event.key === "Enter" && (field.kind !== "prose" || event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        commit(true);
      } else if (event.key === "Tab") {
        event.preventDefault();
        next(field.id, event.shiftKey ? -1 : 1);
      } else if (field.kind === "number" && event.key.startsWith("Arrow") && /Up|Down/.test(event.key)) {
        event.preventDefault();
        input.value = stepped(field, input.value, event);
      }
    };
    const chosen = () => {
      if (input.value !== other) return;
      const text = control({ ...field, kind: "text", max: 200 }, ""); // a name that isn't on the list
      input.replaceWith(text);
      input = text;
      dress();
      input.focus();
    };

    dress();
    box.append(label, input, wrong);
    panel.append(box);
    place();
    const handle = { focus: () => input.focus(), place, refuse };
    open.set(field.id, handle);
    input.focus({ preventScroll: true });
    if (input.select && value === undefined) input.select();
    if (problem) refuse(problem);
    box.scrollIntoView({ block: "nearest" });
    return handle;
  }

  const other = "_other";

  function stepped(field, value, event) {
    const step = (event.shiftKey ? 5 : 1) * (event.key === "ArrowUp" ? 1 : -1);
    const now = Number.parseInt(value, 10);
    return String(Math.min(Number(field.max), Math.max(Number(field.min), (Number.isNaN(now) ? 0 : now) + step)));
  }

  // next goes to the value after, or before, another one.
  function next(id, by) {
    const all = [...document.querySelectorAll("#sheet :is([data-value], a[href], button:not([tabindex='-1']), summary)")];
    const at = all.findIndex((element) => element.id === id);
    (all[at + by] ?? all[at])?.focus();
  }

  // tick changes a yes or no at once. What shows the sheet as it is meanwhile takes the mark away.
  async function tick(element) {
    const field = about(element);
    const on = element.getAttribute("aria-checked") !== "true";
    element.setAttribute("aria-checked", String(on));
    element.setAttribute("data-ticked", "");
    const problem = await keep(field, on ? "on" : "", key());
    if (!problem) return;
    const shown = document.getElementById(field.id);
    if (shown?.hasAttribute("data-ticked")) shown.setAttribute("aria-checked", String(!on));
    if (shown) complain(field.id, problem);
  }

  panel.addEventListener("click", (event) => {
    const element = event.target.closest("button[data-value]");
    if (element) {
      if (element.dataset.kind === "check") tick(element);
      else edit(element);
    }
  });

  panel.addEventListener("keydown", (event) => {
    const element = event.target.closest("button[data-value]");
    if (!element || element.dataset.kind !== "number" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "ArrowUp" || event.key === "ArrowDown") {
      edit(element, stepped(element.dataset, element.dataset.held, event));
    } else if (/^[0-9-]$/.test(event.key)) {
      edit(element, event.key);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });

  document.addEventListener("htmx:after:swap", () => {
    for (const each of open.values()) each.place();
  });
  addEventListener("resize", () => { for (const each of open.values()) each.place(); });

  // News of the sheet don't come to where it's being changed: it's asked for again.
  function news({ detail: { data } }) {
    const sheet = document.querySelector("#sheet > [data-changing]");
    if (!sheet || !data.includes(`#sheet-${sheet.dataset.sheet}`)) return;
    get(`/character?_c=${sheet.dataset.sheet}&_change=1&_keep=1`);
  }
  document.addEventListener("live:view", news);
  document.addEventListener("live:entry", news);
}

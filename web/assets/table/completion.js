// What the line of talk and commands offers while a command is typed: how it may
// go on, and what it's understood as. Loaded with the first command.
export function completion(form) {
  const input = form.querySelector("#line");
  const help = form.querySelector("#line-help");
  const list = form.querySelector("#line-list");
  const understood = form.querySelector("#line-understood");
  let asked;
  let timer;

  const options = () => [...list.children];
  const active = () => options().find((o) => o.getAttribute("aria-selected") === "true");

  function close() {
    clearTimeout(timer);
    asked?.abort();
    help.hidden = true;
    list.replaceChildren();
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  }

  function choose(option) {
    for (const o of options()) o.setAttribute("aria-selected", String(o === option));
    if (!option) return input.removeAttribute("aria-activedescendant");
    input.setAttribute("aria-activedescendant", option.id);
    option.scrollIntoView({ block: "nearest" });
  }

  function take(option) {
    input.value = option.dataset.line;
    input.setSelectionRange(option.dataset.cursor, option.dataset.cursor);
    input.focus();
    ask();
  }

  async function suggest() {
    asked?.abort();
    asked = new AbortController();
    const query = new URLSearchParams({ line: input.value, at: input.selectionStart });
    const kept = new URLSearchParams(new FormData(form));
    for (const name of ["_a", "_c", "_m"]) query.set(name, kept.get(name) ?? "");
    const actor = document.querySelector("#composer-form [name=_a]");
    if (actor) query.set("_a", actor.value);
    try {
      const answer = await fetch(`${form.dataset.complete}?${query}`, { headers: { "HX-Request": "true" }, signal: asked.signal });
      if (!answer.ok) return close();
      if (input.value === "") return close(); // it was sent meanwhile
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const chosen = active()?.dataset.line;
      list.replaceChildren(...page.querySelectorAll("li"));
      understood.textContent = page.querySelector("p")?.textContent ?? "";
      understood.hidden = understood.textContent === "";
      help.hidden = list.children.length === 0 && understood.hidden;
      const room = form.getBoundingClientRect().top - form.parentElement.getBoundingClientRect().top;
      help.style.maxBlockSize = `min(50dvb, ${room}px)`; // it lies over the log, and over nothing above that
      input.setAttribute("aria-expanded", String(list.children.length > 0));
      choose(options().find((o) => o.dataset.line === chosen)); // what was chosen stays so if it still fits
    } catch { /* a newer question, or no connection: the line works without */ }
  }

  function ask() {
    clearTimeout(timer);
    if (!/^\s*[/@]/.test(input.value)) return close();
    timer = setTimeout(suggest, 60);
  }

  input.addEventListener("blur", () => setTimeout(() => { if (!form.contains(document.activeElement)) close(); }, 100));
  list.addEventListener("pointerdown", (event) => {
    const option = event.target.closest("[role=option]");
    if (!option) return;
    event.preventDefault();
    take(option);
  });
  input.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    const all = options();
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && all.length > 0) {
      event.preventDefault();
      const at = all.indexOf(active());
      choose(all[at < 0 ? (step > 0 ? 0 : all.length - 1) : (at + step + all.length) % all.length]);
    } else if (event.key === "Tab" && !event.shiftKey && all.length > 0 && !help.hidden) {
      event.preventDefault();
      take(active() ?? all.find(({ dataset }) => dataset.line.startsWith(input.value)) ?? all[0]); // the list may still be of less
    } else if (event.key === "Enter" && active()) {
      event.preventDefault();
      take(active());
    } else if (event.key === "Escape" && !help.hidden) {
      event.preventDefault();
      event.stopPropagation();
      close();
    }
  });
  form.addEventListener("submit", close);
  form.addEventListener("htmx:finally:request", () => setTimeout(() => { if (input.value === "") close(); })); // emptied since
  return ask;
}

// The line of talk and commands: as one types a command, a list says how it may
// go on and what it's understood as. Arrows choose, Tab or Enter takes, Escape
// closes; an arrow up in an empty line brings back what was sent before, also
// before a reload.
import { read, write } from "./queue.js";

const most = 50; // lines brought back

export function lines() {
  const form = document.getElementById("line-form");
  if (!form) return;
  const input = form.querySelector("#line");
  const help = form.querySelector("#line-help");
  const list = form.querySelector("#line-list");
  const understood = form.querySelector("#line-understood");
  const place = `norn.sent.${location.pathname}`;
  const sent = read(sessionStorage, place) ?? [];
  let back = -1; // how far back in them
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
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const chosen = active()?.dataset.line;
      list.replaceChildren(...page.querySelectorAll("li"));
      understood.textContent = page.querySelector("p")?.textContent ?? "";
      understood.hidden = understood.textContent === "";
      help.hidden = list.children.length === 0 && understood.hidden;
      input.setAttribute("aria-expanded", String(list.children.length > 0));
      choose(options().find((o) => o.dataset.line === chosen)); // what was chosen stays so if it still fits
    } catch { /* a newer question, or no connection: the line works without */ }
  }

  function ask() {
    clearTimeout(timer);
    if (!/^\s*[/@]/.test(input.value)) return close();
    timer = setTimeout(suggest, 60);
  }

  input.addEventListener("input", () => {
    back = -1; // what was brought back is the reader's own now
    ask();
  });
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
    } else if (event.key === "ArrowUp" && sent.length > 0 && (input.value === "" || back >= 0)) {
      event.preventDefault();
      back = Math.min(back + 1, sent.length - 1);
      input.value = sent[sent.length - 1 - back];
    } else if (event.key === "ArrowDown" && back >= 0) {
      event.preventDefault();
      back--;
      input.value = sent[sent.length - 1 - back] ?? "";
    } else if (event.key === "Tab" && !event.shiftKey && all.length > 0 && !help.hidden) {
      event.preventDefault();
      take(active() ?? all[0]);
    } else if (event.key === "Enter" && active()) {
      event.preventDefault();
      take(active());
    } else if (event.key === "Escape" && !help.hidden) {
      event.preventDefault();
      event.stopPropagation();
      close();
    }
  });
  // The composer leads here for plain dice.
  document.addEventListener("click", (event) => {
    const begun = event.target.closest("a[data-line]");
    if (!begun) return;
    if (!input.value.trim()) input.value = begun.dataset.line;
    setTimeout(() => { input.focus(); ask(); }); // after the jump, which closes the composer on a phone
  });
  form.addEventListener("submit", () => {
    back = -1;
    if (input.value.trim()) {
      sent.push(input.value);
      write(sessionStorage, place, sent.slice(-most));
    }
    const actor = document.querySelector("#composer-form [name=_a]");
    const own = form.querySelector("[name=_a]");
    if (actor && own) own.value = actor.value;
    close();
  });
  document.addEventListener("said", () => {
    if (input.value === sent.at(-1)) input.value = ""; // what was typed meanwhile stays
    input.removeAttribute("aria-invalid");
    if (document.querySelector("#log[data-found]")) document.getElementById("whole-log")?.click(); // what was said isn't what was sought
    document.getElementById("log-box")?.scrollTo({ top: 0 });
  });
}

// The line of talk and commands: a command is helped on while it's typed
// (completion.js); an arrow up in an empty line brings back what was sent before, also
// before a reload, and an arrow down goes on from there.
import { read, write } from "../shell/storage.js";

const most = 50; // lines brought back

export function lines() {
  const form = document.getElementById("line-form");
  if (!form) return;
  const input = form.querySelector("#line");
  const list = form.querySelector("#line-list");
  const place = `norn.sent.${location.pathname}`;
  const sent = read("sessionStorage", place) ?? [];
  let back = -1; // how far back in them
  let hints; // what asks how the line may go on
  let under = false; // something is on its way
  let again = null; // to whom it was sent before the last was answered, which drops it
  const select = form.querySelector("#line-as");
  const reads = form.querySelector("#line-reads");
  const readers = form.querySelector("#line-readers");
  const spoken = `norn.voice.${location.pathname}`;
  let chosen = select.value;
  let voice = chosen; // who spoke to everybody last
  let anew = false; // it was chosen since the last line was sent

  // A whisper says who will read it, and ends with its message; a character goes on speaking.
  function heard() {
    if (select.selectedIndex < 0) select.value = "gm"; // who was chosen before a reload is gone
    chosen = select.value;
    const said = select.selectedOptions[0].dataset.reads ?? "";
    reads.hidden = !said;
    if (readers.textContent !== said) readers.textContent = said;
    if (said || voice === chosen) return;
    voice = chosen;
    write("sessionStorage", spoken, voice);
  }

  const offers = (value) => [...select.options].some((option) => option.value === value);

  function aloud() {
    select.value = offers(voice) ? voice : "";
    select.dispatchEvent(new Event("input", { bubbles: true }));
  }

  // Changes by others leave the choice as it was. A recipient who has left stays chosen: better refused than said to all.
  new MutationObserver(() => {
    const gone = reads.hidden ? "" : readers.textContent;
    if (!offers(chosen) && gone) {
      const option = new Option(gone, chosen);
      option.dataset.reads = gone;
      select.add(option);
    }
    if (select.value !== chosen && offers(chosen)) select.value = chosen;
    heard();
  }).observe(select, { childList: true, subtree: true, attributeFilter: ["data-reads", "value", "selected"] });

  const before = read("sessionStorage", spoken);
  if (before && select.value === "" && offers(before)) select.value = before;
  form.querySelector("#line-aloud").addEventListener("click", () => {
    aloud();
    form.querySelector("#line-note").replaceChildren();
    input.focus();
  });
  form.addEventListener("input", heard);
  select.addEventListener("input", () => { anew = true; });
  addEventListener("pageshow", heard); // browsers fill it in again by themselves
  document.addEventListener("sent", () => { if (!input.value && !anew) aloud(); }); // what was begun in a whisper stays one
  heard();

  function ask() {
    if (!hints && !/^\s*[/@]/.test(input.value)) return;
    hints ??= import("./completion.js").then(({ completion }) => completion(form));
    hints.then((more) => more(), () => { hints = undefined; }); // no connection: the line works without
  }

  input.addEventListener("input", () => {
    back = -1; // what was brought back is the reader's own now
    ask();
  });
  input.addEventListener("keydown", (event) => {
    if (event.isComposing || list.childElementCount > 0) return;
    if (event.key === "ArrowUp" && sent.length > 0 && (input.value === "" || back >= 0)) {
      event.preventDefault();
      back = Math.min(back + 1, sent.length - 1);
      input.value = sent[sent.length - 1 - back];
    } else if (event.key === "ArrowDown" && back >= 0) {
      event.preventDefault();
      back--;
      input.value = sent[sent.length - 1 - back] ?? "";
    }
  });
  // The composer leads here for plain dice.
  document.addEventListener("click", (event) => {
    const begun = event.target.closest("a[data-line]");
    if (!begun) return;
    if (!input.value.trim()) input.value = begun.dataset.line;
    setTimeout(() => { input.focus(); ask(); }); // after the jump, which closes the composer on a phone
  });
  form.addEventListener("htmx:before:request", () => { under = true; });
  form.addEventListener("htmx:finally:request", () => {
    under = false;
    if (again === null) return;
    select.value = again;
    heard();
    setTimeout(() => form.requestSubmit()); // when this one has ended
  });
  form.addEventListener("submit", () => {
    again = under ? select.value : null;
    if (under) return;
    anew = false;
    back = -1;
    if (input.value.trim()) {
      sent.push(input.value);
      write("sessionStorage", place, sent.slice(-most));
    }
    const actor = document.querySelector("#composer-form [name=_a]");
    const own = form.querySelector("[name=_a]");
    if (actor && own) own.value = actor.value;
  }, { capture: true }); // before the request of this one begins
  document.addEventListener("said", () => {
    if (input.value.startsWith(sent.at(-1))) input.value = input.value.slice(sent.at(-1).length); // what was typed meanwhile stays
    input.removeAttribute("aria-invalid");
    if (document.querySelector("#log[data-found]")) document.getElementById("whole-log")?.click(); // what was said isn't what was sought
    document.getElementById("log-box")?.scrollTo({ top: 0 });
  });
}

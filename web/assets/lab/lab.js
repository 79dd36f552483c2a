// The page on which a reader writes a rule. A worker works its odds out; the text and the settings stand in the address, after
// "#", which no server sees.
import { fill, make } from "./dom.js";
import { drawLaw } from "./law.js";

const maxKept = 5; // settings to compare with the one in the form

const maxText = 16_000; // characters of a rule
const maxUnpacked = 1 << 18; // bytes of what a link holds

async function through(data, ...streams) {
  const end = streams.reduce((stream, next) => stream.pipeThrough(next), new Blob([data]).stream());
  return new Uint8Array(await new Response(end).arrayBuffer());
}

// atMost lets so many bytes through.
const atMost = (room) => new TransformStream({
  transform(bytes, to) {
    room -= bytes.length;
    if (room < 0) throw new RangeError("the link holds too much");
    to.enqueue(bytes);
  },
});

const isText = (value) => typeof value === "string" && value.length <= maxText;
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isSettings = (value) => isObject(value) && Object.values(value).every(isText);

// isPage reports whether a text is the address of odds that this norn works out itself: a move, or plain dice.
export const isPage = (value) => typeof value === "string" && value.length <= 2000 && /^\/odds\/(?:dice|[\w-]+\/[\w-]+)(?:\?[^#\s]*)?$/.test(value);

// isKept reports whether a value is something to compare with: a page of odds, or a rule with a setting.
const isKept = (value) => isObject(value) && ("at" in value ? isPage(value.at) : isText(value.text) && isText(value.move) && isSettings(value.set));

// packed and unpacked turn what the page holds into a text for the address, and back. A link that somebody else has made may
// hold anything: unpacked throws at what a page can't have packed.
export async function packed(state) {
  const bytes = await through(new TextEncoder().encode(JSON.stringify({ ...state, v: 2 })), new CompressionStream("deflate-raw"));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

export async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));
  const plain = await through(bytes, new DecompressionStream("deflate-raw"), atMost(maxUnpacked));
  const { text: rule, move, now, kept: held, v } = JSON.parse(new TextDecoder().decode(plain));
  const fit = isText(rule) && isText(move) && isSettings(now) && Array.isArray(held) && held.length <= maxKept && held.every(isObject);
  const kept = fit && !v ? held.map((set) => ({ text: rule, move, set })) : held; // at first only settings of the rule itself were kept
  if (!fit || !kept.every(isKept)) throw new TypeError("the link isn’t of this page");
  return { text: rule, move, now, kept };
}

// sideAt fetches the odds of a move or of plain dice from their page; undefined if it has none.
async function sideAt(at) {
  const answer = await fetch(`${location.pathname.replace(/\/odds\/rule$/, "")}${at}`);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const law = page.querySelector("#odds-law")?.dataset.law;
  if (!answer.ok || !law) return undefined;
  const side = JSON.parse(law).sides.at(-1);
  return { ...side, name: side.title };
}

export async function open(root) {
  const words = JSON.parse(root.dataset.words), examples = JSON.parse(root.dataset.examples), lang = document.documentElement.lang;
  const engine = new URL(root.dataset.engine, document.baseURI).href;
  const state = { text: examples[0].text, move: "", now: {}, kept: [] };
  const [, beside] = /^#with=(.+)$/.exec(location.hash) ?? [];
  try {
    if (beside && isPage(decodeURIComponent(beside))) state.kept.push({ at: decodeURIComponent(beside) });
    else if (location.hash.length > 1) Object.assign(state, await unpacked(location.hash.slice(1)));
  } catch { /* a broken link opens the first example */ }

  const cards = make("ul", { class: "lab-cards", id: "lab-examples", "aria-label": words.examples }, ...examples.map(({ id, name, about, text }) =>
    make("li", {}, make("button", { type: "button", id: `lab-example-${id}`, onclick: () => choose(text) }, make("strong", {}, name), make("span", { class: "faint" }, about)))));
  const text = make("textarea", { id: "lab-text", rows: 14, maxlength: maxText, spellcheck: "false", autocapitalize: "off", autocomplete: "off", wrap: "off" });
  const lines = make("pre", { class: "lab-lines", "aria-hidden": "true" });
  const problem = make("p", { class: "problem", role: "alert", id: "lab-problem", hidden: true });
  const stop = make("button", { type: "button", id: "lab-stop", hidden: true }, words.stop);
  const status = make("p", { class: "faint", role: "status", id: "lab-status" }, words.loading);
  const form = make("form", { class: "odds-form lab-form", id: "lab-form" });
  const meant = make("p", { class: "odds-meant", id: "lab-meant", hidden: true });
  const kept = make("ul", { class: "odds-settings", id: "lab-kept" });
  const differences = make("ul", { class: "odds-differences", id: "lab-differences" });
  const result = make("div", { id: "lab-result", class: "odds-result" });
  const keep = make("button", { type: "button", id: "lab-keep", hidden: true }, words.keep);
  const link = make("button", { type: "button", id: "lab-link" }, words.link);
  const change = make("details", { id: "lab-change" }, make("summary", {}, words.change),
    make("div", { class: "field" }, make("label", { for: "lab-text" }, words.rule), make("div", { class: "lab-code" }, lines, text)),
    make("div", { class: "odds-actions" }, make("a", { class: "button", href: root.dataset.guide }, words.guide)));
  text.value = state.text;
  change.open = !examples.some((one) => one.text === state.text);
  const write = make("div", { class: "lab-write" }, form, make("div", { class: "odds-actions" }, keep, link, stop), status, problem);
  root.replaceChildren(cards, write, make("div", { class: "lab-read" }, meant, kept, differences, result), change);

  // number writes the number of each line next to the rule, and marks the one with a mistake.
  function number(wrong = 0) {
    const count = text.value.split("\n").length;
    lines.replaceChildren(...Array.from({ length: count }, (_, i) => make("span", i + 1 === wrong ? { class: "lab-wrong" } : {}, `${i + 1}\n`)));
    lines.scrollTop = text.scrollTop;
  }
  text.addEventListener("scroll", () => { lines.scrollTop = text.scrollTop; });
  number();

  function choose(rule) {
    Object.assign(state, { text: rule, move: "", now: {} });
    text.value = rule;
    number();
    if (asked !== answered) end();
    changed(0);
  }

  let worker, asked = 0, answered = 0, waiting, drawn = "", order = [];
  const pages = new Map(); // by address, the odds of pages that are compared with
  function begin() {
    worker = new Worker(root.dataset.worker, { type: "module" });
    worker.addEventListener("message", heard);
    worker.addEventListener("error", () => heard({ data: { failed: "worker" } }));
    worker.postMessage({ engine });
  }
  function end() {
    worker?.terminate();
    worker = undefined;
    answered = asked;
    waiting = undefined;
  }

  // busy shows that the worker works, when it takes long enough to be seen.
  let slow;
  function busy(is) {
    clearTimeout(slow);
    if (is) slow = setTimeout(() => { stop.hidden = false; status.textContent = words.working; }, 400);
    else stop.hidden = true;
  }

  async function ask() {
    const beside = state.kept.filter((one) => "at" in one);
    for (const { at } of beside) if (!pages.has(at)) pages.set(at, await sideAt(at).catch(() => undefined));
    if (!worker) begin();
    if (asked !== answered) { // the newest question waits for the one that is worked out
      waiting = true;
      return;
    }
    asked += 1;
    busy(true);
    const rules = state.kept.filter((one) => !("at" in one)), own = (one) => one.text === state.text && one.move === state.move;
    const found = beside.filter(({ at }) => pages.get(at));
    order = [...found, ...rules.filter((one) => !own(one)), ...rules.filter(own)];
    const others = rules.filter((one) => !own(one)), settings = [...rules.filter(own).map(({ set }) => set), state.now];
    worker.postMessage({ engine, id: asked, question: { lang, text: state.text, move: state.move, settings, others, pages: found.map(({ at }) => pages.get(at)) } });
  }

  function heard({ data }) {
    if (data.failed) {
      end();
      busy(false);
      status.replaceChildren(words.failed, " ", make("button", { type: "button", onclick: () => { status.textContent = words.loading; ask(); } }, words.again));
      return;
    }
    if (data.ready) {
      if (asked === answered) status.textContent = "";
      return;
    }
    if (data.id !== asked) return;
    answered = asked;
    busy(false);
    status.textContent = "";
    if (waiting) {
      waiting = false;
      ask();
      return;
    }
    show(data.answer);
  }

  function show(answer) {
    const wrong = answer.problem;
    problem.hidden = !wrong;
    problem.textContent = wrong ? (wrong.line ? fill(words.place, { line: wrong.line, what: wrong.text }) : wrong.text) : "";
    text.setAttribute("aria-invalid", String(Boolean(wrong?.line)));
    if (wrong?.line) change.open = true;
    (wrong?.line ? change : write).append(problem); // next to the line, or to the field
    number(wrong?.line);
    for (const card of cards.querySelectorAll("button")) card.setAttribute("aria-pressed", String(examples.some((one) => card.id === `lab-example-${one.id}` && one.text === state.text)));
    result.classList.toggle("lab-stale", Boolean(wrong));
    if (answer.moves) drawForm({ ...answer, fields: answer.fields ?? [] });
    keep.hidden = !answer.sides || state.kept.length >= maxKept;
    if (!answer.sides) return;
    meant.hidden = !answer.about;
    meant.textContent = answer.about ?? "";
    const { sides } = answer, held = order;
    kept.replaceChildren(...(sides.length > 1 ? sides.map((side, i) => make("li", {}, make("span", {}, side.name), i < held.length && make("button", {
      type: "button", class: "odds-remove", "aria-label": fill(words.remove, { name: side.name }), onclick: () => { state.kept.splice(state.kept.indexOf(held[i]), 1); changed(0); },
    }, "✕"))) : []));
    differences.replaceChildren(...(answer.differences ?? []).map((one) => make("li", {}, one)));
    drawLaw(result, sides, words, lang, "norn-rule");
  }

  // drawForm draws the rule's form anew only when its fields differ, so that what is being dragged stays.
  function drawForm(answer) {
    const shape = JSON.stringify([answer.moves, answer.move, answer.fields]);
    if (shape === drawn) return;
    drawn = shape;
    const names = new Set(answer.fields.map(({ name }) => name));
    for (const name of Object.keys(state.now)) if (!names.has(name)) delete state.now[name];
    const moves = answer.moves.length > 1 ? [make("div", { class: "field" }, make("label", { for: "lab-move" }, words.move), make("select", {
      id: "lab-move", onchange: (event) => { state.move = event.target.value; state.now = {}; changed(0); },
    }, ...answer.moves.map(({ value, label }) => make("option", { value, selected: value === answer.move }, label))))] : [];
    form.replaceChildren(...moves, ...answer.fields.map(control));
  }

  function control({ name, label, hint, kind, min = 0, max = 0, options = [], value }) {
    const id = `lab-${name}`, now = state.now[name] ?? value;
    const set = (given) => { state.now[name] = given; changed(30); };
    const hinted = hint ? make("p", { class: "hint" }, hint) : null;
    if (kind === "bool") {
      const box = make("input", { type: "checkbox", id, checked: now === "on", onchange: () => set(box.checked ? "on" : "off") });
      return make("div", { class: "field field-bool lab-flag" }, box, make("label", { for: id }, label), hinted);
    }
    if (kind === "choice") {
      const list = make("select", { id, onchange: () => set(list.value) }, ...options.map((one) => make("option", { value: one.value, selected: one.value === now }, one.label)));
      return make("div", { class: "field" }, make("label", { for: id }, label), list, hinted);
    }
    if (kind === "int") {
      const number = make("input", { type: "number", id, min, max, value: now, inputmode: "numeric" });
      const slider = make("input", { type: "range", min, max, value: now, "aria-label": label });
      number.addEventListener("input", () => { if (number.value !== "") { slider.value = number.value; set(number.value); } });
      slider.addEventListener("input", () => { number.value = slider.value; set(slider.value); });
      return make("div", { class: "field lab-number" }, make("label", { for: id }, label), number, slider, hinted);
    }
    const line = make("input", { type: "text", id, value: now, oninput: () => set(line.value) });
    return make("div", { class: "field" }, make("label", { for: id }, label), line, hinted);
  }

  let soon;
  function changed(after) {
    clearTimeout(soon);
    soon = setTimeout(async () => {
      ask();
      history.replaceState(history.state, "", `#${await packed(state)}`);
    }, after);
  }

  text.addEventListener("input", () => { state.text = text.value; number(); changed(300); });
  text.addEventListener("keydown", (event) => { // four spaces, as rules have; Esc first lets Tab lead on
    if (event.key !== "Tab" || event.shiftKey || text.dataset.leave) return;
    event.preventDefault();
    text.setRangeText("    ", text.selectionStart, text.selectionEnd, "end");
    text.dispatchEvent(new Event("input"));
  });
  text.addEventListener("keyup", (event) => { if (event.key === "Escape") text.dataset.leave = "yes"; });
  text.addEventListener("focus", () => { delete text.dataset.leave; });
  stop.addEventListener("click", () => {
    end();
    busy(false);
    status.textContent = words.stopped;
  });
  keep.addEventListener("click", () => { state.kept.push({ text: state.text, move: state.move, set: { ...state.now } }); changed(0); });
  link.addEventListener("click", async () => {
    history.replaceState(history.state, "", `#${await packed(state)}`);
    await navigator.clipboard.writeText(location.href);
    link.textContent = words.copied;
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  ask();
}

// What script adds to controls: steps of numbers, tabs without a new page, a
// nonce for the dice, links that copy themselves, forms that send on a choice.
import htmx from "htmx.org";
import { replaceAddress } from "../shell/address.js";
import { beforeFrame } from "../shell/frame.js";
import { fade, toast } from "../shell/toast.js";
import { key as fresh } from "../sheet/sheet.js";
import { filled, unasked } from "./filled.js";
import { rises, unfold } from "./fold.js";
import { untouch } from "../live/refresh.js";

const table = document.querySelector(".table");

const isNarrow = () => matchMedia("(max-width: 47.99rem)").matches; // the page shows one tab at a time

// changed announces a new value of a control; own says that the reader asked for no change.
function changed(input, own = false) {
  input.dispatchEvent(own ? filled() : new Event("input", { bubbles: true }));
  input.dispatchEvent(new Event("change", { bubbles: true }));
}

document.addEventListener("click", (event) => {
  const step = event.target.closest("[data-step]");
  if (step) {
    const input = step.parentElement.querySelector("input");
    if (input.value === "") input.value = input.placeholder; // what an empty number usually means
    if (step.dataset.step > 0) input.stepUp();
    else input.stepDown();
    changed(input);
    return;
  }

  if (event.target.type === "number") event.target.select(); // what is typed replaces it

  const tab = event.target.closest("[data-to-tab]");
  if (tab && table && isNarrow()) {
    if (tab.closest(".tabs")) event.preventDefault();
    turnTo(tab.dataset.toTab);
  }

  const current = event.target.closest("[data-choose]");
  if (current) {
    for (const other of document.querySelectorAll("#cast a")) other.ariaCurrent = other === current ? "true" : null;
  }

  // A rule's id opens that rule over the page.
  const rule = event.target.closest("a[data-rule]");
  if (rule && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    import("./rule.js").then(({ open }) => open(rule)).catch(() => location.assign(rule.href));
  }

  const call = event.target.closest("a[data-call]"); // a call that a game master made has the mark, too
  if (call) {
    event.preventDefault();
    import("../shell/push.js").then(({ press }) => press(call, toast)).catch(() => location.assign(call.href));
  }

  const composes = event.target.closest("[data-composes]");
  if (composes && rises()) location.hash = "composer";
  else if (composes) unfold();

  // A link to send on copies itself: of a card, of odds. It's followed where there's no clipboard, or in another tab.
  const sent = event.target.closest("a[data-copied]");
  if (sent && navigator.clipboard && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    navigator.clipboard.writeText(sent.href).then(() => toast(sent.dataset.copied), () => location.assign(sent.href));
  }

  const copy = event.target.closest("[data-copy]");
  if (copy) {
    const input = document.getElementById(copy.dataset.copy);
    input.focus();
    input.select();
    // The clipboard of the newer kind is only there over TLS.
    if (navigator.clipboard) navigator.clipboard.writeText(input.value).catch(() => {});
    else document.execCommand("copy");
    copy.textContent = copy.dataset.copied;
  }
});

// A complaint goes when the reader changes what it's about.
document.addEventListener("input", ({ target, detail }) => {
  if (detail === unasked) return;
  const field = target.closest(".field-wrong");
  field?.classList.remove("field-wrong");
  target.removeAttribute("aria-invalid");
  const about = target.id === "line" ? document.getElementById("line-note") : target.form?.querySelector(":scope > .actions");
  target.form?.querySelector(":scope > .problem")?.remove();
  for (const part of [field, about]) for (const said of part?.querySelectorAll(".problem") ?? []) said.remove();
});

// taken reports whether the choice is made that a control, or an option, belongs to.
function taken({ form, dataset }) {
  const by = form.elements[dataset.for];
  if (!by) return true;
  return by.type === "checkbox" ? by.checked : dataset.forValue ? dataset.forValue.split("|").includes(by.value) : by.value !== "";
}

// Words are typed for what takes them: that is chosen by it, where one choice does.
document.addEventListener("input", ({ target }) => {
  const { for: by, forValue: value } = target.dataset;
  if (!by || !target.value || !target.form || taken(target)) return;
  const controls = [...target.form.querySelectorAll(`[name="${CSS.escape(by)}"]`)];
  const [first] = controls;
  if (first.type !== "checkbox" && !value) return;
  const wanted = value?.split("|");
  const chosen = first.type === "checkbox" ? first : controls.find((c) => c.type === "radio" && wanted.includes(c.value));
  if (chosen) chosen.checked = true;
  else first.value = wanted[0];
  changed(chosen ?? first);
});

// An option may fill in another field, as an opponent does with the die of its weapon. What somebody chose there stays.
document.addEventListener("change", ({ target }) => {
  const name = target.form && target.querySelector?.("option[data-fill]")?.dataset.fill;
  if (!name) return;
  const field = target.form.elements[name];
  if (!field || field.value && field.value !== target.dataset.filled) return;
  const value = target.selectedOptions[0].dataset.fillValue ?? "";
  if (field.value === value) return;
  field.value = target.dataset.filled = value;
  changed(field instanceof RadioNodeList ? field[0] : field);
});

// Options that belong to another choice aren't offered; if one was selected, the first available option replaces it. Fields
// that mean something only with another choice are hidden, too.
function offer() {
  for (const part of document.querySelectorAll("[data-beside]")) {
    const by = part.closest("form").elements[part.dataset.beside]?.value;
    part.hidden = !(part.dataset.besideValue ? part.dataset.besideValue.split("|").includes(by) : by);
    for (const control of part.querySelectorAll("[type=text], [type=checkbox], textarea")) control.disabled = part.hidden;
  }
  for (const select of document.querySelectorAll("select:has(option[data-for])")) {
    for (const option of select.querySelectorAll("[data-for]")) option.disabled = option.hidden = !taken(option);
    for (const group of select.querySelectorAll("optgroup")) group.hidden = !group.querySelector(":enabled");
    if (!select.selectedOptions[0]?.disabled) continue;
    select.value = select.querySelector("option:enabled").value;
    changed(select, true);
  }
}
document.addEventListener("input", offer);
document.addEventListener("htmx:after:swap", offer);
offer();

// One way to throw is open at a time, and its field has the focus.
document.addEventListener("toggle", ({ target }) => {
  if (!target.open || !target.matches(".hand")) return;
  for (const other of document.querySelectorAll(".hand[open]")) other.open = other === target;
  target.querySelector("input").focus();
}, true);

// Enter in a field that has a button of its own presses that one: faces that were
// typed in are counted and a player is asked, instead of a throw.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.isComposing || !event.target.matches?.(".hand-row input")) return;
  event.preventDefault();
  event.target.closest(".hand-row").querySelector("[type=submit]").click();
});

// show brings one of the narrow page's tabs to the front.
export function show(name) {
  if (!table) return;
  put(name);
  if (location.hash) location.hash = "_";
}

function put(name) {
  table.dataset.tab = name;
  for (const tab of document.querySelectorAll(".tabs [data-to-tab]")) tab.ariaCurrent = tab.dataset.toTab === name ? "page" : null;
}

// Back leads from any other tab to the log: each entry of the browser's history knows its tab.
function turnTo(name) {
  const { tab } = table.dataset;
  show(name);
  if (name === "log" || name === tab) keepTab();
  else if (tab === "log") history.pushState({ tab: name }, "");
  else history.replaceState({ tab: name }, "");
}

function keepTab() { history.replaceState({ ...history.state, tab: table.dataset.tab }, ""); }

if (table) {
  if (history.state?.tab) put(history.state.tab); // after a reload
  else if (isNarrow() && table.dataset.tab !== "log") {
    const { tab } = table.dataset;
    history.replaceState({ tab: "log" }, "");
    history.pushState({ tab }, "");
  } else keepTab();
  addEventListener("hashchange", () => { if (!history.state?.tab) keepTab(); });
  addEventListener("popstate", ({ state }) => { if (state?.tab) put(state.tab); });
}

// leave has the composer of a narrow page go, and what comes of it is in sight.
export function leave() {
  if (location.hash === "#composer") show("log");
}

// Who has answered the last question sees in the log what comes of it.
const count = document.getElementById("tab-count");
let waited = Number(count?.textContent);
if (count) new MutationObserver(() => {
  const waits = Number(count.textContent);
  if (waited && !waits && table?.dataset.tab === "questions" && isNarrow()) turnTo("log");
  waited = waits;
}).observe(count, { childList: true, characterData: true, subtree: true });

// A nonce of the one who throws goes into each die: one for each key, so that a
// double click is the same move.
document.addEventListener("submit", (event) => {
  for (const one of event.target.querySelectorAll?.("input[name=_key]") ?? []) one.value ||= fresh(); // what came by the stream has none
  const nonce = event.target.querySelector?.("input[name=_nonce]");
  if (!nonce) return;
  const key = event.target.querySelector("input[name=_key]").value;
  if (nonce.dataset.key === key) return;
  nonce.dataset.key = key;
  nonce.value = fresh(16);
}, true);

// What belongs to a choice not made isn't said, nor words that an answer's form doesn't show.
addEventListener("formdata", ({ target, formData }) => {
  for (const control of target.querySelectorAll(".question [data-for]:not(option, .field-trait *)")) if (!taken(control)) formData.delete(control.name);
  for (const words of target.querySelectorAll(".question :is(textarea, [type=text])")) if (!words.checkVisibility()) formData.delete(words.name);
});

// After a move a narrow page shows the log. The composer's texts and typed faces are cleared, and a box that applies to one
// move gets its usual state back: data-once.
document.addEventListener("made", () => {
  leave();
  let other = false;
  for (const field of document.querySelectorAll("#composer-form :is(textarea, #hand-dice, #ask-about)")) {
    other ||= field.value !== "";
    field.value = "";
    untouch(field);
  }
  for (const box of document.querySelectorAll("#composer-form [data-once]")) {
    other ||= box.checked !== (box.dataset.once === "on");
    box.checked = box.dataset.once === "on";
    untouch(box);
  }
  if (!other) return;
  offer();
  document.getElementById("odds")?.dispatchEvent(new Event("other"));
});

// A player was asked.
document.addEventListener("asked", () => {
  leave();
  document.querySelector(".ask[open]")?.removeAttribute("open");
  const about = document.getElementById("ask-about");
  if (about) about.value = "";
});

// A sheet that was saved is shown again, as by the form's own link.
document.addEventListener("kept", () => { document.querySelector("#sheet form[data-form=sheet] a.quiet")?.click(); });

// Where a part of the drawer is asked for, its first field has the focus, but for the keyboard of a phone, which would
// cover it; and the tab that is open says so.
function openTab() {
  if (matchMedia("(pointer: fine)").matches) document.querySelector("#drawer section:target :is(input:not([type=hidden]), button), #drawer input:target")?.focus();
  // Who opens the game master's screen hears its name.
  if (location.hash === "#drawer") document.querySelector("#drawer h2")?.focus();
  const open = document.querySelector(".drawer-tab:is(:target, :has(:target))") ?? [...document.querySelectorAll(".drawer-tab")].findLast((tab, i) => i === 0 || tab.checkVisibility());
  for (const a of document.querySelectorAll(".drawer-nav a")) a.ariaCurrent = a.hash === `#${open.id}` ? "page" : null;
}
addEventListener("hashchange", openTab);
beforeFrame(openTab)();

// A sheet that was saved isn't being changed any more: a reload shows it so.
document.addEventListener("htmx:after:swap", () => {
  const at = new URL(location.href);
  if (!at.searchParams.has("_edit") || document.querySelector("#sheet form[data-form=sheet]")) return;
  at.searchParams.delete("_edit");
  replaceAddress(at);
});

// Who acts, by which move and whose sheet is shown stand in the address once they change, so that a
// reload shows them again.
const composed = () => ["_a", "_m"].map((name) => document.querySelector(`#composer-form [name=${name}]`)?.value ?? "");
let before = composed().join();
document.addEventListener("htmx:after:swap", () => {
  const now = composed();
  if (now.join() === before) return;
  before = now.join();
  const at = new URL(location.href);
  for (const [i, name] of ["_a", "_m"].entries()) {
    if (now[i]) at.searchParams.set(name, now[i]);
    else at.searchParams.delete(name);
  }
  const sheet = document.querySelector("#sheet > [data-sheet]")?.dataset.sheet;
  if (sheet) at.searchParams.set("_c", sheet);
  at.searchParams.delete("_pressed");
  at.searchParams.delete("_again");
  replaceAddress(at);
});

// In the row of moves the chosen one is in sight, and where they don't all fit a button shows the rest.
let strip, stood;
const fit = beforeFrame(() => {
  const moves = document.getElementById("moves");
  if (!moves || (rises() && location.hash !== "#composer") || !moves.clientWidth || moves.nextElementSibling.open) return;
  const row = moves.parentElement, shrinks = !row.hasAttribute("data-over");
  row.toggleAttribute("data-over", moves.scrollWidth > moves.clientWidth);
  const at = moves.querySelector("[aria-current]");
  if (at && (moves !== strip || shrinks || at.offsetLeft !== stood)) moves.scrollLeft = Math.min(at.offsetLeft, at.offsetLeft - (moves.clientWidth - at.offsetWidth) / 2);
  strip = moves;
  stood = at?.offsetLeft;
});
beforeFrame(() => { document.fonts.ready.then(fit); })(); // asking for it lays the page out, too
addEventListener("resize", fit);
addEventListener("hashchange", fit); // on a narrow page the composer is seen only then
document.addEventListener("htmx:after:swap", fit);

// The character whose sheet is shown is marked in the cast, also where the
// chosen one's didn't come. Of one that has left the table another's takes the place.
function mark({ detail: { ctx } }) {
  const { sheet, sheetForm } = document.querySelector("#sheet > section")?.dataset ?? {};
  const id = sheet ?? sheetForm;
  for (const one of document.querySelectorAll("#cast a")) {
    const shown = one.dataset.character === id;
    if (shown && !one.ariaCurrent && one.closest("details")) one.closest("details").open = true; // among like ones
    one.ariaCurrent = shown ? "true" : null;
  }
  if (ctx.news && id && !document.getElementById(`cast-${id}`)) htmx.ajax("GET", `${location.pathname}/character`, { source: table, swap: "none" });
}
document.addEventListener("htmx:after:swap", mark);
document.addEventListener("htmx:error", mark);

// An invitation folds once somebody has come by it, or another is made, and a short message goes away by itself.
document.addEventListener("htmx:after:swap", () => {
  for (const older of document.querySelectorAll("#seats-said > details + details:not([data-older])")) {
    older.dataset.older = "";
    older.open = false;
  }
  for (const come of document.querySelectorAll("[data-come]:not([data-seen])")) {
    come.dataset.seen = "";
    come.closest("details").open = false;
  }
  for (const note of document.querySelectorAll("#toasts .toast:not([data-seen])")) {
    note.dataset.seen = "";
    fade(note);
  }
});

// The keyboard: / or Enter the line, m the form of a move, o its odds, Ctrl+Enter in the form throws, q next question,
// 1–9 characters, ? the list of keys, Escape closes. No single letter throws or writes anything. Readers who dictate
// or press keys by accident can have them work only with Alt+Shift: this browser stores that.
import { first, forReader } from "./asks.js";
import { show } from "./controls.js";
import { rises, unfold } from "./fold.js";
import { read, write } from "../shell/storage.js";

let question = -1;

const keys = document.getElementById("keys");
let alone = read("localStorage", "norn.keys") ?? true;

const line = () => document.getElementById("line")?.focus();

const actions = {
  "/": line,
  Enter: line,
  m() {
    open("composer");
    unfold();
    (document.getElementById("composer-head") ?? document.querySelector("#composer :is(a, select)"))?.focus();
  },
  o() {
    unfold();
    const figures = document.querySelector("#odds details");
    if (figures) figures.open = !figures.open;
  },
  q() {
    const questions = [...document.querySelectorAll(forReader)];
    if (questions.length === 0) return;
    question = (question + 1) % questions.length;
    show("log");
    questions[question].scrollIntoView({ block: "center" });
    first(questions[question]).focus();
  },
  "?"() { keys?.togglePopover?.(); },
};

const skips = {
  line,
  question: actions.q,
  moves() {
    open("composer");
    unfold();
    const found = ["#moves [aria-current]", "#composer-box a", "#composer a"]; // the last leads to a hero, where there is none yet
    found.map((selector) => document.querySelector(selector)).find(Boolean)?.focus();
  },
};
document.addEventListener("click", (event) => {
  const skip = skips[event.target.closest?.("[data-skip]")?.dataset.skip];
  if (!skip) return;
  event.preventDefault();
  skip();
});

keys?.addEventListener("toggle", ({ newState }) => { if (newState === "open") keys.focus(); });
const choice = document.getElementById("keys-alone");
if (choice) {
  choice.parentElement.hidden = false;
  choice.checked = alone;
  choice.addEventListener("change", () => {
    alone = choice.checked;
    write("localStorage", "norn.keys", alone);
  });
}

function open(id) {
  if (rises()) location.hash = id;
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    const { hash } = location;
    const drawer = document.querySelector("#drawer:is(:target, :has(:target))");
    if (hash === "#composer" || drawer) location.hash = "_";
    for (const menu of document.querySelectorAll("details.menu[open]")) {
      menu.open = false;
      if (menu.contains(document.activeElement)) menu.querySelector("summary").focus();
    }
    if (event.target.matches?.("input, textarea, select")) event.target.blur();
    if (location.hash !== hash) document.querySelector(`.button[href="${drawer ? "#drawer" : hash}"]`)?.focus(); // back to where it was opened
    return;
  }
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && event.target.closest?.("#composer-form")) {
    if (event.defaultPrevented || event.repeat) return; // a field with a button of its own has pressed that
    event.preventDefault();
    document.querySelector("#composer-form [data-throw]")?.click();
    return;
  }
  const second = event.altKey && event.shiftKey;
  if (event.ctrlKey || event.metaKey || (event.altKey && !second) || event.isComposing) return;
  // Arrows go among the moves.
  const to = { ArrowRight: "nextElementSibling", ArrowLeft: "previousElementSibling" }[event.key];
  if (to && event.target.matches?.("#moves a")) {
    event.preventDefault();
    event.target[to]?.focus();
    return;
  }
  if (event.target.closest?.("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]")) return;
  if (!alone && !second && event.key.length === 1) return;
  const digit = /^(?:Digit|Numpad)([1-9])$/.exec(event.code)?.[1] ?? event.key;
  if (digit >= "1" && digit <= "9" && (second || event.key === digit)) {
    const cast = document.querySelectorAll("#cast [data-choose]");
    cast[Number(digit) - 1]?.click();
    return;
  }
  // The letters of a Russian or Ukrainian keyboard stand for those on the same keys.
  const byPlace = { KeyM: "m", KeyO: "o", KeyQ: "q", Slash: event.shiftKey && !second ? "?" : "/" };
  if (event.key === "Enter" && event.target !== document.body) return; // it presses what has the focus
  const action = actions[event.key] ?? actions[byPlace[event.code]];
  if (!action) return;
  event.preventDefault();
  action();
});

// A menu closes by its own button, and when the reader turns to something else.
document.addEventListener("click", (event) => {
  const closes = event.target.closest?.("[data-close]");
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (!menu.contains(event.target) || menu.contains(closes)) menu.open = false;
  }
  closes?.closest(".menu").querySelector("summary").focus();
});

// The keyboard: / or Enter the line, m the form of a move, o its odds, Ctrl+Enter in the form throws, q next question,
// 1–9 characters, ? the list of keys, Escape closes. No single letter throws or writes anything.
import { forReader } from "./asks.js";
import { show } from "./controls.js";
import { rises, unfold } from "./fold.js";

let question = -1;

const line = () => document.getElementById("line")?.focus();

const actions = {
  "/": line,
  Enter: line,
  m() {
    open("composer");
    unfold();
    document.querySelector("#composer :is(select, input:not([type=hidden]), textarea)")?.focus();
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
    questions[question].querySelector("select, input:not([type=hidden], details:not([open]) *), textarea, button:not(.sr-only)")?.focus();
  },
  "?"() { document.getElementById("keys")?.togglePopover?.(); },
};

function open(id) {
  if (rises()) location.hash = id;
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    const { hash } = location;
    const drawer = document.querySelector("#drawer:is(:target, :has(:target))");
    if (hash === "#composer" || drawer) location.hash = "_";
    for (const menu of document.querySelectorAll("details.menu[open]")) menu.open = false;
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
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  // Arrows go among the moves.
  const to = { ArrowRight: "nextElementSibling", ArrowLeft: "previousElementSibling" }[event.key];
  if (to && event.target.matches?.("#moves a")) {
    event.preventDefault();
    event.target[to]?.focus();
    return;
  }
  if (event.target.closest?.("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]")) return;
  if (event.key >= "1" && event.key <= "9") {
    const cast = document.querySelectorAll("#cast [data-choose]");
    cast[Number(event.key) - 1]?.click();
    return;
  }
  // The letters of a Russian or Ukrainian keyboard stand for those on the same keys.
  const byPlace = { KeyM: "m", KeyO: "o", KeyQ: "q", Slash: event.shiftKey ? "?" : "/" };
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

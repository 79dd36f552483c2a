// On a wide page the composer folds to its row of moves: by its button, and by itself while a question waits for who looks,
// until they turn to a move. Without script it is open.
import { forReader } from "./asks.js";

const box = document.getElementById("composer");
const button = document.getElementById("fold");

// rises reports whether the page is too small for the composer under the log: then it opens as #composer.
export const rises = () => matchMedia("(max-width: 47.99rem), (max-height: 30rem)").matches;

let chosen = null; // what somebody wanted since questions last came or went
let asked = false;

const folded = () => box?.classList.contains("folded") && !rises();

function settle() {
  const now = document.querySelector(forReader) !== null;
  if (now !== asked) {
    asked = now;
    chosen = now && box.contains(document.activeElement) && document.activeElement.matches("input, select, textarea") ? false : null; // not while somebody fills it in
  }
  const fold = chosen ?? asked;
  if (fold && !rises() && document.activeElement?.matches("#throw")) button.focus({ preventScroll: true }); // it goes, with the focus
  if (box.classList.toggle("folded", fold) === fold) button.ariaExpanded = String(!fold);
}

export function unfold() {
  if (!folded()) return;
  chosen = false;
  settle();
}

export function fold() {
  if (!button) return;
  button.hidden = false;
  button.addEventListener("click", () => {
    chosen = !box.classList.contains("folded");
    settle();
  });
  // Choosing a move, or who makes it, unfolds the composer.
  box.addEventListener("click", ({ target }) => { if (target.closest(".moves a, .moves-all a")) unfold(); });
  box.addEventListener("change", unfold);
  document.addEventListener("htmx:after:swap", () => {
    if (box.querySelector(".problem:not(#odds *)")) unfold();
    settle();
  });
  settle();
}

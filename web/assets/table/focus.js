// Focus survives live updates: where what had it is gone, it goes to the question
// that follows there, else to the nearest part around it that is still on the
// page. Only for who works with the keyboard: others would be led astray.
import { forReader } from "./asks.js";

let had; // what had the focus
let way = []; // ids of what lay around it, from the inside

addEventListener("pointerdown", () => { way = []; }, { capture: true, passive: true });
addEventListener("keydown", (event) => {
  if (event.key === "Escape") way = [];
  else note(document.activeElement);
}, { capture: true });
addEventListener("focusin", ({ target }) => { if (way.length > 0) note(target); });

function note(element) {
  had = element;
  way = [];
  for (let around = element; around; around = around.parentElement) if (around.id) way.push(around.id);
}

// A button takes no focus while what it sent is under way: it has it again when that ends.
document.addEventListener("htmx:finally:request", () => setTimeout(back));
document.addEventListener("htmx:after:swap", back);

function back() {
  const { activeElement } = document;
  if (way.length === 0 || (activeElement && activeElement !== document.body)) return;
  if (had.isConnected) had.focus({ preventScroll: true });
  if (had.matches(":focus, :disabled")) return;
  const near = way.map((id) => document.getElementById(id)).find(Boolean);
  if (!near) return;
  const next = near.querySelector(`:is(${forReader}) :is(select, input:not([type=hidden]), textarea, button:not(.sr-only))`);
  if (!next && near.tabIndex < 0) near.tabIndex = -1;
  (next ?? near).focus({ preventScroll: !next });
}

// Focus survives live updates: if the focused element was removed, it goes to the
// question that follows there, else to the nearest part around it that is still on
// the page. Only for those who use the keyboard: it would mislead others. If an answer was refused, it goes to what is
// wrong, and that is in view for everybody.
import { first, forReader } from "./asks.js";

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

document.addEventListener("htmx:after:swap", back);

function back() {
  const { activeElement } = document;
  if (way.length === 0 || (activeElement && activeElement !== document.body)) return;
  if (had.isConnected) had.focus({ preventScroll: true });
  if (had.matches(":focus")) return;
  const near = way.map((id) => document.getElementById(id)).find(Boolean);
  if (!near) return;
  const question = near.matches(".question") ? near : near.querySelector(forReader);
  const next = question && first(question);
  if (!next && near.tabIndex < 0) near.tabIndex = -1;
  (next ?? near).focus({ preventScroll: !next });
}

// A move that is opened says who makes it and what it's for; its fields are the next stops. Not only by the keyboard: a
// screen reader presses a link as a mouse does.
let opens; // the link
document.addEventListener("click", ({ target }) => { opens = target.closest?.("#moves a, a[data-composes]"); });
document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => {
  if (opens && ctx.sourceElement === opens) document.getElementById("composer-head")?.focus();
});

// A question whose answer was refused is another element than before.
document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => {
  if (ctx.request?.method !== "POST" || ctx.response.raw.ok || !ctx.sourceElement.matches("[data-form=answer]")) return;
  const question = document.getElementById(ctx.sourceElement.closest(".question").id);
  const wrong = question?.querySelector(".field-wrong") ?? question?.querySelector(".problem");
  requestAnimationFrame(() => wrong?.scrollIntoView({ block: "nearest" }));
});

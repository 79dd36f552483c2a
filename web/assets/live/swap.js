// The swap style "place": each element of a fragment goes to its place by itself.
// One whose id is on the page already is updated there, keeping focus
// and what was typed; another is put among its new siblings by its data-seq.
// So a fragment may come twice, or late, and the log is still right.
//
// A form that somebody has touched isn't changed by what comes meanwhile, only by the answer to it. What has come is put into
// it once it's sent or left.
import htmx from "htmx.org";
import { sized } from "./submit.js";

let morph;
const missed = new WeakMap(); // by touched forms: what they would have become

// The move form asks for itself again with what is filled in (refresh.js); of an answer's form see below.
const keeps = "form[method=post]:not([data-form=move], [data-form=answer])";
const isTouched = (node) => node.matches?.(keeps) && ("touched" in node.dataset || node.querySelector(".problem") !== null);

function release(form) {
  delete form.dataset.touched;
  const late = missed.get(form);
  missed.delete(form);
  if (!late || !form.isConnected || isTouched(form)) return;
  morph(form, late, false);
  htmx.process(form);
}

document.addEventListener("input", ({ target }) => {
  const form = target.closest?.(keeps);
  if (form) form.dataset.touched = "";
});
document.addEventListener("reset", ({ target }) => { setTimeout(() => release(target)); });
document.addEventListener("queued", ({ target }) => release(target));
document.addEventListener("htmx:before:response", ({ detail: { ctx } }) => {
  const form = ctx.sourceElement;
  if (ctx.request.method !== "POST" || !form.matches?.(keeps)) return;
  if (ctx.response.raw.ok && !sized(ctx)) release(form);
  else delete form.dataset.touched; // the answer has what was typed
});
document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => {
  const form = ctx.sourceElement;
  if (ctx.request?.method === "POST" && form.matches?.(keeps) && (!ctx.response.raw.ok || sized(ctx))) form.dataset.touched = "";
});

htmx.registerExtension("place", {
  init(api) { ({ morph } = api); },

  // A question that asks the same as before keeps what was typed.
  htmx_before_morph_node(present, { newNode }) {
    if (isTouched(present)) {
      const late = document.createDocumentFragment();
      late.append(newNode.cloneNode(true));
      missed.set(present, late);
      return false;
    }
    return !present.dataset.asks || present.dataset.asks !== newNode.dataset.asks;
  },

  handle_swap(style, target, fragment) {
    if (style !== "place") return false;
    return [...fragment.children].flatMap((element) => {
      const present = element.id && document.getElementById(element.id);
      if (!present && "found" in target.dataset) { // what was searched for doesn't grow
        target.dispatchEvent(new CustomEvent("log:passed", { detail: element }));
        return [];
      }
      if (!present) {
        target.insertBefore(element, next(target, element));
        return element;
      }
      const whole = document.createDocumentFragment();
      whole.append(element);
      morph(present, whole, false);
      return document.getElementById(present.id);
    });
  },
});

// The child that the element must stand before, or null for the end.
function next(target, element) {
  const seq = Number(element.dataset.seq);
  let before = null;
  for (let child = target.lastElementChild; child && Number(child.dataset.seq) > seq; child = child.previousElementSibling) before = child;
  return before;
}

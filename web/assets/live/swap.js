// The swap style "place": each element of a fragment goes to its place by itself.
// One whose id is on the page already is brought up to date there, keeping focus
// and what was typed; another is put among its new siblings by its data-seq.
// So a fragment may come twice, or late, and the log is still right.
import htmx from "htmx.org";

let morph;

htmx.registerExtension("place", {
  init(api) { ({ morph } = api); },

  // A question that asks the same as before keeps what was typed.
  htmx_before_morph_node(present, { newNode }) {
    return !present.dataset.asks || present.dataset.asks !== newNode.dataset.asks;
  },

  handle_swap(style, target, fragment) {
    if (style !== "place") return false;
    return [...fragment.children].flatMap((element) => {
      const present = element.id && document.getElementById(element.id);
      if (!present && "found" in target.dataset) return []; // what was searched for doesn't grow
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

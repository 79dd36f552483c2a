// What the reader does is answered with pieces of the page, and so is what the
// live connection tells; the two come by different ways, and an answer may come
// after news that is newer than it. Each piece that shows the table says as of
// when ("at" in its hx-swap: a seq, and how often the view changed since). An
// answer's piece that is older than what has been shown of the same thing is
// left out, and a sheet is shown as it is known. News is always shown: it is
// never behind what it told before.
import htmx from "htmx.org";

const newest = new Map(); // by the id of what is shown: since when, and a sheet that may not be on the page

// parts are what a piece shows: cards and sheets each by themselves.
const parts = ({ swapSpec, target, fragment }) => (swapSpec.style.startsWith("inner") && target?.id !== "sheet" ? [target] : [...fragment.children]);

// The reader's choices of a sheet and of a move are counted, and so are presses
// of the composer: what was meant for one time isn't filled in any more afterwards.
// What belongs to an earlier one than is shown comes too late.
const shown = { sheet: 0, "composer-box": 0 }; // by the place
let choices = 0;

document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
  const press = ctx.sourceElement.id === "composer-form" && ++choices;
  const choice = !ctx.request.body && ctx.sourceElement.id !== "composer-stale" && ++choices;
  if (press) ctx.of = { ...shown, "composer-box": press };
  else ctx.of = choice ? { sheet: choice, "composer-box": choice } : { ...shown };
});

document.addEventListener("htmx:before:swap", ({ detail: { ctx, tasks } }) => {
  for (const task of tasks) {
    const { target, swapSpec } = task;
    const { at } = swapSpec;
    const choice = ctx.of?.[target?.id];
    if (choice < shown[target?.id]) {
      swapSpec.style = "none";
      if (ctx.sourceElement.id === "composer-stale") ctx.sourceElement.replaceChildren(document.createElement("i")); // asked before a press, and drawn after it
    } else if (choice) shown[target.id] = choice;
    if (at === undefined) continue;
    if (target?.id === "composer-box") { // it is drawn again where it shows old choices
      if (at < newest.get("cast")?.at && ctx.sourceElement.id !== "composer-stale") document.getElementById("composer-stale").replaceChildren(document.createElement("i"));
      continue;
    }
    for (const part of parts(task)) {
      const known = part?.id && newest.get(part.id);
      if (known && !ctx.news && at < known.at) {
        if (known.sheet) part.replaceWith(known.sheet.cloneNode(true));
        else if (swapSpec.style === "place") part.remove();
        else swapSpec.style = "none";
      } else if (part?.id) {
        newest.set(part.id, { at, sheet: part.id.startsWith("sheet-") && part.cloneNode(true) });
      }
    }
  }
});

// again shows a sheet as it is known, where the page shows what wasn't kept.
export function again(id, sourceElement) {
  const sheet = newest.get(`sheet-${id}`)?.sheet;
  if (sheet) htmx.swap({ text: `<hx-partial hx-target="#sheet-${id}" hx-swap="outerMorph">${sheet.outerHTML}</hx-partial>`, sourceElement, swap: "none" });
}

// What the reader does is answered with pieces of the page, and so is what the
// live connection tells; the two come by different ways, and an answer may come
// after news that is newer than it. Each piece that shows the table says as of
// when ("at" in its hx-swap: a seq, and how often the view changed since). An
// answer's piece that is older than what has been shown of the same thing is
// left out. News is always shown: it is never behind what it told before.
const newest = new Map(); // by the id of what is shown: since when, and a sheet that may not be on the page

// parts are what a piece shows: cards and sheets each by themselves.
const parts = ({ swapSpec, target, fragment }) => (swapSpec.style.startsWith("inner") && target?.id !== "sheet" ? [target] : [...fragment.children]);

document.addEventListener("htmx:before:swap", ({ detail: { ctx, tasks } }) => {
  for (const task of tasks) {
    const { at } = task.swapSpec;
    if (at === undefined) continue;
    for (const part of parts(task)) {
      const known = part?.id && newest.get(part.id);
      if (known && !ctx.news && at < known.at) {
        if (task.target?.id === "sheet") part.replaceWith(known.sheet.cloneNode(true));
        else if (task.swapSpec.style === "place") part.remove();
        else task.swapSpec.style = "none";
      } else if (part?.id) {
        newest.set(part.id, { at, sheet: part.id.startsWith("sheet-") && part.cloneNode(true) });
      }
    }
  }
});

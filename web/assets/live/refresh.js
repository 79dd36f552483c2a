// The composer offers what the sheets say, and cards say names. When these change, the server marks the one or the other
// as stale; it's drawn again, the composer with what is filled in and as soon as nobody is at work in it and nothing else
// is asked for, which may leave out what is filled in now. What couldn't be drawn is tried again with the connection.
import { reopen, selected } from "./live.js";

const form = () => document.getElementById("composer-form");

// A form says which of its fields somebody has set: the others are norn's, which fills them in as the sheets say now.
// A page that came whole says that all are, for where there's no script.
function note() {
  const touched = form()?.elements._touched;
  if (touched?.value === "*") touched.value = touched.dataset.touched;
}
document.addEventListener("htmx:after:swap", note);
document.addEventListener("input", ({ target }) => {
  const touched = target.form?.elements._touched, name = target.name?.split(".")[0];
  if (!touched || !name || name.startsWith("_")) return;
  note();
  touched.value = [...new Set(touched.value.split(" ")).add(name)].join(" ").trim();
}, true);

// untouch says that norn may fill in a field again.
export function untouch(field) {
  const touched = form()?.elements._touched;
  if (touched) touched.value = touched.value.split(" ").filter((name) => name !== field.name.split(".")[0]).join(" ");
}

// concerns returns whether a change may show in the form: in one that nobody has touched, or in one that somebody
// has set, by the characters in it.
function concerns(mark) {
  const said = mark.querySelector("i")?.dataset;
  if (!form() || !said || "usual" in said) return true;
  if (!form().elements._touched.value) return false;
  const named = [...new FormData(form()).values()];
  return said.of.split(" ").some((id) => named.includes(id));
}

export function refresh() {
  const marks = ["move-form", "log-stale"].map((id) => document.getElementById(id)).filter(Boolean);
  const box = document.getElementById("composer-box");
  const stale = new Set();
  const asking = new Set(); // by others
  const drawing = new Set();
  const late = new Set(); // marked again while they're drawn
  let pressed = false; // and not gone back to the composer since
  let inputs = 0; // in the composer
  const askedAfter = new Map(); // by marks: how many inputs there were when it was asked for
  const refused = () => box?.querySelector("#composer-problem .problem, .field-wrong"); // and it's said why
  const working = () => box?.querySelector(":is(input, select, textarea, summary):focus");

  function draw() {
    const busy = !pressed && (working() || refused());
    for (const mark of stale) {
      if (asking.size > 0 || (busy && mark.id === "move-form")) continue;
      stale.delete(mark);
      askedAfter.set(mark, inputs);
      mark.dispatchEvent(new Event("stale"));
    }
  }
  // What is drawn again meanwhile would come too late.
  const giveUp = (mark) => {
    if (!drawing.has(mark)) return;
    stale.add(mark);
    mark.dispatchEvent(new Event("htmx:abort"));
  };

  document.addEventListener("htmx:before:request", ({ target, detail: { ctx } }) => {
    if (marks.includes(target)) return drawing.add(target);
    asking.add(ctx);
    marks.forEach(giveUp);
  });
  document.addEventListener("htmx:finally:request", ({ target, detail: { ctx } }) => {
    drawing.delete(target);
    if (late.delete(target)) stale.add(target); // what has come may be older than what was told since
    else if (!asking.delete(ctx)) return;
    setTimeout(draw);
  });
  // An answer to what was filled in before is left out, however the request got past giveUp.
  document.addEventListener("htmx:before:swap", (event) => {
    if (event.target.id !== "move-form" || askedAfter.get(event.target) === inputs) return;
    event.preventDefault();
    stale.add(event.target);
    setTimeout(draw);
  });
  document.addEventListener("made", () => { pressed = true; });
  box?.addEventListener("focusin", () => {
    pressed = false;
    if (working()) marks.filter((mark) => mark.id === "move-form").forEach(giveUp); // nothing closes under somebody's hands
  });
  box?.addEventListener("input", () => {
    pressed = false;
    inputs += 1;
    marks.forEach(giveUp);
  });
  box?.addEventListener("focusout", () => { setTimeout(draw); });
  for (const mark of marks) {
    const again = () => { stale.add(mark); };
    new MutationObserver(() => {
      if (drawing.has(mark)) return late.add(mark);
      if (mark.id === "move-form" && !concerns(mark)) return;
      again();
      draw();
    }).observe(mark, { childList: true });
    mark.addEventListener("htmx:error", again);
    mark.addEventListener("htmx:response:error", again);
  }
  note();
  let follows = JSON.stringify(selected());
  document.addEventListener("htmx:after:swap", () => {
    const now = JSON.stringify(selected());
    if (now === follows) return;
    follows = now;
    reopen(); // the stream follows the form that is shown
  });
  const page = document.querySelector("[data-live]");
  if (page) new MutationObserver(draw).observe(page, { attributeFilter: ["data-live-state"] });
}

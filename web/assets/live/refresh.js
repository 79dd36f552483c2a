// The composer offers what the sheets say, and cards say names. When these change, the server marks the one or the other
// as stale; it's drawn again, the composer with what is filled in and as soon as nobody is at work in it and nothing else
// is asked for, which may leave out what is filled in now. What couldn't be drawn is tried again with the connection.
const held = (name) => document.querySelector(`#composer-box input[name=${name}]`)?.value;

// stands tells that the server has seen already that the composer stays as it is.
const stands = (mark) => mark.querySelector("i")?.dataset.but === `${held("_offer")}.${held("_odds")}`;

export function refresh() {
  const marks = ["composer-stale", "log-stale"].map((id) => document.getElementById(id)).filter(Boolean);
  const box = document.getElementById("composer-box");
  const stale = new Set();
  const asking = new Set(); // by others
  const drawing = new Set();
  const late = new Set(); // marked again while they're drawn
  let pressed = false; // and not gone back to the composer since
  let inputs = 0; // in the composer
  const askedAfter = new Map(); // by marks: how many inputs there were when it was asked for
  const reckoned = () => [...asking].some(({ sourceElement }) => sourceElement?.id === "odds");
  const working = () => box?.querySelector(":is(input, select, textarea, summary):focus");

  function draw() {
    const busy = !pressed && working();
    for (const mark of stale) {
      if (asking.size > 0 || (busy && mark.id === "composer-stale")) continue;
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
    if (event.target.id !== "composer-stale" || askedAfter.get(event.target) === inputs) return;
    event.preventDefault();
    stale.add(event.target);
    setTimeout(draw);
  });
  document.addEventListener("made", () => { pressed = true; });
  box?.addEventListener("focusin", () => {
    pressed = false;
    if (working()) marks.filter((mark) => mark.id === "composer-stale").forEach(giveUp); // nothing closes under somebody's hands
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
      if (stands(mark) && !reckoned()) return; // odds that are on their way may be older
      again();
      draw();
    }).observe(mark, { childList: true });
    mark.addEventListener("htmx:error", again);
    mark.addEventListener("htmx:response:error", again);
  }
  const page = document.querySelector("[data-live]");
  if (page) new MutationObserver(draw).observe(page, { attributeFilter: ["data-live-state"] });
}

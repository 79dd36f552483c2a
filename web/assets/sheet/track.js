// Tracks that the reader may change are sliders: a press on the n-th box marks
// so many (on the last marked one, one less), arrows and digits do it by
// keyboard. A change shows at once; steps in quick succession are sent as one
// change. sheet.js loads this with the first press or key on a track.
let sheet; // {about, complain, keep, key}, which sheet.js gives

const pause = 500; // ms without a further step
const waiting = new Map(); // sliders whose change isn't kept yet, by id

const number = (slider, name) => Number(slider.getAttribute(`aria-value${name}`));

function draw(slider, n) {
  const said = slider.dataset.said.replace("{n}", n);
  if (slider.ariaValueNow === String(n) && slider.ariaValueText === said) return; // or it might be heard again
  slider.setAttribute("aria-valuenow", n);
  slider.setAttribute("aria-valuetext", said);
  const boxes = slider.getElementsByClassName("box");
  while (boxes.length > 0 && boxes.length < n) {
    const box = boxes[boxes.length - 1].cloneNode(true);
    box.classList.remove("box-free");
    slider.append(box);
  }
  for (let i = 0; i < boxes.length; i++) boxes[i].classList.toggle("box-marked", i < n);
  const bar = slider.querySelector(".bar-now");
  if (bar) bar.setAttribute("width", `${100 * n / Math.max(1, number(slider, "max"))}%`);
  const shown = slider.parentElement.querySelector(".track-number");
  if (shown) shown.textContent = n;
}

function show(slider, n) {
  draw(slider, n);
  slider.dataset.set = "";
}

// set marks n, and keeps it once the reader has come to rest.
function set(slider, n) {
  n = Math.min(number(slider, "max"), Math.max(number(slider, "min"), n));
  const now = number(slider, "now");
  let change = waiting.get(slider.id);
  if (n === now && !change) return;
  if (!change) {
    change = { was: now, timer: 0 };
    waiting.set(slider.id, change);
  }
  show(slider, n);
  Object.assign(change, { n, field: sheet.about(slider) }); // the sheet may make room for another
  clearTimeout(change.timer);
  change.timer = setTimeout(() => send(slider.id), pause);
}

async function send(id) {
  const change = waiting.get(id);
  if (!change) return;
  const { n, field } = change;
  const problem = await sheet.keep(field, String(field.gone === undefined ? n : Number(field.gone) - n), sheet.key());
  if (change.n !== n) return; // the reader went on meanwhile: that is sent too
  rest(id, change);
  if (problem && document.getElementById(id)) sheet.complain(id, problem);
}

// rest shows the sheet's own value again, unless an updated sheet shows it already.
function rest(id, { was }) {
  waiting.delete(id);
  const slider = document.getElementById(id);
  if (!slider || !("set" in slider.dataset)) return;
  delete slider.dataset.set;
  draw(slider, was);
}

// What shows a sheet as it is takes the mark away, and what the reader has set shows again, as long as it waits.
document.addEventListener("htmx:after:swap", () => {
  for (const [id, change] of waiting) {
    const slider = document.getElementById(id);
    if (slider && !("set" in slider.dataset)) {
      change.was = number(slider, "now");
      show(slider, change.n);
    }
  }
});

let typed = { id: "", digits: "", at: 0 };

// press takes a press on a track.
export function press(slider, { target, clientX, clientY }, given) {
  sheet = given;
  const step = target.closest("[data-track-step]");
  if (step) {
    set(slider, number(slider, "now") + Number(step.dataset.trackStep));
    return;
  }
  const boxes = [...slider.getElementsByClassName("box")];
  let n;
  if (boxes.length === 0) {
    const bar = slider.getBoundingClientRect();
    n = Math.round(number(slider, "max") * (clientX - bar.left) / bar.width);
  } else {
    const near = (box) => {
      const at = box.getBoundingClientRect();
      return Math.hypot(clientX - at.left - at.width / 2, clientY - at.top - at.height / 2);
    };
    n = 1 + boxes.reduce((best, box, i) => (near(box) < near(boxes[best]) ? i : best), 0);
    if (n === number(slider, "now")) n--;
  }
  slider.focus();
  set(slider, n);
}

// type takes a key on a slider.
export function type(slider, { key, shiftKey, timeStamp }, given) {
  sheet = given;
  const now = number(slider, "now");
  const by = shiftKey ? 5 : 1;
  if (key === "ArrowUp" || key === "ArrowRight") set(slider, now + by);
  else if (key === "ArrowDown" || key === "ArrowLeft") set(slider, now - by);
  else if (key === "PageUp") set(slider, now + 5);
  else if (key === "PageDown") set(slider, now - 5);
  else if (key === "Home") set(slider, number(slider, "min"));
  else if (key === "End") set(slider, Math.max(now, slider.getElementsByClassName("box").length || number(slider, "max")));
  else if (key === "Escape") {
    const change = waiting.get(slider.id);
    clearTimeout(change?.timer);
    if (change) rest(slider.id, change);
  } else {
    const going = typed.id === slider.id && timeStamp - typed.at < 900;
    typed = { id: slider.id, digits: (going ? typed.digits : "") + key, at: timeStamp };
    set(slider, Number(typed.digits));
  }
}

// Changes that still wait are sent before the page goes.
addEventListener("pagehide", () => { for (const id of waiting.keys()) send(id); });

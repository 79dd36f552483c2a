// A sheet is used to play: a press on one of its links (a.use) fills the composer with that move, and tracks are
// marked (track.js). Its values can be changed in place only in edit mode (sheetedit.js). Both are loaded with the first press.
import htmx from "htmx.org";
import { due, told } from "../live/live.js";
import { rises, unfold } from "../table/fold.js";

const panel = document.getElementById("panel-sheet");

// keep sends one value and gives what is wrong with it, "" once the page shows that it was taken.
export async function keep(field, value, key) {
  const kept = (name) => document.querySelector(`#composer-form [name=${name}]`)?.value ?? "";
  const body = new URLSearchParams({
    _form: "value", _c: field.sheet, _path: field.value, _value: value, _among: field.among ?? "", _key: key, _a: kept("_a"), _m: kept("_m"),
  });
  let answer;
  try {
    answer = await fetch(panel.dataset.values, { method: "POST", body, keepalive: true, headers: { "HX-Request": "true" } });
  } catch {
    return panel.dataset.lost;
  }
  if (answer.headers.get("HX-Refresh")) {
    location.reload();
    return "";
  }
  const said = new DOMParser().parseFromString(await answer.text(), "text/html").body;
  if (!answer.ok) return said.querySelector("[data-problem], .toast")?.textContent.trim() || panel.dataset.lost;
  const seq = Number(answer.headers.get("Norn-Seq"));
  due(seq);
  await told(seq);
  const place = document.getElementById("sheet-said");
  place.ariaLive = document.activeElement?.matches("[role=slider]") ? "off" : "polite"; // a slider says its value itself
  place.textContent = said.textContent.trim();
  return "";
}

// about returns what a value's element says about the value.
export const about = (element) => ({ ...element.dataset, id: element.id, label: element.title, sheet: element.closest("[data-sheet]").dataset.sheet });

// key is of something that is sent once.
export const key = (bytes = 8) => Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, "0")).join("");

// complain says what was wrong with something that has no control to type in.
export function complain(id, text) {
  document.getElementById(`${id}-complaint`)?.remove();
  const note = document.createElement("p");
  note.className = "problem value-box value-complaint";
  note.id = `${id}-complaint`;
  note.setAttribute("role", "alert");
  note.textContent = text;
  panel.append(note);
  const element = document.getElementById(id);
  const around = panel.getBoundingClientRect();
  const under = element.getBoundingClientRect();
  note.style.insetBlockStart = `${under.bottom - around.top + panel.scrollTop + 4}px`;
  note.style.insetInlineStart = `${Math.max(0, Math.min(under.left - around.left, panel.clientWidth - note.offsetWidth - 8))}px`;
  const gone = () => { note.remove(); element.removeEventListener("blur", gone); };
  if (document.activeElement === element) element.addEventListener("blur", gone);
  setTimeout(gone, 8000);
}

const get = (at) => htmx.ajax("GET", location.pathname + at, { source: document.querySelector("main"), swap: "none" });

// use fills the composer with what was pressed, one after another; what it's filled with already stays.
let last = Promise.resolve();
async function use(link) {
  const form = document.getElementById("composer-form");
  const query = new URLSearchParams(form ? [...new FormData(form)] : []);
  for (const [name, value] of new URL(link.href).searchParams) query.set(name, value);
  if (form?.elements._a.value === query.get("_a")) query.set("_keep", "1");
  if (rises()) location.hash = "composer";
  else unfold();
  await get(`/move?${query}`);
  const place = document.getElementById("sheet-said");
  place.ariaLive = "polite";
  place.textContent = `${document.querySelector("#moves [aria-current]")?.textContent.trim()}: ${link.textContent.trim()}`;
}

// Tracks are marked by script that comes with the first press or key on one. The sheet may come anew meanwhile: then
// what was pressed is no longer on the page, and its successor is marked.
const given = { about, complain, keep, key };
const tracks = (pressed, take) => {
  const { id } = pressed.closest(".track-line");
  import("./track.js").then((track) => {
    const slider = document.querySelector(`#${CSS.escape(id)} [role=slider][data-value]`);
    if (slider) take(track, slider);
  }, () => complain(id, panel.dataset.lost));
};
const keys = /^(Arrow(Up|Down|Left|Right)|Page(Up|Down)|Home|End|\d)$/;

let loaded;
function change() {
  if (document.querySelector("#sheet > [data-changing]")) loaded ??= import("./sheetedit.js").then((all) => {
    all.change({ about, complain, keep, key, get });
    panel.dataset.changes = "";
  }, () => { loaded = undefined; });
}

if (panel) {
  panel.addEventListener("click", (event) => {
    const track = event.target.closest("[data-track-step], [role=slider][data-value]");
    if (track) tracks(track, ({ press }, slider) => press(slider, event, given));
    const link = event.target.closest("a.use");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    last = last.then(() => use(link)).catch(() => {});
  });
  panel.addEventListener("keydown", (event) => {
    const slider = event.target.closest("[role=slider][data-value]");
    if (!slider || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!keys.test(event.key) && !(event.key === "Escape" && "set" in slider.dataset)) return;
    event.preventDefault();
    event.stopPropagation();
    tracks(slider, ({ type }, now) => type(now, event, given));
  });
  document.addEventListener("htmx:after:swap", change);
  change();
}

// Dice thrown by hand, loaded when somebody throws some: their faces are tapped, and what is typed without spaces, which a
// phone's keypad doesn't have, is sent as faces. The field itself keeps what was typed.
const most = 20; // sides that are shown as a button each; of more, digits are
const other = 12; // sides of dice of which the page says nothing

// poolOf is which dice fall first, as far as the page says it.
function poolOf(input) {
  const from = input.closest(".question[data-pool]")?.dataset ?? document.querySelector("#odds [data-pool]")?.dataset;
  return { n: Number(from?.pool ?? 0), sides: Number(from?.sides ?? 0) };
}

// apart splits a text into faces: with ten sides, 47 is 4 and 7, and 3101 is 3, 10 and 1. Faces that were typed apart stay as
// they are, so that norn can say which of them no die has.
export function apart(text, { n, sides }) {
  const faces = text.trim().split(/[\s,;]+/).filter(Boolean);
  if (faces.length > 1) return faces;
  for (let i = 0; sides > 1 && i < faces.length && i < n; i++) {
    if (!/^\d+$/.test(faces[i]) || Number(faces[i]) <= sides) continue;
    let first = faces[i].length - 1;
    while (first > 1 && Number(faces[i].slice(0, first)) > sides) first--;
    const rest = faces[i].slice(first);
    if (rest.startsWith("0")) break; // no die has it: norn says what is wrong
    faces.splice(i, 1, faces[i].slice(0, first), rest);
  }
  return faces;
}

// likely is an example of what may be typed: as many faces as dice fall, or three; of many dice the first ones.
export function likely({ n, sides }) {
  const shown = Math.min(n || 3, 6);
  const faces = Array.from({ length: shown }, (_, i) => Math.min([3, 10, 1][i % 3], sides || other));
  return faces.join(" ") + (n > shown ? " …" : "");
}

function changed(input) {
  input.dispatchEvent(new Event("input", { bubbles: true }));
}

// pad are the buttons under an input.
function pad(input) {
  const pool = poolOf(input);
  const sides = pool.sides || other;
  input.placeholder = likely(pool);
  const box = input.padded ??= Object.assign(document.createElement("div"), { className: "pad" });
  if (!box.isConnected) input.after(box);
  if (box.dataset.sides === String(sides)) return;
  box.dataset.sides = sides;
  const keys = sides > most ? [..."1234567890", " "] : Array.from({ length: sides }, (_, i) => String(i + 1));
  box.replaceChildren(...[...keys, "⌫"].map((face) => {
    const key = document.createElement("button");
    key.type = "button";
    key.tabIndex = -1; // who has a keyboard types
    key.textContent = face === " " ? "␣" : face;
    if (face === "⌫" || face === " ") key.ariaHidden = "true";
    key.addEventListener("click", () => {
      if (face === "⌫") input.value = sides > most ? input.value.trimEnd().slice(0, -1) : apart(input.value, pool).slice(0, -1).map((one) => `${one} `).join("");
      else input.value = sides > most ? input.value + face : `${[...apart(input.value, pool), face].join(" ")} `;
      changed(input);
    });
    return key;
  }));
}

const inputs = "#hand-dice, .question input[name=faces]";

export function faces() {
  document.addEventListener("input", ({ target }) => {
    if (!target.matches?.(inputs)) return;
    pad(target);
  });
  addEventListener("formdata", ({ target, formData }) => {
    for (const input of target.querySelectorAll(inputs)) if (formData.has(input.name)) formData.set(input.name, apart(input.value, poolOf(input)).join(" "));
  });
  const all = () => { for (const input of document.querySelectorAll(inputs)) if (input.checkVisibility()) pad(input); };
  document.addEventListener("toggle", all, true);
  document.addEventListener("htmx:after:swap", all);
  all();
}

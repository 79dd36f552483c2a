// Dice that fall: those of a throw that comes to the log roll into their places,
// for half a second at most. The result is on the page before they move, so
// nobody waits for them; any key or press brings them to rest. None move where
// the reader has switched it off, here or for the whole device. A click for each
// die can be heard, if the reader wants it.
import { read, write } from "./queue.js";

const longest = 480; // ms until the last die lies
const most = 12; // dice whose fall is heard

const still = matchMedia("(prefers-reduced-motion: reduce)");

// What the reader has chosen is kept in the browser alone.
const chosen = {
  motion: read("localStorage", "norn.motion") ?? true,
  sound: read("localStorage", "norn.sound") ?? false,
};

let falling = [];

// roll lets the dice of a newcomer in the log fall, and be heard.
function roll(dice) {
  if (chosen.motion && !still.matches) {
    const apart = Math.min(30, 120 / dice.length);
    for (const [i, die] of dice.entries()) {
      const delay = apart * i;
      falling.push(die.animate([
        { transform: `translate(${i % 2 ? 14 : -14}px, -20px) rotate(${i % 2 ? 200 : -220}deg)`, opacity: 0 },
        { transform: "translate(0, 2px) rotate(14deg)", opacity: 1, offset: 0.7 },
        { transform: "none" },
      ], { duration: longest - 120, delay, easing: "ease-out", fill: "backwards" }));
    }
  }
  if (chosen.sound) sound(dice.slice(0, most).map((_, i) => 0.12 + 0.03 * i));
}

function rest() {
  for (const fall of falling) fall.finish();
  falling = [];
}

// sound lets a die be heard after each of the times, in seconds. What makes it is
// loaded by who wants it; without a connection the dice stay silent.
function sound(times) {
  import("./knock.js").then(({ knock }) => times.forEach((time) => knock(time)), () => {});
}

// fall watches the log, and offers the choices in the menu.
export function fall() {
  const log = document.getElementById("log");
  if (!log) return;
  new MutationObserver((changes) => {
    const dice = changes.flatMap((change) => [...change.addedNodes]).filter((node) => node.nodeType === Node.ELEMENT_NODE)
      .flatMap((node) => (node.matches(".die") ? [node] : [...node.querySelectorAll(".die")]));
    if (dice.length) roll([...new Set(dice)]);
  }).observe(log, { childList: true, subtree: true });
  for (const event of ["keydown", "pointerdown"]) addEventListener(event, rest, { capture: true, passive: true });

  const box = document.getElementById("feel");
  if (!box) return;
  box.hidden = false;
  for (const button of box.querySelectorAll("[data-feel]")) {
    const name = button.dataset.feel;
    const show = () => button.setAttribute("aria-pressed", String(chosen[name]));
    show();
    button.addEventListener("click", () => {
      chosen[name] = !chosen[name];
      write("localStorage", `norn.${name}`, chosen[name]);
      show();
      if (name === "sound" && chosen.sound) sound([0]);
    });
  }
}

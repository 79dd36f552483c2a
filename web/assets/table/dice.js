// Dice that fall: those of a throw that is new in the log roll into their places, for half a second at most, and a throw that
// comes alone is seen large for a second (spotlight.js), unless its reader is writing something. The result is on the page
// before they move, so nobody waits for them; any key or press brings them to rest. None move where the reader has switched
// it off, here or for the whole device. A click for each die can be heard, if the reader wants it, which is asked once.
import { leave as done } from "./controls.js";
import { read, write } from "../shell/storage.js";

const longest = 480; // ms until the last die lies
const most = 12; // dice whose fall is heard

const still = matchMedia("(prefers-reduced-motion: reduce)");

// The reader's choices are stored in the browser alone.
const chosen = {
  motion: read("localStorage", "norn.motion") ?? true,
  sound: read("localStorage", "norn.sound") ?? false,
  scene: read("localStorage", "norn.scene") ?? true,
};

const falling = new Set(); // which still do: whatever held one longer would hold its card as well
let leave = () => {}; // takes the throw away that is shown large
let offered = false;

// roll lets the dice of a newcomer in the log fall, and be heard.
function roll(dice) {
  if (chosen.motion && !still.matches) {
    const apart = Math.min(30, 120 / dice.length);
    for (const [i, die] of dice.entries()) {
      const delay = apart * i;
      const fall = die.animate([
        { transform: `translate(${i % 2 ? 14 : -14}px, -20px) rotate(${i % 2 ? 200 : -220}deg)`, opacity: 0 },
        { transform: "translate(0, 2px) rotate(14deg)", opacity: 1, offset: 0.7 },
        { transform: "none" },
      ], { duration: longest - 120, delay, easing: "ease-out", fill: "backwards" });
      falling.add(fall);
      fall.onfinish = fall.oncancel = () => falling.delete(fall);
    }
  }
  if (chosen.sound) sound(dice.slice(0, most).map((_, i) => 0.12 + 0.03 * i));
}

// known counts the dice of each card, to distinguish a new throw from a card that was only redrawn.
const known = new Map();
const diceOf = (card) => [...card.querySelectorAll(":scope > :is(.card-result, .throws) .die")];

// cardsOf are the cards with throws that have come, or changed.
function cardsOf(changes) {
  const touched = changes.flatMap(({ addedNodes, target }) => [...addedNodes, target.closest(".card")]);
  return new Set(touched.filter((node) => node?.isConnected && node.matches?.(".card[data-throws]")));
}

// present shows a throw large that has come to the log alone.
function present(cards) {
  const thrown = [];
  for (const card of cards) {
    const dice = diceOf(card);
    if (dice.length > (known.get(card.id) ?? 0)) thrown.push([card, dice.slice(card.querySelector(":scope > .card-result .die") ? 0 : known.get(card.id))]);
    known.set(card.id, dice.length);
  }
  if (thrown.length !== 1 || "found" in document.getElementById("log").dataset) return;
  const [card, dice] = thrown[0];
  const mine = "mine" in card.dataset;
  if (mine) {
    offer(card);
    done(); // on a phone the composer would lie over the dice
  }
  const writing = document.activeElement?.matches("textarea, input:not([type=checkbox], [type=radio])") && document.activeElement.value !== "";
  if (!chosen.motion || still.matches || document.hidden || (writing && !mine)) return;
  import("./spotlight.js").then((spotlight) => {
    leave = spotlight.leave;
    spotlight.show(card, dice, mine);
  }, () => {}); // without a connection the card is all there is
}

// offer asks once whether the dice shall be heard, below the reader's first throw that asks nothing: it covers nothing,
// takes no room from a question, and goes when the card is drawn anew.
function offer(card) {
  const button = document.querySelector("[data-feel=sound]");
  if (!button || card.querySelector(".question") || offered || chosen.sound || read("localStorage", "norn.sound") !== null) return;
  offered = true;
  write("localStorage", "norn.sound", false);
  const ear = Object.assign(document.createElement("button"), { type: "button", className: "hear", textContent: button.dataset.offer });
  ear.addEventListener("click", () => {
    button.click();
    ear.remove();
  });
  card.append(ear);
}

function rest() {
  leave();
  for (const fall of falling) fall.finish();
  falling.clear();
}

// sound lets a die be heard after each of the times, in seconds. What makes it is
// loaded by who wants it; without a connection the dice stay silent.
function sound(times) {
  import("./sound.js").then(({ knock }) => times.forEach((time) => knock(time)), () => {});
}

// call says that a question waits: two notes, and a short shake of a phone.
export function call() {
  if (chosen.sound) import("./sound.js").then(({ bell }) => bell(), () => {});
  if (chosen.motion && !still.matches) navigator.vibrate?.([60, 90, 60]);
}

// fall watches the log, and offers the choices in the menu.
export function fall() {
  const log = document.getElementById("log");
  if (!log) return;
  for (const card of log.querySelectorAll(".card[data-throws]")) known.set(card.id, diceOf(card).length);
  new MutationObserver((changes) => {
    present(cardsOf(changes));
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
    const show = () => {
      button.setAttribute("aria-pressed", String(chosen[name]));
      if (name === "scene") document.documentElement.toggleAttribute("data-plain", !chosen.scene);
    };
    show();
    button.addEventListener("click", () => {
      chosen[name] = !chosen[name];
      write("localStorage", `norn.${name}`, chosen[name]);
      show();
      if (name === "sound" && chosen.sound) sound([0]);
    });
  }
}

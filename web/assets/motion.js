// Dice that fall: those of a throw that comes to the log roll into their places,
// for half a second at most. The result is on the page before they move, so
// nobody waits for them; any key or press brings them to rest. None move where
// the reader has switched it off, here or for the whole device. A click for each
// die can be heard, if the reader wants it.
const longest = 480; // ms until the last die lies
const most = 12; // dice whose fall is heard

const still = matchMedia("(prefers-reduced-motion: reduce)");

// What the reader has chosen is kept in the browser alone.
const chosen = {
  motion: localStorage.getItem("norn.motion") !== "off",
  sound: localStorage.getItem("norn.sound") === "on",
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
  if (chosen.sound) dice.slice(0, most).forEach((_, i) => knock(0.12 + 0.03 * i));
}

function rest() {
  for (const fall of falling) fall.finish();
  falling = [];
}

let audio;

// knock is a die on wood, after so many seconds: a short, damped tap, made here.
function knock(after) {
  if (!navigator.userActivation?.hasBeenActive) return; // browsers keep silent until the reader does something
  audio ??= new AudioContext();
  audio.resume();
  const at = audio.currentTime + after;
  const tap = audio.createOscillator();
  const volume = audio.createGain();
  tap.type = "triangle";
  tap.frequency.setValueAtTime(700 + 500 * Math.random(), at);
  tap.frequency.exponentialRampToValueAtTime(160, at + 0.05);
  volume.gain.setValueAtTime(0.12, at);
  volume.gain.exponentialRampToValueAtTime(0.001, at + 0.07);
  tap.connect(volume).connect(audio.destination);
  tap.start(at);
  tap.stop(at + 0.08);
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
      localStorage.setItem(`norn.${name}`, chosen[name] ? "on" : "off");
      show();
      if (name === "sound" && chosen.sound) knock(0);
    });
  }
}

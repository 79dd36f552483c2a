// A throw as an event: its dice fall large in the middle of the page, then how it came out is said, and after a second both
// are where they stay, on their card. It covers the page and takes no press; any key or press ends it.
const all = "translate(0, 0) rotate(0) scale(1)";

let standing; // the throw that is shown

export function leave() {
  standing?.remove();
  standing = undefined;
}

// show lets a card's dice fall. The card has the result before, for those who can't see or don't wait.
export function show(card, dice, mine) {
  leave();
  const outcome = card.querySelector(".card-result .outcome");
  const tone = /tone-(\w+)/.exec(outcome?.className)?.[1] ?? "neutral";
  const rare = card.querySelector(".rare") !== null;
  const natural = dice.some((die) => die.classList.contains("die-natural"));
  const great = tone === "triumph" || natural || rare, dire = tone === "disaster";
  const lasts = great || dire ? 1700 : mine ? 1250 : 1000;

  const stage = standing = document.createElement("div");
  stage.className = `stage stage-${tone}`;
  stage.ariaHidden = "true";
  const row = stage.appendChild(document.createElement("div"));
  row.className = "stage-dice";
  row.style.setProperty("--size", dice.length > 8 ? "3rem" : dice.length > 3 ? "4.25rem" : "6rem");
  for (const [i, die] of dice.slice(0, 24).entries()) {
    row.appendChild(die.cloneNode(true)).animate([
      { transform: `translate(${i % 2 ? 40 : -40}px, -70px) rotate(${i % 2 ? 260 : -300}deg) scale(0.7)`, opacity: 0 },
      { transform: "translate(0, 4px) rotate(10deg) scale(1)", opacity: 1, offset: 0.75 },
      { transform: all },
    ], { duration: 380, delay: Math.min(i * 25, 100), easing: "ease-out", fill: "backwards" });
  }
  if (outcome) {
    const word = stage.appendChild(outcome.cloneNode(true));
    word.animate([{ opacity: 0, scale: 0.6 }, { opacity: 1, scale: great ? 1.25 : 1.05, offset: 0.6 }, { scale: 1 }], { duration: 260, delay: 480, fill: "backwards", easing: "ease-out" });
    if (great) word.animate([{ boxShadow: "0 0 0 0 var(--tone)" }, { boxShadow: "0 0 0 2.5rem transparent" }], { duration: 700, delay: 620 });
    if (dire) stage.animate([0, -10, 9, -6, 4, 0].map((x) => ({ translate: `${x}px 0` })), { duration: 320, delay: 500 });
  }
  document.body.append(stage);
  for (const said of card.querySelectorAll(":scope > .card-result .outcome, :scope > .lines")) { // the word comes after the dice
    said.animate([{ opacity: 0 }, { opacity: 0, offset: 0.95 }, { opacity: 1 }], { duration: 500 });
  }
  const end = stage.animate([{ opacity: 1 }, { opacity: 1, offset: 0.85 }, { opacity: 0 }], { duration: lasts });
  end.onfinish = () => { if (standing === stage) leave(); };
  if (mine) navigator.vibrate?.(great ? [25, 60, 25, 60, 60] : dire ? [160] : [25]);
}

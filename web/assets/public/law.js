// Statistics and other views of the odds on a page, drawn once somebody opens them.
const drawn = new WeakMap(); // what each place was drawn of

async function draw() {
  const details = document.querySelector("#odds-law[open]");
  const place = details?.querySelector(".law");
  if (!place || drawn.get(place) === details.dataset.law && place.childElementCount > 0) return;
  drawn.set(place, details.dataset.law);
  const { drawLaw } = await import("../lab/law.js");
  const { sides, words, name } = JSON.parse(details.dataset.law);
  drawLaw(place, sides, words, document.documentElement.lang, name);
}

document.addEventListener("htmx:after:swap", draw);
document.addEventListener("toggle", draw, true); // which doesn't bubble
draw();

// Loads the faces to tap for players who throw by hand, as soon as a field for them is on the page.
const inputs = ".hand[open] #hand-dice, .question input[name=faces]";

export function hand() {
  const look = () => {
    if (!document.querySelector(inputs)) return;
    document.removeEventListener("toggle", look, true);
    document.removeEventListener("htmx:after:swap", look);
    import("./faces.js").then(({ faces }) => faces(), () => {}); // without a connection they're typed
  };
  document.addEventListener("toggle", look, true);
  document.addEventListener("htmx:after:swap", look);
  look();
}

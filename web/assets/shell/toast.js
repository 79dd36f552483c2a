// A short message at the edge of the page goes away by itself.
export function toast(text) {
  const note = Object.assign(document.createElement("p"), { className: "toast", textContent: text });
  document.getElementById("toasts").replaceChildren(note);
  fade(note);
}

export function fade(note) { setTimeout(() => note.remove(), 6000); }

// Focus survives live updates: where what had it is gone, it goes to the question
// that follows there, else to the nearest part around it that is still on the
// page. Only for who works with the keyboard: others would be led astray.
let way = []; // ids of what lay around the focus, from the inside

addEventListener("pointerdown", () => { way = []; }, { capture: true, passive: true });
addEventListener("keydown", (event) => {
  if (event.key === "Escape") way = [];
  else note(document.activeElement);
}, { capture: true });
addEventListener("focusin", ({ target }) => { if (way.length > 0) note(target); });

function note(element) {
  way = [];
  for (let around = element; around; around = around.parentElement) if (around.id) way.push(around.id);
}

document.addEventListener("htmx:after:swap", () => {
  const { activeElement } = document;
  if (way.length === 0 || (activeElement && activeElement !== document.body)) return;
  const near = way.map((id) => document.getElementById(id)).find(Boolean);
  if (!near) return;
  const next = near.querySelector(".question[data-mine] :is(select, input:not([type=hidden]), textarea, button)");
  if (!next && near.tabIndex < 0) near.tabIndex = -1;
  (next ?? near).focus({ preventScroll: !next });
});

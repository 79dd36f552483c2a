// Who raised the X-card may take it back for ten seconds: then the way to do so goes. Until then
// their own second press, most likely of an unsteady finger, raises nothing.
const lasts = 10_000; // ms, as the server judges it

export function xcard() {
  const mine = document.getElementById("x-mine");
  if (!mine) return;
  new MutationObserver(() => {
    const form = mine.firstElementChild;
    if (form) setTimeout(() => form.remove(), lasts);
  }).observe(mine, { childList: true });
  document.addEventListener("submit", (event) => {
    if (!event.target.matches(".x-raise") || !mine.firstElementChild) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }, true);
}

// What comes into an element with data-lasts goes after that many milliseconds. A form whose data-unless selects an
// element isn't sent while there is one: its second press is most likely one of an unsteady finger.
export function brief() {
  for (const place of document.querySelectorAll("[data-lasts]")) {
    new MutationObserver(() => {
      const shown = place.firstElementChild;
      if (shown) setTimeout(() => shown.remove(), Number(place.dataset.lasts));
    }).observe(place, { childList: true });
  }
  document.addEventListener("submit", (event) => {
    const unless = event.target.dataset.unless;
    if (!unless || !document.querySelector(unless)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }, true);
}

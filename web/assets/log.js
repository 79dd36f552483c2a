// The log stays at its newest entry while the reader is there; who has scrolled
// up is told that there is more below. The log's box lies upside down
// (column-reverse), so its newest end is where scrolling is 0.
export function follow() {
  const log = document.getElementById("log");
  const box = document.getElementById("log-box");
  const more = document.getElementById("more-below");
  if (!log || !box || !more) return;

  const atEnd = () => box.scrollTop > -40;
  let last = log.lastElementChild?.id;

  new MutationObserver(() => {
    const newest = log.lastElementChild?.id;
    if (newest === last) return;
    last = newest;
    if (!atEnd()) more.hidden = false;
  }).observe(log, { childList: true });

  box.addEventListener("scroll", () => { if (atEnd()) more.hidden = true; }, { passive: true });
  more.addEventListener("click", () => { box.scrollTo({ top: 0, behavior: "smooth" }); });

  // A question that waits is seen in the title of a tab that is not in front.
  const count = document.getElementById("tab-count");
  const title = document.title;
  const counted = () => {
    const n = count.textContent.trim();
    document.title = n ? `(${n}) ${title}` : title;
  };
  new MutationObserver(counted).observe(count, { childList: true, characterData: true, subtree: true });
  counted();

  // What the reader has done is seen at once.
  document.addEventListener("submit", (event) => {
    if (event.target.matches("[data-form=move]")) box.scrollTo({ top: 0 });
  });
}

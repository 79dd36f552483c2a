// The log stays at its newest entry while the reader is there; who has scrolled
// up is told how much has come meanwhile. The log's box lies upside down
// (column-reverse), so its newest end is where scrolling is 0.
import { call } from "./motion.js";

export function follow() {
  const log = document.getElementById("log");
  const box = document.getElementById("log-box");
  const more = document.getElementById("more-below");
  if (!log || !box || !more) return;

  const count = document.getElementById("more-count");
  const atEnd = () => box.scrollTop > -40;
  let last = log.lastElementChild?.id;
  let come = 0;
  const seen = () => {
    come = 0;
    more.hidden = true;
  };

  // The newest question that waits for the reader is read from its beginning, where the box doesn't hold all of it.
  // A card has its height in the second frame, once it has been found to be in sight.
  const mine = () => log.lastElementChild?.querySelector(".question[data-mine]");
  const begin = () => requestAnimationFrame(() => requestAnimationFrame(() => {
    const question = mine();
    if (question && question.getBoundingClientRect().top < box.getBoundingClientRect().top) question.scrollIntoView({ block: "start" });
  }));
  let asked = mine()?.id;
  document.addEventListener("htmx:after:swap", () => { // one may also come in a card that stands there
    const now = mine()?.id;
    if (now && now !== asked && atEnd()) begin();
    asked = now;
  });

  new MutationObserver((changes) => {
    const newest = log.lastElementChild?.id;
    if (newest === last) return;
    last = newest;
    if (atEnd()) {
      begin();
      return;
    }
    for (const change of changes) come += [...change.addedNodes].filter((node) => node.id).length;
    count.textContent = come > 0 ? String(come) : "";
    more.hidden = false;
  }).observe(log, { childList: true });

  box.addEventListener("scroll", () => { if (atEnd()) seen(); }, { passive: true });
  more.addEventListener("click", () => { box.scrollTo({ top: 0, behavior: "smooth" }); });

  // An address that names an entry leads there, and the keyboard with it.
  const target = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
  if (target && log.contains(target)) {
    target.tabIndex = -1;
    target.focus({ preventScroll: true });
    target.scrollIntoView({ block: "center" });
  } else if (!location.hash) begin();

  // The time of an entry is its link: a press copies it.
  log.addEventListener("click", (event) => {
    const link = event.target.closest("[data-permalink]");
    if (!link || !navigator.clipboard || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    navigator.clipboard.writeText(link.href).then(() => {
      const toast = document.createElement("p");
      toast.className = "toast";
      toast.textContent = link.dataset.copied;
      document.getElementById("toasts")?.replaceChildren(toast);
      setTimeout(() => toast.remove(), 3000);
    }, () => { location.href = link.href; });
  });

  // A question that waits is seen in the title of a tab that is not in front, and heard by who hears the dice.
  const tab = document.getElementById("tab-count");
  const title = document.title;
  let waited = Number(tab.textContent);
  const counted = () => {
    const n = tab.textContent.trim();
    if (Number(n) > waited) call();
    waited = Number(n);
    document.title = n ? `(${n}) ${title}` : title;
  };
  new MutationObserver(counted).observe(tab, { childList: true, characterData: true, subtree: true });
  counted();

  // What the reader has done is seen at once.
  document.addEventListener("submit", (event) => {
    if (event.target.matches("[data-form=move], [data-form=answer]")) box.scrollTo({ top: 0 });
  });
}

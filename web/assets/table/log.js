// The log stays at its newest entry while the reader is there; a reader who has
// scrolled up sees how much has come meanwhile. The log's box is upside down
// (column-reverse), so its newest end is where scrolling is 0.
import { forReader } from "./asks.js";
import { shown } from "./days.js";
import { call } from "./dice.js";

const most = 60; // cards that stay, of those that are shown and of those that aren't
const spare = 20; // that may come before the oldest go

// trim lets the oldest cards go, for each that comes costs the more the more there are. What waits stays, and so does the
// head of a session; the link to what was earlier leads to where the log begins by now.
function trim(log) {
  const link = log.parentElement.querySelector("[data-earlier]");
  if (!link || "found" in log.dataset || log.children.length <= most + spare) return;
  const room = { true: most, false: most };
  let first;
  for (const card of [...log.children].reverse()) {
    if (!card.id || card.matches(".log-session, :has(.question, .waits, :focus)")) continue;
    if (room[shown(card)]-- > 0) first = card;
    else card.remove();
  }
  const at = new URL(location.href);
  at.searchParams.delete("_log");
  at.searchParams.set("_at", first.dataset.seq);
  at.hash = first.id;
  link.href = at;
  link.parentElement.hidden = false;
}

export function follow() {
  const log = document.getElementById("log");
  const box = document.getElementById("log-box");
  const more = document.getElementById("more-below");
  if (!log || !box || !more) return;

  const count = document.getElementById("more-count");
  let atEnd = true; // is kept, for asking a box that has just changed lays it out
  let last = log.lastElementChild?.id;
  let come = 0;
  const seen = () => {
    come = 0;
    more.hidden = true;
  };

  // The newest question that waits for the reader is read from its beginning, where the box doesn't hold all of it.
  // A card has its height in the second frame, once it has been found to be in sight.
  const mine = () => log.lastElementChild?.querySelector(forReader);
  const begin = () => requestAnimationFrame(() => requestAnimationFrame(() => {
    const question = mine();
    if (question && question.getBoundingClientRect().top < box.getBoundingClientRect().top) question.scrollIntoView({ block: "start" });
  }));
  let asked = mine()?.id;
  document.addEventListener("htmx:after:swap", () => { // one may also come in a card that stands there
    const now = mine()?.id;
    if (now && now !== asked && atEnd) begin();
    asked = now;
  });

  new MutationObserver((changes) => {
    const newest = log.lastElementChild?.id;
    if (newest === last) return;
    last = newest;
    if (atEnd) {
      begin();
      trim(log);
      return;
    }
    for (const change of changes) come += [...change.addedNodes].filter((node) => node.id).length;
    count.textContent = come > 0 ? String(come) : "";
    more.hidden = false;
  }).observe(log, { childList: true });

  box.addEventListener("scroll", () => {
    atEnd = box.scrollTop > -40;
    if (!atEnd) return;
    seen();
    trim(log);
  }, { passive: true });
  more.addEventListener("click", () => { box.scrollTo({ top: 0, behavior: "smooth" }); });

  // An address that names an entry leads there, and the keyboard with it.
  const target = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
  if (target && log.contains(target)) {
    target.tabIndex = -1;
    requestAnimationFrame(() => { // with the page's first layout, which costs a slow phone much
      target.focus({ preventScroll: true });
      target.scrollIntoView({ block: "center" });
    });
  } else if (!location.hash) begin();

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
  document.addEventListener("live:asked", ({ detail: { waits } }) => { // a page without a stream
    if (Number(tab.textContent) !== waits) tab.textContent = waits || "";
  }, true);
  new MutationObserver(counted).observe(tab, { childList: true, characterData: true, subtree: true });
  counted();

  // What the reader has done is seen at once.
  document.addEventListener("submit", (event) => {
    if (event.target.matches("[data-form=move]")) box.dataset.acted = "";
    if (event.target.matches("[data-form=move], [data-form=answer]")) box.scrollTo({ top: 0 });
  });
}

// What changes at the table is said to who hears the page: each change once, in one sentence that begins with who and how
// it came out. What comes together is said together, and of much at once only how much it is. The log itself isn't live:
// its cards would be read with all their buttons, and without the dice.
const most = 3; // entries that are said one by one
const rests = 250; // ms without a change before it's said; waits for what comes together
const prices = 700; // ms without new odds before they're said: an arrow key may change them again

const text = (element) => element?.textContent.replace(/\s+/g, " ").replaceAll(" · ", ", ").trim() ?? "";
const texts = (elements) => [...elements].map(text).filter(Boolean);
const dice = (thrown) => thrown?.querySelector(".dice")?.ariaLabel ?? "";
const sentence = (parts) => parts.filter(Boolean).map((part) => (/[.?!…]$/.test(part) ? part : `${part}.`)).join(" ");

// asked is a question as a sentence.
const asked = (question) => `${text(question.querySelector(".question-to"))}: ${text(question.querySelector(".question-head :is(h2, h3, h4)"))} ${text(question.querySelector(".question-head + p"))}`.trim();

// headOf is who did what.
const headOf = (card) => [card.querySelector(".card-who"), ...card.querySelectorAll(":is(.card-move, .card-options, .secret-tag)")].map(text).filter(Boolean).join(", ");

// partsOf are the sentences of a card.
function partsOf(card) {
  if (card.matches(".speech")) return [`${headOf(card)}: ${texts(card.querySelectorAll(".said")).join(" ")}`];
  if (!card.matches(".card")) return texts(card.querySelectorAll(":scope > :is([data-edit-text], h2, p, .undone-by)"));
  const result = card.querySelector(":scope > .card-result");
  const came = [text(result?.querySelector(".outcome")), text(result?.querySelector(".rare"))].filter(Boolean).join(", ");
  return [
    [headOf(card), came].filter(Boolean).join(": "),
    dice(result),
    ...[...card.querySelectorAll(".throw")].map((thrown) => [text(thrown.firstElementChild.matches(".dice") ? null : thrown.firstElementChild), dice(thrown)].filter(Boolean).join(" ")),
    ...texts(card.querySelectorAll(":scope > .undone-by, :scope > .lines > li, :scope > .waits")),
    ...[...card.querySelectorAll(".question")].map(asked),
  ].filter(Boolean);
}

// isOwn reports whether a card shows what its reader has just written or changed, and so knows.
function isOwn(card) {
  if (card.matches(".log-day, .note-before, .speech[data-mine]")) return true;
  const you = text(document.querySelector("#online [data-you] a"));
  return card.dataset.edited?.startsWith(`${you} `) && text(document.getElementById("sheet-said")).includes(card.dataset.is);
}

export function speak() {
  const log = document.getElementById("log");
  const said = document.getElementById("log-said");
  if (!log || !said) return;
  odds();

  const known = new Map(); // by ids of cards, what was said of them
  const last = () => Math.max(0, ...[...log.children].map((card) => Number(card.dataset.seq) || 0));
  for (const card of log.children) known.set(card.id, partsOf(card));
  let seen = last();
  let timer;

  function say() {
    const news = [];
    let come = 0;
    for (const card of log.children) {
      if (!card.id) continue;
      const parts = partsOf(card);
      const old = known.get(card.id);
      known.set(card.id, parts);
      if (!old && Number(card.dataset.seq) <= seen) continue; // an older page of the log
      const fresh = parts.filter((part) => !old?.includes(part));
      if (fresh.length === 0 || isOwn(card)) continue;
      if (!old) come++;
      if (old && fresh[0] !== parts[0]) fresh.unshift(headOf(card));
      news.push(fresh);
    }
    seen = Math.max(seen, last());
    for (const id of known.keys()) if (!document.getElementById(id)) known.delete(id);
    if (news.length === 0) return;
    if (come <= most) said.textContent = news.map(sentence).join(" ");
    else {
      const mine = [...log.querySelectorAll(".question[data-mine]")].map(asked);
      said.textContent = sentence([`${text(document.getElementById("more-below").firstElementChild)}: ${come}`, ...mine]);
    }
  }
  new MutationObserver(() => {
    clearTimeout(timer);
    timer = setTimeout(say, rests);
  }).observe(log, { childList: true, subtree: true, characterData: true });
}

// odds says the odds of the form once they rest, to who works in it.
function odds() {
  const said = document.getElementById("odds-said");
  const form = document.getElementById("composer");
  let timer;
  const now = () => {
    const shown = document.getElementById("odds");
    if (!shown) return "";
    const heads = texts(shown.querySelectorAll(":scope > .odds-heads > strong")).join(", ");
    if (!heads) return texts(shown.querySelectorAll(":scope > p")).join(" ");
    return [text(shown.querySelector(".odds-pool .faint")), heads].filter(Boolean).join(": ");
  };
  let before = now();
  document.addEventListener("htmx:after:swap", () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const news = now();
      if (news === before) return;
      before = news;
      if (form.contains(document.activeElement)) said.textContent = news;
    }, prices);
  });
}

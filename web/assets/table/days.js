// Days begin in the log where they begin for the reader: the server may not know
// the reader's zone, and cards come and go. A day's heading is before its first card
// in the part of the log that the reader has chosen.
const log = document.getElementById("log");
const parts = { mine: "[data-mine]", throws: "[data-throws]", talk: "[data-talk]" };
let words; // made when a day is first named here, which most pages never need

export function named(date) {
  words ??= new Intl.DateTimeFormat(document.documentElement.lang, { day: "numeric", month: "long" });
  const part = Object.fromEntries(words.formatToParts(date).map(({ type, value }) => [type, value]));
  return `${part.day} ${part.month} ${date.getFullYear()}`;
}

// shown reports whether a card is of the part of the log that was chosen.
export const shown = (card) => !log.dataset.part || card.matches(`${parts[log.dataset.part]}, .log-session, :has(.question, .waits)`);

// say has a time name its day. data-day is the day that it names by now.
function say(time, date) {
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((n) => String(n).padStart(2, "0")).join("-");
  if (time.dataset.day === day) return;
  time.dataset.day = day;
  time.textContent = named(date);
}

function part() {
  const kept = new Set();
  let day = "";
  for (const card of [...log.children]) {
    if (card.matches(".log-day") || !shown(card)) continue;
    const date = new Date(card.querySelector("time").dateTime);
    const own = card.querySelector("[data-day]");
    if (own) say(own, date);
    const before = day;
    day = date.toDateString();
    if (day === before) continue;
    let mark = card.previousElementSibling;
    if (!mark?.matches(".log-day")) {
      mark = document.createElement("li");
      mark.className = "log-day";
      mark.append(document.createElement("h2"));
      mark.firstChild.append(document.createElement("time"));
      log.insertBefore(mark, card);
    }
    mark.dataset.seq = card.dataset.seq;
    mark.querySelector("time").dateTime = date.toISOString();
    say(mark.querySelector("time"), date);
    kept.add(mark);
  }
  for (const mark of log.querySelectorAll(":scope > .log-day")) {
    if (!kept.has(mark)) mark.remove();
  }
}

if (log) {
  part();
  new MutationObserver(part).observe(log, { childList: true });
}

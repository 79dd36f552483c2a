// Quick changes by one seat to one value of a sheet become one line of the log: the
// last entry shows the change from the first one's old value, the others are hidden.
// In the same way, one line lists the characters that a seat adds. The entries stay.
// Quick messages of one speaker share one head.
const log = document.getElementById("log");
const quick = 120_000; // ms from one edit to the next

function time(note) { return Date.parse(note.querySelector("time").dateTime); }

function group() {
  for (const card of log.querySelectorAll(":scope > .speech")) {
    const before = card.previousElementSibling;
    const { speaker } = card.dataset;
    const on = Boolean(speaker) && before?.dataset.speaker === speaker && time(card) - time(before) <= quick;
    if ("goesOn" in card.dataset !== on) card.toggleAttribute("data-goes-on", on);
  }
}

function names(run) {
  const alike = Map.groupBy(run, ({ dataset }) => dataset.like);
  return [...alike].map(([like, all]) => (all.length > 1 ? `${like} × ${all.length}` : all[0].dataset.name)).join(", ");
}

function gather() {
  group();
  let run = [];
  let last = null;
  for (const note of log.children) {
    const { edited, joined, together } = note.dataset;
    const goes = last && (edited || joined) && edited === last.dataset.edited && joined === last.dataset.joined && time(note) - time(last) <= quick;
    run = goes ? [...run, note] : [note];
    if (goes) last.classList.add("note-before");
    last = note;
    if (!edited && !joined) continue;
    note.classList.remove("note-before");
    const text = note.querySelector("[data-edit-text]");
    text.dataset.whole ??= text.textContent;
    let shown = text.dataset.whole;
    if (goes) shown = joined ? together.replace("{names}", () => names(run)) : shown.replace(`${note.dataset.was} → ${note.dataset.is}`, `${run[0].dataset.was} → ${note.dataset.is}`);
    if (text.textContent !== shown) text.textContent = shown;
  }
}

if (log) {
  gather();
  // A morph takes data-whole away with the text it belongs to.
  new MutationObserver(gather).observe(log, { childList: true, subtree: true, attributeFilter: ["data-edited", "data-joined", "data-whole", "data-goes-on"] });
}

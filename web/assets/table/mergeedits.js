// What one seat did to one value of a sheet in quick turn is one line of the
// log: the last entry tells it from the first one's value, those before it step
// back. The entries stay.
const log = document.getElementById("log");
const quick = 120_000; // ms from one edit to the next

function time(note) { return Date.parse(note.querySelector("time").dateTime); }

function gather() {
  let first = null; // of a run
  let last = null;
  for (const note of log.children) {
    const goes = last && note.dataset.edited && note.dataset.edited === last.dataset.edited && time(note) - time(last) <= quick;
    if (!goes) first = note;
    if (goes) last.classList.add("note-before");
    last = note;
    if (!note.dataset.edited) continue;
    note.classList.remove("note-before");
    const text = note.querySelector("[data-edit-text]");
    text.dataset.whole ??= text.textContent;
    const shown = first === note ? text.dataset.whole
      : text.dataset.whole.replace(`${note.dataset.was} → ${note.dataset.is}`, `${first.dataset.was} → ${note.dataset.is}`);
    if (text.textContent !== shown) text.textContent = shown;
  }
}

if (log) {
  gather();
  // A morph takes data-whole away with the text it belongs to.
  new MutationObserver(gather).observe(log, { childList: true, subtree: true, attributeFilter: ["data-edited", "data-whole"] });
}

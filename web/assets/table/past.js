// A page of the log's past doesn't grow: a button counts the entries that come meanwhile, and leads to them.
export function past() {
  const newest = document.querySelector("[data-newest]");
  if (!newest) return;
  const from = Number(document.querySelector("[data-live-after]")?.dataset.liveAfter);
  const more = document.getElementById("more-below"), come = new Set();
  document.getElementById("log").addEventListener("log:passed", ({ detail: { id, dataset } }) => {
    if (!(Number(dataset.seq) > from)) return;
    come.add(id);
    document.getElementById("more-count").textContent = come.size;
    more.hidden = false;
  });
  more.addEventListener("click", () => { newest.click(); });
}

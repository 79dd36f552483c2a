// The composer offers what the sheets say, and cards say names. When somebody
// else changes them, the server marks the one or the other as stale; it's drawn
// again, the composer with what is filled in and as soon as nobody is at work in
// it. What couldn't be drawn is tried again with the connection.
export function refresh() {
  for (const [id, place] of [["composer-stale", "composer-box"], ["log-stale"]]) {
    const mark = document.getElementById(id);
    const box = document.getElementById(place);
    if (!mark) continue;

    let stale = false;
    const draw = () => {
      // What comes back from a move may leave out what is filled in now.
      if (!stale || box?.contains(document.activeElement) || box?.querySelector("form.htmx-request")) return;
      stale = false;
      mark.dispatchEvent(new Event("stale"));
    };
    const again = () => { stale = true; };
    new MutationObserver(() => { again(); draw(); }).observe(mark, { childList: true });
    mark.addEventListener("htmx:error", again);
    mark.addEventListener("htmx:response:error", again);
    new MutationObserver(draw).observe(document.querySelector("main"), { attributeFilter: ["data-live-state"] });
    box?.addEventListener("focusout", () => { setTimeout(draw); });
  }
}

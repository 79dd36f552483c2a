// The composer offers what the sheets say. When somebody else changes one, the
// server marks the composer as stale; it's drawn again, with what is filled in,
// as soon as nobody is at work in it.
export function refresh() {
  const mark = document.getElementById("composer-stale");
  const box = document.getElementById("composer-box");
  if (!mark || !box) return;

  let stale = false;
  const draw = () => {
    if (!stale || box.contains(document.activeElement)) return;
    stale = false;
    mark.dispatchEvent(new Event("stale"));
  };
  new MutationObserver(() => { stale = true; draw(); }).observe(mark, { childList: true });
  box.addEventListener("focusout", () => { setTimeout(draw); });
}

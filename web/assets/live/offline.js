// Announces a lost connection, and its return, to screen readers. A press that
// can't wait for the connection (queue.js) shows an error at once. Odds that couldn't
// be loaded are removed, since they don't fit the changed form; they are requested
// again when the connection is back, or soon if it wasn't lost.
import { toast } from "../shell/toast.js";

const patience = 3_000; // ms: most connections are back by then, and nobody has missed anything
const soon = 2_000; // ms until chances are asked for again where only their own answer was lost

export function offline() {
  const main = document.querySelector("[data-live]");
  const said = document.getElementById("live-said");
  if (!main || !said) return;

  let away = false;
  let unpriced = false;
  let lost = 0; // timer until it's said
  let heard = false;
  const announce = (now) => {
    heard = true;
    said.textContent = said.dataset[now];
  };
  const again = () => {
    unpriced = false;
    document.getElementById("odds")?.dispatchEvent(new Event("other"));
  };
  const state = () => {
    const { liveState: now } = main.dataset;
    if (now === "connecting" || ["open", "resting"].includes(now) !== away) return;
    away = !away;
    clearTimeout(lost);
    if (away) lost = setTimeout(announce, now === "ended" ? 0 : patience, now);
    else if (heard) {
      announce("open");
      heard = false;
    }
    if (!away && unpriced) again();
  };
  new MutationObserver(state).observe(main, { attributeFilter: ["data-live-state"] });

  document.addEventListener("htmx:response:error", ({ target, detail: { ctx } }) => {
    const { status } = ctx.response;
    if (target.id === "odds" && (status === 429 || status >= 500)) setTimeout(again, soon);
  });
  document.addEventListener("htmx:error", ({ target, detail: { ctx } }) => {
    if (!ctx?.request || ctx.queued) return;
    if (target.id !== "odds") return ctx.response || toast(said.dataset.undone);
    unpriced = true; // what is thrown meanwhile is not lost
    target.replaceChildren(Object.assign(document.createElement("p"), { className: "faint", textContent: said.dataset.waiting }));
    if (main.dataset.liveState === "open") setTimeout(() => { if (unpriced && !away) again(); }, soon);
  });
}

// On a phone a menu or the search covers the page: it's a step of history, so that Back closes it and stays at the table.
const all = "details.menu, details.log-bar, details.moves-all";
const narrow = matchMedia("(max-width: 47.99rem)");

export function panels() {
  let pressed;
  let leaving = false; // the step is being left, which takes a moment
  const open = () => [...document.querySelectorAll(all)].some((panel) => panel.open);
  const step = () => history.pushState({ ...history.state, panel: true }, "");
  document.addEventListener("click", ({ target }) => { pressed = target.closest?.("summary")?.parentElement; }, true);
  document.addEventListener("toggle", ({ target }) => {
    if (!target.matches?.(all) || leaving) return;
    if (target.open && target === pressed && narrow.matches && !history.state?.panel) step();
    if (!target.open && history.state?.panel && !open()) {
      leaving = true;
      history.back();
    }
  }, true);
  document.addEventListener("click", ({ target }) => {
    // what is pressed in a sheet's menu replaces the sheet, and the step of history would stay
    const menu = target.closest?.(".sheet-tools :is([hx-get], [data-print])")?.closest("details");
    if (menu) menu.open = false;
  });
  addEventListener("popstate", ({ state }) => {
    if (leaving) {
      leaving = false;
      if (narrow.matches && open()) step(); // the next one was opened meanwhile
    } else if (!state?.panel) {
      for (const panel of document.querySelectorAll(all)) if (narrow.matches) panel.open = false;
    }
  });
}

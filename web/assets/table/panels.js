// On a phone a menu or the search covers the page: it's a step of history, so that Back closes it and stays at the table.
const all = "details.menu, details.log-bar, details.moves-all";
const narrow = matchMedia("(max-width: 47.99rem)");

export function panels() {
  let pressed;
  document.addEventListener("click", ({ target }) => { pressed = target.closest?.("summary")?.parentElement; }, true);
  document.addEventListener("toggle", ({ target }) => {
    if (!target.matches?.(all)) return;
    if (target.open && target === pressed && narrow.matches && !history.state?.panel) {
      history.pushState({ ...history.state, panel: true }, "");
    } else if (!target.open && history.state?.panel && ![...document.querySelectorAll(all)].some(({ open }) => open)) {
      history.back();
    }
  }, true);
  addEventListener("popstate", ({ state }) => {
    if (!state?.panel) for (const panel of document.querySelectorAll(all)) if (narrow.matches) panel.open = false;
  });
}

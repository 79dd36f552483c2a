// "Check this roll" opens in a dialog, and what a page has to check is checked
// at once. What does it is loaded when somebody asks for it.
import { table } from "../shell/base.js";

export function fairness() {
  const verify = () => import("./verify.js");
  if (document.querySelector("[data-verdict]")) verify().then(({ judge }) => judge(document, table()));

  document.addEventListener("click", async (event) => {
    const link = event.target.closest?.("a[data-check]");
    if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    try {
      const { open } = await verify();
      await open(link, table());
    } catch {
      location.assign(link.href); // the panel has a page of its own
    }
  });

  // A press outside the dialog closes it.
  document.getElementById("check")?.addEventListener("click", (event) => {
    if (event.target === event.currentTarget) event.currentTarget.close();
  });
}

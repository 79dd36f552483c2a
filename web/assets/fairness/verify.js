// Checks throws on the page: each element with a data-proof holds what it takes
// to derive a move's dice. The element with data-verdict has the words to show.
import { verify } from "./fairdice.js";

export { verify };

// replaced reports whether a session's print differs from the first one that this
// browser was shown, which diceshare.js has stored.
function replaced({ session, commitment }, table) {
  try {
    const first = JSON.parse(localStorage.getItem(`norn.seals.${table}`))?.[session];
    return first !== undefined && first !== commitment;
  } catch {
    return false; // it keeps nothing
  }
}

// judge checks all proofs of a table in an element and says what came of it in its verdict.
// The words were made by the server; what doesn't fit is put into them.
export async function judge(root, table) {
  const verdict = root.querySelector("[data-verdict]");
  if (!verdict) return;
  let wrong;
  for (const element of root.querySelectorAll("[data-proof]")) {
    const proof = JSON.parse(element.dataset.proof);
    const found = replaced(proof, table) ? "replaced" : verify(proof);
    element.dataset.fits = found === undefined;
    if (found === undefined) continue;
    wrong ??= [element, found];
    if (found.place) element.querySelector(`[data-place="${CSS.escape(found.place)}"]`)?.setAttribute("data-misfit", found.die);
    await new Promise((next) => { setTimeout(next); }); // the page stays alive meanwhile
  }
  verdict.dataset.verdict = wrong ? "misfit" : "fits";
  if (!wrong) {
    verdict.textContent = verdict.dataset.fits;
    return;
  }
  const [element, found] = wrong;
  const words = verdict.dataset[found] ?? verdict.dataset.misfit;
  const said = { ...found, move: element.dataset.name };
  verdict.textContent = words.replace(/\{(\w+)\}/g, (whole, name) => said[name] ?? whole);
}

// open shows the panel of a link in the page's dialog, and checks it.
export async function open(link, table) {
  const dialog = document.getElementById("check");
  const answer = await fetch(link.href, { headers: { "HX-Request": "true" } });
  if (!dialog || answer.status !== 200) { // the page itself says what is wrong
    location.assign(link.href);
    return;
  }
  dialog.innerHTML = await answer.text();
  if (!dialog.open) dialog.showModal();
  new MutationObserver((_, watch) => { // an alert isn't heard beneath it
    dialog.close();
    watch.disconnect();
  }).observe(document.querySelector(".x-place [role=alert]"), { childList: true });
  await judge(dialog, table);
}

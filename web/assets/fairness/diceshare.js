// Each seat adds a share of its own to the dice once a session. The seal's form
// asks for one; a text that nobody could foresee is better than what people
// think of, so it's filled in and sent at once. Without script the form is
// there to be filled in by hand.
import { table } from "../shell/base.js";
import { read, write } from "../shell/storage.js";
import { key } from "../sheet/sheet.js";

// remember keeps the first print of each session's secret that this browser was
// shown, in this browser alone; verify.js holds what is opened later to it.
function remember(seal) {
  const name = `norn.seals.${table()}`;
  const session = seal.querySelector("[data-session]")?.dataset.session;
  const print = seal.querySelector("#commitment")?.textContent.trim();
  const known = read("localStorage", name) ?? {};
  if (session && print && !known[session]) write("localStorage", name, { ...known, [session]: print });
}

export function shareDice() {
  const seal = document.getElementById("seal");
  if (!seal) return;

  let sent; // the session for which it was sent
  const send = async () => {
    remember(seal);
    const form = seal.querySelector("form.share");
    const session = seal.querySelector("[data-session]")?.dataset.session;
    if (!form || sent === session) return;
    sent = session;
    form.querySelector("[name=_share]").value = key(16);
    try {
      // The live connection sends the result to every page. Another page of the
      // same seat may have been first: then there's nothing to do.
      const { status } = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)), redirect: "manual" });
      if (status >= 500) throw status;
    } catch {
      sent = undefined; // no network, or nothing can be written: again with the next news
    }
  };
  new MutationObserver(send).observe(seal, { childList: true, subtree: true, attributes: true, attributeFilter: ["data-session"] });
  send();
}

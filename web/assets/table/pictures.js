// A press on a picture shows it as large as the window, over the table. Back, Esc and another press lead back to where one was.
// With a key held, and without script, the link opens it in a tab of its own.
export function pictures() {
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a.picture");
    if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    enlarge(link.querySelector("img"));
  });
}

function enlarge(small) {
  const dialog = document.createElement("dialog");
  const large = document.createElement("img");
  const close = document.createElement("button");
  dialog.className = "large";
  Object.assign(large, { src: small.src, alt: small.alt });
  Object.assign(close, { type: "button", textContent: "✕", ariaLabel: document.body.dataset.closes });
  dialog.append(close, large);
  dialog.ariaLabel = small.alt;
  document.body.append(dialog);
  history.pushState({ ...history.state, large: true }, "");
  const back = () => dialog.close();
  addEventListener("popstate", back);
  dialog.addEventListener("click", back);
  dialog.addEventListener("close", () => {
    removeEventListener("popstate", back);
    dialog.remove();
    if (history.state?.large) history.back();
  });
  dialog.showModal();
}

// A rule's id opens that rule over the page, read from the game's page of rules. Where that can't be read, it leads there.
const pages = new Map(); // of addresses, what stands there

const read = async (address) => new DOMParser().parseFromString(await (await fetch(address)).text(), "text/html");

document.addEventListener("click", async (event) => {
  const link = event.target.closest?.("a[data-rule]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  const { pathname } = new URL(link.href);
  try {
    if (!pages.has(pathname)) pages.set(pathname, await read(pathname));
    open(link, pages.get(pathname).getElementById(link.dataset.rule));
  } catch {
    location.assign(link.href);
  }
});

function open(link, said) {
  const box = document.createElement("div");
  box.className = "rule-box";
  box.popover = "auto";
  box.append(...[...said.childNodes].map((node) => document.importNode(node, true)));
  for (const own of box.querySelectorAll("dt a")) own.replaceWith(own.textContent);
  document.body.append(box);
  box.addEventListener("toggle", ({ newState }) => {
    if (newState !== "closed") return;
    box.remove();
    link.focus({ preventScroll: true });
  });
  box.showPopover();
  const at = link.getBoundingClientRect();
  box.style.insetInlineStart = `${Math.max(8, Math.min(at.left, innerWidth - box.offsetWidth - 8))}px`;
  box.style.insetBlockStart = `${at.bottom + box.offsetHeight + 8 < innerHeight ? at.bottom + 4 : Math.max(8, at.top - box.offsetHeight - 4)}px`;
  box.tabIndex = -1;
  box.focus({ preventScroll: true });
}

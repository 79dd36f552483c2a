// A rule's id opens that rule over the page, read from the game's page of rules, by who presses one.
const pages = new Map(); // of addresses, what stands there

const read = async (address) => new DOMParser().parseFromString(await (await fetch(address)).text(), "text/html");

// open shows the rule that a link leads to.
export async function open(link) {
  const { pathname } = new URL(link.href);
  if (!pages.has(pathname)) pages.set(pathname, await read(pathname));
  const said = pages.get(pathname).getElementById(link.dataset.rule);
  const box = document.createElement("div");
  box.className = "rule-box";
  box.popover = "auto";
  box.append(...[...said.childNodes].map((node) => document.importNode(node, true)));
  for (const own of box.querySelectorAll("dt a")) own.replaceWith(own.textContent);
  const close = Object.assign(document.createElement("button"), { type: "button", className: "quiet", textContent: "✕", ariaLabel: document.body.dataset.closes });
  Object.assign(close, { popoverTargetElement: box, popoverTargetAction: "hide" });
  box.append(close);
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

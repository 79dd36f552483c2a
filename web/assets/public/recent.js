// At which tables, and in which seats, somebody has sat in this browser is remembered for
// the first page (tables.js), newest first: names and addresses, which open nothing without
// the seat's cookie. That it has come back is proven now: the address says no more that it was just given.
import { replaceAddress } from "../shell/address.js";
import { read, write } from "../shell/storage.js";

const name = "norn.tables";
const most = 12;

export function remember() {
  const table = document.querySelector(".table");
  if (!table) return;
  const path = location.pathname;
  const at = new URL(location.href);
  if (at.searchParams.has("_came")) {
    at.searchParams.delete("_came");
    replaceAddress(at);
  }
  const [title, game, seat] = ["h1", ".bar-title .faint", "#seat-name"].map((part) => table.querySelector(part).textContent);
  const [of, leads] = [document.documentElement.dataset.game, table.hasAttribute("data-leads")];
  const others = (read("localStorage", name) ?? []).filter((other) => other.path !== path);
  write("localStorage", name, [{ path, title, game, seat, of, leads }, ...others].slice(0, most));
}

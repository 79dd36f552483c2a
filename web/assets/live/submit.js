// A page changes by its stream alone. The answer to a press only says how its form fared and at which seq it's done:
// if the stream doesn't deliver that seq soon, it's reopened. A requested part that is older than what the stream has
// delivered since is requested again.
import htmx from "htmx.org";
import { due, told, upTo } from "./live.js";
import { key } from "../sheet/sheet.js";

const most = 5; // times that one thing is asked for in a row
const times = new WeakMap();

// sized reports whether a request only makes a list longer or shorter: that sends nothing.
export const sized = ({ request: { body } }) => ["_add", "_drop"].some((name) => new URLSearchParams(body).has(name));

// A button that has an address of its own sends the form there.
document.addEventListener("htmx:config:request", ({ detail: { ctx } }) => {
  const to = ctx.sourceEvent?.submitter?.getAttribute("formaction");
  if (to && ctx.request.method === "POST") [ctx.request.action] = to.split("#");
});

// What was refused is said in its form, where something is filled in there.
document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => {
  const form = ctx.sourceElement, note = document.querySelector("#toasts .toast:not([data-seen])");
  if (!note || ctx.request?.method !== "POST" || ctx.response.raw.ok || !form.matches("form:not([data-form=move], [data-form=answer], [data-form=say])")) return;
  if (!form.querySelector(":is(input:not([type=hidden]), select, textarea)[name]")) return;
  form.querySelector(":scope > .problem")?.remove();
  note.className = "problem";
  note.role = "alert";
  form.append(note);
});

document.addEventListener("htmx:before:response", ({ detail: { ctx } }) => {
  if (ctx.request.method !== "POST" || !ctx.response.raw.ok || sized(ctx)) return;
  const form = ctx.sourceElement;
  const seq = Number(ctx.response.headers.get("Norn-Seq"));
  const next = () => { for (const one of form.querySelectorAll("input[name=_key]")) one.value = key(); };
  due(seq);
  if (form.matches("[data-form=move], [data-form=say]")) next(); // the next press is another
  else told(seq).then(next); // once the page shows what came of this one
  for (const problem of form.querySelectorAll(".problem")) problem.remove();
  document.getElementById("composer-problem")?.replaceChildren(); // what was refused because of an open question may be tried again
  if ("once" in form.dataset) form.reset();
  form.closest(".sure")?.removeAttribute("open"); // what was confirmed isn't asked again
});

document.addEventListener("htmx:after:request", (event) => {
  const { ctx } = event.detail;
  if (ctx.request.method !== "GET" || !(Number(ctx.response.headers.get("Norn-Seq") ?? Infinity) < upTo())) return;
  const { sourceElement: source, target, swap } = ctx;
  const asked = (times.get(source) ?? 0) + 1;
  times.set(source, asked % most);
  if (asked === most) return;
  event.preventDefault();
  setTimeout(() => htmx.ajax("GET", ctx.request.action, { source, target, swap })); // when this one has ended
});

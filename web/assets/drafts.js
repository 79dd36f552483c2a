// What was typed and not sent outlasts a reload: the composer's fields, those of
// open questions, talk and notes, in this tab alone, until they are sent.
import { read, write } from "./queue.js";

const drafted = "form:is([data-form=move], [data-form=answer], [data-form=say], [data-form=note], [data-form=new-note])";
const fields = ":is(input:not([type=hidden]), select, textarea)[name]";

export function drafts() {
  const main = document.querySelector("main[data-reader]");
  if (!main) return;

  // A draft belongs to one form: to a move of one character, to one question, to
  // one note. There's one line of talk, whoever acts meanwhile.
  const name = (form) => {
    const by = form.dataset.form === "say" ? [] : ["_question", "_a", "_m", "_id"];
    const of = by.map((field) => form.querySelector(`input[type=hidden][name=${field}]`)?.value ?? "");
    return ["norn.draft", location.pathname, main.dataset.reader, form.dataset.form, ...of].join(".");
  };
  const chosen = (field) => (field.type === "checkbox" || field.type === "radio" ? field.checked : field.value);

  document.addEventListener("input", (event) => {
    const form = event.target.closest?.(drafted);
    if (form) write("sessionStorage", name(form), [...form.querySelectorAll(fields)].map((field) => [field.id, chosen(field)]));
  });

  const forget = (form) => { if (form) write("sessionStorage", name(form), null); };
  document.addEventListener("queued", (event) => forget(event.target));
  document.addEventListener("htmx:before:response", (event) => {
    const { ctx } = event.detail;
    if (ctx.response.raw.ok && ctx.request.method.toUpperCase() === "POST") forget(ctx.sourceElement?.closest?.(drafted));
  });

  const [visit] = performance.getEntriesByType("navigation");
  if (visit?.type !== "reload") return; // another link to the table says itself what it shows
  for (const form of document.querySelectorAll(drafted)) {
    for (const [id, value] of read("sessionStorage", name(form)) ?? []) {
      const field = document.getElementById(id);
      if (!field || !form.contains(field) || chosen(field) === value) continue;
      if (typeof value === "boolean") field.checked = value;
      else field.value = value;
      field.closest("details")?.setAttribute("open", "");
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }
  }
}

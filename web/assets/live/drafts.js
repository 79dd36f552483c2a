// What was typed and not sent survives a reload: the composer's fields, talk and
// notes in this tab alone (drafts); half-filled sheets, answers and settings in every
// tab of this browser, since a phone may drop the page (kept). Each seat has its own
// drafts, and sending a form removes its draft.
import { sized } from "./submit.js";
import { base, table } from "../shell/base.js";
import { read, write } from "../shell/storage.js";
import { filled } from "../table/filled.js";

const drafted = "form:is([data-form=move], [data-form=say], [data-form=note], [data-form=new-note])";
const lasting = "form:is([data-form=answer], [data-form=sheet], [data-form=settings], [data-form=character], [data-form=hero])";
const longest = 24 * 3600 * 1000; // ms that a lasting draft is kept
const fields = ":is(input:not([type=hidden]), select, textarea)[name]";

const chosen = (field) => (field.type === "checkbox" || field.type === "radio" ? field.checked : field.value);

function choose(field, value) {
  if (chosen(field) === value) return;
  if (typeof value === "boolean") field.checked = value;
  else field.value = value;
  field.closest("details")?.setAttribute("open", "");
  field.dispatchEvent(filled());
}

export function drafts() {
  const main = document.querySelector("[data-reader]");
  if (!main) return;
  kept(main);

  // A draft belongs to one form: to a move of one character, to one question, to
  // one note. Talk has one draft, no matter which character acts.
  const name = (form) => {
    const by = form.dataset.form === "say" ? [] : ["_a", "_m", "_id"];
    const of = by.map((field) => form.querySelector(`input[type=hidden][name=${field}]`)?.value ?? "");
    return ["norn.draft", location.pathname, main.dataset.reader, form.dataset.form, ...of].join(".");
  };
  document.addEventListener("input", (event) => {
    const form = event.target.closest?.(drafted);
    if (form) write("sessionStorage", name(form), [...form.querySelectorAll(fields)].filter(isSet).map((field) => [field.id, chosen(field)]));
  });

  // Of a move only what somebody has set is theirs.
  const isSet = ({ name, form: { elements } }) => !elements._touched || name.startsWith("_") || elements._touched.value.split(" ").includes(name.split(".")[0]);

  const forget = (form) => { if (form) write("sessionStorage", name(form), null); };
  document.addEventListener("queued", (event) => forget(event.target));
  document.addEventListener("htmx:before:response", (event) => {
    const { ctx } = event.detail;
    if (ctx.response.raw.ok && ctx.request.method.toUpperCase() === "POST" && !sized(ctx)) forget(ctx.sourceElement?.closest?.(drafted));
  });

  const [visit] = performance.getEntriesByType("navigation");
  if (!["reload", "back_forward"].includes(visit?.type)) return; // another link to the table says itself what it shows
  for (const form of document.querySelectorAll(drafted)) {
    for (const [id, value] of read("sessionStorage", name(form)) ?? []) {
      const field = document.getElementById(id);
      if (field && form.contains(field)) choose(field, value);
    }
  }
}

// kept stores only the touched fields of a form, so that filling it again preserves what
// others have changed meanwhile: {at, fields: value by id, lists: length by id}.
function kept(main) {
  const begin = `norn.kept.${base}/t/${table()}.${main.dataset.reader}.`; // on all of the table's pages
  const name = (form) => begin + [form.dataset.form, ...["_question", "_c"].filter((f) => form.dataset.form === { _question: "answer", _c: "sheet" }[f])
    .map((f) => form.querySelector(`input[type=hidden][name=${f}]`)?.value ?? "")].join(".");
  const draft = (form) => read("localStorage", name(form)) ?? { fields: {}, lists: {} };
  const keep = (form, kept) => write("localStorage", name(form), { ...kept, at: Date.now() });
  const forget = (form) => write("localStorage", name(form), null);
  const items = (list) => list.querySelectorAll(":scope > .list-item").length;
  const place = (field) => field.id || `${field.name}=${field.value}`;

  try {
    for (const old of Object.keys(localStorage).filter((key) => key.startsWith("norn.kept."))) {
      if (!(read("localStorage", old)?.at > Date.now() - longest)) localStorage.removeItem(old);
    }
  } catch {} // it keeps nothing

  // What somebody typed before this script ran is stored, too; not what the browser itself fills in again after a reload.
  const typed = (field) => field.matches("input:not([type=checkbox], [type=radio]), textarea") && field.value !== field.defaultValue;
  const fresh = performance.getEntriesByType("navigation")[0]?.type === "navigate";
  for (const form of fresh ? document.querySelectorAll(lasting) : []) {
    const early = [...form.querySelectorAll(fields)].filter(typed);
    if (early.length === 0) continue;
    const now = draft(form);
    for (const field of early) now.fields[place(field)] = chosen(field);
    keep(form, now);
  }

  let filling = 0; // how often the form that is being filled again still may ask for a longer list

  document.addEventListener("input", ({ target }) => {
    const form = target.closest?.(lasting);
    if (!form || filling || !target.matches(fields)) return;
    const now = draft(form);
    for (const field of form.querySelectorAll(fields)) { // all of a group change with one
      if (field.name === target.name) now.fields[place(field)] = chosen(field);
    }
    keep(form, now);
  });

  // Of a list that has become longer or shorter, all fields are stored.
  const resized = (form) => {
    const now = draft(form);
    for (const list of form.querySelectorAll("fieldset.list")) {
      now.lists[list.id] = items(list);
      for (const id of Object.keys(now.fields)) if (id.startsWith(`${list.id}-`)) delete now.fields[id];
      for (const field of list.querySelectorAll(fields)) now.fields[place(field)] = chosen(field);
    }
    keep(form, now);
  };

  // again fills a form as it was left; true if it has to wait for a list.
  const again = (form) => {
    const left = read("localStorage", name(form));
    if (!left) return false;
    for (const [id, n] of Object.entries(left.lists)) {
      const list = document.getElementById(id);
      if (!list || !form.contains(list) || items(list) === n || filling > 100) continue;
      const press = items(list) < n ? list.querySelector(":scope > [name=_add]") : [...list.querySelectorAll(":scope > .list-item > .drop")].at(-1);
      if (!press) continue;
      filling++;
      setTimeout(() => press.click());
      return true;
    }
    filling ||= 1;
    for (const field of [...form.querySelectorAll(fields), ...form.querySelectorAll(fields)]) { // words may choose what takes them: as it was chosen then
      if (place(field) in left.fields) choose(field, left.fields[place(field)]);
    }
    filling = 0;
    form.dataset.again = "";
    return false;
  };
  const all = () => {
    for (const form of document.querySelectorAll(lasting)) if (!("again" in form.dataset) && again(form)) return;
  };

  document.addEventListener("htmx:before:response", (event) => {
    const { ctx } = event.detail;
    const form = ctx.sourceElement?.closest?.(lasting);
    if (!form || !ctx.response.raw.ok || ctx.request.method.toUpperCase() !== "POST") return;
    if (!sized(ctx)) forget(form);
    else if (!filling) ctx.grown = name(form); // of this answer alone: other parts may be swapped before it
  });
  document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => {
    for (const form of document.querySelectorAll(lasting)) {
      if (ctx.grown !== name(form)) continue;
      form.dataset.again = "";
      resized(form);
    }
    all();
  });
  document.addEventListener("queued", ({ target }) => { if (target.matches?.(lasting)) forget(target); });
  document.addEventListener("click", ({ target }) => { // it's left as it is
    const form = target.closest?.("a.quiet")?.closest(lasting);
    if (form) forget(form);
  });
  all();
}

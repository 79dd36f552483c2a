// What is sent while the connection is lost waits here: moves, answers and talk.
// Each has the key that its form gave it, so although it may be sent again it is
// done once. They are sent in order when the page is live again; until then the
// log shows what waits and since when, and the reader may take it back. They
// outlast a reload and lie in this browser alone, apart for each seat.
import htmx from "htmx.org";
import { due } from "./live.js";
import { sized } from "./submit.js";
import { read, write } from "../shell/storage.js";
import { key } from "../sheet/sheet.js";

const shortest = 2000; // ms between tries while norn answers but can't write
const longest = 60_000;
const queued = "form:is([data-form=move], [data-form=answer], [data-form=say])";

// away reports whether norn can't work now: a gateway can't reach it, or norn
// itself can't reach its journal. The same key makes the next try safe.
const away = (status) => [502, 503, 504].includes(status);

// said returns the message in one of norn's own answers; "" for a gateway's.
async function said(response) {
  if (!response.headers.get("X-Request-Id")) return "";
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  return (page.querySelector("#composer-problem .problem") ?? page.querySelector(".problem, .toast, h1"))?.textContent.trim() ?? "";
}

export function queue() {
  const main = document.querySelector(".table[data-reader]");
  const list = document.getElementById("queue");
  const card = document.getElementById("queue-card")?.content;
  if (!main || !list || !card) return;

  const name = `norn.queue.${location.pathname}.${main.dataset.reader}`;
  const all = () => read("localStorage", name) ?? [];
  const keep = (items) => {
    const kept = write("localStorage", name, items);
    draw();
    return kept;
  };
  const change = (of, to) => keep(all().map((other) => (other.key === of ? { ...other, ...to } : other)));
  const drop = (item) => keep(all().filter((other) => other.key !== item.key));

  function draw() {
    list.replaceChildren(...all().map((item, _, items) => {
      const shown = card.cloneNode(true).firstElementChild;
      shown.dataset.key = item.key;
      shown.classList.toggle("refused", Boolean(item.refused));
      shown.querySelector(".card-who").textContent = item.who;
      shown.querySelector(".card-move").textContent = item.what;
      const time = shown.querySelector("time");
      time.dateTime = item.at;
      time.textContent = new Date(item.at).toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
      const [again, away] = shown.querySelectorAll("button");
      again.hidden = !item.refused;
      const state = shown.querySelector(".queued-state");
      const first = item === items.find((other) => !other.refused); // why it waits is said once
      state.textContent = item.refused ?? (item.why ? `${first ? item.why : ""} ${list.dataset.tries}` : state.textContent);
      again.addEventListener("click", () => { if (giveBack(item)) drop(item); });
      away.addEventListener("click", () => drop(item));
      return shown;
    }));
    list.hidden = list.childElementCount === 0;
  }

  // giveBack puts what was refused back into its form, to be corrected and sent
  // again; false if that form no longer exists.
  function giveBack(item) {
    const body = new URLSearchParams(item.body);
    if (body.has("_line")) {
      const line = document.getElementById("line");
      const to = document.getElementById("line-as");
      if (![...to.options].some(({ value }) => value === body.get("_as"))) return false; // it isn't said to others instead
      to.value = body.get("_as");
      line.value = body.get("_line");
      to.dispatchEvent(new Event("input", { bubbles: true }));
      line.focus();
      return true;
    }
    if (body.has("_question")) {
      const form = [...document.querySelectorAll("form[data-form=answer]")].find((other) => other.elements._question.value === body.get("_question"));
      if (!form) return false;
      for (const field of form.elements) {
        if (!field.name || field.name.startsWith("_")) continue;
        if (["checkbox", "radio"].includes(field.type)) field.checked = body.getAll(field.name).includes(field.value);
        else if (body.has(field.name)) field.value = body.get(field.name);
      }
      form.scrollIntoView({ block: "center" });
      return true;
    }
    body.delete("_key");
    body.delete("_nonce");
    body.set("_keep", "1");
    htmx.ajax("GET", `${item.action}?${body}`, { target: "#composer-box", swap: "innerHTML" });
    location.hash = "composer";
    return true;
  }

  // described says in the page's own words what a form would do.
  function described(form, body) {
    if (form.dataset.form === "move") {
      return { who: form.closest(".composer-body")?.querySelector("#actor option:checked, .card-who")?.textContent ?? "", what: document.querySelector("#moves [aria-current]")?.textContent.trim() ?? "" };
    }
    if (form.dataset.form === "answer") return { who: "", what: form.closest(".question")?.querySelector("h2")?.textContent ?? "" };
    return { who: "", what: [...form.querySelectorAll("textarea, input[type=text]")].map((field) => body.get(field.name)).find(Boolean) ?? "" };
  }

  function add(ctx) {
    const { sourceElement, request } = ctx;
    const form = sourceElement?.closest?.(queued);
    if (!form || request.method.toUpperCase() !== "POST" || sized(ctx)) return false;
    const body = new URLSearchParams(request.body);
    const item = { key: body.get("_key"), action: request.action, body: body.toString(), at: new Date().toISOString(), ...described(form, body) };
    // A second press adds nothing; another answer to a question replaces the first.
    const question = body.get("_question");
    const others = all().filter((other) => other.key !== item.key && !(question && new URLSearchParams(other.body).get("_question") === question));
    if (!keep([...others, item])) return false;
    if (form.dataset.form !== "answer") {
      form.querySelector("input[name=_key]").value = key(); // the next press is another move
      for (const event of form.dataset.form === "say" ? ["said", "sent"] : ["made"]) document.dispatchEvent(new CustomEvent(event));
    }
    form.dispatchEvent(new CustomEvent("queued", { bubbles: true }));
    return true;
  }

  document.addEventListener("htmx:error", (event) => {
    const ctx = event.detail.ctx;
    if (ctx?.request && !ctx.response) ctx.queued = add(ctx);
  });
  document.addEventListener("htmx:before:response", (event) => {
    const { ctx } = event.detail;
    if (!away(ctx.response.status) || !add(ctx)) return;
    event.preventDefault();
    const waits = new URLSearchParams(ctx.request.body).get("_key");
    said(ctx.response.raw.clone()).then((why) => change(waits, { why }));
    clearTimeout(later);
    later = setTimeout(send, wait);
  });

  let sending = false;
  let wait = shortest;
  let later;

  // send sends what waits, in order, until the connection is lost again.
  async function send() {
    if (sending) return;
    sending = true;
    clearTimeout(later);
    try {
      for (let item; (item = all().find((other) => !other.refused));) {
        const answer = await fetch(item.action, { method: "POST", body: new URLSearchParams(item.body), headers: { "HX-Request": "true" } });
        if (away(answer.status)) {
          change(item.key, { why: await said(answer) });
          later = setTimeout(send, wait); // the live connection may know nothing of it
          wait = Math.min(wait * 2, longest);
          return;
        }
        wait = shortest;
        if (answer.ok) {
          drop(item);
          due(Number(answer.headers.get("Norn-Seq")));
          await htmx.swap({ text: await answer.text(), sourceElement: main, swap: "none" });
        } else {
          change(item.key, { refused: (await said(answer)) || list.dataset.refused });
        }
      }
    } catch {
      // Lost again: the rest waits.
    } finally {
      sending = false;
    }
  }

  const live = () => { if (main.dataset.liveState === "open") send(); };
  new MutationObserver(live).observe(main, { attributeFilter: ["data-live-state"] });
  addEventListener("storage", draw); // another window of the same seat has sent or taken back
  draw();
  live();
}

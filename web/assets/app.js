import htmx from "htmx.org";
import "./live/swap.js";
import { live } from "./live/live.js";
import "./live/submit.js";
import "./table/days.js";
import "./table/controls.js";
import "./sheet/sheet.js";
import "./shell/join.js";
import "./table/focus.js";
import "./table/keys.js";
import { refresh } from "./live/refresh.js";
import { follow } from "./table/log.js";
import { lines } from "./table/prompt.js";
import { drafts } from "./live/drafts.js";
import { queue } from "./live/queue.js";
import { fall } from "./table/dice.js";
import { hand } from "./table/hand.js";
import { fold } from "./table/fold.js";
import { shareDice } from "./fairness/diceshare.js";
import { loadDeferred } from "./shell/deferred.js";
import { offline } from "./live/offline.js";

// Every live event is a piece of HTML that says itself where it goes
// (<hx-partial hx-target hx-swap>). Before it's swapped in, the element dispatches
// "live:NAME", with the event's name; preventDefault stops the swap.
for (const element of document.querySelectorAll("[data-live]")) {
  live(element, async ({ event = "message", id, data }) => {
    const heard = new CustomEvent(`live:${event}`, { detail: { id, data }, bubbles: true, cancelable: true });
    if (element.dispatchEvent(heard)) await htmx.swap({ text: data, sourceElement: element, swap: "none", news: true });
  });
}
loadDeferred();
if (document.querySelector("form[data-upload]")) import("./table/upload.js");
if (document.querySelector(".list-sending, [data-copies]")) import("./table/lists.js");
follow();
lines();
fall();
fold();
drafts();
queue();
offline();
shareDice();
refresh();
hand();

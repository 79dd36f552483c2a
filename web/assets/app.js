import htmx from "htmx.org";
import "./place.js";
import { live } from "./live.js";
import "./press.js";
import "./clock.js";
import "./days.js";
import "./controls.js";
import "./values.js";
import "./track.js";
import "./edits.js";
import "./focus.js";
import "./keys.js";
import "./print.js";
import "./arrive.js";
import { check } from "./check.js";
import { refresh } from "./fresh.js";
import { follow } from "./log.js";
import { lines } from "./line.js";
import { drafts } from "./drafts.js";
import { queue } from "./queue.js";
import { fall } from "./motion.js";
import { hand } from "./hand.js";
import { fold } from "./fold.js";
import { share } from "./share.js";
import { later } from "./later.js";
import { lost } from "./lost.js";
import { sat } from "./sat.js";
import { shell } from "./shell.js";

// Every live event is a piece of HTML that says itself where it goes
// (<hx-partial hx-target hx-swap>). Before that the element hears of it as
// "live:NAME", where the name is the event's; preventDefault keeps it from the page.
for (const element of document.querySelectorAll("[data-live]")) {
  live(element, async ({ event = "message", id, data }) => {
    const heard = new CustomEvent(`live:${event}`, { detail: { id, data }, bubbles: true, cancelable: true });
    if (element.dispatchEvent(heard)) await htmx.swap({ text: data, sourceElement: element, swap: "none", news: true });
  });
}
later();
if (document.querySelector("form[data-upload]")) import("./upload.js");
follow();
lines();
fall();
fold();
drafts();
queue();
lost();
share();
refresh();
check();
shell();
sat();
hand();

// The reader's time zone: sent to the server by a cookie, and used at once for
// the times of a page that was made before the server knew. Browsers that have
// Temporal are asked there: the first format that Intl makes takes longer than
// all else that a page's script does.
import { named } from "../table/days.js";

const zone = globalThis.Temporal?.Now.timeZoneId() ?? Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";

if (zone && !document.cookie.split("; ").includes(`zone=${zone}`)) {
  document.cookie = `zone=${zone}; path=/; max-age=31536000; samesite=lax`;
  const two = (n) => String(n).padStart(2, "0");
  const clock = (date) => `${two(date.getHours())}:${two(date.getMinutes())}`;
  for (const time of document.querySelectorAll("time[datetime]:not([data-day])")) {
    const date = new Date(time.dateTime), moment = "moment" in time.dataset;
    time.textContent = moment ? `${named(date)}, ${clock(date)}` : clock(date);
  }
  for (const input of document.querySelectorAll("input[data-at]")) {
    const at = new Date(input.dataset.at);
    input.value = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${clock(at)}`;
  }
  for (const place of document.querySelectorAll("[data-zone]")) {
    if (place.matches("input")) place.value = zone;
    else place.textContent = place.textContent.replace(place.dataset.zone, zone);
  }
}

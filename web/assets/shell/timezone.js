// The reader's time zone: told to the server by a cookie, and used at once for
// the times of a page that was made before the server knew. Browsers that have
// Temporal are asked there: the first format that Intl makes takes longer than
// all else that a page's script does.
const zone = globalThis.Temporal?.Now.timeZoneId() ?? Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";

if (zone && !document.cookie.split("; ").includes(`zone=${zone}`)) {
  document.cookie = `zone=${zone}; path=/; max-age=31536000; samesite=lax`;
  for (const time of document.querySelectorAll("time[datetime]:not([data-day])")) {
    const date = new Date(time.dateTime);
    time.textContent = [date.getHours(), date.getMinutes()].map((n) => String(n).padStart(2, "0")).join(":");
  }
}

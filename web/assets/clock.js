// The reader's time zone: told to the server by a cookie, and used at once for
// the times of a page that was made before the server knew.
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";

if (zone && !document.cookie.split("; ").includes(`zone=${zone}`)) {
  document.cookie = `zone=${zone}; path=/; max-age=31536000; samesite=lax`;
  for (const time of document.querySelectorAll("time[datetime]:not([data-day])")) {
    time.textContent = new Date(time.dateTime).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
  }
}

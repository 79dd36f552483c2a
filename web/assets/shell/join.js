// A seat that a link opens is taken by a press. Script leads on to the table in the
// place of the page that asked, so that the link, which opens the seat, doesn't
// stay in the browser's history.
const form = document.querySelector("form[data-form=arrive]");

form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    const { headers } = await fetch(location.href, { method: "POST", body: new URLSearchParams(new FormData(form, event.submitter)), headers: { "HX-Request": "true" } });
    const to = headers.get("Location");
    if (to) {
      location.replace(to);
      return;
    }
  } catch {
    // No connection: the browser itself says so.
  }
  form.submit();
});

// A sheet with much on it is printed smaller, so that it keeps to one page: by
// how much room it takes on the screen against what a page of two columns has.
const usual = 11.5; // pt, as print.css has it
const least = 6.5;
const room = 2 * 330 * 1000 * 0.7; // px² at the size of the screen's text; the rest is lost where columns break

addEventListener("beforeprint", () => {
  const body = document.querySelector("#sheet .sheet-body");
  if (!body) return;
  document.documentElement.style.setProperty("--unseen", "visible"); // what was left out so far is measured too
  const { width, height } = body.getBoundingClientRect();
  const size = Math.max(least, usual * Math.min(1, Math.sqrt(room / Math.max(1, width * height))));
  document.documentElement.toggleAttribute("data-dense", size < usual); // then parts may go on in the other column
  document.documentElement.style.setProperty("--print-size", `${size.toFixed(2)}pt`);
});

document.addEventListener("click", ({ target }) => {
  if (target.closest("[data-print]")) window.print();
});

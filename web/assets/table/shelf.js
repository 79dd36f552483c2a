// A game master's pictures are a shelf over the table (media.js comes once it's opened): one press opens it, and so does a
// picture that is dropped or pasted anywhere. Text stays text: where it can be typed, it's pasted as such.
export function shelf(show = async (...what) => (await import("./media.js")).open(...what)) {
  const page = document.querySelector("#drawer [data-shelf]");
  const row = document.querySelector(".line-row");
  if (!page || !row) return;

  const open = (files = []) => show(page.href, files);
  const button = document.createElement("button");
  Object.assign(button, { type: "button", className: "shelf-open", title: page.dataset.shelf, ariaLabel: page.dataset.shelf });
  button.innerHTML = document.querySelector(".menu-item[href$='/pictures'] svg").outerHTML;
  button.addEventListener("click", () => open());
  row.querySelector(".line-send").before(button);

  document.addEventListener("dragover", (event) => {
    if (event.dataTransfer.types.includes("Files")) event.preventDefault(); // or the file would replace the table
  });
  document.addEventListener("drop", (event) => {
    if (event.defaultPrevented || !event.dataTransfer.files.length) return;
    event.preventDefault();
    open([...event.dataTransfer.files]);
  });
  document.addEventListener("paste", (event) => {
    const { files, types } = event.clipboardData;
    const pictures = [...files].filter((file) => file.type.startsWith("image/"));
    if (!pictures.length || (types.includes("text/plain") && event.target.closest?.("input, textarea"))) return;
    event.preventDefault();
    open(pictures);
  });
}

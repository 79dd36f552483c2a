// The first page lists the tables at which somebody has sat in this browser, as
// their pages have told (sat.js). One may be taken off.
const own = document.getElementById("own-tables");
const list = own?.querySelector("ul");

function all() {
  try {
    return JSON.parse(localStorage.getItem("norn.tables")) ?? [];
  } catch {
    return []; // a browser that keeps nothing
  }
}

function draw() {
  list.replaceChildren(...all().map(({ path, title, game }) => {
    const one = own.querySelector("template").content.cloneNode(true).firstElementChild;
    const [link, forget] = [one.querySelector("a"), one.querySelector("button")];
    link.href = path;
    link.querySelector("strong").textContent = title;
    link.querySelector(".faint").textContent = game;
    forget.setAttribute("aria-label", `${forget.title}: ${title}`);
    forget.addEventListener("click", () => {
      localStorage.setItem("norn.tables", JSON.stringify(all().filter((other) => other.path !== path)));
      draw();
      (list.querySelector("a") ?? document.getElementById("name")).focus();
    });
    return one;
  }));
  own.hidden = list.childElementCount === 0;
}

if (own) draw();

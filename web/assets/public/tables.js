// The first page lists the tables at which somebody has sat in this browser, a line for each seat, as
// their pages have stored them (recent.js). One may be removed.
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
  list.replaceChildren(...all().map(({ path, title, game, seat }) => {
    const one = own.querySelector("template").content.cloneNode(true).firstElementChild;
    const [link, forget] = [one.querySelector("a"), one.querySelector("button")];
    link.href = path;
    link.querySelector("strong").textContent = title;
    const which = [game, seat].filter(Boolean).join(" · ");
    link.querySelector(".faint").textContent = which;
    forget.setAttribute("aria-label", `${forget.title}: ${title}, ${which}`);
    forget.addEventListener("click", () => {
      localStorage.setItem("norn.tables", JSON.stringify(all().filter((other) => other.path !== path)));
      for (const key of Object.keys(localStorage)) if (key.startsWith(`norn.kept.${path}.`)) localStorage.removeItem(key); // what was begun there
      draw();
      (list.querySelector("a") ?? document.getElementById("name")).focus();
    });
    return one;
  }));
  own.hidden = list.childElementCount === 0;
}

if (own) draw();

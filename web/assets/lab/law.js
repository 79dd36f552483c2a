// Draws odds: their statistics, and one or several laws as bars, exactly, at least or at most, side by side or by setting,
// on a plain or a logarithmic scale; as a table to copy, and as files.
import { fill, make } from "./dom.js";
import { chances, numeric, scale, statistics, width } from "./stats.js";

const maxRows = 400;

// view is how laws are drawn; it outlives a change of what is drawn.
const view = { how: "exactly", log: false, bySetting: false };

export function drawLaw(root, sides, words, lang, name = "norn-odds") {
  const decimal = (x) => new Intl.NumberFormat(lang, { maximumFractionDigits: 2, minimumFractionDigits: 2 }).format(x);
  const share = (p, digits) => new Intl.NumberFormat(lang, { style: "percent", maximumFractionDigits: digits, minimumFractionDigits: digits }).format(p);
  const sure = 1 - 1e-12; // what sums of floats make of 1
  const percent = (p) => p > 0 && p < 0.0005 ? `<${share(0.001, 1)}` : p < sure && p > 0.9995 ? `>${share(0.999, 1)}` : share(p, p === 0 || p >= sure ? 0 : 1);
  const counted = sides.every(({ rows }) => numeric(rows));
  const key = (row) => counted ? row.n : `${row.outcome} ${row.n}`;

  // Every row that any side has, in order.
  const rows = new Map();
  for (const side of sides) for (const row of side.rows) if (!rows.has(key(row))) rows.set(key(row), row);
  let order = [...rows.keys()];
  if (counted) order.sort((a, b) => a - b);
  else {
    const outcomes = [...new Set([...rows.values()].map(({ outcome }) => outcome))];
    const place = (at) => outcomes.indexOf(rows.get(at).outcome);
    order.sort((a, b) => place(a) - place(b) || rows.get(a).n - rows.get(b).n);
  }
  const likely = (at) => Math.max(...sides.map((side) => side.rows.find((row) => key(row) === at)?.p ?? 0));
  const hidden = Math.max(0, order.length - maxRows);
  const shown = hidden ? new Set([...order].map((at) => [likely(at), at]).sort((a, b) => b[0] - a[0]).slice(0, maxRows).map(([, at]) => at)) : null;

  const values = (how) => sides.map((side) => {
    if (counted) return chances(order, side.rows, how);
    const of = new Map(side.rows.map((row) => [key(row), row.p]));
    return order.map((at) => of.get(at) ?? 0);
  });
  const label = (at) => counted ? new Intl.NumberFormat(lang).format(at) : rows.get(at).label;
  const several = sides.length > 1;

  // whole returns the chance that a bar of full width shows.
  const whole = (all) => scale(Math.max(...all.flat()), counted && view.how === "exactly");

  function bar(p, of, tone, i) {
    const line = make("span", { class: `law-bar ${several ? `law-side-${i}` : `tone-${tone}`}`, "aria-hidden": "true" });
    line.style.inlineSize = `${100 * width(p, of, view.log)}%`;
    return make("td", { class: "law-cell" }, make("span", { class: "law-track" }, line), make("span", { class: "law-chance" }, percent(p)));
  }

  function table() {
    const all = values(counted ? view.how : "exactly");
    const of = whole(all);
    const at = order.map((one, i) => i).filter((i) => !shown || shown.has(order[i]));
    const body = [];
    if (view.bySetting && several) {
      sides.forEach((side, s) => {
        body.push(make("tr", {}, make("th", { scope: "rowgroup", colspan: 2, class: "law-setting" }, side.name)));
        for (const i of at) if (all[s][i] > 0) body.push(make("tr", {}, make("th", { scope: "row" }, label(order[i])), bar(all[s][i], of, rows.get(order[i]).tone, s)));
      });
    } else {
      for (const i of at) {
        sides.forEach((side, s) => body.push(make("tr", { class: s === 0 && several ? "law-first" : null },
          s === 0 && make("th", { scope: "row", rowspan: sides.length }, label(order[i])), bar(all[s][i], of, rows.get(order[i]).tone, s))));
      }
    }
    const axis = of < 1 && !view.log && make("thead", { "aria-hidden": "true" }, make("tr", {}, make("td"), make("td", { class: "law-cell law-axis" },
      make("span", {}, share(0, 0)), make("span", {}, share(of, of < 0.01 ? 2 : 0)), make("span", { class: "law-chance" }))));
    return make("table", { class: `law-table ${counted ? "law-counted" : ""}` }, axis, make("tbody", {}, ...body));
  }

  function figures() {
    if (!counted) {
      const heads = sides.filter(({ heads }) => heads?.length);
      return heads.length && make("table", { class: "figures law-figures" }, make("tbody", {}, ...sides.flatMap((side, i) =>
        (side.heads ?? []).map(({ label, p }) => make("tr", {}, make("th", { scope: "row" }, several ? `${side.name}: ${label}` : label), make("td", { class: "figure" }, percent(p)))))));
    }
    const all = sides.map(({ rows }) => statistics(rows));
    const line = (title, value) => make("tr", {}, make("th", { scope: "row" }, title), ...all.map((one) => make("td", { class: "figure" }, value(one))));
    const number = new Intl.NumberFormat(lang);
    return make("table", { class: "figures law-figures" },
      several && make("thead", {}, make("tr", {}, make("td"), ...sides.map((side, i) => make("th", { scope: "col", class: `figure law-name law-side-${i}` }, side.name)))),
      make("tbody", {},
        line(words.mean, ({ mean }) => decimal(mean)),
        line(words.deviation, ({ deviation }) => decimal(deviation)),
        line(words.median, ({ median }) => number.format(median)),
        line(words.mode, ({ modes }) => modes.length > 6 ? "…" : modes.map((n) => number.format(n)).join(", "))));
  }

  // plain is the table as text, each line's parts between marks.
  function plain(mark, quote) {
    const all = values(counted ? view.how : "exactly");
    const head = [words.outcome, ...(several ? sides.map(({ name }) => name) : [words[view.how]])];
    if (!several && view.how === "exactly") head.push(words.fraction);
    const lines = order.map((at, i) => {
      const line = [counted ? at : rows.get(at).label, ...all.map((side) => side[i])];
      if (!several && view.how === "exactly") line.push(rows.get(at).fraction);
      return line;
    });
    return [head, ...lines].map((line) => line.map((one) => quote(String(one))).join(mark)).join("\n") + "\n";
  }

  const quoted = (text) => /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

  // described is the result in words, for people who don't see the picture.
  function described() {
    const all = values(counted ? view.how : "exactly");
    const most = order.map((at, i) => i).sort((a, b) => likely(order[b]) - likely(order[a])).slice(0, 12).sort((a, b) => a - b);
    const parts = sides.map((side, s) => `${several ? `${side.name}: ` : ""}${most.map((i) => `${label(order[i])} ${percent(all[s][i])}`).join(", ")}`);
    return fill(words.picture, { what: `${counted && view.how !== "exactly" ? `${words[view.how]}: ` : ""}${parts.join("; ")}` });
  }

  // svg is the drawing as a file of its own, in colours that paper bears.
  function svg() {
    const all = values(counted ? view.how : "exactly");
    const of = whole(all);
    const colours = ["#1f6f5c", "#a3431f", "#33373a", "#8a6a12", "#7a1f3d", "#5b6770"];
    const safe = (text) => String(text).replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
    const at = order.map((one, i) => i).filter((i) => !shown || shown.has(order[i]));
    const step = 20 * sides.length + 6;
    const top = several ? 24 * sides.length + 16 : 12;
    const parts = several ? sides.map((side, s) => `<rect x="12" y="${12 + 24 * s}" width="14" height="14" fill="${colours[s]}"/><text x="34" y="${24 + 24 * s}">${safe(side.name)}</text>`) : [];
    at.forEach((i, line) => sides.forEach((side, s) => {
      const y = top + step * line + 20 * s;
      if (s === 0) parts.push(`<text x="170" y="${y + 13}" text-anchor="end">${safe(label(order[i]).slice(0, 24))}</text>`);
      const long = 400 * width(all[s][i], of, view.log);
      parts.push(`<rect x="180" y="${y}" width="${long.toFixed(1)}" height="16" fill="${colours[s]}"/><text x="${(188 + long).toFixed(1)}" y="${y + 13}">${safe(percent(all[s][i]))}</text>`);
    }));
    const height = top + step * at.length + 12;
    return `<svg xmlns="http://www.w3.org/2000/svg" width="660" height="${height}" viewBox="0 0 660 ${height}" font-family="sans-serif" font-size="13" role="img" aria-labelledby="norn-alt"><title id="norn-alt">${safe(described())}</title><rect width="660" height="${height}" fill="#fff"/>${parts.join("")}</svg>`;
  }

  function save(data, kind, ending) {
    const link = make("a", { href: URL.createObjectURL(new Blob([data], { type: kind })), download: `${name}.${ending}` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  }

  async function png() {
    const image = new Image();
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg())}`;
    await image.decode();
    const canvas = make("canvas", { width: 2 * image.naturalWidth, height: 2 * image.naturalHeight });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    save(await new Promise((done) => canvas.toBlob(done, "image/png")), "image/png", "png");
  }

  async function copy(button, text) {
    await navigator.clipboard.writeText(text);
    button.textContent = words.copied;
  }

  const press = (text, pressed, change) => make("button", { type: "button", class: "law-view", "aria-pressed": String(pressed), onclick: () => { change(); draw(); } }, text);

  function draw() {
    const had = document.activeElement?.closest?.(".law-views") && root.contains(document.activeElement) ? document.activeElement.textContent : null;
    const ways = counted ? ["exactly", "least", "most"].map((how) => press(words[how], view.how === how, () => { view.how = how; })) : [];
    root.replaceChildren(...[
      figures(),
      ...sides.filter(({ granted }) => granted).slice(0, 1).map(({ granted }) => make("p", { class: "faint" }, granted)),
      ...sides.filter(({ simulated }) => simulated).slice(0, 1).map(({ simulated }) => make("p", { class: "faint" }, simulated)),
      make("div", { class: "law-views" }, ...ways,
        several && press(words.transpose, view.bySetting, () => { view.bySetting = !view.bySetting; }),
        press(words.log, view.log, () => { view.log = !view.log; })),
      several && !view.bySetting && make("ul", { class: "law-key" }, ...sides.map((side, i) => make("li", {}, make("span", { class: `law-dot law-side-${i}`, "aria-hidden": "true" }), side.name))),
      table(),
      hidden > 0 && make("p", { class: "faint" }, fill(words.rest, { n: hidden })),
      make("div", { class: "odds-actions" },
        make("button", { type: "button", onclick: (event) => copy(event.currentTarget, plain("\t", (text) => text.replaceAll("\t", " "))) }, words.copy),
        make("button", { type: "button", onclick: (event) => copy(event.currentTarget, described()) }, words.describe),
        make("button", { type: "button", onclick: () => save(plain(",", quoted), "text/csv", "csv") }, "CSV"),
        make("button", { type: "button", onclick: () => save(svg(), "image/svg+xml", "svg") }, "SVG"),
        make("button", { type: "button", onclick: png }, "PNG")),
    ].filter(Boolean));
    if (had) [...root.querySelectorAll(".law-views button")].find((button) => button.textContent === had)?.focus();
  }
  draw();
}

// The fonts of the pages, cut down to what the pages use.
//
// Two families a page: a condensed serif for heads, or its game's own, a quiet sans for all else. Each keeps only the axes
// that the styles ask for; where italics are asked for, browsers slant the upright. A face is cut
// in two for each script: the letters and signs that every page has, and all the rest of it. A
// browser fetches a part only when a page shows a letter of its range, so that names may have any
// letter that the family has. Ukrainian ґ є і ї are in the part that every Cyrillic page has.
//
// A head of a Cyrillic page needs the digits and marks that the Latin part has, but seldom its
// letters: the family for heads named "… Apart" has the two in files of their own. Its text has a few
// Latin letters on every page and a Latin word here and there: the family for text named "… Apart"
// has them in files of their own as well, without kerning. An English page has all of it in one file, kerned.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import subset from "subset-font";

const span = (from, to) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
const each = (text) => [...text].map((letter) => letter.codePointAt(0));

// What each page of a script shows.
const everyday = {
  latin: [...span(0x20, 0x7e).filter((point) => !each("$\\^`{|}~").includes(point)), ...each("\u00a0«»·×÷±°§–—‘’“”„…−↑↓")],
  cyrillic: [...span(0x410, 0x44f), ...each("ЁёҐґЄєІіЇїʼ\u0301")],
};

// sign reports whether a code point is a sign that heads use, not a letter.
const sign = (point) => /[ \u00a0\d.,:;!?()+/«»×–—’„“”…−-]/.test(String.fromCodePoint(point));

// foreign reports whether Cyrillic text needs a Latin code point: signs, except those that come with a Latin word, and the
// letters of prints of secrets, norn, the X of a card, dice (D6), NPCs, and rules (SP-03, EP, MG, ED, GB).
const foreign = (point) => !/[A-Za-z"#&'*<=>[\]_÷°§‘“”„]/.test(String.fromCodePoint(point)) || each("abcdefnorBCDEGMNPSX").includes(point);

// What the files of the packages hold; where two would hold a sign, the first has it.
const held = {
  latin: [...span(0x20, 0x7e), ...span(0xa0, 0xff), 0x131, 0x152, 0x153, 0x2bb, 0x2bc, 0x2c6, 0x2da, 0x2dc, 0x304, 0x308, 0x329,
    ...span(0x2000, 0x206f), 0x20ac, 0x2122, 0x2191, 0x2193, 0x2212, 0x2215, 0xfeff, 0xfffd],
  cyrillic: [0x301, ...span(0x400, 0x45f), 0x490, 0x491, 0x4b0, 0x4b1, 0x2116],
};

const families = [
  {
    family: "Source Sans 3", weight: "400 600", axes: { wght: { min: 400, max: 600 } },
    files: (script) => `@fontsource-variable/source-sans-3/files/source-sans-3-${script}-wght-normal.woff2`,
  },
  {
    family: "Noto Serif Display", heads: true, weight: "600", stretch: "62.5%", axes: { wght: 600, wdth: 62.5 },
    files: (script) => `@fontsource-variable/noto-serif-display/files/noto-serif-display-${script}-standard-normal.woff2`,
  },
  ...own(),
];

// own lists the families that games bring for their heads: games/*/font.json has {family, package}, weight where the family
// has that one alone, and rare: everyday letters and signs that its heads hardly have,
// so that they can come with the rest.
function own() {
  const games = new URL("../games/", import.meta.url);
  const brought = readdirSync(games).map((game) => ({ game, file: new URL(`${game}/font.json`, games) })).filter(({ file }) => existsSync(file));
  return brought.map(({ game, file }) => {
    const { family, package: from, weight, rare } = JSON.parse(readFileSync(file, "utf8"));
    if (weight) {
      return { family, game, rare, heads: true, weight, axes: {}, files: (script) => `@fontsource/${from}/files/${from}-${script}-${weight}-normal.woff2` };
    }
    return { family, game, rare, heads: true, weight: "600", axes: { wght: 600 }, files: (script) => `@fontsource-variable/${from}/files/${from}-${script}-wght-normal.woff2` };
  });
}

// ranges writes code points as CSS does.
function ranges(points) {
  const all = [...new Set(points)].sort((a, b) => a - b);
  const runs = [];
  for (const point of all) {
    if (runs.length > 0 && runs.at(-1)[1] === point - 1) runs.at(-1)[1] = point;
    else runs.push([point, point]);
  }
  const hex = (point) => point.toString(16).toUpperCase();
  return runs.map(([from, to]) => (from === to ? `U+${hex(from)}` : `U+${hex(from)}-${hex(to)}`)).join(", ");
}

// parts are all files to make, each with its name, its source and its signs.
const parts = families.flatMap(({ family, files, heads, game = "", rare = "", ...look }) => Object.keys(held).flatMap((script) => {
  const name = `${family.toLowerCase().replaceAll(" ", "-")}-${script}`;
  const keepFeatures = (heads || script === "latin") && !game ? ["kern", "mark"] : ["mark"]; // Cyrillic text, and a game's own heads, are set without kerning, which weighs 1.2 kB
  const apart = { ...look, game, keepFeatures, family: `${family} Apart`, source: files(script) };
  const common = everyday[script].filter((point) => !each(rare).includes(point));
  const rest = held[script].filter((point) => !common.includes(point));
  return [
    ...(script !== "latin" ? [] : heads ? [
      { ...apart, name: `${name}-signs.woff2`, points: common.filter(sign) },
      { ...apart, name: `${name}-letters.woff2`, points: common.filter((point) => !sign(point)) },
    ] : [
      { ...apart, keepFeatures: ["mark"], name: `${name}-apart.woff2`, points: everyday.latin.filter(foreign) },
      { ...apart, keepFeatures: ["mark"], name: `${name}-apart-letters.woff2`, points: everyday.latin.filter((point) => !foreign(point)) },
    ]),
    { ...look, game, keepFeatures, family, name: `${name}.woff2`, source: files(script), points: common },
    { ...look, game, keepFeatures, family, name: `${name}-rest.woff2`, source: files(script), points: rest },
  ];
}));

function face({ family, weight, stretch, name, points }) {
  return `@font-face { font-family: "${family}"; src: url("norn:${name}") format("woff2"); font-weight: ${weight};
    ${stretch ? `font-stretch: ${stretch};` : ""} font-display: swap; unicode-range: ${ranges(points)}; }`;
}

// fonts answers the import of norn:fonts, and of norn:fonts/GAME for what that game alone has, and makes the files that it names.
export function fonts(root) {
  return {
    name: "fonts",
    setup(build) {
      build.onResolve({ filter: /^norn:fonts(\/\w+)?$/ }, ({ path: name }) => ({ path: name.split("/")[1] ?? "all", namespace: "fonts" }));
      build.onLoad({ filter: /./, namespace: "fonts" }, ({ path: name }) => ({
        contents: parts.filter(({ game }) => game === (name === "all" ? "" : name)).map(face).join("\n"), loader: "css",
      }));
      build.onResolve({ filter: /^norn:.*\.woff2$/ }, ({ path: name }) => ({ path: name.slice("norn:".length), namespace: "font" }));
      build.onLoad({ filter: /./, namespace: "font" }, async ({ path: name }) => {
        const { source, points, axes, keepFeatures } = parts.find((part) => part.name === name);
        const whole = await readFile(path.join(root, "node_modules", source));
        const contents = await subset(whole, String.fromCodePoint(...points), {
          targetFormat: "woff2", variationAxes: axes, noHinting: true, keepFeatures,
        });
        return { contents, loader: "file" };
      });
    },
  };
}

// packages are those that the fonts come from.
export const packages = [...new Set(parts.map(({ source }) => source.split("/").slice(0, 2).join("/")))];

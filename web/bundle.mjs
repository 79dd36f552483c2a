// Bundles what pages load into dist/: scripts, styles, one theme for each game, fonts (fonts.mjs), icons.
//
// manifest.json maps each logical name (app.js, a game's style, source-sans-3-cyrillic.woff2)
// to {file, size}: the hashed name in dist/ and its bytes. Beside a file that gets smaller by it
// stand FILE.br, the same compressed by Brotli, and FILE.gz by gzip. licences.txt holds the licences of all that is bundled.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";
import zopfli from "@gfx/zopfli";
import { Resvg, initWasm } from "@resvg/resvg-wasm";
import esbuild from "esbuild";
import { fonts, packages } from "./fonts.mjs";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const dist = path.join(root, "web", "dist");

for (const name of await readdir(dist)) {
  if (name !== "placeholder.txt") await rm(path.join(dist, name), { recursive: true });
}

// Each game brings its own look: games/*/theme.css.
const games = (await readdir(path.join(root, "games"))).sort();
const themes = games.filter((game) => existsSync(path.join(root, "games", game, "theme.css")));

const { metafile } = await esbuild.build({
  plugins: [fonts(root)],
  absWorkingDir: root,
  entryPoints: [
    ...["app.js", "outside.js", "worker.js", "app.css", "outside.css", "print.css"].map((file) => ({ in: `web/assets/${file}`, out: path.parse(file).name })),
    ...themes.map((game) => ({ in: `games/${game}/theme.css`, out: game })),
  ],
  outdir: "web/dist",
  entryNames: "[name]-[hash]",
  assetNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
  splitting: true, // what is imported on demand is a file of its own
  bundle: true,
  minify: true,
  format: "esm",
  target: ["chrome123", "firefox120", "safari17.5"], // light-dark() and what it came with
  legalComments: "none", // licences.txt has them
  metafile: true,
  logLevel: "warning",
});

const manifest = {};

async function save(name, kind, data) {
  const hash = createHash("sha256").update(data).digest("hex").slice(0, 8).toUpperCase();
  manifest[`${name}.${kind}`] = { file: `${name}-${hash}.${kind}`, size: Buffer.byteLength(data) };
  await writeFile(path.join(dist, `${name}-${hash}.${kind}`), data);
}

for (const [output, { bytes }] of Object.entries(metafile.outputs)) {
  const file = path.basename(output);
  manifest[file.replace(/-[A-Z0-9]{8}(\.[a-z0-9]+)$/, "$1")] = { file, size: bytes };
  if (file.endsWith(".woff2")) continue; // which is compressed already
  const data = await readFile(path.join(dist, file));
  const packed = { br: brotliCompressSync(data), gz: await zopfli.gzipAsync(data, {}) };
  for (const [kind, less] of Object.entries(packed)) {
    if (less.length < bytes) await writeFile(path.join(dist, `${file}.${kind}`), less);
  }
}

// The icons of norn as an installed app.
await initWasm(await readFile(path.join(root, "node_modules", "@resvg", "resvg-wasm", "index_bg.wasm")));
const icon = await readFile(path.join(root, "web", "assets", "icon.svg"), "utf8");
await save("icon", "svg", icon);
for (const size of [180, 192, 512]) {
  const png = new Resvg(icon, { fitTo: { mode: "width", value: size } }).render().asPng();
  await save(`icon-${size}`, "png", png);
}

const bundled = new Set([...packages, ...Object.keys(metafile.inputs)
  .map((input) => input.match(/node_modules\/((?:@[^/]+\/)?[^/]+)/)?.[1])
  .filter(Boolean)]);
let licences = "";
for (const name of [...bundled].sort()) {
  const folder = path.join(root, "node_modules", name);
  const { version } = JSON.parse(await readFile(path.join(folder, "package.json"), "utf8"));
  licences += `${name} ${version}\n\n${(await readFile(path.join(folder, "LICENSE"), "utf8")).trim()}\n\n\n`;
}
await writeFile(path.join(dist, "licences.txt"), licences);
manifest["licences.txt"] = { file: "licences.txt", size: (await stat(path.join(dist, "licences.txt"))).size };

// Last, so that whoever finds the manifest finds the rest.
const sorted = Object.fromEntries(Object.entries(manifest).sort(([a], [b]) => a < b ? -1 : 1));
await writeFile(path.join(dist, "manifest.json"), `${JSON.stringify(sorted, null, 2)}\n`);

// Bundles what pages load into dist/: scripts, styles, one theme for each game, fonts (fonts.mjs), icons.
//
// manifest.json maps each logical name (app.js, a game's style, source-sans-3-cyrillic.woff2)
// to {file, size}: the hashed name in dist/ and its bytes. A file that compression makes smaller
// also has FILE.br, compressed by Brotli, and FILE.gz, by gzip. licences.txt holds the licences of all that is bundled.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { copyFile, mkdtemp, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";
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

// Go's own distribution brings what starts its WebAssembly in a browser. It's copied first: the names that esbuild makes depend
// on where a file is relative to the checkout, and have to be the same in all checkouts.
const goRoot = execFileSync("go", ["env", "GOROOT"], { encoding: "utf8" }).trim();
const wasmStart = path.join(dist, "wasm_exec.js");
await copyFile(path.join(goRoot, "lib", "wasm", "wasm_exec.js"), wasmStart);

const { metafile } = await esbuild.build({
  plugins: [fonts(root)],
  absWorkingDir: root,
  alias: { "go-wasm-exec": wasmStart },
  entryPoints: [
    ...["app.js", "public.js", "worker.js", "lab/worker.js", "lab/site.js", "styles/app.css", "styles/deferred.css", "styles/public.css", "styles/print.css"].map((file) => ({ in: `web/assets/${file}`, out: file.startsWith("lab/") ? `lab-${path.parse(file).name}` : path.parse(file).name })),
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

await rm(wasmStart);

const manifest = {};

async function save(name, kind, data) {
  const hash = createHash("sha256").update(data).digest("hex").slice(0, 8).toUpperCase();
  manifest[`${name}.${kind}`] = { file: `${name}-${hash}.${kind}`, size: Buffer.byteLength(data) };
  await writeFile(path.join(dist, `${name}-${hash}.${kind}`), data);
}

for (const [output, { bytes }] of Object.entries(metafile.outputs)) {
  const file = path.basename(output);
  const name = file.startsWith("chunk-") ? file.replace("-", ".") : file.replace(/-[A-Z0-9]{8}(\.[a-z0-9]+)$/, "$1"); // there are several
  manifest[name] = { file, size: bytes };
  if (file.endsWith(".woff2")) continue; // which is compressed already
  const data = await readFile(path.join(dist, file));
  const packed = { br: brotliCompressSync(data), gz: await zopfli.gzipAsync(data, {}) };
  for (const [kind, less] of Object.entries(packed)) {
    if (less.length < bytes) await writeFile(path.join(dist, `${file}.${kind}`), less);
  }
}

// The engine that works a reader's own rules out, packed alone: script unpacks it, on a server or without one. Without
// inlining it's a seventh smaller.
const built = await mkdtemp(path.join(tmpdir(), "norn-lab-"));
execFileSync("go", ["build", "-trimpath", "-buildvcs=false", "-gcflags=all=-l", "-ldflags=-s -w", "-o", path.join(built, "lab.wasm"), "./internal/lab/wasm"],
  { cwd: root, env: { ...process.env, GOOS: "js", GOARCH: "wasm", CGO_ENABLED: "0" }, stdio: ["ignore", "inherit", "inherit"] });
const engine = gzipSync(await readFile(path.join(built, "lab.wasm")), { level: 9 });
await rm(built, { recursive: true });
if (engine.length > 3_000_000) throw new Error(`the engine has ${engine.length} bytes packed, of 3,000,000`);
await save("lab", "wasm.gz", engine);

// The icons of norn as an installed app.
await initWasm(await readFile(path.join(root, "node_modules", "@resvg", "resvg-wasm", "index_bg.wasm")));
const icon = await readFile(path.join(root, "web", "assets", "icon.svg"), "utf8");
await save("icon", "svg", icon);
for (const size of [180, 192, 512]) {
  const png = new Resvg(icon, { fitTo: { mode: "width", value: size } }).render().asPng();
  await save(`icon-${size}`, "png", png);
}

// What messengers show of a link to a table: its game's emblem in the game's colours, and norn's sign.
for (const game of themes) {
  const theme = await readFile(path.join(root, "games", game, "theme.css"), "utf8");
  const emblem = (await readFile(path.join(root, "games", game, "emblem.svg"), "utf8")).replace(/<\/?svg[^>]*>/g, "");
  const night = (name) => theme.match(new RegExp(`--${name}: light-dark\\(#\\w+, (#\\w+)\\)`))?.[1] ?? "#17211f";
  const sign = icon.match(/<path.*/s)[0].replace("</svg>", "").replace(/<path d="M0 0h64v64H0Z"[^>]*>/, "");
  const tones = ["disaster", "bad", "mixed", "good", "triumph"].map((tone, i) => `<path d="M${240 * i} 606h240v24h-240Z" fill="${night(tone)}"/>`);
  const card = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 630"><path d="M0 0h1200v630H0Z" fill="${night("paper")}"/>${tones.join("")}
    <g transform="translate(384 60) scale(9)" fill="${night("accent")}">${emblem}</g>
    <g transform="translate(1080 20) scale(1.5)">${sign.replace("#17211f", night("raised")).replace("#6fc3ae", night("accent"))}</g></svg>`;
  await save(`${game}-card`, "png", new Resvg(card).render().asPng());
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
const ownGo = path.join(goRoot, "LICENSE");
if (existsSync(ownGo)) licences += `Go ${execFileSync("go", ["env", "GOVERSION"], { encoding: "utf8" }).trim().slice(2)}\n\n${(await readFile(ownGo, "utf8")).trim()}\n\n\n`;
await writeFile(path.join(dist, "licences.txt"), licences);
manifest["licences.txt"] = { file: "licences.txt", size: (await stat(path.join(dist, "licences.txt"))).size };

// Last, so that a reader of the manifest finds all its files.
const sorted = Object.fromEntries(Object.entries(manifest).sort(([a], [b]) => a < b ? -1 : 1));
await writeFile(path.join(dist, "manifest.json"), `${JSON.stringify(sorted, null, 2)}\n`);

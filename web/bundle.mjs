// Bundles assets/app.js and assets/app.css, with their fonts, into dist/.
//
// manifest.json maps each logical name (app.js, source-sans-3-cyrillic-wght-normal.woff2)
// to {file, size}: the hashed name in dist/ and its bytes. licences.txt holds the
// licences of all that is bundled.
import { existsSync } from "node:fs";
import { readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import esbuild from "esbuild";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const dist = path.join(root, "web", "dist");

for (const name of await readdir(dist)) {
  if (name !== "placeholder.txt") await rm(path.join(dist, name), { recursive: true });
}

// Each game brings its own look: games/*/theme.css.
const themes = {
  name: "themes",
  setup(build) {
    build.onResolve({ filter: /^norn:themes$/ }, () => ({ path: "themes.css", namespace: "themes" }));
    build.onLoad({ filter: /./, namespace: "themes" }, async () => {
      const games = (await readdir(path.join(root, "games"))).sort();
      const files = games.map((game) => `games/${game}/theme.css`).filter((file) => existsSync(path.join(root, file)));
      return { contents: files.map((file) => `@import "./${file}";`).join("\n"), loader: "css", resolveDir: root };
    });
  },
};

const { metafile } = await esbuild.build({
  plugins: [themes],
  absWorkingDir: root,
  entryPoints: ["web/assets/app.js", "web/assets/app.css"],
  outdir: "web/dist",
  entryNames: "[name]-[hash]",
  assetNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
  splitting: true, // what is imported on demand is a file of its own
  bundle: true,
  minify: true,
  format: "esm",
  target: ["chrome123", "firefox120", "safari17.5"], // light-dark() and what it came with
  loader: { ".woff2": "file" },
  legalComments: "none", // licences.txt has them
  metafile: true,
  logLevel: "warning",
});

const manifest = {};
for (const [output, { bytes }] of Object.entries(metafile.outputs)) {
  const file = path.basename(output);
  manifest[file.replace(/-[A-Z0-9]{8}(\.[a-z0-9]+)$/, "$1")] = { file, size: bytes };
}

const bundled = new Set(Object.keys(metafile.inputs)
  .map((input) => input.match(/node_modules\/((?:@[^/]+\/)?[^/]+)/)?.[1])
  .filter(Boolean));
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

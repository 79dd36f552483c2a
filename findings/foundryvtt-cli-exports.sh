#!/usr/bin/env bash
# @foundryvtt/foundryvtt-cli 3.0.3 packs nothing of a document that Foundry's own "Export Data" wrote: such a file
# has no _key, is skipped without a word (with log: true, too), and what the pack held of it before is removed.
# Seen with Node 20: of two items, one with _key and one as it's exported, the pack has one; packed again without
# _key, it has none. Exits non-zero if that changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true,"type":"module"}' >package.json
npm install --no-audit --no-fund --silent @foundryvtt/foundryvtt-cli@3.0.3
cat >ask.js <<'JS'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { compilePack, extractPack } from "@foundryvtt/foundryvtt-cli";

const item = (id, name) => ({ _id: id.repeat(16), name, type: "gift", system: {}, effects: [], folder: null, flags: {} });
const keyed = (it) => ({ ...it, _key: `!items!${it._id}` });
const write = (name, document) => writeFileSync(`source/${name}.json`, JSON.stringify(document));

async function packed() {
	const said = [];
	const log = console.log;
	console.log = (...parts) => said.push(parts.join(" "));
	await compilePack("source", "pack", { log: true });
	console.log = log;
	await extractPack("pack", "out", { clean: true });
	const names = readdirSync("out").map((file) => JSON.parse(readFileSync(`out/${file}`, "utf8")).name);
	return `${names.sort().join(", ") || "nothing"}; told of Brine: ${said.some((line) => line.includes("Brine"))}`;
}

mkdirSync("source");
mkdirSync("out");
write("salt", keyed(item("a", "Salt")));
write("brine", item("b", "Brine"));
console.log("Salt with a key, Brine as exported:", await packed());
write("salt", item("a", "Salt"));
console.log("both as exported:", await packed());
JS
node ask.js | tee seen.txt
diff seen.txt - <<'SEEN'
Salt with a key, Brine as exported: Salt; told of Brine: false
both as exported: nothing; told of Brine: false
SEEN

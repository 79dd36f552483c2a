#!/usr/bin/env bash
# @dice-roller/rpg-dice-roller 5.5.1 keeps only the best die if it's asked to keep more dice than were
# thrown. 4d6k4 keeps all four dice, and 4d6k5 should, too, but keeps one. Seen with Node 20: with a three
# on every die 4d6k4 is 12, and 4d6k5 is 3. Exits non-zero if that changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --no-audit --no-fund --silent @dice-roller/rpg-dice-roller@5.5.1
cat >ask.cjs <<'JS'
const { DiceRoll, NumberGenerator } = require("@dice-roller/rpg-dice-roller");
Object.defineProperty(NumberGenerator.generator, "integer", { value: () => 3 });
for (const line of ["4d6k4", "4d6k5"]) console.log(line + ":", new DiceRoll(line).total);
JS
node ask.cjs | tee seen.txt
diff seen.txt - <<'SEEN'
4d6k4: 12
4d6k5: 3
SEEN

#!/usr/bin/env bash
# dice-roller-parser 0.1.8 throws for a compounding explosion (!!) but adds nothing, and compares what a
# penetrating one (!p) throws after taking 1 off, so that a die of six explodes once at most.
# Seen with Node 20: 1d6!! on a six and a four is 6, 1d6! on the same is 10, 1d6!p on three sixes uses two
# and is 11. Exits non-zero if that changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --no-audit --no-fund --silent dice-roller-parser@0.1.8
cat >ask.cjs <<'JS'
const { DiceRoller } = require("dice-roller-parser");
let thrown;
function worth(line, faces) {
	thrown = 0;
	return new DiceRoller(() => (faces[thrown++] - 0.5) / 6).roll(line).value;
}
console.log("1d6! on 6, 4:", worth("1d6!", [6, 4]), "after", thrown, "dice");
console.log("1d6!! on 6, 4:", worth("1d6!!", [6, 4]), "after", thrown, "dice");
console.log("1d6!p on 6, 6, 6:", worth("1d6!p", [6, 6, 6]), "after", thrown, "dice");
JS
node ask.cjs | tee seen.txt
diff seen.txt - <<'SEEN'
1d6! on 6, 4: 10 after 2 dice
1d6!! on 6, 4: 6 after 2 dice
1d6!p on 6, 6, 6: 11 after 2 dice
SEEN

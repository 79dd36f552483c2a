#!/usr/bin/env bash
# Asks real programs what lines of dice are worth: tools/dialects/run.sh [SEED [LINES]]. First those of
# dice/testdata/programs.tsv again, which says what has changed in a program; then random lines of each
# program's grammar, with random faces, which norn then reads as that program. It fails if a line has
# another value in norn; a line that norn refuses is no difference. It isn't part of CI: it installs the
# pinned programs with npm and pip into a folder of its own, DIALECTS or a temporary one. NEWEST=1 installs
# the newest versions instead, to see what has changed in them. BCDice, which needs Ruby, isn't asked.
set -euo pipefail
cd "$(dirname "$0")/../.."
seed=${1:-1} lines=${2:-2200}
folder=${DIALECTS:-$(mktemp -d)}
cp tools/dialects/{ask.mjs,ask.py,package.json} "$folder"
table=$PWD/dice/testdata/programs.tsv
[ -d "$folder/node_modules/roll-parser" ] || (cd "$folder" && npm install --no-audit --no-fund --silent)
if [ -n "${NEWEST:-}" ]; then
	(cd "$folder" && npm install --no-audit --no-fund --silent @dice-roller/rpg-dice-roller@latest @rollem/language@latest \
		dice-roller-parser@latest github:edloidas/roll-parser)
fi
changed=0
(cd "$folder" && node ask.mjs "$table") || changed=$?
(cd "$folder" && node --max-old-space-size=800 ask.mjs "$seed" "$lines") >"$folder/asked.tsv"
if python3 -c 'import d20' 2>/dev/null || { pip3 install --quiet --target "$folder/py" d20==1.1.2 && export PYTHONPATH=$folder/py; }; then
	(cd "$folder" && python3 ask.py "$seed" $((lines / 2))) >>"$folder/asked.tsv"
else
	echo "Avrae isn't asked: pip can't install d20 here" >&2
fi
cut -f1 "$folder/asked.tsv" | sort | uniq -c
go test -vet=off ./dice -v -count=1 -run TestReadingsAgreeWithTheMeasuredPrograms -programs "$folder/asked.tsv"
exit "$changed"

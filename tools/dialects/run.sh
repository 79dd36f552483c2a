#!/usr/bin/env bash
# Asks real programs what random lines of their grammars are worth, with random faces, and reads the same
# lines with norn as those programs: tools/dialects/run.sh [SEED [LINES]]. It fails if a line has another
# value in norn; what norn refuses is no difference. It isn't part of CI: it installs the pinned programs
# with npm and pip into a folder of its own, DIALECTS or a temporary one. Newer versions go into
# package.json and below. BCDice, which needs Ruby, isn't asked.
set -euo pipefail
cd "$(dirname "$0")/../.."
seed=${1:-1} lines=${2:-2200}
folder=${DIALECTS:-$(mktemp -d)}
cp tools/dialects/{ask.mjs,ask.py,package.json} "$folder"
[ -d "$folder/node_modules/roll-parser" ] || (cd "$folder" && npm install --no-audit --no-fund --silent)
python3 -c 'import d20' 2>/dev/null || { pip3 install --quiet --target "$folder/py" d20==1.1.2; export PYTHONPATH=$folder/py; }
(cd "$folder" && node --max-old-space-size=800 ask.mjs "$seed" "$lines" && python3 ask.py "$seed" $((lines / 2))) >"$folder/asked.tsv"
cut -f1 "$folder/asked.tsv" | sort | uniq -c
go test -vet=off ./dice -v -count=1 -run TestReadingsAgreeWithTheMeasuredPrograms -programs "$folder/asked.tsv"

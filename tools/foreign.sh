#!/usr/bin/env bash
# Prints what norn reads of the heroes of other programs in some folders: tools/foreign.sh [-sums] [-lang ru] DIR…
# Real files belong to people, so no test holds them; this is for trying them.
set -euo pipefail
cd "$(dirname "$0")/.."
exec go run ./foreign/inspect "$@"

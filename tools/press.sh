#!/usr/bin/env bash
# Counts what one press of Roll on a page runs, made and refused, in each game: statements, each as often as
# it ran, functions and files.
set -euo pipefail
cd "$(dirname "$0")/.."
into=$(mktemp -d)
trap 'rm -rf "$into"' EXIT
go build -cover -covermode=atomic -coverpkg=norn/... -o "$into/press" ./playtest/press
"$into/press" "$into/counts"
printf '%-20s %10s %10s %6s\n' press statements functions files
for of in "$into"/counts/*/; do
  go tool covdata textfmt -i="$of" -o="$into/text"
  functions=$(go tool covdata func -i="$of" | awk '$NF != "0.0%" && $1 != "total"' | wc -l)
  awk -v name="$(basename "$of")" -v functions="$functions" '
    NR > 1 && $3 > 0 { sum += $2 * $3; split($1, at, ":"); files[at[1]] }
    END { printf "%-20s %10d %10d %6d\n", name, sum, functions, length(files) }' "$into/text"
done

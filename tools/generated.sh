#!/usr/bin/env bash
# Fails when a *_templ.go isn't what its *.templ gives, is missing, or has no *.templ.
# It generates in a folder of its own, so the tree stays as it is.
set -euo pipefail
templ=$PWD/bin/templ
fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT

files() { find . -name "$1" -not -path './node_modules/*' | sort; }

cp go.mod "$fresh"
files '*.templ' | while read -r source; do
	mkdir -p "$fresh/$(dirname "$source")"
	cp "$source" "$fresh/$source"
done
(cd "$fresh" && "$templ" generate -path . -log-level warn)

stale=$({ files '*_templ.go'; cd "$fresh"; files '*_templ.go'; } | sort -u | while read -r made; do
	cmp -s "$made" "$fresh/$made" || echo "generated: $made isn't what its templ file gives"
done)
if [ -n "$stale" ]; then
	printf '%s\n' "$stale" "generated: run 'make generate'" >&2
	exit 1
fi

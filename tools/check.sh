#!/usr/bin/env bash
# Vets and tests, without slow tests, what the uncommitted change touches: packages with a changed file and those that import
# them. Without a change it takes all packages. The plays of playtest run where they were changed themselves; `make test`
# runs everything.
set -euo pipefail
cd "$(dirname "$0")/.."
packages=$(go list -f '{{.ImportPath}} {{join .Imports " "}} {{join .TestImports " "}} {{join .XTestImports " "}}' ./...)
changed=$({ git diff --name-only HEAD; git ls-files -o --exclude-standard; } | while read -r file; do
	folder=norn/$(dirname "$file")
	until grep -q "^$folder " <<<"$packages" || [ "$folder" = norn ]; do folder=$(dirname "$folder"); done # testdata, assets
	echo "$folder"
done | sort -u)
touched=$(awk -v changed="${changed//$'\n'/ }" '
	BEGIN { n = split(changed, c, " "); for (i = 1; i <= n; i++) is[c[i]] = 1 }
	{ for (i = 1; i <= NF; i++) if (n == 0 || $i in is) { print $1; break } }' <<<"$packages")
go vet $touched
go test -short -vet=off -ldflags='-s -w' -p 4 norn $(grep -vE '^norn/playtest(/|$)' <<<"$touched") $(grep -E '^norn/playtest(/|$)' <<<"$changed" || true)

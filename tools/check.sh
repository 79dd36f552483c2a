#!/usr/bin/env bash
# Vets what the uncommitted change touches, packages with a changed file and those that import them, and tests the packages
# with a changed file, without slow tests. Without a change it takes all packages. What a change does to those that import
# a package, `make test` shows.
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
go test -short -vet=off -ldflags='-s -w' -p 4 norn ${changed:-$touched}

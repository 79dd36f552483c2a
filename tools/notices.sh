#!/usr/bin/env bash
# Gathers the licences of norn, Go and all modules that norn is built of into cmd/norn/notices, for the system that is built for:
# the files by such a name in each package's folder and in those above it, up to its module's.
set -euo pipefail
export LC_ALL=C
out=cmd/norn/notices/modules.txt
draft=$(mktemp)
trap 'rm -f "$draft"' EXIT

print() { # a title and files
	printf '== %s ==\n' "$1"
	shift
	for file; do
		printf '\n-- %s --\n\n' "$(basename "$file")"
		tr -d '\r' <"$file"
	done
	printf '\n\n'
}

notices() { find "$1" -maxdepth 1 -type f -iregex '.*/\(licen[cs]e\|copying\|copyright\|notice\|patents\)[^/]*' ! -name '*.go' | sort; }

print norn LICENSE >"$draft"
print "Go $(go env GOVERSION)" "$(go env GOROOT)/LICENSE" >>"$draft"

packages=$(go list -deps -f '{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}	{{.Dir}}	{{$.Dir}}{{end}}{{end}}' ./cmd/norn)
cut -f 1,2 <<<"$packages" | sort -u | while IFS=$'\t' read -r module top; do
	mapfile -t files < <(awk -F '\t' -v module="$module" '$1 == module { print $3 }' <<<"$packages" | while read -r dir; do
		for (( ; ; )); do
			notices "$dir"
			[ "$dir" != "$top" ] || break
			dir=$(dirname "$dir")
		done
	done | sort -u)
	if [ ${#files[@]} -eq 0 ]; then
		echo "notices: no licence is found of $module" >&2
		exit 1
	fi
	print "$module" "${files[@]}"
done >>"$draft"
chmod 0644 "$draft"
mv "$draft" "$out"

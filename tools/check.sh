#!/usr/bin/env bash
# Vets and tests what a change touches: packages of which a file differs from the last commit, and those that are made of them
# or test with them. A game that others' tests only play is scenery there: `make test` sees to it. Without a change all are.
# check.sh PATTERN SKIP: packages that match PATTERN are left out, tests that match SKIP too.
set -euo pipefail
cd "$(dirname "$0")/.."
mapfile -t changed < <({ git diff --name-only HEAD; git ls-files -o --exclude-standard; } | sort -u)
all=$(go list -f '{{.ImportPath}}|{{join .Deps " "}}|{{join .TestImports " "}} {{join .XTestImports " "}}' ./...)
mapfile -t packages < <(awk -F'|' -v files="${changed[*]}" '
	{ name[NR] = $1; deps[$1] = $2; tests[$1] = $3; is[$1] = 1 }
	function holds(list,  one, i, n) {
		n = split(list, one, " ")
		for (i = 1; i <= n; i++) if (one[i] in touched) return 1
		return 0
	}
	function touches(p,  one, i, n) {
		if (p in touched || holds(deps[p])) return 1
		n = split(tests[p], one, " ")
		for (i = 1; i <= n; i++) {
			if (one[i] ~ /^norn\/games(\/|$)/ && p !~ /^norn\/games(\/|$)/) continue
			if (one[i] in touched || holds(deps[one[i]])) return 1
		}
		return 0
	}
	END {
		n = split(files, file, " ")
		for (i = 1; i <= n; i++) {
			at = "norn/" file[i]
			while (sub(/\/[^\/]*$/, "", at) && !(at in is)) {}
			if (at in is) touched[at] = 1
		}
		for (i = 1; i <= NR; i++) if (n == 0 || name[i] == "norn" || touches(name[i])) print name[i]
	}' <<<"$all")
go vet "${packages[@]}" &
vetted=$!
failed=0
mapfile -t tested < <(printf '%s\n' "${packages[@]}" | grep -Ev "$1")
go test -p 4 -short -vet=off -ldflags='-s -w' -skip "$2" "${tested[@]}" || failed=$?
wait "$vetted"
exit "$failed"

#!/usr/bin/env bash
# Prints the packages that use sync and start a goroutine, themselves or in their tests: elsewhere the race detector finds
# nothing. With "named" it prints those with a test about goroutines, whose name begins with TestConcurrent.
set -euo pipefail
having() { # the packages with a line like this
	grep -rlE "$1" --include='*.go' --exclude-dir=node_modules --exclude-dir=playtest --exclude-dir=tools . | xargs dirname | sort -u
}
named=$(having '^func TestConcurrent')
if [ "${1:-}" = named ]; then
	echo "$named"
	exit
fi
started=$(having '^\s*(defer )?go (func|[a-z])|\.Go\(|\.Parallel\(\)|httptest\.NewServer')
shared=$(go list -f '{{.ImportPath}} {{join .Imports " "}} {{join .TestImports " "}} {{join .XTestImports " "}}' ./... |
	grep -E ' sync(/atomic)?( |$)' | cut -d ' ' -f 1 | sed 's#^norn#.#' | sort)
sort -u <(echo "$named") <(comm -12 <(echo "$started") <(echo "$shared"))

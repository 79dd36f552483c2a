#!/usr/bin/env bash
# Prints the packages that use sync, themselves or in their tests: in others the race detector finds nothing. With "named" it
# prints those with a test whose subject is what happens at the same time: its name begins with TestConcurrent.
set -euo pipefail
if [ "${1:-}" = named ]; then
	grep -rlE '^func TestConcurrent' --include='*_test.go' --exclude-dir=node_modules . | xargs dirname | sort -u
else
	go list -f '{{.ImportPath}} {{join .Imports " "}} {{join .TestImports " "}} {{join .XTestImports " "}}' ./... |
		grep -E ' sync(/atomic)?( |$)' | cut -d ' ' -f 1 | grep -v '^norn/playtest'
fi

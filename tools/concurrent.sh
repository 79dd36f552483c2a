#!/usr/bin/env bash
# Prints the packages that use sync, themselves or in their tests. In others the race detector finds nothing.
set -euo pipefail
go list -f '{{.ImportPath}} {{join .Imports " "}} {{join .TestImports " "}} {{join .XTestImports " "}}' ./... |
	grep -E ' sync(/atomic)?( |$)' | cut -d ' ' -f 1 | grep -v '^norn/playtest'

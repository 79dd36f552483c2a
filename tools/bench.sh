#!/usr/bin/env bash
# Runs the benchmarks of every package that has one. Usage: bench.sh TIME
set -euo pipefail
packages=$(grep -rlE '^func Benchmark' --include='*_test.go' --exclude-dir=node_modules . | xargs -rn1 dirname | sort -u)
if [ -z "$packages" ]; then
	echo "bench: no benchmarks"
	exit 0
fi
# One package at a time, so that they don't share the cores.
# shellcheck disable=SC2086 # a list of folders without spaces
go test -p 1 -run '^$' -bench . -benchmem -benchtime "$1" $packages

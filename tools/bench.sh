#!/usr/bin/env bash
# Runs the benchmarks of every package that has one, and compares jobs done by rule
# with the same jobs done by hand. Usage: bench.sh TIME
set -euo pipefail
packages=$(grep -rlE '^func Benchmark' --include='*_test.go' --exclude-dir=node_modules . | xargs -rn1 dirname | sort -u)
if [ -z "$packages" ]; then
	echo "bench: no benchmarks"
	exit 0
fi
# One package at a time, so that they don't share the cores.
# shellcheck disable=SC2086 # a list of folders without spaces
go test -p 1 -run '^$' -bench . -benchmem -benchtime "$1" $packages | awk '
	{ print }
	/^Benchmark/ {
		job = $1; sub(/-[0-9]+$/, "", job)
		kind = job; sub(/.*\//, "", kind); sub(/\/[^\/]*$/, "", job)
		if (kind == "rule") { rule[job] = $3; jobs[++n] = job }
		if (kind == "by-hand") hand[job] = $3
	}
	END {
		print "\nby rule : by hand"
		for (i = 1; i <= n; i++)
			if (hand[jobs[i]] > 0) printf "%-40s %12.0f ns %12.0f ns %8.2f\n", jobs[i], rule[jobs[i]], hand[jobs[i]], rule[jobs[i]] / hand[jobs[i]]
	}'

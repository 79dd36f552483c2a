#!/usr/bin/env bash
# Runs every fuzz target of every package, one after another. Usage: fuzz.sh TIME
# What is found is made small for two seconds at most: by default a minute goes into each new input, and so all of TIME.
set -euo pipefail
found=0
while read -r file; do
	while read -r target; do
		found=$((found + 1))
		echo "fuzz: $(dirname "$file") $target"
		go test -run '^$' -fuzz "^$target\$" -fuzztime "$1" -fuzzminimizetime 2s "$(dirname "$file")"
	done < <(sed -nE 's/^func (Fuzz[A-Za-z0-9_]*)\(f \*testing\.F\).*/\1/p' "$file")
done < <(find . -name '*_test.go' -not -path './node_modules/*' -not -path './tools/*' | sort)
echo "fuzz: $found targets"

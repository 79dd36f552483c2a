#!/usr/bin/env bash
# Runs every fuzz target of every package, one after another. Usage: fuzz.sh [TIME]
# With a time, each runs so long, and Go's cache keeps what it learns for the next time. Without one, each starts from
# its seeds and runs as often as below, so that all together always take about as long: 160 s of CPU, a minute and a
# half on two quiet cores, once the tests are built; 360 s with an empty build cache.
set -euo pipefail

runs() { # of a target; what isn't listed does thousands a second
	case $1 in
	"./foreign FuzzDescription" | "./foreign FuzzWorkbook" | "./web FuzzOddsPage") echo 1000x ;;
	"./chat FuzzRead" | "./games "* | "./rule "* | "./script "* | "./table "* | "./web"*) echo 5000x ;;
	*) echo 20000x ;;
	esac
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
learned=$work/learned
if [ $# -gt 0 ]; then learned=$(go env GOCACHE)/fuzz/norn; fi
targets=$(find . -name '*_test.go' -not -path './node_modules/*' -not -path './tools/*' -print0 | xargs -0 awk '
	/^func Fuzz/ { sub(/^func /, ""); sub(/\(.*/, ""); package = FILENAME; sub(/\/[^\/]*$/, "", package); print package, $0 }' | sort)
# Only norn's packages count what is covered: -fuzz would build all of SQLite and Go's library anew for that.
# shellcheck disable=SC2046 # folders without spaces
go test -c -vet=off -ldflags='-s -w' -gcflags='norn/...=-d=libfuzzer' -o "$work/" $(cut -d ' ' -f 1 <<<"$targets" | uniq)
while read -r package target; do
	echo "fuzz: $package $target"
	# Without -test.fuzzminimizetime a minute would go into making each new input small.
	(cd "$package" && "$work/$(basename "$package").test" -test.run '^$' -test.fuzz "^$target\$" \
		-test.fuzztime "${1:-$(runs "$package $target")}" -test.fuzzminimizetime 20x -test.fuzzcachedir "$learned/$package")
done <<<"$targets"
echo "fuzz: $(wc -l <<<"$targets") targets"

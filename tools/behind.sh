#!/usr/bin/env bash
# Names each dependency that has a newer version, of Go modules and of npm. It never fails: being behind is not the fault of
# a change. A registry that doesn't answer is named too.
set -uo pipefail
cd "$(dirname "$0")/.."

# newer asks for each module apart, for one that can't be asked would silence all others.
newer() {
	timeout 60 go list -m -u -f '{{with .Update}}behind: {{$.Path}} {{$.Version}}, newest {{.Version}}{{end}}' "$1" 2>/dev/null ||
		echo "behind: $1 can't be asked for"
}
export -f newer

for folder in . tools tools/release; do
	(
		cd "$folder" || exit
		{
			go list -m -f '{{if not (or .Main .Indirect)}}{{.Path}}{{end}}' all
			go list -f '{{with .Module}}{{.Path}}{{end}}' tool 2>/dev/null
		} | sed '/^norn/d; /^$/d' | sort -u | xargs -r -P 4 -I{} bash -c 'newer {}'
	) | sed '/^$/d'
done

timeout 60 npm outdated --parseable 2>/dev/null | awk -F: '{ print "behind: " $3 ", newest " $4 }'
exit 0

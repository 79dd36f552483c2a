#!/usr/bin/env bash
# Makes sure that there is a PostgreSQL for the tests of many nodes. They start a server of their own; none needs to run.
set -euo pipefail

if command -v initdb >/dev/null && command -v postgres >/dev/null; then exit 0; fi
for folder in /usr/lib/postgresql/*/bin /usr/pgsql-*/bin /opt/homebrew/opt/postgresql*/bin /usr/local/opt/postgresql*/bin; do
	if [ -x "$folder/initdb" ] && [ -x "$folder/postgres" ]; then exit 0; fi
done

root=()
if [ "$(id -u)" != 0 ]; then root=(sudo -n); fi
if command -v apt-get >/dev/null && "${root[@]}" true 2>/dev/null; then
	echo "installing Debian's postgresql for the tests"
	export DEBIAN_FRONTEND=noninteractive
	"${root[@]}" apt-get update -qq
	"${root[@]}" apt-get install -y -qq --no-install-recommends postgresql >/dev/null
	exit 0
fi

cat >&2 <<'HOW'
make: the tests of many nodes need PostgreSQL 14 or newer, and its initdb is not to be found.
  Debian, Ubuntu   sudo apt-get install postgresql
  Fedora           sudo dnf install postgresql-server
  Arch             sudo pacman -S postgresql
  macOS            brew install postgresql
HOW
exit 1

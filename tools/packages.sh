#!/usr/bin/env bash
# Builds two packages of the commit that is checked out, one with an older number, and installs, upgrades, plays, removes and
# purges them in a Debian of their own. It wants root, debootstrap and Debian's packages. Usage: packages.sh VERSION
set -euo pipefail
command -v debootstrap >/dev/null || { echo "packages: debootstrap is missing: sudo apt-get install debootstrap" >&2; exit 1; }
[ "$(id -u)" = 0 ] || { echo "packages: run it as root, in a machine that may be thrown away" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 0755 "$work"
bin/release -version 0.0.0 -only linux-amd64 -out "$work/older"
bin/release -version "$1" -only linux-amd64 -out "$work/newer"
debootstrap --variant=minbase bookworm "$work/root" >"$work/log" 2>&1 || { tail "$work/log" >&2; exit 1; }
go test -count=1 -v -run '^TestPackage$' ./playtest -args -debian "$work/root" -packages "$work/older/norn_0.0.0_amd64.deb,$work/newer/norn_$1_amd64.deb"

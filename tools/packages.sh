#!/usr/bin/env bash
# Builds packages of the commit that is checked out, one with an older number, and installs, upgrades, plays, removes and purges
# them in a Debian of their own. What another checkout gives must be the same to the byte. It wants root, debootstrap, lintian
# and Debian's packages. Usage: packages.sh VERSION
set -euo pipefail
command -v lintian >/dev/null || { echo "packages: lintian is missing: sudo apt-get install lintian" >&2; exit 1; }
command -v debootstrap >/dev/null || { echo "packages: debootstrap is missing: sudo apt-get install debootstrap" >&2; exit 1; }
[ "$(id -u)" = 0 ] || { echo "packages: run it as root, in a machine that may be thrown away" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 0755 "$work"
release=$PWD/bin/release
"$release" -version 0.0.0 -only linux-amd64 -out "$work/older"
"$release" -version "$1" -only linux-amd64 -out "$work/newer"

git clone -q . "$work/elsewhere"
(cd "$work/elsewhere" && make -s bundle >/dev/null && "$release" -version "$1" -only linux-amd64 -out "$work/again")
diff "$work/newer/SHA256SUMS" "$work/again/SHA256SUMS" || { echo "packages: two checkouts of one commit give different files" >&2; exit 1; }
echo "packages: two checkouts agree"
lintian --allow-root --fail-on error "$work/newer/norn_$1_amd64.deb"

for system in windows darwin; do GOOS=$system go vet $(go list -deps ./cmd/norn | grep '^norn/'); done
debootstrap --variant=minbase bookworm "$work/root" >"$work/log" 2>&1 || { tail "$work/log" >&2; exit 1; }
go test -tags e2e -count=1 -v -run '^(TestAPackageIsInstalledUpgradedAndRemoved|TestAHostFollowsThePages)$' ./playtest -args -debian "$work/root" -packages "$work/older/norn_0.0.0_amd64.deb,$work/newer/norn_$1_amd64.deb"
systemd-analyze security --offline=true --threshold=20 deploy/norn.service >"$work/log" || { tail -1 "$work/log" >&2; exit 1; }

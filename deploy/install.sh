#!/bin/sh
# Installs norn for the user who runs it, on Linux or macOS, without sudo, or brings it up to date:
#   sh install.sh [--from ADDRESS] [--to FOLDER]
# ADDRESS is a folder of a release, in the web by https or on this machine; FOLDER is ~/.local/bin unless given. The archive's checksum
# must be the one in the release's SHA256SUMS, and that file signed by norn's key, or nothing is changed. To remove norn: rm ~/.local/bin/norn. Tables stay.
set -eu

from=${NORN_FROM:-}
# The public key by which releases are signed, in OpenSSH's form; README has its fingerprint. Who builds norn for others names their own.
# There is none yet: releases up to now have only checksums.
key=${NORN_KEY:-}
to=${HOME:?}/.local/bin
while [ $# -gt 0 ]; do
	case $1 in
		--from) from=${2:?--from wants an address}; shift 2 ;;
		--to) to=${2:?--to wants a folder}; shift 2 ;;
		*) echo "install: what is $1? Known: --from ADDRESS, --to FOLDER" >&2; exit 2 ;;
	esac
done

fail() { echo "install: $1" >&2; exit 1; }

[ -n "$from" ] || fail "where from? --from ADDRESS names the folder of a release, in which SHA256SUMS is"

case $from in
	http://*) fail "$from could be changed on its way: name an https address, or a folder into which you have copied the release" ;;
	*://*) case $from in https://*) ;; *) fail "what is $from? An https address or a folder" ;; esac ;;
esac

case $(uname -s) in
	Linux) system=linux ;;
	Darwin) system=macos ;;
	*) fail "there is no norn for $(uname -s) here; Windows has a zip of its own" ;;
esac
case $(uname -m) in
	x86_64 | amd64) arch=amd64 ;;
	aarch64 | arm64) arch=arm64 ;;
	armv7*) arch=armv7 ;;
	*) fail "there is no norn for $(uname -m)" ;;
esac

fetch() { # NAME: a file of the release, into the folder for downloads
	case $from in
		https://*)
			if command -v curl >/dev/null; then curl -fsSL --proto =https -o "$work/$1" "$from/$1"
			elif command -v wget >/dev/null; then wget -q --https-only -O "$work/$1" "$from/$1"
			else fail "curl or wget is needed"; fi ;;
		*) cp "$from/$1" "$work/$1" ;;
	esac || fail "$from/$1 can't be fetched"
}

sum() {
	if command -v sha256sum >/dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d ' ' -f 1
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fetch SHA256SUMS
if [ -n "$key" ]; then
	command -v ssh-keygen >/dev/null || fail "ssh-keygen is needed to check the signature: install OpenSSH's client"
	fetch SHA256SUMS.sig
	echo "norn $key" >"$work/signers"
	ssh-keygen -Y verify -f "$work/signers" -I norn -n norn -s "$work/SHA256SUMS.sig" <"$work/SHA256SUMS" >/dev/null 2>&1 ||
		fail "SHA256SUMS isn't signed by norn's key: it may be changed. Nothing was installed"
fi
wanted=$(grep " norn-[^/ ]*-$system-$arch\.tar\.gz\$" "$work/SHA256SUMS") || fail "this release has no norn for $system-$arch"
archive=${wanted##* }
fetch "$archive"
[ "$(sum "$work/$archive")" = "${wanted%% *}" ] || fail "$archive isn't what SHA256SUMS says: it may be damaged or changed. Nothing was installed"
tar -xzf "$work/$archive" -C "$work"

mkdir -p "$to"
cp "$work/${archive%.tar.gz}/norn" "$to/.norn.new"
chmod 755 "$to/.norn.new"
mv "$to/.norn.new" "$to/norn" # one that runs goes on
"$to/norn" version
case :$PATH: in
	*":$to:"*) echo "Installed as $to/norn. To begin: norn serve --open --demo" ;;
	*) echo "Installed as $to/norn. $to isn't in your PATH; to begin: $to/norn serve --open --demo" ;;
esac

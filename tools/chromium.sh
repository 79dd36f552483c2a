#!/usr/bin/env bash
# Makes sure that there is a Chromium for the browser tests.
set -euo pipefail

for browser in chromium-headless-shell headless-shell chromium chromium-browser google-chrome google-chrome-stable; do
	if command -v "$browser" >/dev/null; then exit 0; fi
done

root=()
if [ "$(id -u)" != 0 ]; then root=(sudo -n); fi
if command -v apt-get >/dev/null && "${root[@]}" true 2>/dev/null; then
	echo "installing Debian's Chromium for the browser tests"
	export DEBIAN_FRONTEND=noninteractive
	"${root[@]}" apt-get update -qq
	# The shell starts faster and takes half the time of the whole browser; not every release has it.
	"${root[@]}" apt-get install -y -qq --no-install-recommends chromium-headless-shell >/dev/null 2>&1 ||
		"${root[@]}" apt-get install -y -qq --no-install-recommends chromium >/dev/null
	exit 0
fi

cat >&2 <<'HOW'
make: the browser tests need Chromium, and it is not on the PATH.
  Debian, Ubuntu   sudo apt-get install chromium-headless-shell, or chromium
  Fedora           sudo dnf install chromium
  Arch             sudo pacman -S chromium
  macOS            brew install --cask google-chrome
HOW
exit 1

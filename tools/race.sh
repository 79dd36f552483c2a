#!/usr/bin/env bash
# Runs a command that needs the race detector, which needs a C compiler. Without one it says so.
set -euo pipefail
if command -v "$(go env CC)" >/dev/null; then exec "$@"; fi
echo "no C compiler: tests under the race detector are skipped. Install gcc (Debian, Fedora, Arch) or Xcode's tools (xcode-select --install)." >&2

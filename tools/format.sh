#!/usr/bin/env bash
# Fails, with the difference, when gofumpt would write a file otherwise.
set -euo pipefail
difference=$(bin/gofumpt -d . || true)
if [ -n "$difference" ]; then
	printf '%s\n' "$difference"
	echo "format: run 'bin/gofumpt -w .'" >&2
	exit 1
fi

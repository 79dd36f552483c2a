#!/usr/bin/env bash
# Installs what tests need in addition to Go and Node, by apt as root: a headless Chromium, WebKitGTK with a display for it,
# PostgreSQL, nginx, Caddy and a C compiler for the race detector. Where it can't, it says which tests are skipped and
# what to install; race.sh does that for the compiler. Builds bin/pebble, a certificate authority for tests, and
# bin/oapi-codegen and bin/typescript, which generate clients of the API.
set -euo pipefail

# only programs: command -v would find the function chromium below, and take it for the browser
has() { for program; do if [ -n "$(type -P "$program")" ]; then return 0; fi; done; return 1; }

chromium() { has chromium-headless-shell headless-shell chromium chromium-browser google-chrome google-chrome-stable; }

webkit() { has WebKitWebDriver && has Xvfb; }

postgresql() {
	if has initdb && has postgres; then return 0; fi
	for folder in /usr/lib/postgresql/*/bin /usr/pgsql-*/bin /opt/homebrew/opt/postgresql*/bin /usr/local/opt/postgresql*/bin; do
		if [ -x "$folder/initdb" ] && [ -x "$folder/postgres" ]; then return 0; fi
	done
	return 1
}

install() { # packages, of which the first that the release has is taken
	local said=
	for package; do
		if said+=$(DEBIAN_FRONTEND=noninteractive apt-get install -o Acquire::Retries=5 -y -qq --no-install-recommends "$package" 2>&1); then
			return 0
		fi
	done
	tail -n 5 <<<"$said" >&2
	return 1
}

miss() { # what is missing, and what that means; in CI, where a test that is skipped would look green, it's an error
	echo "$1" >&2
	[ -z "${CI:-}" ]
}

if ! { chromium && webkit && postgresql && has nginx && has caddy && has gcc cc; } && [ "$(id -u)" = 0 ] && has apt-get; then
	echo "installing what tests need: Chromium, WebKitGTK, PostgreSQL, nginx, Caddy and gcc" >&2
	apt-get update -qq
	chromium || install chromium-headless-shell chromium || true # the shell starts faster; not every release has it
	has WebKitWebDriver || install webkit2gtk-driver webkitgtk-webdriver || true
	has Xvfb || install xvfb || true
	postgresql || install postgresql || true
	has nginx || install nginx-light nginx || true
	has caddy || install caddy || true
	has gcc cc || { install gcc && install libc6-dev musl-dev; } || true
fi
chromium || miss "no Chromium: browser scenes are skipped. Install chromium (Debian, Fedora, Arch) or google-chrome (brew)."
webkit || miss "no WebKitWebDriver or Xvfb: scenes in WebKit are skipped. Install webkit2gtk-driver and xvfb (Debian)."
postgresql || miss "no PostgreSQL: tests of many nodes are skipped. Install postgresql (Debian, Arch, brew) or postgresql-server (Fedora)."
has nginx && has caddy || miss "no nginx or Caddy: its example in deploy/proxy isn't tried."
[ -x bin/pebble ] || (cd tools && go build -trimpath -o ../bin/pebble github.com/letsencrypt/pebble/v2/cmd/pebble) ||
	miss "no bin/pebble: the test of certificates is skipped. It's built with the tools' modules, which Go fetches."
[ -x bin/oapi-codegen ] || (cd tools && go build -trimpath -o ../bin/oapi-codegen github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen) ||
	miss "no bin/oapi-codegen: the test of generated clients is skipped. It's built with the tools' modules, which Go fetches."
[ -d bin/typescript/node_modules ] || (mkdir -p bin/typescript && cp playtest/testdata/typescript/package*.json bin/typescript/ && cd bin/typescript && npm ci --no-audit --no-fund) ||
	miss "no bin/typescript: the test of a generated TypeScript client is skipped. npm installs it."

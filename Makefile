# norn: `make run` opens a demo table, `make test` tests it.
SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
LISTEN ?= localhost:8080
FUZZTIME ?= 20s
BENCHTIME ?= 0.5s
LOADFLAGS ?= -play paced,flat,growth -want-p99 50ms -want-rss 400 -want-flat 5000
# -count=1: playtest builds norn by itself, which the test cache doesn't see. -vet=off: lint vets. -s -w: links faster.
GOTEST := go test -count=1 -vet=off -ldflags='-s -w' -timeout 40m -p 4
# SQLite is C translated to Go: it shares no memory with norn and would take a third of the race detector's time.
RACETEST := GORACE=atexit_sleep_ms=50 tools/race.sh $(GOTEST) -short -race -gcflags=modernc.org/sqlite/lib=-race=false -gcflags=modernc.org/libc/...=-race=false
modules := node_modules/.package-lock.json
manifest := web/dist/manifest.json
engine := go.mod $(shell find internal/lab internal/bare script odds game rule form lang distribution dice -name '*.go' ! -name '*_test.go' -o -name '*.toml' -o -name all.txt)
.PHONY: help run build release size packages bundle notices site generate check test e2e whole needs lint behind bench pictures load crash fuzz clean
help: ## show these targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile
run: build ## build norn and open a demo table on http://localhost:8080
	bin/norn serve --demo --listen $(LISTEN)
build: bundle notices ## build bin/norn with its web bundle and all licences
	go build -trimpath -o bin/norn ./cmd/norn
release: bundle bin/release ## build what people download into release/; VERSION=0.1.0, signed by KEY=file
	bin/release -version "$(VERSION)" $(if $(KEY),-key "$(KEY)")
size: bundle bin/release ## build linux/amd64 as it's released, and hold it to its limits
	bin/release -size
packages: bundle bin/release ## try Debian's package in a root of its own; wants root; VERSION=0.1.0
	@tools/packages.sh "$(VERSION)"
bundle: $(manifest) ## bundle scripts, styles and fonts into web/dist
notices: ## gather the licences of all modules into cmd/norn/notices
	@tools/notices.sh
generate: bin/templ ## generate *_templ.go from *.templ
	bin/templ generate -path . -log-level warn
check: $(manifest) ## vet what your uncommitted change touches, and test its packages without slow tests
	@tools/check.sh
test: bundle notices needs ## test everything, in samples where it takes long, with one browser scene a game
	node --test $$(find web/assets -name '*.test.js')
	$(GOTEST) -short $$(go list ./... | grep -v /playtest)
	$(RACETEST) -run '^TestConcurrent' $$(tools/concurrent.sh named)
	$(GOTEST) -short -tags browser ./playtest/...
e2e: bundle notices needs ## play every scene whole, all of them in browsers too
	$(GOTEST) -p 1 -parallel 3 -tags e2e ./playtest/... # scenes wait more than they work
	cd tools/release && go test -count=1 ./...
whole: bundle notices needs ## test scripts and packages whole, fuzz each target a fixed number of times, race all that runs beside something
	node --test $$(find web/assets -name '*.test.js')
	$(GOTEST) $$(go list ./... | grep -v /playtest)
	@tools/fuzz.sh
	$(RACETEST) $$(tools/concurrent.sh)
needs: # what tests need besides Go and Node: installs it where it can, else says what is missing
	@tools/needs.sh
lint: bin/staticcheck bin/gofumpt bin/templ ## vet, staticcheck, gofumpt, generated files fresh
	@tools/generated.sh && tools/format.sh
	go vet -tags e2e ./... && go vet -tags browser ./playtest/... && cd tools/release && go vet ./...
	STATICCHECK_CACHE=$(CURDIR)/bin/staticcheck.cache bin/staticcheck -matrix ./... <<<$$'e2e: -tags=e2e\nbrowser: -tags=browser'
behind: ## name dependencies that have a newer version
	@tools/behind.sh
bench: bundle needs ## run every benchmark, BENCHTIME each
	@tools/bench.sh $(BENCHTIME)
site: bundle notices ## write norn's site into release/site
	go run ./docs/site
pictures: build needs ## take the pictures of README and docs/guide from a norn that runs
	go run ./docs/pictures
load: ## play a thousand live tables on a real norn; LOADFLAGS=-help lists the plays
	go run ./playtest/load -game spire $(LOADFLAGS)
crash: bundle needs ## kill norn fifty times while people play, and check what is left
	go test -tags e2e -count=1 -timeout 11m -run '^TestAKilledServerLosesNothing$$' -v ./playtest -args -crashes 50
fuzz: bundle needs ## run every fuzz target, FUZZTIME each, and three random evenings
	@tools/fuzz.sh $(FUZZTIME)
	go test -tags e2e -count=1 -timeout 12m -run '^TestPagesShowTheSameWhenAllIsQuiet$$' ./playtest -args -evening $$RANDOM -evenings 3
clean: ## remove all that was built
	rm -rf bin node_modules release
	find web/dist cmd/norn/notices -mindepth 1 ! -name placeholder.txt -delete
$(modules): package.json package-lock.json
	npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@
$(manifest): $(modules) web/bundle.mjs web/fonts.mjs $(shell find web/assets -type f) $(wildcard games/*/theme.css games/*/font.json) $(engine)
	node web/bundle.mjs
bin/release: $(wildcard tools/release/*) tools/go.mod
	cd tools/release && go build -trimpath -o ../../bin/release .
bin/staticcheck bin/gofumpt bin/templ &: tools/go.mod tools/go.sum # the tools' versions are pinned there
	cd tools && go build -trimpath -o ../bin/ tool
	@touch bin/staticcheck bin/gofumpt bin/templ

# norn: `make run` opens the demo table, `make test` tests everything.

SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

LISTEN ?= localhost:8080
FUZZTIME ?= 20s
BENCHTIME ?= 0.5s
LOADFLAGS ?= -play paced,flat,growth -want-p99 50ms -want-rss 400 -want-flat 5000
NODEFLAGS ?= -play paced,flat -tables 300 -rate 300 -time 10s
# -count=1: playtest builds norn itself, which the test cache does not see.
# -vet=off: `make lint` vets. Without what only debuggers read, seventy tests are linked in two thirds of the time.
TESTFLAGS ?= -count=1 -timeout 12m -vet=off -ldflags='-s -w'
# The race detector goes where goroutines are (a test holds this list to the code), for elsewhere it finds nothing and takes
# most of the time. Nor is it with tests that do one thing after the other, many times: scripts that call norn a hundred
# times, which starts eight times slower with it, random play, thousands of requests in turn. Whole files of such tests, as of pages
# that are drawn, say it themselves: //go:build !race.
raced := ^norn/((chat/(bridge|discord|telegram)|cmd/norn/internal/(operator|owngames|server|tables)|notify|kvstore|limit|meter|relay|web/(api|door|odds|play|stream))(/|$$)|(cmd/norn|journal(/(journaltest|postgres|queue|sqlite))?|odds|table|web)$$)
inturn := TestYearsLater|TestUnreadableBodies|TestListsAreNeverNull|TestOperationsAreBesieged|TestOddsSumToOne|TestLinesFit|TestStories|TestEveryGameIsBorneOut|TestScriptsWithin|TestAdviceCountsTheDiceOnTheCard|TestScripts|TestOddsSayWhatTheyTakeForGranted|TestRoomTellsNothingHidden|TestOddsAreBoundedByTheirDigits|TestAnswersAreGivenOnce|TestOddInputBreaksNothing|TestEveryAnswerIsGuarded|TestFingerprintOfNested|TestRandomPlay|TestPagesAreBesieged|TestFairSessionsAreUniformlyLucky|TestSnapshotsFoldAlike|TestManyPicturesAtOnce|TestAFolderIsAGame|TestAttachmentsAreBounded|TestIndexOfMoves|TestTablesSeatsCharacters|TestALogOfManyWordsComesInParts
plain := ^($(inturn))$$
files := $$(grep -rl --include='*_test.go' --exclude-dir=node_modules '^//go:build !race$$' .)
# SQLite is C made into Go: it locks by itself and shares no memory with norn, and would take a third of the detector's time.
# What is told on the spot needs no second of waiting when a test ends; a heap that may grow is swept less often.
race := GORACE=atexit_sleep_ms=50 GOGC=400 go test -race -gcflags=modernc.org/sqlite/lib=-race=false -gcflags=modernc.org/libc/...=-race=false
# The slowest begin first, so that none is left to run alone.
first := ./web ./table ./cmd/norn ./web/api ./journal/postgres
# Evenings are long scenes of browsers that show together, or on more pages, what shorter ones show each for itself, or a
# game's rules once more: `make evenings`.
evenings := ^(TestSpireEvening|TestMageEveningOfTwoSeats|TestEclipseEveningByTwo|TestEddaEvening|TestGodboundEveningByTwo|TestAnEveningAtFourFaces|TestPagesConverge|TestGodboundMobChampionFuryAndDawn|TestEclipseOpposedTestThatAFlipTurns|TestMageRitualWhoseAltarIsRuined|TestEddaContestFiascoAndOblivion|TestSpireCheckThatTurnsIntoFallout|TestThreeNodes|TestDamageIsMissed|TestAHeroInAFewPresses|TestASheetIsChangedByTouch|TestASheetPrintsOnOnePage|TestTheStoryHasRoom|Test(Edda|Eclipse|Mage|Spire)ExamplesOnPaper|TestGodboundEveningOnPaper|TestTwoSeatsPlayAll|TestFirefoxPlaysAll)$$
# Scenes that play as much as they're told to, and there as much as there is.
longer := ^(TestPagesAreAccessible|TestPagesFit|TestAFirstVisitIsLight|TestKilled)$$
# Packages of which `make test` plays a sample, and `make evenings` all. Others are tested whole: properties need their draws.
sampled := ./playtest ./playtest/secrets ./playtest/editions ./chat ./script
# Of random play at tables likewise.
drawn := ^TestRandomPlay$$
# What no check after a change waits for: time-outs, other processes, databases, browsers.
waiting := ^(TestLimits|TestNothingIsLostOrDoneTwice|TestNornIsDown|TestAnAnswerThatIsLostIsNoSecondMessage|TestSilentNodesAreOffline|TestOnlineIsForgottenAndRepeated|TestOddsKeepWithinTheirMemory|TestTheGatewayComesBack|TestAFlood(AtTheTable|ComesInOrder)|TestCutInMidAnswer|TestBodiesAreAmongTheRequestsAtOnce|TestSlow(Senders|Takers)AreCutOff|TestASlowPageIsDroppedAndResumes|TestNewerRulesAreTakenUp|TestAdviceCountsTheDiceOnTheCard)$$
slow := ^norn/(cmd/norn|docs/pictures|journal/(postgres|sqlite)|playtest|relay/nats|web/api)(/|$$)

modules := node_modules/.package-lock.json
manifest := web/dist/manifest.json

.PHONY: help run build release packages bundle notices generate check test raced browsers sampled unraced plain evenings played whole chromium postgres lint behind bench growth pictures load load-nodes crash fuzz clean

help: ## show these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile

run: build ## build, and open the demo table on http://localhost:8080
	bin/norn serve --demo --listen $(LISTEN)

build: bundle notices ## build bin/norn with its web bundle and all licences
	go build -trimpath -o bin/norn ./cmd/norn

release: bundle ## build what people download into release/, of the commit that is checked out; VERSION=0.1.0
	cd tools/release && go build -trimpath -o ../../bin/release .
	bin/release -version "$(VERSION)"

packages: bundle chromium ## install, upgrade, play and remove a package in a Debian of its own, and build twice; wants root; VERSION=0.1.0
	cd tools/release && go build -trimpath -o ../../bin/release .
	@tools/packages.sh "$(VERSION)"

bundle: $(manifest) ## bundle scripts, styles and fonts into web/dist

$(modules): package.json package-lock.json
	@command -v npm >/dev/null || { echo "make: npm is missing: install Node.js 20 or newer; without it 'go build ./cmd/norn' makes a norn with plain pages" >&2; exit 1; }
	npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

$(manifest): $(modules) web/bundle.mjs web/fonts.mjs $(shell find web/assets -type f) $(wildcard games/*/theme.css games/*/font.json)
	node web/bundle.mjs

notices: ## gather the licences of all modules into cmd/norn/notices
	@tools/notices.sh

generate: bin/templ ## write again what is generated from *.templ
	bin/templ generate -path . -log-level warn

check: $(manifest) ## after each change: vet and test what it touches, but for what takes long
	@tools/check.sh '$(slow)' '$(plain)|$(waiting)'

test: bundle notices chromium postgres ## test everything, browser tests included; evenings apart
	node --test $$(find web/assets -name "*.test.js")
	@$(MAKE) --no-print-directory -j2 raced browsers sampled unraced plain

# Its parts, of which two run at once: while one waits for browsers and time-outs, the other works. What starts no norn that
# is watched as people run it may have a larger heap for less sweeping.
raced:
	$(race) $(TESTFLAGS) -skip '$(plain)' $(first) $$(go list ./... | grep -E '$(raced)')

browsers:
	go test -tags e2e -short $(TESTFLAGS) -skip '$(evenings)|$(longer)' ./playtest

sampled:
	GOGC=400 go test -short $(TESTFLAGS) $$(go list $(sampled) | grep -v '/playtest$$')

unraced:
	GOGC=400 go test $(TESTFLAGS) $$(go list ./... | grep -Ev '$(raced)' | grep -vFx "$$(go list $(sampled))")

plain:
	files=($(files)); GOGC=400 go test -short $(TESTFLAGS) -run "$(plain)|^($$(sed -nE 's/^func (Test\w+).*/\1/p' "$${files[@]}" | paste -sd'|'))\$$" \
		$$({ printf '%s\n' "$${files[@]}"; grep -rlE --include='*_test.go' --exclude-dir=node_modules '^func ($(inturn))\(' .; } | xargs dirname | sort -u)

evenings: bundle notices chromium ## play the long evenings in browsers, and look at every page of every game
	@$(MAKE) --no-print-directory -j2 played whole

played:
	go test -tags e2e $(TESTFLAGS) -timeout 20m -run '$(evenings)|$(longer)' ./playtest -args -whole -crashes 8

whole:
	GOGC=400 go test $(TESTFLAGS) $$(go list $(sampled) | grep -v '/playtest$$')
	GOGC=400 go test $(TESTFLAGS) -run '$(drawn)' ./table

chromium:
	@tools/chromium.sh

postgres:
	@tools/postgres.sh

lint: bin/staticcheck bin/gofumpt bin/templ ## vet, staticcheck, gofumpt, generated files fresh
	@tools/generated.sh
	@tools/format.sh
	go vet -tags e2e ./...
	bin/staticcheck -tags e2e ./...

behind: ## name dependencies that have a newer version
	@tools/behind.sh

bench: bundle chromium ## run every benchmark once, BENCHTIME each
	@tools/bench.sh $(BENCHTIME)

growth: ## draw anew how the cost of odds grows with the dice
	go run ./docs/growth > docs/bench-growth.svg

pictures: build chromium ## take the pictures of README and docs/guide anew, from a norn that runs
	go run ./docs/pictures

load: ## a thousand live tables on a real norn, paced and as fast as it goes; LOADFLAGS=-help tells more
	go run ./playtest/load -game spire $(LOADFLAGS)

load-nodes: ## the same on PostgreSQL and NATS, with one norn and with three; shorter; NODEFLAGS
	go run ./playtest/load -journal postgres -nodes 1 -game spire $(NODEFLAGS)
	go run ./playtest/load -journal postgres -nodes 3 -game spire $(NODEFLAGS)

crash: bundle chromium ## kill norn fifty times while people play, and look what is left
	go test -tags e2e -count=1 -timeout 11m -run '^TestKilled$$' -v ./playtest -args -crashes 50

fuzz: bundle chromium ## run every fuzz target, FUZZTIME each, and three random evenings that pages must agree on
	@tools/fuzz.sh $(FUZZTIME)
	go test -tags e2e -count=1 -timeout 12m -run '^TestPagesConverge$$' ./playtest -args -evening $$RANDOM -evenings 3

clean: ## remove all that was built
	rm -rf bin node_modules release
	find web/dist cmd/norn/notices -mindepth 1 ! -name placeholder.txt -delete

# The linters are pinned in tools/go.mod.
bin/staticcheck: package := honnef.co/go/tools/cmd/staticcheck
bin/gofumpt: package := mvdan.cc/gofumpt
bin/templ: package := github.com/a-h/templ/cmd/templ
bin/staticcheck bin/gofumpt bin/templ: tools/go.mod tools/go.sum
	cd tools && go build -trimpath -o ../$@ $(package)
	@touch $@

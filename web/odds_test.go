//go:build !race

package web_test

import (
	"encoding/csv"
	"encoding/xml"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"norn/games"
	"norn/internal/bare"
	"norn/odds"
	"norn/web"
	"norn/web/webtest"
)

// public returns a server without tables.
func public(gate *odds.Gate) http.Handler {
	if gate == nil {
		gate = webtest.RoomyGate()
	}
	return web.New(web.Config{Words: spoken(), Games: games.All(), Gate: gate, Log: slog.New(slog.DiscardHandler)})
}

// ask requests an address; head has names and values of headers, alternating.
func ask(h http.Handler, path string, head ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest("GET", path, nil)
	for i := 0; i+1 < len(head); i += 2 {
		r.Header.Set(head[i], head[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func holds(t *testing.T, w *httptest.ResponseRecorder, status int, parts ...string) {
	t.Helper()
	if w.Code != status {
		t.Fatalf("status %d, want %d: %s", w.Code, status, w.Body)
	}
	for _, part := range parts {
		if !strings.Contains(w.Body.String(), part) {
			t.Errorf("lacks %s:\n%s", part, w.Body)
		}
	}
}

func TestOddsPageExistsForEveryMoveInEveryLanguage(t *testing.T) {
	h := public(nil)
	list := ask(h, "/odds")
	holds(t, list, 200, `action="/odds/dice"`)
	for _, g := range games.All() {
		for _, m := range bare.Moves(g) {
			path := "/odds/" + g.ID + "/" + m.ID
			holds(t, list, 200, `href="`+path+`"`)
			for _, l := range []string{"en", "ru", "uk"} {
				w := ask(h, path, "Accept-Language", l)
				holds(t, w, 200, `data-game="`+g.ID+`"`, "data-plot=", `id="odds-figures"`, `lang="`+l+`"`)
				if body := w.Body.String(); strings.ContainsAny(body, "⟨⟩") || strings.Contains(body, "style=") ||
					strings.Contains(body, "<style") {
					t.Errorf("%s in %s has a word without a text, or style of its own", path, l)
				}
			}
			if w := ask(h, path+"/odds.svg"); w.Code != 200 || !wellFormed(w.Body.String()) {
				t.Errorf("%s as a drawing: %d", path, w.Code)
			}
		}
	}
	for _, path := range []string{
		"/odds/chess/check", "/odds/spire/no-roll", "/odds/spire/check/odds.pdf",
		"/odds/dice/x",
	} {
		if w := ask(h, path); w.Code != 404 {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
}

func wellFormed(text string) bool {
	for d := xml.NewDecoder(strings.NewReader(text)); ; {
		if _, err := d.Token(); err != nil {
			return errors.Is(err, io.EOF)
		}
	}
}

// The notation that players write is understood in their language, and the chance that they look
// for is first.
func TestPlainDiceOddsUnderstandPlayersNotation(t *testing.T) {
	h := public(nil)
	for _, try := range [][]string{
		{"en", "adv+5 at least 15", "80% to reach it"},
		{"en", "4dF", "19/81"},
		{"en", "3d6!", "12.6 on average"},
		{"ru", "к20+5 не меньше 15", "55\u00a0%, что выйдет"},
		{"uk", "к20+5 15+", "55%, що вийде"},
	} {
		holds(t, ask(h, "/odds/dice?notation="+url.QueryEscape(try[1]), "Accept-Language", try[0]), 200, try[2])
	}
	if plain := ask(h, "/odds/dice?notation=3d6").Body.String(); strings.Contains(plain, "to reach it") {
		t.Error("who asks for no total is told the chance of one")
	}
	holds(t, ask(h, "/odds/dice?notation=1000d120!"), 200, "simulated with")
}

func TestOddsSettingsAreInTheAddress(t *testing.T) {
	h := public(nil)
	// Without script the form's address redirects to the short one.
	w := ask(h, "/odds/spire/check?_form=1&skill=fight&domain=&helpers=0&difficulty=1&mastery=on")
	if to := w.Header().Get("Location"); w.Code != 303 ||
		to != "/odds/spire/check?skill=fight&mastery=on&difficulty=1" {
		t.Errorf("%d to %q", w.Code, to)
	}
	page := ask(h, "/odds/spire/check?skill=fight&mastery=on&difficulty=1")
	holds(t, page, 200, `value="fight" selected`, `value="on" checked`, `value="1" checked`, "75% to succeed")
	// The script gets only the result, with the same address.
	part := ask(h, "/odds/spire/check?_form=1&skill=fight&domain=&helpers=0&difficulty=1&mastery=on", "HX-Request",
		"true")
	holds(t, part, 200, `data-link="/odds/spire/check?skill=fight&amp;mastery=on&amp;difficulty=1"`, "75% to succeed")
	if strings.Contains(part.Body.String(), "<html") {
		t.Error("script gets a whole page")
	}
	// A box that was unticked stays off, whatever the default.
	if to := ask(h, "/odds/mage/roll?_form=1&pool=5&difficulty=6&threshold=0").Header().Get("Location"); to != "/odds/mage/roll?pool=5&threshold-rule=off" {
		t.Errorf("unticked: %q", to)
	}
	// An unknown parameter is ignored; an invalid one gets an error at its field.
	holds(t, ask(h, "/odds/spire/check?utm_source=x"), 200)
	holds(t, ask(h, "/odds/spire/check?difficulty=9"), 422, "Difficulty")
	for range 10 { // always in the order of the fields
		wrong := ask(h, "/odds/mage/roll?pool=900&difficulty=x&threshold=99").Body.String()
		pool, difficulty, threshold := strings.Index(wrong, "Dice pool: must be"),
			strings.Index(wrong, "Difficulty: write a whole number"), strings.Index(wrong, "Threshold: must be")
		if pool < 0 || difficulty < pool || threshold < difficulty {
			t.Fatalf("problems at %d, %d, %d", pool, difficulty, threshold)
		}
	}
	holds(t, ask(h, "/odds/dice?notation=2d"), 422,
		"the end at character 3 isn’t understood; the number of sides fits there")
	holds(t, ask(h, "/odds/dice?notation=1000d120"), 200, "data-simulated")
	holds(t, ask(h, "/odds/dice?notation=3d6", "Accept-Language", "ru"), 200, "В среднем 10,5", "12,5\u00a0%")
}

func TestOddsPageComparesSettingsSideBySide(t *testing.T) {
	h := public(nil)
	w := ask(h, "/odds/spire/check?difficulty=2&_with=&_with=difficulty=1")
	holds(t, w, 200, `id="odds-compared"`, "Difficulty 0", "Difficulty 1", `data-plot="stacks"`,
		// without the second
		`href="/odds/spire/check?difficulty=2&amp;_with="`,
		`href="/odds/spire/check?difficulty=2&amp;_with=&amp;_with=difficulty=1&amp;_with=difficulty=2"`) // adds it
	lines := ask(h, "/odds/dice?notation=3d6&_with=notation=4d6kh3")
	holds(t, lines, 200, `data-plot="lines"`, "series-1", "4d6kh3")
	many := "/odds/mage/roll?pool=9"
	for _, n := range "1234567" {
		many += "&_with=pool=" + string(n)
	}
	if n := strings.Count(ask(h, many).Body.String(), `class="odds-remove"`); n != bare.MostCompared {
		t.Errorf("%d side by side", n)
	}
	holds(t, ask(h, "/odds/spire/check?_with=difficulty=7&_with=x"), 200,
		`id="odds-figures"`) // ignores a broken part of a link
}

// The odds of a chain show at which step it ends: each step, the mean, and up to a step.
func TestOddsOfAChainNameEachStep(t *testing.T) {
	h := public(nil)
	work := "/odds/mage/extended?pool=6&target=10&rolls=8"
	holds(t, ask(h, work), 200, "Done: how many · 4.5 on average", "Done: at most", "Done at roll 4", "Botch at roll 2")
	holds(t, ask(h, work, "Accept-Language", "ru"), 200, "Готово: сколько · в среднем 4,5", "Провал на 2-м броске")
	holds(t, ask(h, work, "Accept-Language", "uk"), 200, "Готово: скільки · у середньому 4,5", "Провал на 2-му кидку")
	holds(t, ask(h, work+"&_with=pool=8,target=10,rolls=8"), 200, "Done: on average", "4.46", "3.57")
}

func TestOddsAreDownloadedAsCSVAndSVG(t *testing.T) {
	h := public(nil)
	w := ask(h, "/odds/spire/check/odds.csv?skill=on&difficulty=1", "Accept-Language", "ru")
	holds(t, w, 200)
	rows, err := csv.NewReader(w.Body).ReadAll()
	if err != nil || len(rows) != 6 || !slices.Equal(rows[0], []string{"outcome", "n", "fraction", "probability"}) ||
		!slices.Equal(rows[2], []string{"success", "", "1/5", "0.2"}) {
		t.Errorf("%v, %v", rows, err)
	}
	if got := w.Header().Get("Content-Disposition"); got != `attachment; filename="norn-spire-check.csv"` {
		t.Error(got)
	}
	both := ask(h, "/odds/dice/odds.csv?notation=1d2&_with=notation=1d3")
	holds(t, both, 200, "setting,outcome,n,fraction,probability", "notation=1d3,total,3,1/3,",
		"notation=1d2,total,2,1/2,0.5")
	svg := ask(h, "/odds/mage/roll/odds.svg?pool=7", "Accept-Language", "uk")
	holds(t, svg, 200, `xmlns="http://www.w3.org/2000/svg"`, "<style>", "polyline")
	if body := svg.Body.String(); !wellFormed(body) || strings.Contains(body, "var(--") ||
		strings.Contains(body, "href") {
		t.Error("the drawing doesn't stand alone")
	}
	if policy := svg.Header().Get("Content-Security-Policy"); !strings.Contains(policy, "default-src 'none'") {
		t.Error(policy)
	}
	holds(t, ask(h, "/odds/dice?notation=1000d6&lang=en"), 200, "rounded to twelve digits",
		`/odds.csv?notation=1000d6&amp;_fractions=1&amp;lang=en"`)
	full := ask(h, "/odds/dice/odds.csv?notation=1000d6&_fractions=1").Body.String()
	if last := "total,6000,1/1416610"; !strings.Contains(full, last) || strings.Contains(full, ",0.5,") {
		t.Errorf("fractions of 1000d6 have no %q", last)
	}
	holds(t, ask(h, "/odds/dice/odds.csv?notation=1000d12&_fractions=1&lang=en"), 422, "would fit")
	if w := ask(h, "/odds/dice/odds.csv?notation=2d"); w.Code != 422 {
		t.Errorf("a file of nothing: %d", w.Code)
	}
}

func TestOddsWhileBusySayWhenToTryAgain(t *testing.T) {
	gate := odds.NewGate(1, 1, time.Millisecond)
	leave, err := gate.Enter(t.Context(), "elsewhere", "somebody")
	if err != nil {
		t.Fatal(err)
	}
	h := public(gate)
	w := ask(h, "/odds/spire/check?difficulty=1")
	holds(t, w, 503, "Odds are being worked out for many others", `value="1" checked`)
	if w.Header().Get("Retry-After") == "" {
		t.Error("nobody says when to come again")
	}
	leave()
	holds(t, ask(h, "/odds/spire/check"), 200, "to succeed")
	if leave, err = gate.Enter(t.Context(), "192.0.2.1", odds.Asker("192.0.2.1:1234")); err != nil {
		t.Fatal(err)
	}
	defer leave()
	holds(t, ask(h, "/odds/spire/check"), 429, "Other odds that you asked for")
}

// FuzzOddsPage checks that any address gets a page.
func FuzzOddsPage(f *testing.F) {
	for i, seed := range []string{
		"", "difficulty=1&skill=on", "_form=1&difficulty=2", "_with=difficulty=2,skill=on&_with=", "_with=%zz",
		"_with=skill=%2525", "notation=7d10>=6",
		"_form=1", "pool=-99", "_with=notation=4d6kh3&notation=2d6", "others=3,4", "%", "skill=<script>",
		"_form=1&skill=_other&skill._other=x",
	} {
		f.Add(byte(i), seed)
	}
	var at []string
	for _, g := range games.All() {
		for _, m := range bare.Moves(g) {
			at = append(at, "/odds/"+g.ID+"/"+m.ID)
		}
	}
	at = append(at, "/odds/dice")
	h := public(nil)
	f.Fuzz(func(t *testing.T, move byte, query string) {
		for _, file := range []string{"", "/odds.csv", "/odds.svg"} {
			r := httptest.NewRequest("GET", at[int(move)%len(at)]+file, nil)
			r.URL.RawQuery = query
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			switch {
			case w.Code >= 500 || w.Code == 404:
				t.Errorf("%s?%s: %d", r.URL.Path, query, w.Code)
			case w.Code == 303:
				to, err := url.Parse(w.Header().Get("Location"))
				if err != nil || to.Path != r.URL.Path {
					t.Errorf("%s?%s leads to %v, %v", r.URL.Path, query, to, err)
				}
				if again := ask(h, w.Header().Get("Location")); again.Code != 200 && again.Code != 422 {
					t.Errorf("%s: %d", to, again.Code)
				}
			case strings.Contains(w.Body.String(), "<script>"):
				t.Errorf("%s?%s lets a script in", r.URL.Path, query)
			}
			if file == "/odds.svg" && w.Code == 200 && !wellFormed(w.Body.String()) {
				t.Errorf("%s?%s is no drawing", r.URL.Path, query)
			}
		}
	})
}

// An aim is in the address, if a move has something to choose.
func TestOddsForAnAimAreInTheAddress(t *testing.T) {
	h := public(nil)
	plain := ask(h, "/odds/edda/act?complexity=2&pool=2")
	holds(t, plain, 200, `id="odds-aim"`, `name="_aim"`, `<option value="succeed">`)
	if strings.Contains(plain.Body.String(), "odds-advice") {
		t.Error("advice that nobody asked for")
	}
	best := ask(h, "/odds/edda/act?complexity=2&pool=2&_aim=succeed")
	holds(t, best, 200, `<option value="succeed" selected>`, "31% to succeed", `id="odds-advice"`,
		"special effort for a condition", "44.4%",
		`data-link="/odds/edda/act?complexity=2&amp;pool=2&amp;_aim=succeed"`,
		`/odds.csv?complexity=2&amp;pool=2&amp;_aim=succeed"`)
	holds(t, ask(h, "/odds/edda/act/odds.csv?complexity=2&pool=2&_aim=succeed"), 200, "25/81")
	holds(t, ask(h, "/odds/edda/act/odds.svg?complexity=2&pool=2&_aim=succeed"), 200, "best for: success")
	if to := ask(h, "/odds/edda/act?_form=1&complexity=2&pool=2&_aim=succeed").Header().Get("Location"); to != "/odds/edda/act?complexity=2&pool=2&effort=&_aim=succeed" &&
		to != "/odds/edda/act?complexity=2&pool=2&_aim=succeed" {
		t.Errorf("without script: %q", to)
	}
	holds(t, ask(h, "/odds/edda/act?_aim=glory"), 200, `<option value="" >`[:16]) // ignores an unknown aim
	costly := ask(h, "/odds/edda/joint?complexity=9&others=30+30+30+30+30+30&_aim=succeed")
	// no place in time on a busy machine
	late := costly.Code == 503 && costly.Header().Get("Retry-After") != ""
	if text := costly.Body.String(); !late &&
		(costly.Code != 422 || !strings.Contains(text, "too many to find the best") &&
			!strings.Contains(text, "take longer than anybody should wait")) {
		// too many, or on a slow machine too late
		t.Errorf("too many ways to find the best: %d %s", costly.Code, text)
	}
	if body := ask(h, "/odds/mage/roll").Body.String(); strings.Contains(body, "odds-aim") {
		t.Error("a move without choices offers aims")
	}
	holds(t, ask(h, "/odds/edda/act?complexity=2&pool=2&_with=complexity=2,pool=3&_aim=succeed"), 200,
		`id="odds-compared"`, "30.9%", "58.3%")
}

// An address may name its language, which lasts until the reader chooses another.
func TestOddsAddressMayNameItsLanguage(t *testing.T) {
	h := public(nil)
	page := ask(h, "/odds/spire/check?difficulty=1&lang=uk", "Accept-Language", "en")
	holds(t, page, 200, `<html lang="uk"`, `data-link="/odds/spire/check?difficulty=1&amp;lang=uk"`,
		`name="lang" value="uk"`,
		`href="/odds?lang=uk"`, `value="/odds/spire/check?difficulty=1"`) // where a choice of language leads back to
	if strings.Contains(page.Body.String(), "odds-link") {
		t.Error("a page in a language offers a link to itself")
	}
	holds(t, ask(h, "/odds/spire/check?difficulty=1", "Accept-Language", "ru"), 200, `<html lang="ru"`,
		`id="odds-link" href="/odds/spire/check?difficulty=1&amp;lang=ru"`,
		`data-link="/odds/spire/check?difficulty=1"`)
	holds(t, ask(h, "/odds/spire/check?lang=xx", "Accept-Language", "ru"), 200, `<html lang="ru"`)
	holds(t, ask(h, "/odds?lang=uk"), 200, `<html lang="uk"`, `href="/odds/spire/check?lang=uk"`)
	part := ask(h, "/odds/spire/check?_form=1&skill=fight&domain=&helpers=0&difficulty=1&lang=uk", "HX-Request", "true")
	holds(t, part, 200, `data-link="/odds/spire/check?skill=fight&amp;difficulty=1&amp;lang=uk"`)
	svg := ask(h, "/odds/spire/check/odds.svg?lang=uk")
	holds(t, svg, 200, "Шпиль · Перевірка")
}

// A question of any kind is compared with those of others: plain dice, and the moves of two games.
func TestOddsOfSeveralKindsAreComparedInWords(t *testing.T) {
	h := public(nil)
	at := "/odds/spire/check?skill=on&_with=difficulty=1&_with=mage/roll,pool=5&_with=dice,notation=2d6%252B1,as=norn-3"
	page := ask(h, at)
	holds(t, page, 200, "Check · Skill: no · Difficulty 1", "Roll · Dice pool 5", "2d6+1", "In short", "8 on average",
		`data-link="/odds/spire/check?skill=on&amp;_with=difficulty=1&amp;_with=mage/roll,pool=5&amp;_with=dice,notation=2d6%252B1`,
		`href="/odds/mage/roll?pool=5&amp;_with=`, "percentage points higher than with Check")
	holds(t, ask(h, "/odds/dice?notation=4d6kh3&as=norn-3&_with=notation=3d6,as=norn-3"), 200,
		"4d6kh3: 1.74 more on average than 3d6")
	holds(t, ask(h, strings.Replace(at, "check?", "check/odds.csv?", 1)), 200, "mage/roll", "notation=2d6")
	for _, wrong := range []string{"nothing/roll,pool=5", "mage/nothing", "dice/,notation=x", "mage/roll,pool=x"} {
		holds(t, ask(h, "/odds/spire/check?_with="+wrong), 200, "30% to succeed")
	}
}

// Odds alone may be shown in a frame by other sites: without a cookie, a script or a form.
func TestOnlyOddsMayBeFramedByOtherSites(t *testing.T) {
	h := public(nil)
	for _, at := range []string{
		"/odds/frame?_odds=dice&notation=3d6&lang=en", "/odds/frame?_odds=spire/check&skill=on&lang=en",
		"/odds/frame?_odds=dice&notation=3d6&_with=spire/check,skill=on&lang=en", "/odds/frame?_odds=dice&notation=3dx&lang=en",
	} {
		plain := ask(h, at)
		r := httptest.NewRequest(http.MethodGet, at, nil)
		r.Header.Set("Cookie", "norn_lang=ru; norn_theme=dark; norn_seat_x=secret")
		with := httptest.NewRecorder()
		h.ServeHTTP(with, r)
		policy := with.Header().Get("Content-Security-Policy")
		if with.Body.String() != plain.Body.String() || len(with.Result().Cookies()) > 0 ||
			!strings.Contains(policy, "frame-ancestors *") || !strings.Contains(policy, "default-src 'none'") ||
			!strings.Contains(policy, "sandbox") || strings.Contains(policy, "allow-same-origin") {
			t.Errorf("%s: %v, policy %q", at, with.Result().Cookies(), policy)
		}
		for _, active := range []string{"<script", "<form", "src=", "onload"} {
			if strings.Contains(plain.Body.String(), active) {
				t.Errorf("%s has %s", at, active)
			}
		}
	}
	holds(t, ask(h, "/odds/frame?_odds=dice&notation=3d6&lang=en"), 200, "<svg", "three d6", `<desc id="norn-alt">Plain dice. `,
		`href="/odds/dice?notation=3d6&amp;lang=en"`)
	for _, at := range []string{"/odds/frame", "/odds/frame?_odds=nothing/x", "/odds/frame?_odds=spire", "/odds", "/odds/dice", "/odds/rule", "/", "/odds/spire/check"} {
		w := ask(h, at)
		if policy := w.Header().Get("Content-Security-Policy"); !strings.Contains(policy, "frame-ancestors 'none'") ||
			strings.HasPrefix(at, "/odds/frame") && w.Code != 404 {
			t.Errorf("%s: %d, policy %q", at, w.Code, policy)
		}
	}
	holds(t, ask(h, "/odds/dice?notation=3d6&lang=en"), 200, `data-embeds="/odds/frame?_odds=dice&amp;notation=3d6&amp;lang=en"`)
}

// A link's preview says the question and its answer; the page says the question above the result.
func TestLinksOfOddsSayTheirQuestionInThePreview(t *testing.T) {
	h := public(nil)
	holds(t, ask(h, "/odds/dice?notation=adv%2B5+15%2B&as=norn-3"), 200,
		`<meta property="og:title" content="two d20, the higher, plus 5; 15 or more">`, `<meta property="og:description" content="80% to reach it">`,
		`<p class="odds-meant">two d20, the higher, plus 5; 15 or more</p>`)
	holds(t, ask(h, "/odds/spire/check?skill=on&lang=ru"), 200, `<meta property="og:title" content="Проверка · `, "на успех")
	holds(t, ask(h, "/odds/spire/check?skill=on&_with=difficulty=1"), 200, `<meta property="og:title" content="`, "percentage points higher than with")
}

// All examples of the page are questions that norn understands, in each language.
func TestExamplesOfOddsAreUnderstoodInEachLanguage(t *testing.T) {
	h := public(nil)
	for _, in := range []string{"en", "ru", "uk"} {
		page := ask(h, "/odds?lang="+in).Body.String()
		links := regexp.MustCompile(`class="button" href="(/odds/dice[^"]+)"`).FindAllStringSubmatch(page, -1)
		if len(links) != 6 || !strings.Contains(page, "autofocus") {
			t.Fatalf("%s: %d examples", in, len(links))
		}
		for _, link := range links {
			holds(t, ask(h, strings.ReplaceAll(link[1], "&amp;", "&")), 200, `data-link="`, `class="odds-meant"`)
		}
	}
}

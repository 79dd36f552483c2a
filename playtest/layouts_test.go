//go:build e2e

package playtest

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

//go:embed layouts.js
var layouts string

// stressSizes lists the window sizes for a full table.
var stressSizes = [][2]int64{{360, 780}, {780, 360}, {820, 1180}, {1024, 768}, {1366, 768}, {1920, 1080}}

// zoomedSizes lists what a window of 1280 × 1024 leaves at 200 and 400 %.
var zoomedSizes = [][2]int64{{640, 512}, {320, 256}}

const (
	unbroken = "Aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	inWords  = "Lady Evangeline Montgomery-Ashcroft of Lower Spire"
)

// longest is a name of maximum length.
var longest = strings.Repeat(inWords+", ", 4)[:200]

// asking lists moves, by game, that ask the game master a question other than dice.
var asking = map[string]struct {
	move string
	args body
}{
	"mage":    {"team", body{"attribute": "strength", "with": []string{"c2", "c3"}}},
	"edda":    {"act", body{"deed": longest, "bonus": 3, "attempts": 2}},
	"eclipse": {"test", body{"on": "check:som"}},
}

// crowd creates a table of 22 characters, three seats and 300 entries, all with long names, and
// with open questions: for dice and, if the game has one, for a choice. It returns the game
// master's link.
func (s *server) crowd(game string) string {
	s.t.Helper()
	made := s.must("POST", "/tables", "", body{"game": game, "name": longest, "lang": "ru"})
	path, secret := "/tables/"+made["id"].(string), made["seat"].(map[string]any)["secret"].(string)
	for i, name := range []string{unbroken, inWords[:49], longest} {
		seat := body{"name": name, "role": "player"}
		if status, _ := s.call("POST", path+"/seats", secret, seat); status >= 300 {
			seat["name"] = name[:100-i]
			s.must("POST", path+"/seats", secret, seat)
		}
	}
	for _, play := range plays {
		if play.game != game {
			continue
		}
		for i := range 22 {
			name := []string{unbroken, inWords, longest}[i%3]
			number := strconv.Itoa(i)
			sheet := body{}
			if i == 0 || i == 3 {
				sheet = wordy(game, play.sheet)
			}
			s.must("POST", path+"/characters", secret,
				body{"name": name[:min(len(name), 200)-len(number)] + number, "kind": play.kind, "sheet": sheet})
		}
		for i := range 300 {
			s.must("POST", path+"/talk", secret,
				body{"text": []string{unbroken, inWords, longest}[i%3] + strconv.Itoa(i)})
		}
		asks := false
		for range 10 {
			if answer := s.must("POST", path+"/moves", secret,
				body{"move": play.move, "character": "c1", "args": play.args}); answer["done"] != true {
				asks = true
				break
			}
		}
		if ask, ok := asking[game]; ok && !asks {
			s.must("POST", path+"/moves", secret, body{"move": ask.move, "character": "c1", "args": ask.args})
		}
		if game == "mage" { // a card with the dice of two who have long names
			made := s.must("POST", path+"/moves", secret, body{
				"move": "resisted", "character": "c5",
				"args": body{"attribute": "strength", "against": "c6"},
			})["move"]
			for _, q := range s.must("GET", path, secret, nil)["questions"].([]any) {
				if q := q.(map[string]any); q["move"] == made {
					s.must("POST", path+"/answers", secret, body{"question": q["id"], "answer": body{}})
				}
			}
		}
		s.must("POST", path+"/moves", secret,
			body{"move": play.move, "character": "c4", "args": play.args, "byHand": true})
	}
	return s.url("/t/" + made["id"].(string) + "/" + secret)
}

// wordy returns a sheet with the longest possible texts.
func wordy(game string, sheet body) body {
	more := map[string]body{
		"spire": {"skills": []body{{"name": "sneak"}, {"name": longest}, {"name": unbroken}}},
		"mage":  {"talents": []body{{"name": longest}, {"name": unbroken}}},
		"eclipse": {
			"skills": []body{{"name": longest, "aptitude": "som"}, {"name": unbroken, "aptitude": "som"}},
			"pools":  body{"flex": body{"now": 5, "max": 5}},
		},
		"edda":     {"strengths": []body{{"name": longest}, {"name": unbroken}}},
		"godbound": {"facts": []body{{"name": longest}, {"name": unbroken}}},
	}[game]
	for name, value := range sheet {
		if more[name] == nil {
			more[name] = value
		}
	}
	return more
}

// For all sizes of the window and the longest names, no text of a full table overlaps another or is
// cut off, nothing scrolls sideways, the main button is in view, and a box that continues below
// shows it: with each move open, the drawer, the sheet, its form, the cast and the questions.
func TestLayoutsHoldAtAllSizesWithLongNames(t *testing.T) {
	t.Parallel()
	for _, play := range plays {
		t.Run(play.game, func(t *testing.T) {
			t.Parallel()
			serve(t, "--limits", "off").stress(play.game)
		})
	}
}

// stress checks every page and form of a crowded table of a game, in Russian, and the forms on a
// phone in all languages.
func (s *server) stress(game string) {
	s.t.Helper()
	reader := sit(s.t, "reader", 1366, 768)
	reader.visit(s.url("/"))
	speak := func(lang string) { reader.run("document.cookie = 'lang=" + lang + "; path=/'") }
	speak("ru")
	link := s.crowd(game)
	reader.follows(link)
	table := reader.ask("location.pathname")
	reader.opensTab("characters")
	if broken := reader.ask(`[...document.querySelectorAll('.unplayed a')].filter((a) => {
		const text = document.createRange()
		text.selectNodeContents(a)
		return !a.textContent.includes(' ') && text.getClientRects().length !== 1
	}).length`); broken != "0" {
		s.t.Errorf("%s names are broken within a word in a wide list of characters", broken)
	}
	moves := reader.ask("[...new Set([...document.querySelectorAll('.moves a')].map((a) => new URL(a.href).search))].join(' ')")
	for _, state := range []string{
		"?_tab=log", "?_tab=cast", "?_tab=questions", "?_tab=sheet&_c=c1",
		"?_tab=sheet&_c=c1&_edit=1", "#drawer", "#tab-characters", "#tab-session", "/gm", "/hero",
	} {
		reader.stressed(s.url(table), state, stressSizes)
	}
	for _, state := range []string{
		"?_tab=log", "?_tab=cast", "?_tab=questions", "?_tab=sheet&_c=c1", "?_tab=sheet&_c=c1&_edit=1", "#drawer", "/gm",
	} {
		reader.stressed(s.url(table), state, zoomedSizes)
	}
	s.cancelsAll("/tables/"+strings.TrimPrefix(table, "/t/"), link[strings.LastIndex(link, "/")+1:])
	for move := range strings.FieldsSeq(moves) {
		reader.stressed(s.url(table), move+"#composer", append(zoomedSizes, stressSizes...))
	}
	for _, lang := range []string{"en", "uk"} {
		speak(lang)
		for move := range strings.FieldsSeq(moves) {
			reader.stressed(s.url(table), move+"#composer", stressSizes[:1])
		}
	}
}

// cancelsAll cancels all moves with open questions, which would fold the composer.
func (s *server) cancelsAll(path, secret string) {
	s.t.Helper()
	open := map[any]bool{}
	for _, q := range s.must("GET", path, secret, nil)["questions"].([]any) {
		open[q.(map[string]any)["move"]] = true
	}
	for move := range open {
		s.must("POST", path+"/cancel", secret, body{"move": move})
	}
}

// The script finds faults of a layout that has them.
func TestLayoutCheckFindsFaults(t *testing.T) {
	t.Parallel()
	reader := sit(t, "reader", 360, 780)
	for want, page := range map[string]string{
		"":                       `<p>One</p><p>Two</p>`,
		"“Two” in p":             `<p>One</p><p style="margin-top:-2.1em">Two</p>`,
		"cut by div":             `<div style="overflow:hidden;width:3em;white-space:nowrap"><p>One and a half</p></div>`,
		"no room for “One”":      `<p style="overflow:hidden;text-overflow:ellipsis;width:.5em">One</p>`,
		"scrolls sideways":       `<p style="width:500px">One</p>`,
		"not that it goes on":    `<div style="overflow:auto;height:5em"><p style="height:9em">One</p></div>`,
		"button isn’t in view":   `<div id="composer"><p style="height:1000px">One</p><div class="actions"><button class="primary">Roll</button></div></div>`,
		"“Answer” isn’t in view": `<div class="question" data-mine><p style="height:1000px">One</p><div class="actions"><button class="primary">Answer</button></div></div>`,
		"cut at the top":         `<div style="overflow:auto;height:5em"><p style="position:sticky;top:-1em">One</p><p style="height:9em;mask-image:linear-gradient(#000,transparent)">Two</p></div>`,
	} {
		reader.visit("about:blank")
		reader.run(fmt.Sprintf("document.body.innerHTML = %q", page))
		if found := reader.ask(looksAt("body")); !strings.Contains(found, want) || want == "" && found != "" {
			t.Errorf("of %s it says %q, not %q", page, found, want)
		}
	}
}

// looksAt returns the script that finds faults in the layout of a part of a page.
func looksAt(part string) string { return fmt.Sprintf("(%s)(%q)", strings.TrimSpace(layouts), part) }

// stressed reports the faults of a table's page at each size, with folded fields closed and open.
func (s *seat) stressed(table, state string, sizes [][2]int64) {
	s.t.Helper()
	s.visit("about:blank") // a new fragment alone would load nothing
	s.visit(table + state)
	s.styled()
	looks, form := looksAt("body"), strings.HasSuffix(state, "#composer")
	if form {
		looks = looksAt("#composer") // the rest is the same for every move
	}
	for _, size := range sizes {
		screen := []chromedp.EmulateViewportOption{}
		if min(size[0], size[1]) < 768 && size[0] < 1024 && !slices.Contains(zoomedSizes, size) {
			screen = append(screen, chromedp.EmulateMobile, chromedp.EmulateTouch)
		}
		s.do("turn the screen", chromedp.EmulateViewport(size[0], size[1], screen...))
		picture := fmt.Sprintf("%d×%d-%s", size[0], size[1],
			strings.NewReplacer("/", "-", "?", "", "&", "-", "#", "-").Replace(state))
		found := s.ask(looks)
		s.picture(picture)
		if form && s.ask("[...document.querySelectorAll('#composer .more')].map((more) => { more.open = true }).length") != "0" {
			found += "\n" + s.ask(looks)
			s.picture(picture + "-open")
			s.run("for (const more of document.querySelectorAll('#composer .more')) more.open = false")
		}
		for problem := range strings.SplitSeq(found, "\n") {
			if problem != "" {
				s.t.Errorf("%s, %d × %d, %s: %s (picture: %s)", s.ask("document.documentElement.lang"), size[0],
					size[1], state, problem, picture)
			}
		}
	}
}

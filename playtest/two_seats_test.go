//go:build browser || e2e

package playtest

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"norn/games"
	"norn/lang"
)

// played configures a session of two seats for a game.
type played struct {
	tongue  lang.Lang
	pressed []string           // places of the sheet to press, one after another
	filled  string             // the resulting content of the composer
	beside  string             // selector of an option whose effect is next to its name
	faces   []string           // the keys to tap for each die
	made    func(player *seat) // fills in the missing fields of a requested move
	foe     string             // the ready opponent to prepare
	turns   func(gm, player *seat)
	passes  bool // the turn can be passed
}

var allPlayed = map[string]played{
	"spire": {
		tongue: lang.En, pressed: []string{"skills.0", "domains.0"}, filled: "skill=sneak domain=crime",
		beside: "[name=harm] + span, [name=skill] option:checked", faces: []string{"7"},
		foe: "watch",
	},
	"mage": {
		tongue: lang.Ru, pressed: []string{"attributes.dexterity", "skills.0"}, filled: "attribute=dexterity",
		beside: "[name=attribute] option:checked", faces: []string{"7"},
		foe: "detective", passes: true,
		made: func(player *seat) {
			player.click("#composer-form .more > summary")
			player.click("#composer-form label:has(> [name=alone][value=willpower])")
		},
		turns: func(gm, _ *seat) {
			gm.composes("clock")
			gm.fills("[data-form=move]", "to", "turn")
			gm.click("#throw")
		},
	},
	"eclipse": {
		tongue: lang.Uk, pressed: []string{"skills.1"}, filled: "_m=test", beside: "[name=on] option:checked",
		faces: []string{"4", "2"},
		made: func(player *seat) {
			player.choose("#composer-form [name=on]", "check:cog")
		},
		foe: "guard",
		turns: func(_, player *seat) {
			player.compose("initiative")
			player.click("#throw")
		},
	},
	"edda": {
		tongue: lang.Ru, pressed: []string{"strengths.0", "strengths.1"}, filled: "strengths=0 strengths=1",
		beside: "[name=strengths] + span", faces: []string{"5"},
		foe: "wolf",
	},
	"godbound": {
		tongue: lang.Uk, pressed: []string{"attributes.strength", "facts.0"}, filled: "tested=strength",
		beside: "[name=tested] option:checked", faces: []string{"11"},
		foe: "soldiers", passes: true,
		turns: func(gm, _ *seat) {
			gm.click("#cast-add > summary")
			gm.choose("#add-name", "Die Brücke")
			gm.click("#cast-add label:has([value=fight])")
			gm.click("[data-form=character] button[type=submit]")
			gm.sees("#actor", "Die Brücke")
			fight := gm.ask("[...document.querySelectorAll('#actor option')].find((o) => o.textContent.includes('Die Brücke')).value")
			gm.choose("#actor", fight)
			gm.sees("#composer-form input[name=_a][value='"+fight+"']", "")
			gm.composes("begin")
			gm.click("[data-composer=begin] label:has(> [name=heroes])")
			foe := gm.ask("[...document.querySelectorAll('[data-composer=begin] [name=foes]')].at(-1).value")
			gm.click("[data-composer=begin] label:has(> [name=foes][value='" + foe + "'])")
			gm.click("#throw")
		},
	},
}

// A game master at a laptop and a player at a phone play a session together, in each game and by
// presses alone: from the invitation to the date of the next.
func TestTwoSeatsPlayASessionOfEveryGame(t *testing.T) {
	t.Parallel()
	for _, g := range games.All() {
		t.Run(g.ID, func(t *testing.T) {
			t.Parallel()
			playAll(serve(t), g.ID, sit(t, "gm", 1366, 768), phone(t, "anna", 360, 740))
		})
	}
}

// The same in Firefox, if it is installed. One game is enough: only the browser differs.
func TestTwoSeatsPlayASessionInFirefox(t *testing.T) {
	t.Parallel()
	fox := startFirefox(t)
	playAll(serve(t), games.All()[0].ID, fox.sitAt(t, "gm", 1366, 768), fox.sitAt(t, "anna", 360, 740))
}

func playAll(s *server, game string, gm, anna *seat) {
	t, p := s.t, allPlayed[game]

	// The game master creates a table, and invites.
	for _, one := range []*seat{gm, anna} {
		one.arrives(s.url("/"))
		one.click(".looks button[name=_lang][value=" + string(p.tongue) + "]")
		one.sees("html[lang="+string(p.tongue)+"] h1", "norn")
	}
	gm.click("label[data-game=" + game + "]")
	gm.choose("#name", "Friday") // instead of the suggested name
	gm.choose("#lang", string(p.tongue))
	gm.click("[data-form=open] button")
	gm.sees("[data-live-state=open]", "")
	gm.invites("Boris")
	boris := gm.ask("document.querySelector('[id^=invitation-]').value")
	gm.invites("Anna")
	link := gm.ask("document.querySelector('[id^=invitation-]').value")

	// The preview of the link in messengers: the table, the game, a picture, and nothing of the
	// seat.
	head := strings.SplitN(get(t, link), "</head>", 2)[0]
	if !strings.Contains(head, `og:title" content="Friday · `) || !strings.Contains(head, `og:description`) ||
		strings.Contains(head, "Anna") {
		t.Errorf("a messenger reads %s", head)
	}
	_, card, _ := strings.Cut(head, `og:image" content="`)
	card, _, _ = strings.Cut(card, `"`)
	if !strings.HasPrefix(get(t, card), "\x89PNG") {
		t.Errorf("there is no picture at %q", card)
	}

	arrivesAndTakesAHero(t, gm, anna, link)
	pressesOnTheSheet(anna, p)
	seesTheDiceFall(t, gm, anna)
	tapsItsDice(gm, anna, p)
	whispers(gm, anna)
	sharesANoteAndAPicture(t, gm, anna)
	preparesAFoe(t, s, gm, anna, p, boris)
	asksForAMove(gm, anna, p)
	takesBackTheMove(gm, anna)
	passesTheTurn(gm, anna, p)
	raisesTheCardForNobody(gm, anna)
	looksBackOnTheEvening(t, gm, anna)
}

// arrivesAndTakesAHero lets the player arrive, read a rule and choose a hero.
func arrivesAndTakesAHero(t testing.TB, gm, anna *seat, link string) {
	anna.arrives(link)
	anna.sees("main.message [data-form=arrive]", "")
	if h1 := anna.ask("document.querySelector('h1').textContent"); !strings.Contains(h1, "Anna") {
		t.Errorf("the arrival greets at %q", h1)
	}
	anna.picture("arrival")
	anna.click("[data-form=arrive] button[name=_to]")
	anna.styled()
	anna.sees("[data-htmx-powered]", "") // the page's script runs
	anna.click("#open a[data-rule]")
	anna.sees(".rule-box dd", "")
	anna.picture("rule")
	anna.click("h1")
	anna.gone(".rule-box")
	anna.click("[data-form=ready] button")
	anna.sees("#sheet .sheet a.use", "")
	anna.styled()
	anna.sees("[data-live-state=open]", "")
	anna.picture("sheet")
	gm.sees("#cast .cast-one", "")
}

// pressesOnTheSheet fills the composer by presses on the sheet, one after another.
func pressesOnTheSheet(anna *seat, p played) {
	for i, place := range p.pressed {
		if i > 0 {
			anna.click(".compose-close a")
		}
		anna.click("#sheet a.use[href*='_pressed=" + place + "#']")
		anna.sees("#throw", "")
		anna.until("have the composer risen", func() bool {
			return anna.ask("getComputedStyle(document.getElementById('composer')).visibility + document.querySelector('#throw').checkVisibility()") == "visibletrue"
		}, func() string { return anna.text("#composer") })
	}
	filled := func() string {
		return anna.ask("[...new FormData(document.querySelector('#composer-form'))].map(([name, value]) => name + '=' + value).join(' ')")
	}
	anna.until("have it filled in", func() bool {
		now := filled()
		for _, want := range strings.Fields(p.filled) {
			if !strings.Contains(now, want) {
				return false
			}
		}
		return true
	}, filled)
	anna.sees("#odds .odds-heads", "%")
	anna.sees("#composer-form :is("+p.beside+")", "")
	anna.picture("filled")
}

// seesTheDiceFall checks that the composer disappears before the dice roll.
func seesTheDiceFall(t testing.TB, gm, anna *seat) {
	anna.run(`new MutationObserver(() => {
		if (document.querySelector(".stage")) window.fell ??= getComputedStyle(document.getElementById("composer")).visibility
	}).observe(document.body, {childList: true})`)
	anna.click("#throw")
	fell := func() string { return anna.ask("window.fell ?? ''") }
	anna.until("see the dice fall", func() bool {
		return fell() != ""
	}, func() string {
		return anna.text("#composer")
	})
	anna.picture("throw")
	if fell() != "hidden" {
		t.Error("dice fall under the composer")
	}
	ends(gm, anna)
}

// tapsItsDice requests the faces of real dice, in the title too, and lets them be tapped.
func tapsItsDice(gm, anna *seat, p played) {
	anna.click(".compose-open")
	anna.click(".hand:not(.ask) > summary")
	anna.sees(".hand .pad", "") // above the button
	anna.click("[data-by-hand]")
	anna.sees(".question[data-mine] input[name=faces]", "")
	anna.until("be called by the title", func() bool {
		return anna.ask("document.title.startsWith('(1) ')") == "true"
	}, func() string {
		return anna.ask("document.title")
	})
	anna.click(".tabs [data-to-tab=questions]")
	anna.sees(".question .pad", "")
	for range anna.count(".question[data-pool]", "dataset.pool") {
		for _, key := range p.faces {
			anna.click(".question .pad button:nth-child(" + key + ")")
		}
	}
	anna.picture("tapped")
	question := "#" + anna.ask("document.querySelector('.question[data-mine]').id")
	anna.click(question + " .actions button[type=submit]")
	anna.gone(question)
	ends(gm, anna)
	anna.click(".tabs [data-to-tab=log]")
}

// whispers sends a line to one player.
func whispers(gm, anna *seat) {
	gm.says("/w Anna Look at his hands")
	anna.sees(".speech.card-secret", "Look at his hands")
	anna.says("/gm I saw it")
	gm.sees(".speech.card-secret", "I saw it")
	anna.picture("talk")
}

// sharesANoteAndAPicture shows a note to all and a picture to one player.
func sharesANoteAndAPicture(t testing.TB, gm, anna *seat) {
	gm.opensTab("notes")
	gm.click("#new-note-text")
	gm.types("The cellar is flooded")
	gm.click("#new-note button")
	gm.sees("#gm-notes textarea", "")
	gm.click("#drawer a[href$='/pictures']")
	gm.click("details.handout summary")
	gm.click("details.handout button")
	anna.sees("#log .note-shared", "The cellar is flooded")
	gm.sees("[data-live-state=open]", "")
	gm.opensTab("notes")
	gm.click("#drawer a[href$='/pictures']")
	gm.sees("#show-file", "")
	gm.uploads("#show-file", photo(t, 2400, 1600))
	gm.sees(".upload canvas", "")
	gm.click("#show-alt")
	gm.types("A bridge")
	gm.click(".whom input[value=some]")
	gm.click(".whom-seats label:nth-child(2) input")
	gm.picture("show")
	gm.click("form[data-upload='1600'] button.primary")
	anna.until("see the picture", func() bool {
		return anna.ask("document.querySelector('#log .picture img')?.naturalWidth ?? 0") == "1600"
	}, func() string { return anna.text("#log") })
	anna.picture("picture")
	gm.sees("[data-live-state=open]", "")
}

// preparesAFoe prepares a hidden opponent, and then reveals it.
func preparesAFoe(t testing.TB, s *server, gm, anna *seat, p played, boris string) {
	gm.opensTab("characters")
	gm.click("[data-form=stock] label:has([name=_hidden])")
	gm.click("[data-form=stock] [value=" + p.foe + "]")
	gm.sees("#gm-stock [data-form=show-character]", "")
	foe := gm.text("#gm-stock [data-unplayed]:has([data-form=show-character]) a")
	gm.picture("foe")
	path := "/tables/" + strings.Split(boris, "/")[4]
	secret := strings.Split(boris, "/")[5]
	sees := fmt.Sprint(s.must("GET", path, secret, nil), s.must("GET", path+"/log?limit=1000", secret, nil))
	if strings.Contains(anna.ask("document.documentElement.innerHTML"), foe) || strings.Contains(sees, foe) {
		t.Errorf("players know of %s", foe)
	}
	for _, alone := range []string{"Look at his hands", "I saw it", "A bridge"} {
		if strings.Contains(sees, alone) {
			t.Errorf("Boris hears %q", alone)
		}
	}
	gm.click("[data-form=show-character] button")
	anna.sees("#log", foe)
	gm.click("#drawer .drawer-close")
	gm.gone("#drawer:is(:target, :has(:target))")
}

// asksForAMove lets the game master request a move from the player.
func asksForAMove(gm, anna *seat, p played) {
	gm.click(".ask > summary")
	gm.click("#ask-about")
	gm.types("Over the wet roof")
	gm.click("[data-ask]")
	anna.sees(".called", "Over the wet roof")
	anna.picture("called")
	anna.click(".called a")
	anna.sees("#composer .call", "")
	if p.made != nil {
		p.made(anna)
	}
	anna.click("#throw")
	anna.gone(".called")
	ends(gm, anna)
}

// takesBackTheMove lets the game master undo that move.
func takesBackTheMove(gm, anna *seat) {
	last := "#" + gm.ask("[...document.querySelectorAll('.card[data-move]')].at(-1).id")
	gm.click(last + " .take-back > summary")
	gm.click(last + " [data-form=undo] button")
	for _, one := range []*seat{gm, anna} {
		one.sees(last+".undone", "")
	}
}

// passesTheTurn shows whose turn it is, if the game has turns.
func passesTheTurn(gm, anna *seat, p played) {
	if p.turns != nil {
		p.turns(gm, anna)
		ends(gm, anna)
		for _, one := range []*seat{gm, anna} {
			one.sees(".going", "")
			one.picture("turns")
		}
	}
	if p.passes {
		before := anna.text(".going")
		gm.click("[data-form=pass] button")
		ends(gm, anna)
		for _, one := range []*seat{gm, anna} {
			one.until("see the turn passed", func() bool {
				now := one.text(".going")
				return now != "" && now != before
			}, func() string {
				return before
			})
		}
	}
}

// raisesTheCardForNobody raises the X-card anonymously.
func raisesTheCardForNobody(gm, anna *seat) {
	anna.click(".x-raise button")
	gm.sees(".x-card", "")
	anna.picture("x")
	gm.click(".x-card button")
	anna.gone(".x-card")
}

// looksBackOnTheEvening ends the session and shows its recap.
func looksBackOnTheEvening(t testing.TB, gm, anna *seat) {
	gm.opensTab("session")
	gm.choose("#next-when", "2199-11-27T19:00")
	gm.click("[data-form=next] button")
	anna.sees("#next", "2199")
	gm.click("#drawer-end button")
	hero := anna.text("#sheet h2, #cast .cast-one:first-child strong")
	for _, one := range []*seat{gm, anna} {
		one.sees("#seal [data-session='2']", "")
		if one == gm {
			one.click("#drawer .drawer-close")
		}
		one.click("#log .log-session:nth-last-child(1 of .log-session) p a")
		one.sees("[data-recap]", "")
		one.picture("recap")
		one.click("#recap-send > summary")
		one.click("#recap-send [data-copy]")
		if text := one.ask("document.querySelector('#recap-text').value"); !strings.Contains(text,
			strings.Fields(hero)[0]) {
			t.Errorf("what %s sends on is %q, and names no %s", one.name, text, hero)
		}
		one.picture("send")
	}
	anna.click("main > nav a, main > p:first-child a")
	anna.sees("#next a", "")
	if file := anna.fetched("await (await fetch(document.querySelector('#next a').href)).text()"); !strings.Contains(file, "DTSTART:21991127T") {
		t.Errorf("the calendar's file is %q", file)
	}
	anna.picture("end")
}

// ends answers a move's questions with the suggestions of the pages, until it has ended.
func ends(all ...*seat) {
	first := all[0]
	first.t.Helper()
	first.until("see the move come out", func() bool {
		for _, one := range all {
			if question := one.ask("document.querySelector('.question[data-mine]')?.id ?? ''"); question != "" {
				button := "#" + question + " .actions button[type=submit]"
				if one.ask("document.querySelector('#"+question+" [name=roll]') !== null") == "true" {
					button = "#" + question + " [name=roll]"
				}
				one.picture("asked")
				// Only which resistance takes stress has no suggestion.
				if one.ask("document.querySelector('#"+question+" [name=resistance][value=\"\"]:checked') !== null") == "true" {
					one.fills("#"+question, "resistance", "blood")
				}
				one.click(button)
				one.gone("#" + question)
				return false
			}
		}
		return first.ask(`(() => {
			const card = [...document.querySelectorAll(".card[data-move]")].at(-1)
			return card.querySelector(".outcome") !== null && card.querySelector(".question, .waits") === null
		})()`) == "true"
	}, func() string { return first.text("#log > .card:last-child") })
}

// count returns a number in an element.
func (s *seat) count(selector, member string) int {
	s.t.Helper()
	n, err := strconv.Atoi(s.ask("document.querySelector(\"" + selector + "\")." + member))
	if err != nil {
		s.t.Fatal(err)
	}
	return n
}

// get requests an address without a browser.
func get(t testing.TB, url string) string {
	t.Helper()
	answer, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s %v", url, answer.Status, err)
	}
	return string(data)
}

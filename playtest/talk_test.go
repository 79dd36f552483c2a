//go:build e2e

package playtest

import (
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"norn/lang"
)

// A game master and a player talk, in a whisper too, and a check is made by a line of Russian with
// completion. A line that can't be understood gets the nearest suggestion.
func TestLineTakesTalkWhispersAndCommands(t *testing.T) {
	t.Parallel()
	s := serve(t)
	table := s.sheets("spire", lang.Ru)
	gm := sit(t, "gm", 1440, 900)
	gm.visit(table.gm)
	gm.sees("#line", "")
	anna := sit(t, "anna", 360, 740)
	anna.visit(table.anna)
	for _, each := range []*seat{gm, anna} { // in the language of the table
		each.run("document.cookie = 'lang=ru; path=/'")
		each.visit(each.ask("location.href"))
		each.sees("#log-box", "")
	}

	talks(t, gm, anna)

	gm.says("/ведущему сеть не верит Анне")
	gm.sees(".speech.card-secret", "сеть не верит")

	oleg := s.url("/t/" + table.id + "/" +
		s.must("POST", "/tables/"+table.id+"/seats", table.secret,
			map[string]any{"name": "Олег", "role": "player"})["secret"].(string))
	other := sit(t, "oleg", 360, 740)
	other.visit(oleg)
	anna.says("/ш Олег смотри на его руки")
	other.sees(".speech.card-secret", "смотри на его руки")
	other.choose("#line-as", other.ask("[...document.querySelectorAll('#line-as option')].find((o) => o.textContent.includes('Anna')).value"))
	other.says("вижу")
	anna.sees(".speech.card-secret:last-child", "вижу")
	anna.sees(".speech.card-secret:last-child .secret-tag", "шёпотом: Anna")
	gm.sees(".speech.card-secret:last-child", "вижу") // like all talk

	completesACommand(t, gm, anna)
	answersCommands(gm, anna)
}

// A whisper is for one message: while it's chosen the line names all who will read it, also after a
// reload; then the seat speaks to all again. No roll hides in a whisper, and nobody whispers to a
// spectator, who may be a chat in which many read.
func TestWhisperEndsWithItsMessage(t *testing.T) {
	t.Parallel()
	s := serve(t)
	table := s.sheets("spire", lang.En)
	watcher := s.must("POST", "/tables/"+table.id+"/seats", table.secret, map[string]any{"name": "Telegram", "role": "spectator"})
	s.must("POST", "/tables/"+table.id+"/seats", table.secret, map[string]any{"name": "Boris", "role": "player"})
	anna, gm := sit(t, "anna", 390, 844), sit(t, "gm", 1366, 768)
	anna.follows(table.anna)
	gm.follows(table.gm)
	if offered := gm.ask("document.getElementById('line-as').textContent"); strings.Contains(offered, "Telegram") {
		t.Errorf("one can whisper to a chat: %s", offered)
	}
	whisper := map[string]any{"text": "hush", "to": watcher["id"]}
	if status, answer := s.call("POST", "/tables/"+table.id+"/talk", table.secret, whisper); status != 422 {
		t.Errorf("a whisper to a spectator: %d %v", status, answer)
	}

	option := "[...document.querySelectorAll('#line-as option')].find((o) => o.textContent.includes('Boris')).value"
	anna.choose("#line-as", anna.ask(option))
	anna.sees("#line-readers", "Read only by: Boris, ")
	master := gm.text("#seat-name")
	anna.sees("#line-readers", master)
	anna.click("#line")
	anna.types("the door was open")
	anna.visit(anna.ask("location.href")) // another visit begins anew
	anna.choose("#line-as", anna.ask(option))
	anna.click("#line")
	anna.types("the door was open")
	anna.picture("whispers")
	anna.run("location.reload()")
	anna.sees("#line-readers", "Boris")
	anna.until("have the words again", func() bool {
		return anna.ask("document.getElementById('line').value") == "the door was open"
	}, func() string { return anna.ask("document.getElementById('line').value") })
	anna.click("#line")
	anna.press(kb.Enter)
	gm.sees(".speech.card-secret", "the door was open")
	anna.gone("#line-reads:not([hidden])")
	anna.run(held)
	anna.says("Is anybody there?")
	gm.sees(".speech:last-child:not(.card-secret)", "Is anybody there?")
	anna.choose("#line-as", anna.ask(option)) // for the next line, before this one is answered
	anna.run("window.release()")
	anna.sees("#line:placeholder-shown", "")
	anna.sees("#line-readers", "Boris")

	anna.says("/roll 2d6")
	anna.sees("#line-note .problem", "all would see this roll")
	anna.click("#line-aloud")
	anna.gone("#line-note .problem")
	anna.press(kb.Enter)
	gm.sees("[data-move] .card-options", "2d6")

	gm.click("label:has(#composer-secret)")
	gm.sees("#throw .in-secret", "")
	gm.click("#throw")
	gm.sees(".card-secret[data-move]", "")
	gm.gone("#composer-secret:checked")
}

// talks sends and shows talk, however fast it is typed.
func talks(t *testing.T, gm, anna *seat) {
	anna.says("Кто здесь? https://norn.example/a.")
	gm.sees(".speech .card-who", "Anna")
	gm.sees(".speech .said a", "https://norn.example/a")
	anna.sees(".speech", "Кто здесь?")
	if left := anna.ask("document.querySelector('#line').value"); left != "" {
		t.Errorf("%q stays in the line", left)
	}
	if live := anna.ask("document.querySelector('#log').closest('[role=log]').getAttribute('aria-live')"); live != "off" {
		t.Errorf("the log is live: %s", live)
	}

	// Typing faster than the answers arrive loses nothing.
	anna.click("#line")
	anna.enters("Раз.")
	anna.enters("Два.")
	gm.until("see both", func() bool {
		return strings.Contains(gm.text("#log"), "Раз.") && strings.Contains(gm.text("#log"), "Два.")
	}, func() string { return gm.text("#log") + " / " + anna.ask("document.querySelector('#line').value") })
	gm.sees(".speech:nth-last-child(2)", "Раз.")
	gm.sees(".speech:last-child[data-goes-on]", "Два.")
	if who := gm.ask("String(document.querySelector('.speech:last-child .card-who').getBoundingClientRect().width)"); who != "1" {
		t.Errorf("the head of a line that goes on is %s wide", who)
	}
	// like a line that was sent alone
	gm.run("document.querySelector('.speech:last-child').toggleAttribute('data-goes-on')")
	gm.sees(".speech:last-child[data-goes-on]", "Два.")
	gm.run("for (const line of document.querySelectorAll('.speech:not(:last-child)')) line.remove()")
	gm.sees(".speech:last-child:not([data-goes-on])", "Два.")
	gm.visit(gm.ask("location.href"))
	gm.sees(".speech:last-child[data-goes-on]", "Два.")
	anna.until("an empty line", func() bool {
		return anna.ask("document.querySelector('#line').value") == ""
	}, func() string {
		return anna.ask("document.querySelector('#line').value")
	})
}

// completesACommand completes a command word by word and sends it.
func completesACommand(t *testing.T, gm, anna *seat) {
	anna.click("#line")
	anna.types("/пров")
	anna.sees("#line-list [role=option]", "проверка")
	anna.picture("completion")
	anna.press(kb.Tab)
	anna.types("нав")
	anna.gone("#line-list [role=option]:nth-child(4)") // the other suggestions
	anna.sees("#line-list [role=option]", "навык")
	anna.press(kb.ArrowDown, kb.Tab)
	anna.types("сложн")
	anna.sees("#line-list [role=option]", "сложность")
	anna.press(kb.Tab)
	anna.types("1")
	anna.sees("#line-understood", "Сложность: 1")
	anna.sees("#line-understood", "%")
	anna.picture("understood")
	anna.press(kb.Enter)
	anna.sees("[data-move] .card-move", "Проверка")
	gm.sees("[data-move] .card-options", "Сложность 1")
	if strings.Contains(anna.text("#log"), "сеть не верит") {
		t.Error("a player reads what is for the GM only")
	}
}

// answersCommands handles odds, a typing error and help in the line.
func answersCommands(gm, anna *seat) {
	gm.begins(anna.ask("document.querySelector('#composer-form [name=_a]').value"), "check")
	gm.enters("/шансы проверка навык")
	gm.sees("#line-note", "%")
	gm.picture("odds")
	gm.run("document.querySelector('#line').value = ''")
	gm.types("/провекра")
	gm.sees("#line-list [role=option]", "проверка") // a typing error gets the right word
	gm.press(kb.Enter)
	gm.sees("#line-note .problem", "проверка")
	gm.run("document.querySelector('#line').value = ''")
	gm.types("/шансы проверка скрытности сложности 1")
	gm.sees("#line-understood", "Скрытность")
	gm.run("document.querySelector('#line').value = ''")
	gm.enters("/помощь")
	gm.sees("#line-note", "шансы")
	gm.until("have the line free again", func() bool {
		return gm.ask("document.querySelector('#line').value") == ""
	}, func() string {
		return gm.text("#line-form")
	})
	gm.picture("help")
	anna.picture("after")
}

// The log can be searched and filtered, and a link leads to an entry that is older than the first
// ones on the page.
func TestTheLogIsSearchedAndLinked(t *testing.T) {
	t.Parallel()
	s := serve(t)
	table := s.sheets("edda", lang.En)
	gm := sit(t, "gm", 1440, 900)
	gm.visit(table.gm)
	gm.says("The snow has an owl in it")
	gm.sees(".speech .said", "owl")
	link := gm.ask("document.querySelector('.speech a[data-copied]').href")
	for i := range 130 {
		s.must("POST", "/tables/"+table.id+"/talk", table.secret, map[string]any{"text": "line " + strconv.Itoa(i)})
	}
	gm.sees(".speech:last-child .said", "line 129")

	gm.visit(gm.ask("location.origin + location.pathname"))
	if gm.ask("document.body.innerText.includes('owl')") != "false" {
		t.Error("the page begins with more than the newest")
	}
	gm.click(".log-bar summary")
	gm.picture("bar")
	gm.click("#find")
	gm.types("OWL snow")
	gm.click(".log-bar form button")
	gm.sees("#log .said", "owl")
	if n := gm.ask("document.querySelectorAll('#log > li:not([class^=log-])').length"); n != "1" {
		t.Errorf("%s things are found", n)
	}
	gm.picture("found")
	gm.click("#line") // new talk leads back to the whole log
	gm.enters("Who?")
	gm.sees("#log:not([data-found]) .speech:last-child", "Who?")

	gm.visit(link)
	gm.sees("#log > :target .said", "owl")
	gm.sees("#log > :target:focus", "") // the page's script sets the focus
	gm.sees("[data-live-state=open]", "")
	gm.picture("linked")
	gm.run("document.getElementById('log-box').scrollTo(0, -3000)")
	s.must("POST", "/tables/"+table.id+"/talk", table.secret, map[string]any{"text": "meanwhile"})
	gm.sees("#more-below", "1")
	if gm.ask("document.getElementById('more-below').getBoundingClientRect().bottom < document.getElementById('line-form').getBoundingClientRect().top") != "true" {
		t.Error("new entries are told of where nobody sees it")
	}
	gm.click("#more-below") // the page of the past doesn't grow; the newest entries are on another
	gm.sees("#log:not([data-found]) .speech:last-child", "meanwhile")

	gm.click(".log-bar summary")
	gm.click(".log-parts [data-part=throws]")
	gm.sees(".log-empty", "Nothing like that")
	gm.click(".log-parts [data-part=talk]")
	gm.sees("#log .speech:last-child", "meanwhile")
	gm.gone("#log > .note")
}

// Plain dice are rolled from the line, appear in the log and can be checked like any roll. With two
// open questions an answer names one.
func TestPlainDiceAndAnswersAreTypedInTheLine(t *testing.T) {
	t.Parallel()
	s := serve(t)
	table := s.sheets("spire", lang.Uk)
	gm, anna := sit(t, "gm", 1440, 900), sit(t, "anna", 360, 740)
	gm.visit(table.gm)
	anna.visit(table.anna)
	anna.run("document.cookie = 'lang=uk; path=/'")
	anna.visit(anna.ask("location.href"))
	for _, language := range []string{"en", "ru", "uk"} { // the placeholder fits
		gm.run("document.cookie = 'lang=" + language + "; path=/'")
		gm.do("be as narrow as a phone", chromedp.EmulateViewport(360, 740))
		gm.visit(gm.ask("location.href"))
		if room := gm.ask(`(() => {
			const line = document.querySelector('#line'), style = getComputedStyle(line), pen = document.createElement('canvas').getContext('2d')
			pen.font = style.font
			return line.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - pen.measureText(line.placeholder).width
		})()`); strings.HasPrefix(room, "-") {
			t.Errorf("%s: the placeholder lacks %s px", language, room)
		}
	}
	gm.run("document.cookie = 'lang=en; path=/'")
	gm.do("be wide again", chromedp.EmulateViewport(1440, 900))
	gm.visit(gm.ask("location.href"))

	gm.click("a[data-line]") // the composer leads to plain dice
	gm.sees("#line:focus", "")
	gm.types("3d6+2")
	gm.sees("#line-understood", "12.5 on average")
	gm.run("document.querySelector('#line').value = ''")

	anna.click("#line")
	anna.types("/куб")
	anna.sees("#line-list [role=option]", "кубики")
	anna.press(kb.Tab)
	anna.types("4к6kh3+2")
	anna.sees("#line-understood", "4d6kh3+2")
	anna.picture("understood")
	anna.press(kb.Enter)
	gm.sees("[data-move] .card-options", "4d6kh3+2") // in the reader's letters
	gm.sees("[data-move] .die-cancelled", "")
	if n := gm.ask("document.querySelectorAll('[data-move] .die-deciding').length"); n != "3" {
		t.Errorf("%s dice are marked as kept", n)
	}
	gm.sees("[data-move] [data-check]", "")
	gm.picture("thrown")
	gm.says("/odds 3d6")
	gm.sees("#line-note", "10.5")
	gm.picture("odds")
	gm.run("document.querySelector('#line').value = ''")
	gm.enters("/roll 3d")
	gm.sees("#line-note .problem", "number of sides")
	gm.run("document.querySelector('#line').value = ''")

	// Two fallouts wait for the game master.
	for _, who := range table.cast[:2] {
		s.must("PATCH", "/tables/"+table.id+"/characters/"+who, table.secret,
			map[string]any{"sheet": map[string]any{"stress": map[string]any{"blood": 5}}})
		s.must("POST", "/tables/"+table.id+"/moves", table.secret,
			map[string]any{"move": "fallout", "character": who, "dice": []int{1}, "args": map[string]any{}})
	}
	gm.sees("#waiting", "2")
	gm.types("/answer ")
	gm.sees("#line-list [role=option]", "1 · ")
	gm.picture("questions")
}

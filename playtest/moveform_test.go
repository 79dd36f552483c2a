//go:build e2e

package playtest

import (
	"strconv"
	"strings"
	"testing"
)

// A move's form in three tabs of one seat follows the table, each by itself: norn's fields change with
// the sheet, what somebody has set stays, and what others do to themselves makes no page ask. A call
// that comes while somebody types changes nothing under their hands; the roll that is pressed then isn't
// made, but the form comes back with what is fixed and what was typed. A move made again isn't lost when
// the first one is undone.
func TestMoveFormFollowsTheTable(t *testing.T) {
	t.Parallel()
	p := serve(t).opens("mage", "en")
	anna, annas := p.invites("Anna")
	boris, boriss := p.invites("Boris")
	mage := body{"attributes": body{"strength": 2, "dexterity": 3}, "willpower": body{"permanent": 5, "temporary": 3}}
	marta, ilya := p.adds("character", "Marta", annas, mage), p.adds("character", "Ilya", boriss, mage)
	first := p.sit("anna", anna, 1366, 768)
	second, third := first.beside("second"), first.beside("third")
	const (
		form     = "#composer-form[data-composer=roll]"
		asksForm = `{
			const real = window.real ??= window.fetch
			window.forms = 0
			window.fetch = (at, how) => { if (String(at).includes('/move?')) window.forms++; return real(at, how) }
		}`
	)
	tabs := []*seat{first, second, third}
	value := func(s *seat, name string) string {
		return s.ask("new FormData(document.querySelector('#composer-form')).get('" + name + "') ?? ''")
	}
	has := func(s *seat, name, want string) {
		t.Helper()
		s.until("have "+name+" "+want, func() bool { return value(s, name) == want }, func() string { return value(s, name) })
	}
	for _, s := range tabs {
		s.follows(p.url("/t" + strings.TrimPrefix(p.path, "/tables")))
		s.click("#move-roll")
		s.sees(form, "")
		s.sees("[data-live-state=open]", "")
		has(s, "attribute", "strength")
		has(s, "_touched", "")
	}
	first.choose(form+" [name=difficulty]", "8")
	has(first, "_touched", "difficulty")
	second.choose(form+" [name=attribute]", "dexterity")
	has(second, "_touched", "attribute")

	p.becomes(marta, body{"attributes": body{"strength": 4, "dexterity": 5}})
	for i, dice := range []string{"4", "5", "4"} {
		tabs[i].sees(form+" #odds", dice+"к10")
	}
	has(first, "difficulty", "8")
	has(first, "attribute", "strength")
	has(second, "attribute", "dexterity")
	first.picture("another-pool")

	for _, s := range tabs {
		s.run(asksForm)
	}
	const others = 20
	for i := range others {
		p.moves(boris, "roll", ilya, body{"attribute": "dexterity"}, 9, 8, 7)
		p.becomes(ilya, body{"quintessence": i + 1})
	}
	p.must("POST", p.path+"/talk", p.gm, body{"text": "That was all"})
	for _, s := range tabs {
		s.sees("#log", "That was all")
		if n, _ := strconv.Atoi(s.ask("window.forms")); n > others/5 { // a busy server has no time to look, and says of any form that it may have changed
			t.Errorf("%s has asked for its form %d times after %d moves of somebody else", s.name, n, others)
		}
	}

	const attempt = form + " [name=attempt]"
	first.run("document.querySelector('#composer-form details:has([name=attempt])')?.setAttribute('open', ''); document.querySelector('" + attempt + "').focus()")
	first.types("Over the roof")
	p.must("POST", p.path+"/calls", p.gm, body{"move": "roll", "character": marta, "args": body{"difficulty": 7}})
	first.sees("#calls", "Marta")
	has(first, "attempt", "Over the roof")
	has(first, "difficulty", "8")
	first.click("#throw")
	first.sees("#composer-problem", "Пока ничего не сделано")
	first.sees(form+" .call", "7")
	has(first, "attempt", "Over the roof")
	has(first, "difficulty", "7")
	p.must("POST", p.path+"/talk", p.gm, body{"text": "Look at it"})
	p.becomes(marta, body{"quintessence": 1})
	first.sees("#log", "Look at it")
	first.sees("#composer-problem", "Пока ничего не сделано") // until it's pressed again
	first.picture("called-meanwhile")
	first.click("#throw")
	first.sees("#log", "Over the roof")

	first.click("#log > li[data-move]:last-of-type a.again")
	first.until("have the attempt again", func() bool { // as a retry after a failure
		return value(first, "attempt")+value(first, "again") == "Over the roof"
	}, func() string { return first.text("#composer") })
	made := first.ask("[...document.querySelectorAll('#log > li[data-move]')].at(-1).dataset.move")
	p.must("POST", p.path+"/undo", p.gm, body{"seq": number(t, made[1:])})
	first.sees("#log .undone[data-move="+made+"]", "")
	first.sees(form+" .call", "7") // it's open again
	has(first, "attribute", "strength")
	first.click("#throw")
	first.until("make it again", func() bool {
		return first.ask("[...document.querySelectorAll('#log > li[data-move]')].at(-1).dataset.move") != made
	}, func() string { return first.text("#composer") })
}

func number(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

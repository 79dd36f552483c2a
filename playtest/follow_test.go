//go:build e2e

package playtest

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"norn/lang"
)

// cable is a proxy for a browser's connections to norn. Connections with a live stream can be cut,
// or muted without an error.
type cable struct {
	address string
	mu      sync.Mutex
	ends    map[*line]bool
}

// line is one connection of a browser.
type line struct {
	near, far net.Conn
	live      bool // the newest request is that of a stream
	dead      bool // it is open but muted
}

func wired(t *testing.T, s *server) *cable {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := &cable{address: listener.Addr().String(), ends: map[*line]bool{}}
	var all sync.WaitGroup
	t.Cleanup(func() {
		listener.Close()
		c.each(func(*line) bool { return true }, func(l *line) { l.near.Close(); l.far.Close() })
		all.Wait()
	})
	all.Go(func() {
		for {
			near, err := listener.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp", s.address)
			if err != nil {
				near.Close()
				continue
			}
			l := &line{near: near, far: far}
			c.mu.Lock()
			c.ends[l] = true
			c.mu.Unlock()
			all.Go(func() { c.carry(l, far, near, true) })
			all.Go(func() { c.carry(l, near, far, false) })
		}
	})
	return c
}

// carry copies one direction of a connection until it ends.
func (c *cable) carry(l *line, to, from net.Conn, asks bool) {
	piece := make([]byte, 32<<10)
	for {
		n, err := from.Read(piece)
		c.mu.Lock()
		if asks && n > 0 {
			head, _, _ := bytes.Cut(piece[:n], []byte("\r\n"))
			l.live = bytes.Contains(head, []byte("/live?"))
		}
		dead := l.dead
		if err != nil {
			delete(c.ends, l)
		}
		c.mu.Unlock()
		if n > 0 && !dead {
			_, _ = to.Write(piece[:n]) // the other direction detects a closed connection
		}
		if err != nil {
			to.Close()
			return
		}
	}
}

func (c *cable) each(which func(*line) bool, do func(*line)) (n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for l := range c.ends {
		if which(l) {
			do(l)
			n++
		}
	}
	return n
}

// cut closes the streams; mute drops their data without an error. Both return the number of
// streams.
func (c *cable) cut() int {
	return c.each(func(l *line) bool { return l.live }, func(l *line) { l.near.Close(); l.far.Close() })
}

func (c *cable) mute() int {
	return c.each(func(l *line) bool { return l.live }, func(l *line) { l.dead = true })
}

// by returns a link of norn's that leads through the cable.
func (c *cable) by(s *server, link string) string {
	return strings.Replace(link, s.address, c.address, 1)
}

// throws uses faces that are entered in the composer.
func (s *seat) throws(dice string) {
	s.t.Helper()
	s.run("document.querySelector('#composer .hand').open = true")
	s.choose("#hand-dice", dice)
	s.click("[data-by-hand]")
}

// A page whose stream breaks while its seat acts, and others act, eventually shows everything, and
// retains what was typed. The same applies to a stream that died silently, as on a phone that was
// asleep.
func TestPageCatchesUpAfterItsStreamIsLost(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"cut", "mute"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			s := serve(t)
			c := wired(t, s)
			opened := s.sheets("spire", lang.En)
			anna, gm := sit(t, "anna", 1440, 900), sit(t, "gm", 1440, 900)
			gm.follows(opened.gm)
			anna.follows(c.by(s, opened.anna))
			anna.run("window.since = 'before'")
			lose := func() {
				t.Helper()
				anna.sees("[data-live-state=open]", "")
				lost := map[string]func() int{"cut": c.cut, "mute": c.mute}[how]
				anna.until("lose a stream", func() bool { return lost() > 0 }, func() string { return "none" })
			}

			speaksAndThrows(t, anna, gm, lose)
			changesAndTakesBack(opened, anna, gm, lose)

			// Other people's actions arrive with the next stream. A press detects that this one is
			// dead.
			lose()
			gm.choose("#line", "I'm here")
			gm.click("#line-form [type=submit]")
			gm.sees("#log", "I'm here")
			if how == "mute" {
				anna.choose("#line", "Hello?")
				anna.click("#line-form [type=submit]")
			}
			anna.sees("#log", "I'm here")
			for _, one := range []*seat{anna, gm} {
				if n := one.ask("new Set([...document.querySelectorAll('#log > li[id]')].map((card) => card.id)).size === document.querySelectorAll('#log > li[id]').length"); n != "true" {
					t.Errorf("a card stands twice on %s's page", one.name)
				}
			}
			if anna.ask("window.since") != "before" {
				t.Error("the page was loaded again")
			}
		})
	}
}

// speaksAndThrows checks that talk and rolls appear while the composer and text being typed stay.
func speaksAndThrows(t *testing.T, anna, gm *seat, lose func()) {
	lose()
	anna.choose("#line", "Is anybody there?")
	anna.click("#line-form [type=submit]")
	anna.sees("#log .speech", "Is anybody there?")
	gm.sees("#log .speech", "Is anybody there?")

	// A move, while an answer to nobody is being typed; the composer and its content stay.
	anna.click("#move-act")
	anna.choose("#composer-form [name=die][value=d8]", "d8")
	anna.fills("#composer-form", "resistance", "shadow")
	lose()
	anna.run("document.querySelector('#line').focus()")
	anna.press("Half a sentence")
	anna.throws("7")
	anna.sees("#log [data-outcome]", "")
	gm.sees("#log [data-outcome]", "")
	if typed := anna.ask("document.querySelector('#line').value"); typed != "Half a sentence" {
		t.Errorf("of what was typed there is %q", typed)
	}
	if die := anna.ask("document.querySelector('#composer-form [name=die]:checked').value"); die != "d8" {
		t.Errorf("the composer stands at %q", die)
	}
}

// changesAndTakesBack checks that a change of the sheet appears, and its undo.
func changesAndTakesBack(opened sheetTable, anna, gm *seat, lose func()) {
	anna.changes()
	lose()
	lira := opened.cast[0]
	anna.run("document.getElementById('v-" + lira + "-class').focus()")
	anna.press(kb.Enter)
	anna.sees(".value-box input", "")
	anna.run("document.activeElement.select()")
	anna.press("Ghost", kb.Enter)
	anna.gone(".value-box")
	anna.sees("#sheet .sheet-lead", "Ghost")

	// The undo.
	lose()
	anna.run("document.querySelector('#log [data-edited] .take-back').open = true")
	anna.click("#log [data-edited] .take-back button")
	anna.sees("#log .note.undone", "")
	gm.sees("#log .note.undone", "")
}

// A table is played in a browser without scripts: each press loads the page again, with the result
// or the error.
func TestTableIsPlayedWithoutScript(t *testing.T) {
	t.Parallel()
	s := serve(t)
	opened := s.sheets("spire", lang.En)
	gm := sit(t, "gm", 390, 844)
	gm.do("switch script off", chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
		_, err := cdp.Call(ctx, tab, emulation.SetScriptExecutionDisabled,
			emulation.SetScriptExecutionDisabledParams{Value: true})
		return err
	}))
	gm.visit(opened.gm)
	table := s.url("/t/" + opened.id)
	lira := opened.cast[0]

	// A roll with typed faces: first an invalid one, then a valid one.
	gm.arrives(table + "?_c=" + lira + "&_a=" + lira + "&_m=act#composer")
	gm.run("document.querySelector('.hand').open = true; document.querySelector('#composer-form [name=die][value=d8]').checked = true; document.querySelector('#composer-form [name=resistance]').value = 'shadow'; document.querySelector('#hand-dice').value = '99'")
	gm.click("[data-by-hand]")
	gm.sees("#composer .problem", "")
	if typed := gm.ask("document.querySelector('#hand-dice').value + ' ' + document.querySelector('#composer-form [name=die]:checked').value"); typed != "99 d8" {
		t.Errorf("of what was typed there is %q", typed)
	}
	gm.run("document.querySelector('#hand-dice').value = '7'")
	gm.click("[data-by-hand]")
	gm.sees("#log [data-outcome]", "")

	// Talk, an undo, a sheet, a note.
	gm.run("document.querySelector('#line').value = 'Without script'")
	gm.run("document.querySelector('#line-form').scrollIntoView()")
	gm.click("#line-form [type=submit]")
	gm.sees("#log .speech", "Without script")
	gm.run("document.querySelector('#log [data-move] .take-back').open = true")
	gm.click("#log [data-move] .take-back button")
	gm.sees("#log .card.undone", "")

	gm.arrives(table + "?_c=" + lira + "&_tab=sheet&_edit=1")
	gm.run("document.querySelector('#sheet-name').value = 'Lira the Quiet'")
	gm.click("#sheet form[data-form=sheet] .actions button")
	gm.sees("#sheet h2", "Lira the Quiet")

	gm.arrives(table + "/gm")
	gm.click(".drawer-nav [href='#tab-notes']")
	gm.run("document.querySelector('#new-note-text').value = 'She knows'")
	gm.click("#new-note button")
	gm.sees("#gm-notes textarea", "")
	if note := gm.ask("document.querySelector('#gm-notes textarea').value"); note != "She knows" {
		t.Errorf("the note is %q", note)
	}
	if fault := gm.ask(fmt.Sprintf("document.querySelectorAll(%q).length", ".htmx-request")); fault != "0" {
		t.Error("script has run")
	}
}

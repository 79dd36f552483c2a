package play

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"norn/game"
	"norn/table/refusal"
	"norn/table/request"
	"norn/web/door"
	"norn/web/html"
)

// extras are what a page of the table shows besides the table itself: forms
// that were sent and must be looked at again, news of what was done.
type extras struct {
	composer *html.Composer // instead of an untouched one
	answer   *reply         // an answer to be mended
	sheet    *sheetForm     // the sheet being changed
	added    *newcomer      // a character that couldn't be added
	drawer   drawerNotes    // what the drawer has to say
	seat     ownSeat        // what the seat's menu has to say
	line     *writing       // what was written in the line
	note     string         // a short message
}

// getTable is the page.
func getTable(w http.ResponseWriter, r *http.Request, v *visit) error {
	if !door.HX(r) || !r.URL.Query().Has(atCards) {
		return showPage(w, r, http.StatusOK, v, extras{})
	}
	cards, _, err := v.recent(r.Context())
	if err != nil {
		return err
	}
	mergeEdits(cards)
	v.s.Show(w, r, http.StatusOK, html.LogAgain(v.Page, drawnAll(&v.look, cards)))
	return nil
}

// pageAgain is the page as it is after something was done.
func pageAgain(w http.ResponseWriter, r *http.Request, status int, v *visit, e extras) error {
	return v.looking(r, func() error { return showPage(w, r, status, v, e) })
}

// showPage answers with the page.
func showPage(w http.ResponseWriter, r *http.Request, status int, v *visit, e extras) error {
	ctx := r.Context()
	cards, before, err := v.recent(ctx)
	if err != nil {
		return err
	}
	mergeEdits(cards)
	if err := v.behind(ctx, true, true); err != nil {
		return err
	}
	f := v.s.FrameOf(v.Reader, r, v.view.Name+" · norn", v.view.Game)
	f.Wide, f.Path = true, v.path
	var values url.Values
	if seq, err := strconv.ParseUint(r.URL.Query().Get(atAgain), 10, 64); err == nil {
		values, _ = v.repeated(ctx, seq)
	}
	if e.composer == nil {
		c, err := v.compose(ctx, values, r.URL.Query())
		if err != nil {
			return err
		}
		e.composer = &c
	}
	e.composer.Secret = e.composer.Secret || values != nil && r.URL.Query().Has(html.Own+"secret")
	if v.at.Edit && e.sheet == nil {
		if e.sheet, err = v.editing(ctx, v.at.Character); err != nil {
			if _, known := statusOf(err); !known {
				return err
			}
			e.note = v.sayError(err)
		}
	}
	if shown, ok := v.character(v.at.Character); ok && e.sheet == nil {
		if err := v.open(ctx, shown); err != nil {
			return err
		}
	}
	t := tableOf(&v.look, e)
	t.Log = logOf(&v.look, cards, before, e.answer)
	if guided(&v.look, r) {
		t.Log.Steps = steps(&v.look)
	}
	v.s.Show(w, r, status, html.TablePage(f, v.Page, t))
	return nil
}

// tableOf is all that the page draws but its log.
func tableOf(l *look, e extras) html.Table {
	t := html.Table{
		Seat: l.view.Seat, Name: l.view.Name, Game: l.voice.Word("game", "name"), Told: l.view.Told, Tab: l.at.Tab, Watches: l.view.Role == game.Spectator,
		Waiting: l.waiting(), Online: onlineOf(l), Session: l.view.Session.N, Seal: sealOf(l), Mine: menuOf(l, e.seat), Cast: castOf(l), Adding: adding(l, e.added),
		Line: writingOf(l, e.line), Edition: editionOf(l), Calls: called(l), Composer: *e.composer, Voice: l.voice, Note: e.note,
	}
	for _, tab := range tabs {
		t.Tabs = append(t.Tabs, html.Tab{Name: tab, Link: l.link(l.at.tab(tab))})
	}
	if e.sheet != nil {
		form := e.sheet.drawn(l)
		t.Changing = &form
	} else if c, ok := l.character(l.at.Character); ok {
		sheet := sheetOf(l, c)
		t.Sheet = &sheet
	}
	if l.master() {
		drawer := drawerOf(l, e.drawer)
		t.Drawer = &drawer
	}
	return t
}

// logOf is the part of the log that the page shows; before is where there's more, nil for nowhere.
func logOf(l *look, cards []card, before *choice, answer *reply) html.Log {
	d := html.Log{
		Part: string(l.at.Part), Find: l.at.Find, Old: l.at.Before > 0, Again: cardsAgain(l), Whole: l.link(l.at.whole()), Kept: l.at.part(l.at.Part).hidden(),
	}
	for _, c := range cards {
		d.Cards = append(d.Cards, drawn(l, c, answer))
	}
	if before != nil {
		d.Earlier = l.link(*before)
		if before.Before != l.at.Before {
			d.Before = before.Before
		}
	}
	for _, part := range parts {
		word := "web.log.part." + string(part)
		if part == request.All {
			word = "web.log.part.all"
		}
		d.Parts = append(d.Parts, html.LogPart{Part: string(part), Name: l.Say(word), Link: l.link(l.at.part(part))})
	}
	return d
}

// cardsAgain is the address of the log's cards alone.
func cardsAgain(l *look) string {
	return l.To("?" + atCards + "=1&" + strings.TrimPrefix(l.at.query(), "?"))
}

// steps are an evening's way from an empty table to its end, as far as the
// table has come.
func steps(l *look) []html.Step {
	return []html.Step{
		{Word: "invite", To: "#drawer-seats", Done: len(l.view.Seats) > 1},
		{Word: "cast", To: l.link(l.at.tab("cast")) + "#add-name", Done: len(l.view.Characters) > 0},
		{Word: "move", To: "#composer", Done: l.view.Begun},
		{Word: "session", To: "#drawer-session", Done: len(l.view.Sessions) > 0},
	}
}

// stepsCookie tells, for one table, that a game master needs no steps.
const stepsCookie = "steps"

// guided tells whether the steps stand on the page: for game masters, until all
// is done or they were put away.
func guided(l *look, r *http.Request) bool {
	left := func(s html.Step) bool { return !s.Done }
	return l.master() && door.Cookie(r, stepsCookie) != "away" && slices.ContainsFunc(steps(l), left)
}

// putStepsAway takes the steps off this game master's page of the table.
func putStepsAway(w http.ResponseWriter, r *http.Request, v *visit) error {
	if !v.master() {
		return &refusal.ForbiddenError{}
	}
	v.s.Keep(w, r, stepsCookie, "away", v.To(""), false)
	if door.HX(r) {
		v.s.Show(w, r, http.StatusOK, html.NoSteps())
		return nil
	}
	http.Redirect(w, r, v.link(v.at), http.StatusSeeOther)
	return nil
}

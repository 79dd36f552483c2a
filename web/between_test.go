package web_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"norn/lang"
	"norn/table"
	"norn/table/act"
	"norn/table/request"
)

// afterSession is a hero after a session, what a game master ticks and fills in, and what is then on
// the sheet.
type afterSession struct {
	kind, sheet string
	ticked      string // beforehand
	tick        string
	fill        url.Values
	has         []string // parts of the sheet's JSON
}

var afterSessions = map[string]afterSession{
	"spire": {
		kind: "character", sheet: `{"stress":{"blood":3},"fallouts":[{"kind":"blood","severity":"minor","text":"a cut"},
			{"kind":"mind","severity":"moderate","text":"fear"}]}`,
		ticked: ":day", tick: ":day c1:lie-low", fill: url.Values{"c1:lie-low._0.text": {"the guard was doubled"}},
		has: []string{`"blood":0`, `"fallouts":[{"kind":"mind"`},
	},
	"mage": {
		kind: "character", sheet: `{"willpower":{"permanent":5,"temporary":2}}`,
		tick: ":clock :recover", fill: url.Values{":recover._0.back.0.willpower-back": {"2"}},
		has: []string{`"temporary":4`, `"downtime":true`},
	},
	"edda": {
		kind: "hero", sheet: `{"experience":5,"strengths":[{"name":"songs"}],"memories":[{"text":"the fire","calls":5}]}`,
		ticked: "c1:rethink", tick: "c1:rethink", has: []string{`"experience":10`, `"memories":[]`},
	},
	"godbound": {
		kind: "hero", sheet: `{"hp":12,"lost":5,"level":2,"divinity":"free"}`,
		ticked: ":session :adventure", tick: ":session :adventure c1:rest c1:month",
		fill: url.Values{":session._1.yes": {"on"}, "c1:month.months": {"2"}},
		has:  []string{`"experience":2`, `"dominion":3`, `"lost":0`},
	},
	"eclipse": {
		kind: "character", sheet: `{"pools":{"vigor":{"now":1,"max":3}},"day":{"long":1}}`,
		tick: ":new-day c1:long-recharge", has: []string{`"vigor":{"now":3,"max":3,`},
	},
}

// evening opens a table of a game with a game master's hero after a session.
func (h *house) evening(g, kind, sheet string) (gm *browser, master *table.Seat) {
	h.t.Helper()
	created, err := h.host.Create(h.t.Context(), request.NewTable{Game: g, Name: "After", Lang: lang.En})
	must(h.t, err)
	master, err = h.host.Enter(h.t.Context(), created.ID, created.Seat.Secret, lang.En)
	must(h.t, err)
	_, err = table.Do(h.t.Context(), master, act.AddCharacter,
		act.CharacterRequest{Name: "Orla", Kind: kind, Sheet: json.RawMessage(sheet)}, "")
	must(h.t, err)
	gm = h.stranger()
	gm.takes("/t/" + created.ID + "/" + created.Seat.Secret)
	own := *h
	own.table = created.ID
	gm.house = &own
	return gm, master
}

// In every game, without script: what the rules give is ticked, one press does it with the answers
// on the page, and the same press does nothing again.
func TestBetweenSessionsOnePressDoesWhatIsTicked(t *testing.T) {
	h := open(t)
	for id, c := range afterSessions {
		gm, master := h.evening(id, c.kind, c.sheet)
		page := gm.get(gm.at("/between"))
		form := page.the(t, "id", "between")
		sent := form.sends()
		want(t, id+": ticked", strings.Join(sent["_line"], " "), c.ticked)
		sent["_line"] = strings.Fields(c.tick)
		for name, texts := range c.fill {
			if len(page.with("name", name)) == 0 {
				t.Errorf("%s has no %s", id, name)
			}
			sent[name] = texts
		}
		done := gm.post(gm.at("/between"), sent)
		want(t, id+": status", done.status, http.StatusOK)
		list := done.the(t, "id", "between-done")
		want(t, id+": done", len(list.with("href", "")), 0)
		if strings.Contains(list.says(), "waits") {
			t.Errorf("%s leaves something open: %s", id, list.says())
		}
		want(t, id+": ticked again", len(done.the(t, "id", "between").sends()["_line"]), 0)
		now, err := master.View(t.Context())
		must(t, err)
		sheet, err := json.Marshal(now.Characters[0].Sheet)
		must(t, err)
		for _, part := range c.has {
			contains(t, id+": the sheet", string(sheet), part)
		}
		want(t, id+": the same again", gm.post(gm.at("/between"), sent).status, http.StatusOK)
		after, err := master.View(t.Context())
		must(t, err)
		want(t, id+": entries", after.Seq, now.Seq)
	}
}

// A refused line stays on the page with its reason and what was typed, and the others are done.
func TestBetweenSessionsARefusedLineKeepsWhatWasTyped(t *testing.T) {
	h := open(t)
	gm, master := h.evening("eclipse", "character",
		`{"pools":{"vigor":{"now":1,"max":3}},"day":{"long":1},"effects":[{"kind":"quality","n":10},{"kind":"covertness","n":10}]}`)
	sent := gm.get(gm.at("/between")).the(t, "id", "between").sends()
	sent["_line"] = []string{"c1:long-recharge", "c1:settle"}
	sent.Set("c1:settle.effect", "1")
	page := gm.post(gm.at("/between"), sent)
	want(t, "status", page.status, http.StatusUnprocessableEntity)
	refused := page.the(t, "data-line", "c1:long-recharge")
	contains(t, "the refused line", refused.says(), "EP-21")
	want(t, "ticked", strings.Join(page.the(t, "id", "between").sends()["_line"], " "), "c1:long-recharge")
	contains(t, "done", page.the(t, "id", "between-done").says(), "Orla")

	// the line was drawn before somebody else changed what it's about
	sent = page.the(t, "id", "between").sends()
	sent["_line"] = []string{"c1:settle"}
	_, err := master.Make(t.Context(), request.Move{Move: "settle", Character: "c1", Args: json.RawMessage(`{"effect":"0"}`)})
	must(t, err)
	page = gm.post(gm.at("/between"), sent)
	want(t, "changed meanwhile", page.status, http.StatusUnprocessableEntity)
	contains(t, "the page", page.says(), "changed meanwhile")
}

// A line that was done may change what a later one is about: that one stays, to be looked at again.
func TestBetweenSessionsALineThatChangedIsNotDone(t *testing.T) {
	h := open(t)
	gm, master := h.evening("spire", "character", `{"fallouts":[{"kind":"blood","severity":"minor","text":"a cut"},
		{"kind":"mind","severity":"moderate","text":"fear","stabilised":true},
		{"kind":"mind","severity":"moderate","text":"grief","stabilised":true}]}`)
	sent := gm.get(gm.at("/between")).the(t, "id", "between").sends()
	sent["_line"] = []string{":day", "c1:care"}
	sent.Set("c1:care.fallout", "c1:1")
	sent.Set("c1:care._0.allow", "on")
	page := gm.post(gm.at("/between"), sent)
	want(t, "status", page.status, http.StatusUnprocessableEntity)
	contains(t, "the later line", page.the(t, "data-line", "c1:care").says(), "changed meanwhile")
	sent = page.the(t, "id", "between").sends()
	want(t, "ticked", strings.Join(sent["_line"], " "), "c1:care")
	sent.Set("c1:care.fallout", "c1:0")
	want(t, "pressed again", gm.post(gm.at("/between"), sent).status, http.StatusOK)
	now, err := master.View(t.Context())
	must(t, err)
	sheet, err := json.Marshal(now.Characters[0].Sheet)
	must(t, err)
	if strings.Contains(string(sheet), "fear") || !strings.Contains(string(sheet), "grief") {
		t.Errorf("the sheet is %s", sheet)
	}
}

func TestBetweenSessionsCharactersWithoutSuggestionsAreLinkedAtTheEnd(t *testing.T) {
	h := open(t)
	for g, idle := range map[string]bool{"mage": true, "spire": false} {
		gm, _ := h.evening(g, afterSessions[g].kind, afterSessions[g].sheet)
		page := gm.get(gm.at("/between")).the(t, "id", "between").says()
		at, name := strings.Index(page, "Everybody else"), strings.LastIndex(page, "Orla")
		if name < 0 || (at >= 0) != idle || idle && name < at {
			t.Errorf("%s: Orla at %d, the heading of those without suggestions at %d", g, name, at)
		}
	}
}

// Players see what they may do with their own characters, and can post nothing else.
func TestBetweenSessionsPlayersSeeOnlyTheirOwnCharacters(t *testing.T) {
	h := open(t)
	_, err := table.Do(t.Context(), h.master, act.AddCharacter,
		act.CharacterRequest{Name: "Hidden-one", Kind: "character", Hidden: true}, "hidden")
	must(t, err)
	anna := h.sits("anna")
	page := anna.get(anna.at("/between"))
	for _, other := range []string{"Harald", "Hidden-one", "Everybody", "c2:", "c4:", ":day"} {
		if strings.Contains(page.body, other) {
			t.Errorf("anna's page has %q", other)
		}
	}
	form := page.the(t, "id", "between")
	before := h.seq()
	sent := form.sends()
	sent["_line"] = []string{"c2:lie-low", "c4:lie-low", ":day", "c1:bond"}
	for _, id := range sent["_line"] {
		sent.Set("_mark."+id, "1")
	}
	want(t, "others' lines", anna.post(anna.at("/between"), sent).status, http.StatusUnprocessableEntity)
	want(t, "entries", h.seq(), before)

	sent["_line"] = []string{"c1:lie-low"}
	done := anna.post(anna.at("/between"), sent)
	want(t, "her own", done.status, http.StatusOK)
	contains(t, "what is left to the game master", done.the(t, "id", "between-done").says(), "waits")

	_, err = table.Do(t.Context(), h.master, act.Configure,
		act.ConfigureRequest{Settings: []byte(`{"stress-shown":"hidden"}`)}, "")
	must(t, err)
	for _, stress := range []string{`{"stress":{"blood":4}}`, `{"stress":{"blood":0}}`} {
		_, err := table.Do(t.Context(), h.master, act.ChangeCharacter,
			act.ChangeRequest{ID: "c2", Sheet: json.RawMessage(stress)}, "")
		must(t, err)
		bohdan := h.sits("bohdan")
		want(t, "lines with "+stress, len(bohdan.get(bohdan.at("/between")).with("name", "_line")), 3)
	}
	watcher := h.sits("watcher")
	want(t, "a spectator", watcher.get(watcher.at("/between")).status, http.StatusForbidden)
	want(t, "a spectator's post", watcher.post(watcher.at("/between"), url.Values{}).status, http.StatusForbidden)
}

func (h *house) seq() uint64 {
	h.t.Helper()
	v, err := h.master.View(h.t.Context())
	must(h.t, err)
	return v.Seq
}

//go:build !race

package web_test

import (
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"norn/lang"
	"norn/table"
	"norn/table/act"
	"norn/table/request"
)

// The game master's screen has all tracks, questions, notes and the rest; no other seat can open
// it.
func TestGameMastersScreenOpensForNoOtherSeat(t *testing.T) {
	h := open(t)
	h.make(request.Move{
		Move: "check", Character: "c1", Args: []byte(`{"risk":"d6","resistance":"blood"}`),
		Dice: []int{3, 5, 1},
	})
	gm := h.sits("gm")
	page := gm.get(gm.at("/gm"))
	want(t, "status", page.status, http.StatusOK)
	for _, part := range []string{
		"gm-c1", "gm-c3", "gm-questions", "gm-stock", "gm-notes", "drawer-settings",
		"drawer-seats", "drawer-session",
	} {
		page.the(t, "id", part)
	}
	if len(page.with("data-question", "*")) == 0 {
		t.Error("an open question isn't there to be answered")
	}
	for _, who := range []string{"anna", "watcher"} {
		b := h.sits(who)
		want(t, who, b.get(b.at("/gm")).status, http.StatusForbidden)
	}
}

// No byte of a note reaches a player, neither in the page nor in the stream.
func TestNotesReachNoPlayer(t *testing.T) {
	h := open(t)
	gm, anna := h.sits("gm"), h.sits("anna")
	form := gm.get(gm.at("/gm")).the(t, "data-form", "new-note")
	got := gm.submit(form, map[string]string{"_text": "the-duke-is-dead"})
	note := got.the(t, "data-form", "note")
	contains(t, "the screen", got.body, "the-duke-is-dead")
	for _, path := range []string{"", "?_tab=cast", "/move?_m=check", "/character?_c=c1"} {
		if body := anna.get(anna.at(path)).body; strings.Contains(body, "the-duke-is-dead") {
			t.Errorf("%q tells a player of the note", path)
		}
	}
	if refused := anna.post(anna.at("/act/keep-note"),
		url.Values{"_text": {"mine"}}); refused.status != http.StatusForbidden {
		t.Errorf("a player keeps a note: %d", refused.status)
	}
	got = gm.submit(note, map[string]string{"_do": "drop"})
	if strings.Contains(got.body, "the-duke-is-dead") {
		t.Error("it's still there")
	}
}

// One press adds an NPC; a second one gets a number.
func TestOnePressPutsANumberedNPCIntoPlay(t *testing.T) {
	h := open(t)
	gm := h.sits("gm")
	for _, name := range []string{"Thug", "Thug 2"} {
		form := gm.get(gm.at("/gm")).the(t, "data-form", "stock")
		contains(t, "the cast", gm.submit(form, map[string]string{"_stock": "thug"}).the(t, "id", "gm-cast").says(),
			name)
	}
	last := gm.get(gm.at("/gm")).the(t, "data-unplayed", "c5").the(t, "data-form", "unplayed")
	got := gm.submit(last, nil)
	contains(t, "the cast", got.the(t, "id", "gm-cast").says(), "Thug 3")
	got = gm.presses(last, gm.at("/act/remove-character"), map[string]string{"_key": "other"})
	if len(got.with("id", "gm-c5")) != 0 {
		t.Error("it's still there")
	}
}

// When the game master fixes a difficulty, the player's composer has it, whatever is posted, and
// the move meets the call.
func TestRequestedCheckKeepsTheGameMastersDifficulty(t *testing.T) {
	h := open(t)
	gm, anna := h.sits("gm"), h.sits("anna")
	form := gm.get(gm.at("?_c=c1&_a=c1&_m=check")).the(t, "data-form", "move")
	want(t, "asked", gm.submit(form,
		map[string]string{"_by": "call", "difficulty": "2", "_about": "the wet roof"}).status, http.StatusOK)

	page := anna.get(anna.at(""))
	contains(t, "what is asked", page.the(t, "id", "calls").says(), "the wet roof")
	want(t, "what waits, on the tab", strings.TrimSpace(page.the(t, "id", "tab-count").says()), "1")
	contains(t, "what waits, in the header", page.the(t, "id", "waiting").says(), "1")
	form = page.the(t, "data-form", "move")
	want(t, "difficulty", form.sends().Get("difficulty"), "2")
	if len(form.with("data-field", "difficulty")) != 0 {
		t.Error("the player may choose the difficulty")
	}
	values := form.sends()
	values.Set("difficulty", "0")
	odds := anna.script().get(anna.at("/odds?" + form.sends().Encode()))
	easy := anna.script().get(anna.at("/odds?" +
		strings.ReplaceAll(form.sends().Encode(), "difficulty=2", "difficulty=0")))
	if odds.says() != easy.says() {
		t.Error("the odds are those of another difficulty")
	}
	values.Set("_by", "throw")
	values.Set("risk", "d3")
	values.Set("resistance", "blood")
	want(t, "made", anna.post(anna.at("/move"), values).status, http.StatusOK)
	if calls := anna.get(anna.at("")).the(t, "id", "calls").says(); strings.Contains(calls, "the wet roof") {
		t.Error("the call is still open")
	}
}

// A player who chooses the move that was called for answers the call, and may make another instead;
// a form filled in before the call is shown again with its fixed arguments.
func TestRequestedMoveIsMadeWithItsFixedArguments(t *testing.T) {
	h := open(t)
	gm, anna := h.sits("gm"), h.sits("anna")
	move := func(query string) *node { return anna.get(anna.at(query)).the(t, "data-form", "move") }
	risk := map[string]string{"_by": "throw", "risk": "d3", "resistance": "blood"}
	throws := func() int { return len(gm.get(gm.at("")).with("data-throws", "*")) }
	asked := func() bool { return strings.Contains(anna.get(anna.at("")).the(t, "id", "calls").says(), "wet roof") }
	free := func() { // Lira isn't in a move any more
		for range 5 {
			for _, q := range gm.get(gm.at("")).with("data-form", "answer") {
				gm.submit(q, nil)
			}
		}
	}
	before, made := move("?_a=c1&_m=check"), move("?_a=c1&_m=check")
	want(t, "made before", anna.submit(made, risk).status, http.StatusOK)
	free()

	form := gm.get(gm.at("?_c=c1&_a=c1&_m=check")).the(t, "data-form", "move")
	want(t, "asked", gm.submit(form,
		map[string]string{"_by": "call", "difficulty": "2", "_about": "the wet roof"}).status, http.StatusOK)
	want(t, "the game master's own difficulty",
		gm.get(gm.at("?_a=c1&_m=check")).the(t, "data-form", "move").sends().Get("_call"), "")

	for _, b := range []*browser{anna, anna.script()} {
		got := b.submit(before, risk)
		want(t, "a form from before", got.status, http.StatusConflict)
		contains(t, "it", got.says(), "Nothing is done yet")
		again := got.the(t, "data-form", "move")
		want(t, "what is set", again.sends().Get("difficulty"), "2")
		want(t, "what was chosen", again.sends().Get("risk"), "d3")
	}
	want(t, "one that was made and wasn't heard of", anna.submit(made, risk).status, http.StatusOK)
	want(t, "throws", throws(), 1)

	form = move("?_a=c1&_m=check")
	want(t, "the difficulty by an ordinary press", form.sends().Get("difficulty"), "2")
	want(t, "another difficulty is sent", anna.submit(form, with(risk, "difficulty", "0")).status, http.StatusOK)
	want(t, "throws", throws(), 2)
	for range 2 { // a second press, or one whose response was lost, has the same result
		want(t, "made", anna.submit(form, with(risk, "difficulty", "0")).status, http.StatusOK)
	}
	want(t, "throws", throws(), 2)
	if asked() {
		t.Error("the call is still open")
	}
}

// A composer that rolls in secret stays secret: with another move, and after a call.
func TestMoveFormThatRollsInSecretStaysSecret(t *testing.T) {
	h := open(t)
	gm := h.sits("gm").script()
	secret := func(got answer) string { return got.the(t, "data-form", "move").sends().Get("_secret") }
	page := gm.get(gm.at("?_a=c1&_m=check"))
	want(t, "at first", secret(page), "")
	nav := page.the(t, "id", "move-stress")
	want(t, "with another move is sent", nav.attrs["hx-include"], "#composer-secret")
	want(t, "another move", secret(gm.get(nav.attrs["hx-get"]+"&_secret=on")), "on")
	want(t, "another character", secret(gm.get(gm.at("/character?_c=c2&_a=c1&_m=check&_secret=on"))), "on")
	asks := gm.submit(page.the(t, "data-form", "move"), map[string]string{"_by": "call", "_secret": "on"})
	if strings.Contains(asks.body, "composer-form") {
		t.Errorf("after a player was asked the composer doesn't stay: %s", asks.body)
	}
	contains(t, "the button", page.the(t, "id", "throw").says(), "Roll in secret")
}

// A favourite comes first for everybody who sees the character's moves.
func TestAFavouriteMoveComesFirst(t *testing.T) {
	h := open(t)
	anna := h.sits("anna")
	first := func() string { return anna.get(anna.at("?_c=c1&_m=refresh")).the(t, "id", "moves").says() }
	if strings.HasPrefix(strings.TrimSpace(first()), "★") {
		t.Fatal("there is a favourite already")
	}
	star := anna.get(anna.at("?_c=c1&_m=refresh")).the(t, "data-form", "star")
	anna.submit(star, nil)
	contains(t, "the moves", strings.Join(strings.Fields(first()), " ")[:12], "★ Refresh")
	anna.submit(anna.get(anna.at("?_c=c1&_m=refresh")).the(t, "data-form", "star"), nil)
	if strings.Contains(first(), "★") {
		t.Error("it's still a favourite")
	}
}

// "Again" on a card fills in the composer with the same arguments.
func TestAgainFillsInTheMoveFormWithTheSameChoices(t *testing.T) {
	h := open(t)
	h.make(request.Move{
		Move: "check", Character: "c1",
		Args: []byte(`{"skill":"sneak","difficulty":1,"risk":"d6","resistance":"shadow"}`), Dice: []int{9, 9},
	})
	anna := h.sits("anna")
	links := anna.get(anna.at("")).with("class", "again")
	want(t, "links", len(links), 1)
	form := anna.get(strings.Split(links[0].attrs["href"], "#")[0]).the(t, "data-form", "move")
	for name, value := range map[string]string{
		"_m": "check", "_a": "c1", "skill": "sneak", "difficulty": "1",
		"risk": "d6", "resistance": "shadow",
	} {
		want(t, name, form.sends().Get(name), value)
	}
}

// House rules are listed, and one press resets one.
func TestHouseRulesAreListedAndReset(t *testing.T) {
	h := open(t)
	if _, err := table.Do(t.Context(), h.master, act.Configure,
		act.ConfigureRequest{Settings: []byte(`{"less-lethal":true}`)}, "k"); err != nil {
		t.Fatal(err)
	}
	gm := h.sits("gm")
	rule := gm.get(gm.at("/gm")).the(t, "data-house-rule", "less-lethal")
	gm.submit(rule.the(t, "data-form", "reset"), nil)
	if len(gm.get(gm.at("/gm")).with("data-house-rule", "*")) != 0 {
		t.Error("the house rule still stands")
	}
}

// What is spent on one throw isn't spent on the next: the composer keeps the other values.
func TestMoveFormDropsWhatIsSpentOnOneThrow(t *testing.T) {
	h := open(t)
	made, err := h.host.Create(t.Context(), request.NewTable{Game: "mage", Name: "Night", Lang: lang.En})
	must(t, err)
	h.table = made.ID
	h.links["gm"] = "/t/" + made.ID + "/" + made.Seat.Secret
	h.master, err = h.host.Enter(t.Context(), made.ID, made.Seat.Secret, lang.En)
	must(t, err)
	h.add("Marta", "character", "", `{"willpower":{"permanent":5,"temporary":5}}`)
	gm := h.sits("gm")
	form := gm.get(gm.at("?_c=c1&_a=c1&_m=roll")).the(t, "data-form", "move")
	values := form.sends()
	values.Set("attribute", "wits")
	values.Set("ability", "alertness")
	values.Set("willpower", "on")
	values.Set("difficulty", "8")
	values.Set("_by", "throw")
	if _, once := form.the(t, "name", "willpower").attrs["data-once"]; !once {
		t.Error("script isn't told that Willpower is spent on one throw")
	}
	want(t, "status", gm.script().post(gm.at("/move"), values).status, http.StatusNoContent)
	next := gm.get(gm.at("?_again="+gm.get(gm.at("")).with("data-move", "*")[0].attrs["data-seq"])).the(t, "data-form",
		"move").sends()
	want(t, "Willpower", next.Get("willpower"), "")
	want(t, "difficulty", next.Get("difficulty"), "8")
}

// with returns a form's values with one more.
func with(values map[string]string, name, value string) map[string]string {
	more := maps.Clone(values)
	more[name] = value
	return more
}

// A suggestion's effect is shown next to it before it's chosen. SP-17 of Spire
func TestEffectOfAnOptionIsShownBeforeItIsChosen(t *testing.T) {
	h := open(t)
	gm := h.sits("gm")
	move := gm.get(gm.at("?_a=c1&_m=stress")).the(t, "data-form", "move")
	want(t, "dealt", gm.submit(move,
		map[string]string{"_by": "hand", "_dice": "6 1", "die": "d6", "resistance": "blood"}).status, http.StatusOK)
	form := gm.get(gm.at("")).the(t, "data-question-kind", "spire.fallout")
	tells := form.with("hx-get", gm.at("/about?_field=pick"))
	want(t, "tells", len(tells), 1)
	if tells[0].says() == "" {
		t.Error("nothing stands beside what is assumed")
	}
	ask := "/about?_field=pick&_question=" + url.QueryEscape(form.attrs["data-question"])
	lesser, take := ask+"&do=lesser&pick=", ask+"&do=take&pick="
	if one, other := gm.get(gm.at(lesser+"mind.minor.1")).says(),
		gm.get(gm.at(lesser+"mind.minor.2")).says(); one == "" || one == other {
		t.Errorf("the same of two: %q", one)
	}
	all := gm.get(gm.at("/about?_all=1&_field=pick&" + form.the(t, "data-form", "answer").sends().Encode()))
	if n := strings.Count(all.body, "<dd>"); n < 4 {
		t.Errorf("what each does is said of %d", n)
	}
	want(t, "one's own words", gm.get(gm.at(lesser+"own")).says(), "")
	want(t, "nothing picked, two lesser ones", gm.get(gm.at(lesser)).says(), "")
	want(t, "nothing picked, one taken", gm.get(gm.at(take)).says(), gm.get(gm.at(take+"blood.moderate.1")).says())
	player := h.sits("anna")
	want(t, "a player, who isn't asked", player.get(player.at(lesser+"mind.minor.1")).says(), "")
}

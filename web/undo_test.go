package web_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"norn/table"
	"norn/table/act"
	"norn/table/request"
	"norn/table/view"
)

func TestUndoAndCancelWorkByPlainForm(t *testing.T) {
	h := open(t)
	gm, anna := h.sits("gm"), h.sits("anna")
	rolled := func(text string) string {
		return h.make(request.Move{
			Move: "no-roll", Character: "c1", Args: json.RawMessage(`{"text":"` + text + `"}`),
			Key: text,
		}).Entry.Move
	}
	first, second := rolled("one"), rolled("two")
	if page := anna.get(anna.at("")); len(page.with("data-form", "undo")) != 0 ||
		len(page.with("data-form", "cancel")) != 0 {
		t.Error("a player is offered to undo the game master's moves")
	}
	undo := func(move string) answer {
		return gm.submit(gm.get(gm.at("")).the(t, "data-move", move).the(t, "data-form", "undo"), nil)
	}
	refused := undo(first)
	want(t, "status", refused.status, http.StatusConflict)
	contains(t, "what stands on it", refused.says(), "Undo those first: Lira, “")
	undone := undo(second)
	want(t, "status", undone.status, http.StatusOK)
	card := undone.the(t, "data-move", second)
	contains(t, "card", card.says(), "Undone by GM")
	if !card.is("undone") || len(card.with("data-form", "undo")) != 0 ||
		len(undone.the(t, "data-move", first).with("data-form", "undo")) != 1 {
		t.Error("what is undone isn't seen to be, or is offered again")
	}
	want(t, "the other", undo(first).status, http.StatusOK)
	want(t, "a player's", anna.post(anna.at("/act/undo"), url.Values{"_seq": {"9"}, "_key": {"x"}}).status,
		http.StatusForbidden)
	want(t, "nothing", gm.post(gm.at("/act/undo"), url.Values{"_seq": {"x"}, "_key": {"x"}}).status,
		http.StatusUnprocessableEntity)

	open := h.risky("open")
	cancel := gm.get(gm.at("")).the(t, "data-move", open.Entry.Move).the(t, "data-form", "cancel")
	gone := gm.submit(cancel, nil)
	want(t, "status", gone.status, http.StatusOK)
	contains(t, "card", gone.the(t, "data-move", open.Entry.Move).says(), "Cancelled by GM")
	if len(gone.with("data-question", "*")) != 0 {
		t.Error("a question of a cancelled move is left")
	}
	want(t, "twice", gm.post(gm.at("/act/cancel-move"), url.Values{"_move": {open.Entry.Move}, "_key": {"y"}}).status,
		http.StatusUnprocessableEntity)
}

// A change that is too old to undo says so before it's pressed. The log can go back to it, by pages
// or from any entry.
func TestTooOldChangeSaysThatItCantBeUndone(t *testing.T) {
	h := open(t)
	gm := h.sits("gm")
	var moves []view.Entry
	for n := range view.MostTouches + 1 {
		moves = append(moves, h.make(request.Move{
			Move: "no-roll", Character: "c1",
			Args: json.RawMessage(`{"text":"again"}`), Key: strconv.Itoa(n),
		}).Entry)
	}
	first, second := moves[0], moves[1]
	page := gm.get(gm.at("") + "?_log=10")
	card := page.the(t, "data-move", first.Move)
	contains(t, "the oldest", card.says(), "Of each character, only the last 50 moves and changes can be undone.")
	if len(card.with("data-form", "undo")) != 0 ||
		len(page.the(t, "data-move", second.Move).with("data-form", "undo")) != 1 {
		t.Error("what is too old is offered, or what isn't is not")
	}
	refused := gm.post(gm.at("/act/undo"), url.Values{"_seq": {strconv.FormatUint(first.Seq, 10)}, "_key": {"x"}})
	want(t, "status", refused.status, http.StatusUnprocessableEntity)
	contains(t, "what is too old", refused.says(), "too old to be undone")

	before := gm.get(gm.at("") + "?_before=" + strconv.FormatUint(second.Seq, 10))
	if len(before.with("data-move", first.Move)) != 1 || len(before.with("data-move", second.Move)) != 0 {
		t.Error("what came before isn't shown, or more than that")
	}
	found := gm.get(gm.at("") + "?_find=again&_before=" + strconv.FormatUint(second.Seq, 10))
	if len(found.with("data-move", first.Move)) != 1 || len(found.with("data-move", second.Move)) != 0 {
		t.Error("a search doesn't go on from where it's told to")
	}
}

// A change of a sheet is an item in the log. It and its undo reach everybody's page.
func TestUndoOfAChangeIsSeenLive(t *testing.T) {
	h := open(t)
	anna := h.sits("anna")
	e, err := table.Do(t.Context(), h.master, act.ChangeCharacter,
		act.ChangeRequest{ID: "c1", Sheet: json.RawMessage(`{"class":"Burglar"}`)}, "c")
	must(t, err)
	page := anna.get(anna.at(""))
	stream, stop := anna.listen(page.the(t, "data-live", anna.at("/live?")).attrs["data-live-after"])
	defer stop()
	hear(t, stream, "view")
	_, err = table.Do(t.Context(), h.master, act.Undo, act.UndoRequest{Seq: int(e.Seq)}, "u")
	must(t, err)
	heard := parse(t, hear(t, stream, "entry").data)
	if notes := heard.all(func(n *node) bool {
		return n.is("note")
	}); len(notes) != 2 || !notes[1].is("undone") || notes[0].is("undone") {
		t.Errorf("%d notes: %s", len(notes), heard.says())
	}
	if mine := anna.submit(anna.get(anna.at("?_c=c1&_edit=1")).the(t, "data-form", "sheet"),
		map[string]string{"class": "Fence"}); len(mine.with("data-form", "undo")) != 1 {
		t.Error("Anna may undo her own change")
	}
}

// When a secret move is revealed, the log says so at its end, with a link to the move's card, which
// may be far above and can still be undone.
func TestRevealingASecretMoveIsLoggedWithALink(t *testing.T) {
	h := open(t)
	gm, anna := h.sits("gm"), h.sits("anna")
	made, err := h.master.Make(t.Context(), request.Move{Move: "check", Character: "c1", Dice: []int{9}, Secret: true})
	must(t, err)
	first := made.Entry.Seq
	for len(made.Open) > 0 {
		made, err = h.master.Answer(t.Context(), request.Answer{Question: made.Open[0].ID})
		must(t, err)
	}
	page := gm.get(gm.at(""))
	stream, stop := anna.listen(anna.get(anna.at("")).the(t, "data-live", anna.at("/live?")).attrs["data-live-after"])
	defer stop()
	hear(t, stream, "view")
	gm.script().submit(page.the(t, "data-form", "show"), nil)
	heard := parse(t, hear(t, stream, "entry").data)
	card := heard.the(t, "data-move", made.Entry.Move)
	if strings.Contains(card.says(), "in secret") {
		t.Errorf("the card says what the log says: %s", card.says())
	}
	for _, seen := range []*node{heard, anna.get(anna.at("")).node, gm.get(gm.at("")).node} {
		notes := seen.all(func(n *node) bool { return n.is("note") })
		if len(notes) == 0 {
			t.Fatalf("the log tells nothing: %s", seen.says())
		}
		last := notes[len(notes)-1]
		contains(t, "the log", last.says(), "The game master shows what was done in secret: ")
		if link := last.all(func(n *node) bool {
			return strings.HasSuffix(n.attrs["href"], "#"+made.Entry.Move)
		}); len(link) != 1 {
			t.Errorf("%d links to what is shown: %s", len(link), last.says())
		}
	}
	_, err = table.Do(t.Context(), h.master, act.Undo, act.UndoRequest{Seq: int(first)}, "undo")
	must(t, err)
	if card := anna.get(anna.at("")).the(t, "data-move", made.Entry.Move); !card.is("undone") {
		t.Errorf("the card of what was undone: %s", card.says())
	}
}

func TestPlainFormsShareInTheDiceAndEndTheSession(t *testing.T) {
	h := open(t)
	gm, anna := h.sits("gm"), h.sits("anna")
	form := anna.get(anna.at("")).the(t, "data-form", "share")
	shared := anna.submit(form, map[string]string{"_share": "seven grey cranes"})
	want(t, "status", shared.status, http.StatusOK)
	if len(shared.with("data-form", "share")) != 0 {
		t.Error("Anna is asked for a second share")
	}
	contains(t, "the game master's seal", gm.get(gm.at("")).the(t, "id", "seal").says(), "seven grey cranes")
	want(t, "another", anna.post(anna.at("/act/add-share"), url.Values{"_share": {"x"}, "_key": {"x"}}).status,
		http.StatusUnprocessableEntity)
	if len(anna.get(anna.at("")).with("data-form", "session")) != 0 {
		t.Error("a player is offered to end the session")
	}
	want(t, "a player ends it", anna.post(anna.at("/act/end-session"), url.Values{"_key": {"x"}}).status,
		http.StatusForbidden)

	stream, stop := anna.listen(anna.get(anna.at("")).the(t, "data-live", anna.at("/live?")).attrs["data-live-after"])
	defer stop()
	hear(t, stream, "view")
	page := gm.get(gm.at(""))
	end := page.the(t, "data-form", "session")
	own, leave := gm.listen(page.the(t, "data-live", gm.at("/live?")).attrs["data-live-after"])
	defer leave()
	hear(t, own, "view")
	ended := gm.script().submit(end, nil)
	want(t, "status", ended.status, http.StatusOK)
	next := parse(t, hear(t, own, "entry").data).piece(t, "#drawer-session").the(t, "data-form", "session")
	if next.sends().Get("_key") == end.sends().Get("_key") {
		t.Error("the next session would end under the same key, which is no end at all")
	}
	seal := parse(t, hear(t, stream, "entry").data).piece(t, "#seal")
	seal.the(t, "data-session", "2")
	seal.the(t, "data-form", "share") // a new session needs a new share
	past := seal.the(t, "data-ended", "1")
	contains(t, "the past session", past.says(), "seven grey cranes")
	if secret := strings.TrimSpace(past.with("data-secret", "*")[0].text); len(secret) != 64 {
		t.Errorf("the secret of the past session is %q", secret)
	}

	before := gm.get(gm.at("")).the(t, "data-form", "session")
	h.risky("open")
	want(t, "with a move that the page didn't show open", gm.submit(before, nil).status, http.StatusUnprocessableEntity)
}

// Quick edits of one value are one line without script, too; its undo says that it undoes the last
// step.
func TestQuickEditsAreOneLine(t *testing.T) {
	h := open(t)
	gm := h.sits("gm")
	var last uint64
	for i, blood := range []string{"3", "4", "6"} {
		e, err := table.Do(t.Context(), h.master, act.ChangeCharacter,
			act.ChangeRequest{ID: "c1", Sheet: json.RawMessage(`{"stress":{"blood":` + blood + `}}`)},
			"edit"+strconv.Itoa(i))
		must(t, err)
		last = e.Seq
	}
	edits := func() (shown []string, hidden int) {
		for _, note := range gm.get(gm.at("")).with("data-edited", "*") {
			if note.is("note-before") {
				hidden++
			} else {
				shown = append(shown, note.says())
			}
		}
		return shown, hidden
	}
	shown, hidden := edits()
	if len(shown) != 1 || hidden != 2 || !strings.Contains(shown[0], "Blood 2 → 6") ||
		!strings.Contains(shown[0], "one step: Lira: Stress: Blood 4 → 6") {
		t.Errorf("%q, %d before", shown, hidden)
	}
	_, err := table.Do(t.Context(), h.master, act.Undo, act.UndoRequest{Seq: int(last)}, "back")
	must(t, err)
	if shown, hidden = edits(); len(shown) != 1 || hidden != 1 || !strings.Contains(shown[0], "Blood 2 → 4") {
		t.Errorf("after the undo %q, %d before", shown, hidden)
	}
}

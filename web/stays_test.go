package web_test

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"norn/table"
	"norn/table/act"
	"norn/table/request"
)

// A stream sends only what has changed.
func TestStreamSendsOnlyWhatHasChanged(t *testing.T) {
	h := open(t)
	anna := h.sits("anna")
	after := anna.get(anna.at("")).the(t, "data-live", anna.at("/live?")).attrs["data-live-after"]
	stream, stop := anna.listen(after)
	defer stop()
	hear(t, stream, "view")
	says := func(text string) event {
		_, err := table.Do(t.Context(), h.master, act.Talk, act.TalkRequest{Text: text}, "")
		must(t, err)
		return hear(t, stream, "entry")
	}
	said := says("one").data
	contains(t, "the news", said, "one")
	for _, place := range []string{"#cast", "#calls", "#waiting", "#online"} {
		if strings.Contains(said, `hx-target="`+place) {
			t.Errorf("%s is told again: %s", place, said)
		}
	}
	tells := func(blood int) string {
		_, err := table.Do(t.Context(), h.master, act.ChangeCharacter,
			act.ChangeRequest{ID: "c1", Put: &request.Put{Path: "stress.blood", Text: strconv.Itoa(blood)}}, "")
		must(t, err)
		return hear(t, stream, "entry").data
	}
	hurt := tells(1)
	contains(t, "the sheet", hurt, `hx-target="#sheet-c1"`)
	contains(t, "of the cast, a line", hurt, `hx-target="#cast-c1"`)
	for _, place := range []string{"#cast", "#seat-own", "#log-stale", "#sheet-c2:not([data-changing])"} {
		if strings.Contains(hurt, `hx-target="`+place+`"`) {
			t.Errorf("%s is sent again: %s", place, hurt)
		}
	}
}

// A stream sends only the sheet that the page shows; a page with another one is asked to request
// it.
func TestStreamSendsOnlyTheSheetThatThePageShows(t *testing.T) {
	h := open(t)
	_, err := table.Do(t.Context(), h.master, act.AddCharacter,
		act.CharacterRequest{Name: "Ash", Kind: "character", Sheet: json.RawMessage(`{}`)}, "")
	must(t, err)
	gm := h.sits("gm").script()
	after := gm.get(gm.at("")).the(t, "data-live", gm.at("/live?")).attrs["data-live-after"]
	stream, stop := gm.listen(after)
	defer stop()
	hear(t, stream, "view")
	tells := func(id string, blood int) string {
		_, err := table.Do(t.Context(), h.master, act.ChangeCharacter,
			act.ChangeRequest{ID: id, Put: &request.Put{Path: "stress.blood", Text: strconv.Itoa(blood)}}, "")
		must(t, err)
		return hear(t, stream, "entry").data
	}
	shows := func(shown, other string, n int) {
		t.Helper()
		contains(t, "what is shown", tells(shown, n), `hx-target="#sheet-`+shown)
		news := tells(other, n)
		contains(t, "what isn't shown", news, `hx-target="#sheet-`+other+`:not([data-changing])"`)
		contains(t, "what isn't shown", news, gm.at("/character?_c="+other+"&amp;_keep=1"))
		if strings.Contains(news, "data-sheet=") {
			t.Errorf("a sheet is told that isn't shown: %s", news)
		}
	}
	shows("c1", "c2", 1)
	contains(t, "another sheet", gm.get(gm.at("/character?_c=c2")).body, `data-sheet="c2"`)
	shows("c2", "c1", 2)
}

// Where a change of a sheet changes the move form that a page shows untouched, its stream says so;
// otherwise it names the characters that have changed, for forms in which somebody has set one.
func TestStreamSaysWhatMoveFormsDependOn(t *testing.T) {
	h := open(t)
	gm := h.sits("gm").script()
	after := gm.get(gm.at("")).the(t, "data-live", gm.at("/live?")).attrs["data-live-after"]
	stream, stop := gm.follow("/live?_m=fallout&_a=c1", after)
	defer stop()
	hear(t, stream, "view")
	hurt := func(id, stress string) string {
		_, err := table.Do(t.Context(), h.master, act.ChangeCharacter,
			act.ChangeRequest{ID: id, Put: &request.Put{Path: "stress.blood", Text: stress}}, "")
		must(t, err)
		return hear(t, stream, "entry").data
	}
	said := func(data string) (usual bool, of string) {
		mark := parse(t, data).piece(t, "#move-form").with("data-of", "*")[0].attrs
		_, usual = mark["data-usual"]
		return usual, mark["data-of"]
	}
	hurt("c1", "1") // the first tells of a form that the stream hasn't looked at before
	usual, of := said(hurt("c1", "9"))
	want(t, "the actor's stress changes the odds", usual, true)
	want(t, "of", of, "c1")
	usual, of = said(hurt("c2", "1"))
	want(t, "another's stress doesn't", usual, false)
	want(t, "of", of, "c2")
}

package web_test

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"norn/table"
	"norn/table/act"
	"norn/table/request"
)

// A composer that the page already shows isn't sent again, neither after a move nor when the page
// requests it because something has changed.
func TestUnchangedMoveFormIsNotSentAgain(t *testing.T) {
	h := open(t)
	anna := h.sits("anna").script()
	drawn := anna.get(anna.at("/move?_m=check"))
	values := drawn.the(t, "id", "composer-form").sends()
	values.Set("_by", "throw")
	odds := anna.get(anna.at("/odds?" + values.Encode()))
	values.Set("_odds", odds.the(t, "name", "_odds").attrs["value"])

	want(t, "asked again", anna.get(anna.at("/move?_keep=1&"+values.Encode())).status, http.StatusNoContent)
	first := anna.post(anna.at("/move"), values)
	want(t, "made", first.status, http.StatusNoContent)
	want(t, "at", first.header.Get("Norn-Seq"), anna.get(anna.at("/move")).header.Get("Norn-Seq"))
	values.Set("difficulty", "1")
	contains(t, "other odds", anna.get(anna.at("/move?_keep=1&"+values.Encode())).body, `hx-target="#odds"`)
	other := "Somebody else"
	_, err := table.Do(t.Context(), h.master, act.ChangeCharacter, act.ChangeRequest{ID: "c1", Name: &other}, "")
	must(t, err)
	contains(t, "another name", anna.get(anna.at("/move?_keep=1&"+values.Encode())).body, `id="composer-form"`)
}

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

// When a change of a sheet affects only the odds of the move form, the stream sends them to the
// page that shows it, which requests nothing. A page with another form isn't named, and requests
// its own.
func TestStreamSendsOddsOnlyForTheFormThatIsShown(t *testing.T) {
	h := open(t)
	gm := h.sits("gm").script()
	after := gm.get(gm.at("")).the(t, "data-live", gm.at("/live?")).attrs["data-live-after"]
	stream, stop := gm.listen(after)
	defer stop()
	hear(t, stream, "view")
	hurt := func(stress string) string {
		_, err := table.Do(t.Context(), h.master, act.ChangeCharacter,
			act.ChangeRequest{ID: "c1", Put: &request.Put{Path: "stress.blood", Text: stress}}, "")
		must(t, err)
		return hear(t, stream, "entry").data
	}
	contains(t, "of no form it's said that it stays", hurt("5"), `data-but=""`)

	values := gm.get(gm.at("/move?_m=fallout&_a=c1")).the(t, "id", "composer-form").sends()
	for _, stress := range []string{"1", "9"} {
		sent, offer, odds := hurt(stress), values.Get("_offer"), values.Get("_odds")
		values.Set("_odds", parse(t, sent).the(t, "name", "_odds").attrs["value"])
		contains(t, "where they are", sent,
			`hx-target="#composer-form:has([value=&#39;`+offer+`&#39;]):has([value=&#39;`+odds+`&#39;]) #odds"`)
		contains(t, "the form stays with them", sent, `data-but="`+offer+"."+values.Get("_odds")+`"`)
	}
	want(t, "asked for", gm.get(gm.at("/move?_keep=1&"+values.Encode())).status, http.StatusNoContent)

	other := gm.get(gm.at("/move?_m=check&_a=c1")).the(t, "id", "composer-form").sends()
	sent := hurt("3")
	contains(t, "the form that is shown now", sent, `data-but="`+other.Get("_offer"))
	if strings.Contains(sent, values.Get("_offer")) {
		t.Errorf("a form is named that isn't shown any more: %s", sent)
	}
}

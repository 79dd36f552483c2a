package play

import (
	"net/http"
	"net/url"
	"strconv"

	"norn/web/door"
	"norn/web/html"
)

// extras are what a page of the table shows besides the table itself: forms
// that were sent and must be looked at again, news of what was done.
type extras struct {
	composer *composer   // instead of an untouched one
	answer   *reply      // an answer to be mended
	sheet    *sheetForm  // the sheet being changed
	added    *newcomer   // a character that couldn't be added
	drawer   drawerNotes // what the drawer has to say
	seat     ownSeat     // what the seat's menu has to say
	line     *writing    // what was written in the line
	note     string      // a short message
}

// room is all that the table's page draws.
type room struct {
	frame html.Frame
	*visit
	Cards    []card
	Before   *choice // where earlier cards are, nil for nowhere
	Composer composer
	Guided   bool // the steps of a first-time game master are shown
	extras   extras
}

// table is the page.
func (s *Server) table(w http.ResponseWriter, r *http.Request, v *visit) error {
	if !door.HX(r) || !r.URL.Query().Has(atCards) {
		return s.page(w, r, http.StatusOK, v, extras{})
	}
	cards, _, err := v.recent(r.Context())
	if err != nil {
		return err
	}
	mergeEdits(cards)
	s.Show(w, r, http.StatusOK, v.logAgain(cards))
	return nil
}

func (s *Server) page(w http.ResponseWriter, r *http.Request, status int, v *visit, e extras) error {
	cards, before, err := v.recent(r.Context())
	if err != nil {
		return err
	}
	if err := v.behind(r.Context(), true, true); err != nil {
		return err
	}
	mergeEdits(cards)
	here := room{frame: s.FrameOf(v.Reader, r, v.view.Name+" · norn", v.view.Game), visit: v, Cards: cards, Before: before, Guided: v.guided(r), extras: e}
	here.frame.Wide, here.frame.Path = true, v.path
	var values url.Values
	if seq, err := strconv.ParseUint(r.URL.Query().Get(atAgain), 10, 64); err == nil {
		values, _ = v.repeated(r.Context(), seq)
	}
	if e.composer != nil {
		here.Composer = *e.composer
	} else if here.Composer, err = v.compose(r.Context(), values, r.URL.Query()); err != nil {
		return err
	}
	here.Composer.Secret = here.Composer.Secret || values != nil && r.URL.Query().Has(html.Own+"secret")
	if v.at.Edit && e.sheet == nil {
		if here.extras.sheet, err = v.editing(r.Context(), v.at.Character); err != nil {
			if _, known := statusOf(err); !known {
				return err
			}
			here.extras.note = v.sayError(err)
		}
	}
	s.Show(w, r, status, here.page())
	return nil
}

// written is the line as it was left, or an empty one.
func (r room) written() writing {
	if r.extras.line != nil {
		return *r.extras.line
	}
	return writing{Key: door.Random(16)}
}

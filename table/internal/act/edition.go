package act

import (
	"errors"

	"norn/table/internal/ledger"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/view"
)

// editionTaken begins a newer edition of the rules.
type editionTaken struct {
	Was string `json:"was"`
	Is  string `json:"is"`
}

func (editionTaken) Type() string { return "table.edition-taken" }

// TakeEdition builds the step to this norn's edition; open moves that can't go on by it give way. Of a game that is a text no move may
// be open, and each sheet must fit.
func TakeEdition(e visibility.Eye) (ledger.Draft, error) {
	newest := e.Table.Game.Now()
	if newest.Text != "" && newest.EditionID() != e.Table.Edition && e.Viewer.IsGM() {
		if err := fits(e, newest); err != nil {
			return ledger.Draft{}, err
		}
	}
	d, err := draft(e, view.KindEdition, editionTaken{Was: e.Table.Edition, Is: newest.EditionID()})
	for _, m := range e.Table.Stranded() {
		d.Content.Yields = append(d.Content.Yields, m.ID)
	}
	return d, err
}

func (ev editionTaken) Find(_ ledger.Ledger, r *state.Record) error {
	if ev.Is != r.Edition {
		return errors.New("it takes another edition than it's made by")
	}
	return nil
}

// judge holds to a newer edition, and to nothing being cancelled with it that could go on.
func (ev editionTaken) judge(p *Proposal) error {
	if err := byGM(p.Eye); err != nil {
		return err
	}
	if err := refusal.Same(ev.Was, p.Table.Edition); err != nil {
		return err
	}
	if !p.Table.Game.Follows(ev.Was, ev.Is) {
		return refusal.Refuse("no-newer-edition", nil)
	}
	if p.Table.Game.Texts != nil {
		if len(p.Table.OpenMoves) > 0 {
			return refusal.Refuse("text-open", nil)
		}
		if err := p.Table.Taken(ev.Is); err != nil && p.Log == nil { // what is only read may stand in for it
			return refusal.Refuse("text-unread", view.Data{"Problem": err.Error()})
		}
		return nil
	}
	if p.Log != nil && !p.Log.Replays() || ev.Is != p.Table.Game.EditionID() { // what an older one could go on with, only it can tell
		return nil
	}
	for _, m := range p.Table.OpenMoves {
		if state.GaveWay(p.Record, m.ID) != (m.Fault != nil) {
			return refusal.Misfit(refusal.MisfitRefused, view.Data{"Problem": m.ID})
		}
	}
	return nil
}

func (ev editionTaken) Fold(st *state.State, _ *state.Record) { st.Take(ev.Is) }

// Edition is the one that is taken.
func (ev editionTaken) Edition() string { return ev.Is }

func (ev editionTaken) Lines(e visibility.Eye) []view.Line {
	return e.Line(ev, "edition-taken", view.Data{"Game": e.Word("game", "name"), "Is": ev.Is}, view.Data{"was": ev.Was, "is": ev.Is})
}

// currentEdition is a refusal of what only the newest rules could judge, at a table that isn't played by them yet.
func currentEdition(e visibility.Eye) error {
	if !e.Table.Outdated() {
		return nil
	}
	return refusal.Refuse("older-edition", view.Data{"Game": e.Word("game", "name"), "Was": e.Table.Edition, "Is": e.Table.Game.EditionID()})
}

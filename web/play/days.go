package play

import (
	"cmp"
	"context"
	"slices"

	"norn/table"
	"norn/web/html"
)

// sessions are all sessions of dice, oldest first.
func (v *visit) sessions() []table.Session {
	return append(slices.Clone(v.view.Sessions), v.view.Session)
}

// begun is the session that began with an entry, 0 for none.
func (v *visit) begun(seq uint64) int {
	for _, s := range v.sessions() {
		if s.From == seq {
			return s.N
		}
	}
	return 0
}

// headed puts cards in order, with the beginning of each session that some of
// them are from, though it's older than all that is shown, or isn't what was
// sought.
func (v *visit) headed(ctx context.Context, cards []card) ([]card, error) {
	for _, s := range v.sessions() {
		begins := func(c card) bool { return c.Seq == s.From }
		within := func(c card) bool { return c.Seq > s.From && (s.To == 0 || c.Seq < s.To) }
		if slices.ContainsFunc(cards, begins) || !slices.ContainsFunc(cards, within) {
			continue
		}
		c, ok, err := v.happened(ctx, "e"+html.SeqText(s.From))
		if err != nil {
			return nil, err
		}
		if ok {
			cards = append(cards, c)
		}
	}
	slices.SortFunc(cards, func(a, b card) int { return cmp.Compare(a.Seq, b.Seq) })
	return cards, nil
}

// dawns tells whether the day of a card, where its reader is, isn't that of the
// card before it.
func (r room) dawns(i int) bool {
	return i == 0 || r.DateOf(r.Cards[i].When) != r.DateOf(r.Cards[i-1].When)
}

// before is the session that a card ended, if its dice are open.
func (v *visit) before(c card) (table.Session, bool) {
	if i := c.Session - 2; i >= 0 && i < len(v.view.Sessions) && v.view.Sessions[i].Secret != "" {
		return v.view.Sessions[i], true
	}
	return table.Session{}, false
}

// besides are the lines of a session's beginning that its heading doesn't say.
func (c card) besides() []table.Line {
	return slices.DeleteFunc(said(c.Lines), func(l table.Line) bool { return l.Type == "table.session-ended" })
}

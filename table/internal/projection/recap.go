package projection

import (
	"cmp"
	"math/big"
	"slices"

	"norn/game"
	"norn/odds"
	"norn/table/act"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/view"
)

// maxChanges limits the changes of one sheet in a recap.
const maxChanges = 8

// Recap sums up a session, as far as the seat may see it; it's empty for an unknown session.
func Recap(e *visibility.Eye, session int) view.Recap {
	told := view.Recap{Deeds: []view.Deed{}, Changes: []view.RecapSheet{}}
	best, worst, open := big.NewRat(1, 2), big.NewRat(1, 2), map[string]bool{}
	for r := range e.Table.OfSession(session) {
		if r.Of == nil || e.Table.Undone.Has(r) || !e.SeesEntry(r) {
			continue
		}
		d := deedOf(e, &told, r.Of)
		if r.Kind == view.KindMove {
			d.Moves++
			often(e, d, r.Of.Def)
		}
		if r.Result == nil {
			continue
		}
		came := outcomeSeen(e, r.Of, game.Resolved{Who: r.Of.Actor, Outcome: *r.Result})
		if came == nil {
			continue
		}
		if came.Tone != game.Neutral {
			count(e, d, came)
		}
		standing, err := odds.ParseStanding(r.Luck)
		if r.Luck == "" || err != nil || !knowsLuck(e, r.Of, open) {
			continue
		}
		keep := func(to **view.RecapThrow, least, p *big.Rat) {
			if p.Cmp(least) < 0 {
				least.Set(p)
				*to = &view.RecapThrow{
					Move: r.Of.ID, Who: d.Name, Name: e.Word("move", r.Of.Def.ID),
					Outcome: came.Text, P: p.RatString(),
				}
			}
		}
		keep(&told.Best, best, standing.OrBetter())
		keep(&told.Worst, worst, new(big.Rat).Sub(certain, standing.Better()))
	}
	for _, t := range []*view.RecapThrow{told.Best, told.Worst} {
		if t != nil {
			t.Said = moveStoryOf(e, e.Table.Record(state.MoveSeq(t.Move))).deed(e, plain)
		}
	}
	told.Deeds = slices.DeleteFunc(told.Deeds, func(d view.Deed) bool {
		return d.Moves == 0 || isThing(e, d.Character)
	})
	for _, c := range e.Characters() {
		if changed, ok := changedIn(e, c, session); ok {
			told.Changes = append(told.Changes, changed)
		}
	}
	return told
}

// deedOf returns the deeds of a move's actor in a recap, and adds them if they're missing.
func deedOf(e *visibility.Eye, told *view.Recap, m *state.Move) *view.Deed {
	who := ""
	if e.Sees(m.Actor) {
		who = m.Actor
	}
	i := slices.IndexFunc(told.Deeds, func(d view.Deed) bool { return d.Character == who })
	if i < 0 {
		d := view.Deed{
			Character: who, Name: e.Voice.Say("table.recap.nobody"), Made: []view.Often{},
			Came: []view.Came{},
		}
		if who != "" {
			d.Name = e.Name(who)
		}
		i, told.Deeds = len(told.Deeds), append(told.Deeds, d)
	}
	return &told.Deeds[i]
}

// often counts a move.
func often(e *visibility.Eye, d *view.Deed, def *game.Move) {
	i := slices.IndexFunc(d.Made, func(m view.Often) bool { return m.Move == def.ID })
	if i < 0 {
		i, d.Made = len(d.Made), append(d.Made, view.Often{Move: def.ID, Name: e.Word("move", def.ID)})
	}
	d.Made[i].N++
	slices.SortStableFunc(d.Made, func(a, b view.Often) int { return cmp.Compare(b.N, a.N) })
}

// tones lists the tones of outcomes, best first.
var tones = []game.Tone{game.Triumph, game.Good, game.Mixed, game.Bad, game.Disaster}

// count counts an outcome.
func count(e *visibility.Eye, d *view.Deed, o *view.Outcome) {
	i := slices.IndexFunc(d.Came, func(c view.Came) bool { return c.Outcome == o.ID })
	if i < 0 {
		// the name of an outcome that counts something, without a number
		word := e.Table.Game.Word("outcome-short", o.ID)
		if !e.Voice.Has(word) {
			word = e.Table.Game.Word("outcome", o.ID)
		}
		i, d.Came = len(d.Came), append(d.Came, view.Came{Outcome: o.ID, Name: e.Voice.Say(word), Tone: o.Tone})
	}
	d.Came[i].N++
	slices.SortStableFunc(d.Came, func(a, b view.Came) int {
		return cmp.Compare(slices.Index(tones, a.Tone), slices.Index(tones, b.Tone))
	})
}

// changedIn returns what changed on a sheet in a session, as far as it's still known; false for
// nothing.
func changedIn(e *visibility.Eye, c *state.Character, session int) (view.RecapSheet, bool) {
	told := view.RecapSheet{Character: c.ID, Name: c.Name, Changes: []string{}}
	before, after, touched := c.SheetIn(session)
	if !touched {
		return told, false
	}
	told.Changes = act.SheetDifferences(e, c, before, after)
	if n := len(told.Changes); n > maxChanges {
		told.Changes, told.More = told.Changes[:maxChanges], n-maxChanges
	}
	return told, len(told.Changes) > 0
}

package projection

import (
	"reflect"
	"slices"

	"norn/form"
	"norn/game"
	"norn/table/act"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/view"
)

func callsSeen(e *visibility.Eye) []view.CallShown {
	shown := []view.CallShown{}
	for _, c := range e.Table.CallsOpen() {
		if !e.Sees(c.Actor) || !e.Plays(c.Actor) {
			continue
		}
		fixed := c.Shown(e.Viewer.IsGM())
		f := c.Def.Form.Only(fixed...)
		args := e.WithoutUnseen(f.Fields, f.Fill(c.Args))
		shown = append(shown, view.CallShown{
			ID: c.ID, Move: c.Def.ID, Name: e.Word("move", c.Def.ID), Character: c.Actor, Text: c.Text,
			Args: args, Fixed: append([]string{}, fixed...), Said: append([]string{}, act.CallWords(e, c, args)...),
			Values: f.Inputs(c.Args),
		})
	}
	return shown
}

// offersSeen returns the offers that the seat may take.
func offersSeen(e *visibility.Eye) []view.OfferShown {
	shown := []view.OfferShown{}
	for _, o := range act.OffersTo(e) {
		f := o.Def.Form.For(form.AtTable)
		args := e.WithoutUnseen(f.Fields, f.Fill(o.Args))
		who := ""
		if o.Actor != "" && o.Actor != o.To {
			who = e.Name(o.Actor)
		}
		shown = append(shown, view.OfferShown{
			ID: o.ID, From: state.MoveID(o.Since), Move: o.Def.ID, Name: e.Word("move", o.Def.ID), To: o.To,
			Character: o.Actor, Args: args, Text: e.Table.Game.DescribeOffer(e.Voice, o.Def.ID, who, f, args),
		})
	}
	return shown
}

// strandedSeen returns, for GMs, the open moves that can't be finished, so that they can cancel
// them.
func strandedSeen(e *visibility.Eye) []view.Stranded {
	if !e.Viewer.IsGM() {
		return nil
	}
	var shown []view.Stranded
	for _, m := range e.Table.OpenMoves.FindStranded() {
		shown = append(shown, view.Stranded{Move: m.ID, Seq: m.Seq, Text: e.MoveText(m.Move)})
	}
	return shown
}

// notesSeen returns the notes, for GMs only.
func notesSeen(e *visibility.Eye) []view.NoteShown {
	if !e.Viewer.IsGM() {
		return nil
	}
	shown := make([]view.NoteShown, len(e.Table.Notes))
	for i, n := range e.Table.Notes {
		shown[i] = view.NoteShown{ID: n.ID, Text: n.Text, Seq: n.Seq, Time: n.At}
	}
	return shown
}

// sessionSeen returns a session as everybody sees it. It has the secret once the session is over.
func sessionSeen(e *visibility.Eye, s *state.Session) view.Session {
	shown := view.Session{
		N: s.N, Commitment: s.Commitment, Shares: []view.Share{}, Began: s.Began, From: s.From,
		To: s.To,
	}
	if s.To > 0 {
		shown.Secret = s.Seal.Reveal()
	}
	for i, share := range s.Shares {
		shown.Shares = append(shown.Shares,
			view.Share{Seat: s.Seats[i], Name: e.Table.Seats.Name(s.Seats[i]), Share: share})
	}
	return shown
}

// Shown is a view with what it was made from, so that the next view can share unchanged parts. It
// must not be changed.
type Shown struct {
	View *view.View
	of   *state.State
	seat *state.Seat
}

// View returns what a seat sees of the state. No other function makes views. last is an earlier
// view of the same seat with the same speaker, or nil.
func View(e *visibility.Eye, online map[string]bool, last *Shown) *Shown {
	st := e.Table
	seq, told := LastSeen(e)
	v := &view.View{
		ID: st.ID, Game: st.Game.ID, Name: st.Name, Lang: st.Lang, Seq: seq, Told: told,
		Role: e.Seat.Role, Seat: e.Seat.ID, Session: sessionSeen(e, st.Sessions.Now()), Sessions: []view.Session{},
		Settings: st.Settings,
		Seats:    []view.SeatShown{}, Characters: []view.CharacterShown{}, Moves: []view.MoveShown{},
		Questions: []view.Question{}, Waiting: []view.Waiting{},
		Calls: callsSeen(e), Offers: offersSeen(e), Notes: notesSeen(e), Edition: st.Edition, Stranded: strandedSeen(e),
	}
	if newest := st.Game.Now().EditionID(); newest != st.Edition {
		v.Newer = newest
	}
	for _, seat := range st.Seats.Here() {
		you := seat == e.Seat
		v.Seats = append(v.Seats, view.SeatShown{
			ID: seat.ID, Name: seat.Name, Role: seat.Role,
			Online: you || online[seat.ID], You: you,
		})
	}
	for _, s := range st.Sessions[:len(st.Sessions)-1] {
		v.Sessions = append(v.Sessions, sessionSeen(e, s))
	}
	v.X = st.X.Seq
	v.Begun = st.Openly || st.Begun && e.Viewer.IsGM()
	for _, m := range st.OpenMoves {
		open, waiting := Questions(e, m)
		v.Questions, v.Waiting = append(v.Questions, open...), append(v.Waiting, waiting...)
	}
	if !last.sees(e) {
		last = nil
	}
	charactersSeen(e, v, last)
	movesSeen(e, v, last)
	v.Turns, v.Values, v.Clocks = turnsSeen(e), st.Values, clocksSeen(e)
	scenesSeen(e, v)
	v.Lists = listsSeen(e)
	return &Shown{v, st.State, e.Seat}
}

// sees reports whether the seat sees by the same conditions as in the last view: the same role and
// characters, game and settings, and the same hidden characters.
func (last *Shown) sees(e *visibility.Eye) bool {
	if last == nil || last.of == nil || last.seat != e.Seat || last.of.Game != e.Table.Game ||
		!reflect.DeepEqual(last.of.Settings, e.Table.Settings) {
		return false
	}
	return slices.EqualFunc(last.of.Characters, e.Table.Characters, func(a, b *state.Character) bool {
		return a == b || a.ID == b.ID && a.Hidden == b.Hidden
	})
}

// charactersSeen adds the characters to a view that already has its questions.
func charactersSeen(e *visibility.Eye, v *view.View, last *Shown) {
	shared := last != nil
	for _, c := range e.Characters() {
		shown, same := last.character(c)
		if !same {
			shown = characterSeen(e, c)
		}
		waits := slices.ContainsFunc(v.Questions, func(q view.Question) bool { return q.To == c.ID }) ||
			slices.ContainsFunc(v.Waiting, func(w view.Waiting) bool { return w.To == c.ID })
		busy := ""
		if m := e.Table.OpenMoves.Holding(c.ID); m != nil && (e.Viewer.IsGM() || !m.Secret) {
			busy = m.ID
		}
		shared = shared && same && shown.Busy == busy && shown.Waits == waits
		shown.Busy, shown.Waits = busy, waits
		v.Characters = append(v.Characters, shown)
	}
	if shared && len(v.Characters) == len(last.View.Characters) {
		v.Characters = last.View.Characters
	}
}

// character returns the last view of a character if nothing in it has changed since.
func (last *Shown) character(c *state.Character) (shown view.CharacterShown, same bool) {
	if last == nil {
		return shown, false
	}
	was := last.of.Characters.Of(c.ID)
	at := slices.IndexFunc(last.View.Characters, func(s view.CharacterShown) bool { return s.ID == c.ID })
	if at < 0 || was != c && (was.Kind != c.Kind || was.Name != c.Name || was.Owner != c.Owner ||
		was.Portrait != c.Portrait ||
		!slices.Equal(was.Starred, c.Starred) || was.Written != c.Written) {
		return shown, false
	}
	return last.View.Characters[at], true
}

// characterSeen returns a character as the seat sees it, without what waits for it.
func characterSeen(e *visibility.Eye, c *state.Character) view.CharacterShown {
	sheet := e.Sheet(c)
	shown := view.CharacterShown{
		ID: c.ID, Kind: c.Kind, Name: c.Name, Owner: c.Owner, Mine: e.Viewer.Owns[c.ID],
		Sheet: sheet, Tracks: []game.Track{}, Editable: e.Plays(c.ID), Portrait: c.Portrait, Hidden: c.Hidden,
		As: e.Table.Seq,
	}
	if shown.Editable {
		shown.Starred = slices.Clone(c.Starred)
	}
	shown.Offers = offeredForms(e, c)
	if kind, ok := e.Table.Game.Kind(c.Kind); ok {
		for _, t := range e.Table.Game.TracksOf(kind, sheet) {
			shown.Tracks = append(shown.Tracks, t.InWords(e.Voice.Speaker))
		}
		if kind.State != nil {
			if state := kind.State(sheet); state.Word != "" {
				shown.State, shown.Out = e.Voice.Say(state.Word), state.Out
			}
		}
	}
	return shown
}

// movesSeen adds the moves to a view that already has its characters, which determine who may make
// which.
func movesSeen(e *visibility.Eye, v *view.View, last *Shown) {
	if last != nil && slices.EqualFunc(v.Characters, last.View.Characters, func(a, b view.CharacterShown) bool {
		return a.ID == b.ID && a.Kind == b.Kind && a.Editable == b.Editable
	}) {
		v.Moves = last.View.Moves
		return
	}
	for i := range e.Table.Game.Moves {
		if m, ok := moveSeen(e, &e.Table.Game.Moves[i]); ok {
			v.Moves = append(v.Moves, m)
		}
	}
}

// moveSeen returns a move of the game if the seat may make it with any character.
func moveSeen(e *visibility.Eye, def *game.Move) (view.MoveShown, bool) {
	if !act.OffersMove(e, def) {
		return view.MoveShown{}, false
	}
	shown := view.MoveShown{
		ID: def.ID, Name: e.Word("move", def.ID),
		Characters: append([]string{}, act.ActorsOf(e, def)...), Odds: e.SeesOdds(def),
	}
	return shown, len(def.Kinds) == 0 || len(shown.Characters) > 0
}

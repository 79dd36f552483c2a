package table

import (
	"slices"
	"strings"

	"norn/game"
	"norn/rule"
)

// view makes what a seat sees of the state. Nothing else does.
func viewOf(e eye, online map[string]bool) *View {
	st := e.st
	seq, told := lastSeen(e)
	v := &View{
		ID: st.id, Game: st.game.ID, Name: st.name, Lang: st.lang, Seq: seq, Told: told,
		Role: e.seat.role, Seat: e.seat.id, Session: sessionSeen(e, st.sessions.now()), Sessions: []Session{}, Settings: st.settings,
		Seats: []SeatShown{}, Characters: []CharacterShown{}, Moves: []MoveShown{}, Questions: []Question{}, Waiting: []Waiting{},
		Calls: callsSeen(e), Notes: notesSeen(e), Edition: st.edition, Newer: newerEdition(e), Stranded: strandedSeen(e),
	}
	for _, seat := range st.seats.here() {
		you := seat == e.seat
		v.Seats = append(v.Seats, SeatShown{ID: seat.id, Name: seat.name, Role: seat.role, Online: you || online[seat.id], You: you})
	}
	for _, s := range st.sessions[:len(st.sessions)-1] {
		v.Sessions = append(v.Sessions, sessionSeen(e, s))
	}
	v.Begun = st.openly || st.begun && e.viewer.IsGM()
	for _, m := range st.open {
		open, waiting := questionsOf(e, m)
		v.Questions, v.Waiting = append(v.Questions, open...), append(v.Waiting, waiting...)
	}
	for _, c := range e.seen() {
		v.Characters = append(v.Characters, characterSeen(e, c, v))
	}
	for i := range st.game.Moves {
		if m, ok := moveSeen(e, &st.game.Moves[i]); ok {
			v.Moves = append(v.Moves, m)
		}
	}
	return v
}

// lastSeen is the seq of the last entry that the seat may see, and that of the last one that it was told of, were it only
// that its view has changed.
func lastSeen(e eye) (seq, told uint64) {
	for r := range e.st.back(e.st.seq+1, fewestRecent) {
		if e.seesEntry(r) {
			return r.Seq, max(told, r.Seq)
		}
		if told == 0 && touchesSheets(e, r) {
			told = r.Seq
		}
	}
	return 0, told
}

// character is one character as the seat sees it; v holds its questions.
func characterSeen(e eye, c *character, v *View) CharacterShown {
	sheet := e.sheet(c)
	shown := CharacterShown{
		ID: c.id, Kind: c.kind, Name: c.name, Owner: c.owner, Mine: e.viewer.Owns[c.id],
		Sheet: sheet, Tracks: []game.Track{}, Editable: e.plays(c.id),
	}
	if shown.Editable {
		shown.Starred = slices.Clone(c.starred)
	}
	if kind, ok := e.st.game.Kind(c.kind); ok {
		for _, t := range e.st.game.TracksOf(kind, sheet) {
			shown.Tracks = append(shown.Tracks, t.Worded(e.voice.Speaker))
		}
	}
	if kind, ok := e.st.game.Kind(c.kind); ok && kind.State != nil {
		if state := kind.State(sheet); state.Word != "" {
			shown.State, shown.Out = e.voice.Say(state.Word), state.Out
		}
	}
	if m := e.st.open.busy(c.id); m != nil && (e.viewer.IsGM() || !m.secret) {
		shown.Busy = m.id
	}
	shown.Waits = slices.ContainsFunc(v.Questions, func(q Question) bool { return q.To == c.id }) ||
		slices.ContainsFunc(v.Waiting, func(w Waiting) bool { return w.To == c.id })
	return shown
}

// move is a move of the game, if the seat may make it with anybody.
func moveSeen(e eye, def *game.Move) (MoveShown, bool) {
	shown := MoveShown{ID: def.ID, Name: e.voice.Say(e.st.game.Word("move", def.ID)), Characters: []string{}, Odds: e.seesOdds(def)}
	if !offersMove(e, def) {
		return MoveShown{}, false
	}
	shown.Characters = append(shown.Characters, actorsOf(e, def)...)
	return shown, len(def.Kinds) == 0 || len(shown.Characters) > 0
}

// guided is what a question is about when it also gives advice.
type guided interface {
	Guidance(v game.Voice) []string
}

// questions are the open ones of a move: those that the seat may answer, and
// whom the others wait for.
func questionsOf(e eye, m *underway) (open []Question, waiting []Waiting) {
	if m.secret && !e.viewer.IsGM() {
		return nil, nil
	}
	if m.fault != nil && !e.viewer.IsGM() { // who is told of it apart
		return nil, []Waiting{{Move: m.id, To: game.GM}}
	}
	for _, o := range m.open {
		if !e.mayAnswer(m.move, o.To) {
			waiting = append(waiting, Waiting{Move: m.id, To: e.addressee(o.To)})
			continue
		}
		q := Question{
			ID: questionID(m.move, o.Place()), Move: m.id, Name: m.def.ID, Question: o.ID, To: o.To, Character: m.actor,
			Text: questionText(e, o), About: o.About, Schema: o.Form.Schema(), Form: o.Form, Dice: o.Dice,
			Mine: e.mine(m.move, o.To), Secret: m.secret,
		}
		if o.Standard != nil {
			q.Standard, q.Values = o.Form.Fill(o.Standard), o.Form.Inputs(o.Standard)
		}
		q.AboutText, _ = e.voice.Speak(o.About)
		if g, ok := o.About.(guided); ok {
			q.Guidance = g.Guidance(e.voice)
		}
		q.Advice = adviceOn(e, m, o)
		open = append(open, q)
	}
	return open, waiting
}

func questionText(e eye, o rule.Open) string {
	if o.Dice != nil {
		if what := e.st.game.Word("throw", o.Dice.For); e.voice.Has(what) {
			return e.voice.Say("table.question.dice-for", "N", o.Dice.N, "Dice", e.voice.Speaker.Notation(o.Dice.String()), "What", e.voice.Say(what))
		}
		return e.voice.Say("table.question.dice", "N", o.Dice.N, "Dice", e.voice.Speaker.Notation(o.Dice.String()))
	}
	return e.voice.Say(e.st.game.Word("question", strings.TrimPrefix(o.ID, e.st.game.ID+".")))
}

// questionID names a question for people: its move and its place in it.
func questionID(m *move, place string) string { return m.id + ":" + place }

package table

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"sync/atomic"

	"norn/form"
	"norn/game"
	"norn/lang"
	"norn/rule"
)

// MostEntries is how many entries Log and Last give at once.
const MostEntries = 1000

// mostSecrets is how many of the newest secret moves the state knows.
const mostSecrets = 100

// seesMove tells whether the seat may know of a move.
func (e eye) seesMove(m *move) bool { return e.viewer.IsGM() || !e.st.secretMove(m) }

// seesEntry tells whether the seat may know of a record.
func (e eye) seesEntry(r *record) bool {
	if e.viewer.IsGM() {
		return true
	}
	if e.st.secret(r) {
		return r.Kind == KindTalk && r.Seat == e.seat.id
	}
	if r.undoes != nil {
		return e.seesEntry(r.undoes)
	}
	if !e.st.words.kinds[r.Kind].apart {
		return true
	}
	return slices.ContainsFunc(r.events, func(event rule.Event) bool { return len(e.ownLines(event)) > 0 })
}

// touches tells whether a record that the seat may not see has changed a sheet
// that it sees, or saw till then.
func touchesSheets(e eye, r *record) bool {
	switch {
	case r.undoes == nil:
		return seesChange(e, r) || r.move == nil && slices.ContainsFunc(r.touched, func(id string) bool { return alters(e, e.st.characters.of(id), r) })
	case r.undoes.move == nil:
		return slices.ContainsFunc(r.undoes.touched, func(id string) bool { return e.sees(id) || givesTo(r.undoes, id, e.seat) })
	}
	for _, of := range e.st.of(r.undoes.move) {
		if seesChange(e, of) {
			return true
		}
	}
	return false
}

// alters tells whether what the seat sees of a character isn't the same since a record changed it: it's there for the seat
// no more, or since then, or its sheet reads otherwise.
func alters(e eye, c *character, r *record) bool {
	i := c.touchedBy(r.Seq)
	if i < 0 { // undone since
		return e.seesCharacter(c)
	}
	now := touch{sheet: c.sheet, owner: c.owner}
	if i+1 < len(c.past) {
		now = c.past[i+1]
	}
	before, saw := asOf(e, c, c.past[i])
	after, sees := asOf(e, c, now)
	return saw != sees || saw && !reflect.DeepEqual(before, after)
}

// asOf is what the seat would see of a character's sheet as it was, and whether of the character at all.
func asOf(e eye, c *character, was touch) (any, bool) {
	then := *c
	then.sheet = was.sheet
	e.sheets = new(map[string]any)
	e.viewer.Owns = maps.Clone(e.viewer.Owns)
	if e.viewer.Owns == nil {
		e.viewer.Owns = map[string]bool{}
	}
	e.viewer.Owns[c.id] = was.owner == e.seat.id
	return e.sheet(&then), e.seesCharacter(&then)
}

// gives tells whether a record has made a seat the player of a character.
func givesTo(r *record, id string, to *seat) bool {
	return slices.ContainsFunc(r.events, func(event rule.Event) bool {
		change, ok := event.(characterChanged)
		return ok && change.ID == id && change.Owner != nil && *change.Owner == to.id
	})
}

// seesChange tells whether a record's events changed a sheet that the seat sees.
func seesChange(e eye, r *record) bool {
	return slices.ContainsFunc(r.events, func(event rule.Event) bool {
		change, ok := game.AsChange(event)
		return ok && e.sees(change.Whose())
	})
}

// entry makes what a seat sees of a record; false for nothing. Nothing else
// does.
func entryOf(e eye, r *record) (Entry, bool) {
	if !e.seesEntry(r) {
		return Entry{}, false
	}
	shown := Entry{
		Seq: r.Seq, Time: r.Time, Kind: r.Kind, Seat: Author{ID: r.Seat}, Move: r.Move,
		Throws: []Throw{}, Lines: []Line{}, Questions: []Asked{}, Done: r.Done, Secret: e.st.secret(r), Rules: r.Rules, Edition: r.Edition,
	}
	if author := e.st.seats.of(r.Seat); author != nil {
		shown.Seat.Name = author.name
	}
	showUndo(e, r, &shown)
	if said, ok := speechOf(r); ok && e.sees(said.Character) {
		shown.Character = said.Character
	}
	if r.move == nil {
		for _, event := range r.events {
			shown.Lines = append(shown.Lines, e.ownLines(event)...)
		}
		return withYields(e, r, shown), true
	}
	m := r.move
	shown.Name = m.def.ID
	if e.sees(m.actor) {
		shown.Character = m.actor
	}
	all := commonOf(e.st, r)
	if r.Kind == KindMove {
		fields := m.def.Form.For(form.AtTable).Stated().Fields
		shown.Args = unsealed(e, m, fields, e.without(fields, all.args))
	}
	shown.Throws = throwsSeen(e, r, all.throws)
	if slices.ContainsFunc(shown.Throws, func(t Throw) bool { return !t.Hand }) {
		shown.Check = all.check
	}
	if r.outcome != nil {
		shown.Outcome = outcomeSeen(e, m, game.Resolved{Who: m.actor, Outcome: *r.outcome})
	}
	if shown.Outcome != nil {
		shown.Luck = luckSeen(e, r)
	}
	shown.Lines = linesOf(e, r, all)
	u := e.st.open.going(m.id)
	for _, a := range r.Asks {
		asked := Asked{To: e.addressee(a.To)}
		if e.mayAnswer(m, a.To) {
			asked.ID = questionID(m, a.Place)
		}
		asked.Open = u != nil && slices.ContainsFunc(u.open, func(o rule.Open) bool { return o.Place() == a.Place })
		shown.Questions = append(shown.Questions, asked)
	}
	if r.Kind == KindAnswer {
		showAnswer(e, r, &shown)
	}
	return withYields(e, r, shown), true
}

// authored is an entry as its author has seen it by a state.
type authored struct {
	record  *record
	seq     uint64
	speaker lang.Speaker
	entry   *Entry
}

// once is entry, made once for who is told twice: who has written it hears of it as the answer and by their live stream.
// Nobody may change it.
func entryOnce(e eye, r *record) (*Entry, bool) {
	own := r.Seat == e.seat.id
	if own {
		if last, _ := e.st.made.authored.Load().(*authored); last != nil && last.record == r && last.seq == e.st.seq && last.speaker == e.voice.Speaker {
			e.st.made.authored.CompareAndSwap(last, (*authored)(nil)) // there's no third time
			return last.entry, true
		}
	}
	shown, ok := entryOf(e, r)
	if ok && own { // clipped, for one who may add to a copy
		shown.Throws, shown.Lines, shown.Questions = slices.Clip(shown.Throws), slices.Clip(shown.Lines), slices.Clip(shown.Questions)
		e.st.made.authored.Store(&authored{r, e.st.seq, e.voice.Speaker, &shown})
	}
	return &shown, ok
}

// undo shows what an entry takes back, that it was taken back, and whether the
// seat may do so.
func showUndo(e eye, r *record, shown *Entry) {
	if r.undoes != nil {
		shown.Undoes = r.undoes.Seq
		if m := r.undoes.move; m != nil {
			shown.Name = m.def.ID
			if e.sees(m.actor) {
				shown.Character = m.actor
			}
		}
		return
	}
	shown.MayUndo = mayUndo(e, r)
	shown.TooOld = !shown.MayUndo && mightUndo(e, r) && !e.st.remembers(r)
	shown.MayCancel = r.move != nil && mayCancel(e, r.move)
	if by := e.st.at(e.st.undone.by(r.since())); by != nil {
		direct := by.undoes != nil && by.undoes.Seq == r.since()
		shown.Undone = &Undone{Seq: by.Seq, Time: by.Time, Seat: Author{ID: by.Seat}, Cancelled: !direct || by.Kind == KindCancelled, Yielded: !direct && by.Kind != KindEdition}
		if author := e.st.seats.of(by.Seat); author != nil {
			shown.Undone.Seat.Name = author.name
		}
	}
}

// answer shows what was answered: the question to all, what was said to the
// GM and to who said it.
func showAnswer(e eye, r *record, shown *Entry) {
	step := r.Steps[0]
	switch {
	case step.Dice != nil:
		shown.Question = rule.DiceQuestion
	case step.Answer != nil:
		shown.Question = step.Answer.Question
		if e.viewer.IsGM() || r.Seat == e.seat.id {
			shown.Answer = step.Answer.Value
		}
	}
}

// common is what a record says alike to all who may see it, for nobody to change: a move that has just been made is shown to
// every seat.
type common struct {
	seq, by uint64         // of the record, and of the state
	args    map[string]any // of an opening, whole
	throws  []Throw        // all of them
	check   *Check
	data    []json.RawMessage // of its events as they are; nil of those that can't be compared with what a seat sees
	texts   []atomic.Pointer[told]
}

// told is what an event that is shown as it is says to whoever speaks so and knows those names.
type told struct {
	speaker lang.Speaker
	names   []string // ids and names in turn
	text    string
}

// text is what an event says to the seat, which sees it as it is. Another seat's words are taken where they would be the same:
// nothing but the speaker and the names makes a difference.
func textOf(e eye, event rule.Event, last *atomic.Pointer[told]) string {
	if t := last.Load(); t != nil && t.speaker == e.voice.Speaker && knowsNames(e, t.names) {
		return t.text
	}
	now := &told{speaker: e.voice.Speaker}
	now.text, _ = game.Voice{Speaker: e.voice.Speaker, Game: e.voice.Game, Name: func(id string) string {
		name := e.name(id)
		now.names = append(now.names, id, name)
		return name
	}}.Speak(event)
	last.Store(now)
	return now.text
}

// knows tells whether the seat knows characters by names, given in turn with their ids.
func knowsNames(e eye, names []string) bool {
	for pair := range slices.Chunk(names, 2) {
		if e.name(pair[0]) != pair[1] {
			return false
		}
	}
	return true
}

// common makes what all see alike of a move's whole record, once for those who look at it by the same state.
func commonOf(st ledger, r *record) *common {
	last, _ := st.made.latest.Load().(*common)
	if last == nil || last.seq != r.Seq || last.by != st.seq {
		last = &common{seq: r.Seq, by: st.seq, throws: allThrows(st, r), check: checkOf(st.state, r.move), data: make([]json.RawMessage, len(r.events)), texts: make([]atomic.Pointer[told], len(r.events))}
		for i, event := range r.events {
			if i != r.told && reflect.ValueOf(event).Comparable() {
				last.data[i] = encoded(event)
			}
		}
		if r.Kind == KindMove {
			last.args = r.move.def.Form.For(form.AtTable).Stated().Fill(r.move.args)
		}
		st.made.latest.Store(last)
	}
	return last
}

// without leaves characters out that aren't there for the seat, of what a form has
// filled. A reference that is no character's id is a place on a sheet and stays.
// Nothing of what is filled is changed.
func (e eye) without(fields []form.Field, filled map[string]any) map[string]any {
	seen, own := filled, false
	put := func(name string, value any) {
		if !own {
			seen, own = maps.Clone(filled), true
		}
		seen[name] = value
	}
	for i := range fields {
		f := &fields[i]
		switch f.Kind {
		case form.KindRef:
			if e.hidden(filled[f.Name].(string)) {
				put(f.Name, "")
			}
		case form.KindRefs:
			if ids := filled[f.Name].([]string); slices.ContainsFunc(ids, e.hidden) {
				put(f.Name, slices.DeleteFunc(slices.Clone(ids), e.hidden))
			}
		case form.KindGroup:
			put(f.Name, e.without(f.Fields, filled[f.Name].(map[string]any)))
		case form.KindList:
			items := slices.Clone(filled[f.Name].([]map[string]any))
			for i, item := range items {
				items[i] = e.without(f.Fields, item)
			}
			put(f.Name, items)
		}
	}
	return seen
}

// unsealed leaves the plan of who acts out of a move's arguments while others
// still plan. Nothing of what is filled is changed.
func unsealed(e eye, m *move, fields []form.Field, filled map[string]any) map[string]any {
	if u := e.st.open.going(m.id); u == nil || !u.sealed() || e.plays(m.actor) {
		return filled
	}
	seen := maps.Clone(filled)
	for i := range fields {
		if fields[i].Sealed {
			delete(seen, fields[i].Name)
		}
	}
	return seen
}

// throws are all dice of a whole record.
func allThrows(st ledger, r *record) []Throw {
	throws := make([]Throw, 0, len(r.Steps))
	for i, step := range r.Steps {
		if step.Dice == nil {
			continue
		}
		n := r.first[step.Part]
		for _, before := range r.Steps[:i] {
			if before.Dice != nil && before.Part == step.Part {
				n++
			}
		}
		thrown := Throw{
			Part: step.Part, N: n, For: step.Dice.For, Sides: step.Dice.Sides, Faces: slices.Clone(step.Dice.Faces),
			Marks: marksIn(r, step.Part, n-r.first[step.Part], step.Dice.Faces), Hand: step.Dice.Hand,
		}
		if thrown.Marks == nil {
			thrown.Marks = r.move.def.Mark(r.move.args, *step.Dice)
		}
		if !thrown.Hand {
			thrown.Place = place(thrown.Part, n)
		}
		throws = append(throws, thrown)
	}
	return throws
}

// marks are how the n-th throw of a part of this record counts, as its n-th event
// that says so has it; nil where none does.
func marksIn(r *record, part string, n int, faces []int) []game.Mark {
	for i, event := range r.events {
		if marked, ok := event.(game.Marked); ok && r.parts[i] == part {
			if n == 0 {
				return marked.Marks(faces)
			}
			n--
		}
	}
	return nil
}

// threw is the event that tells whose dice fell in a part of a record: one of its
// own or else the last before it, nil where it's who acts.
func threwIn(r *record, part string) rule.Event {
	for i, event := range r.events {
		of, said := r.parts[i]
		if threw, ok := event.(game.Threw); ok && said && of == part && threw.Thrower() != r.move.actor {
			return event
		}
	}
	return r.whose[part]
}

// throws are the dice of a move's record that the game shows the seat, with the
// names of others than who acts.
func throwsSeen(e eye, r *record, all []Throw) []Throw {
	m := r.move
	if len(r.parts)+len(r.whose) == 0 && !slices.ContainsFunc(all, func(t Throw) bool { return !e.seesThrow(m, t.Thrown()) }) {
		return slices.Clip(all)
	}
	seen := slices.DeleteFunc(slices.Clone(all), func(t Throw) bool { return !e.seesThrow(m, t.Thrown()) })
	for i, t := range seen {
		threw := threwIn(r, t.Part)
		if threw == nil {
			continue
		}
		event, shown := e.event(threw)
		if !shown {
			event = threw // its numbers are hidden; who threw the dice that lie there isn't, of somebody who is seen
		}
		if threw, ok := event.(game.Threw); ok && (shown || e.sees(threw.Thrower())) {
			seen[i].Whose = threw.Named(e.voice)
		}
	}
	return seen
}

// seesThrow tells whether the seat sees a throw of a move that it sees.
func (e eye) seesThrow(m *move, t rule.Thrown) bool {
	return m.def == &game.Plain || e.st.game.View.SeesThrow(e.viewer, e.st.settings, t)
}

// resolved is how somebody's throw came out, as far as the game shows it; false
// for not at all.
func (e eye) resolved(m *move, told game.Resolved) (game.Resolved, bool) {
	if m.def == &game.Plain {
		return told, true
	}
	event, ok := e.event(told)
	if !ok {
		return told, false
	}
	told, ok = event.(game.Resolved)
	return told, ok
}

// outcome is how somebody's throw came out, nil if the game doesn't show it.
func outcomeSeen(e eye, m *move, told game.Resolved) *Outcome {
	told, ok := e.resolved(m, told)
	if !ok {
		return nil
	}
	kind := outcomeOf(e.st.game, m.def, told.Outcome.ID)
	shown := &Outcome{
		ID: kind.ID, Tone: kind.Tone,
		Text: e.voice.Say(e.st.game.Word("outcome", kind.ID), "N", told.Outcome.N),
	}
	if kind.Counts {
		n := told.Outcome.N // alone: a pointer into what was told would keep all of it
		shown.N = &n
	}
	if e.sees(told.Who) {
		shown.Character = told.Who
	}
	return shown
}

// outcomeOf describes an outcome. A rule may resolve a throw of another move in
// passing.
func outcomeOf(g *game.Game, def *game.Move, id string) game.OutcomeKind {
	has := func(m *game.Move) bool {
		return slices.ContainsFunc(m.Outcomes, func(o game.OutcomeKind) bool { return o.ID == id })
	}
	if !has(def) {
		for i := range g.Moves {
			if has(&g.Moves[i]) {
				return g.Moves[i].Outcome(id)
			}
		}
	}
	return def.Outcome(id)
}

// lines are the events of a move's record as the game shows them to the seat.
// The move's own outcome stands apart. all is what all seats see alike.
func linesOf(e eye, r *record, all *common) []Line {
	lines := []Line{}
	for i, event := range r.events {
		if i == r.told {
			continue
		}
		if told, ok := event.(game.Resolved); ok {
			if o := outcomeSeen(e, r.move, told); o != nil {
				told, _ = e.resolved(r.move, told)
				lines = append(lines, Line{
					Type: game.TypeOf(event), Outcome: o, Data: encoded(told),
					Text: e.voice.Say("table.event.resolved", "Name", e.name(told.Who), "Outcome", o.Text),
				})
			}
			continue
		}
		seen, ok := e.event(event)
		if !ok {
			continue
		}
		line := Line{Type: game.TypeOf(seen)}
		if all.data[i] != nil && seen == event {
			line.Data = all.data[i]
			line.Text = textOf(e, seen, &all.texts[i])
		} else {
			line.Data = encoded(seen)
			line.Text, _ = e.voice.Speak(seen)
		}
		if part, ok := r.parts[i]; ok {
			if turned, ok := seen.(game.Turned); ok {
				was, is := turned.Turned()
				line.Turned = &Turned{Part: part, Was: was, Is: is}
			}
		}
		lines = append(lines, line)
	}
	return lines
}

// encoded is a line's data.
func encoded(value any) json.RawMessage {
	data, err := json.Marshal(game.Listed(value))
	if err != nil { // it came out of JSON
		return nil
	}
	return data
}

package verify

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"

	"norn/dice"
	"norn/form"
	"norn/game"
	"norn/journal/archive"
	"norn/rule"
	"norn/table/act"
	"norn/table/internal/state"
	"norn/table/refusal"
	"norn/table/view"
)

// seatLog is a seat's file as read so far.
type seatLog struct {
	head     archive.Header
	game     *game.Game
	edition  string // that the table plays by
	sessions []*seatSession
	moves    map[string]*openedMove
	thrown   []seatThrow
	found    Result
}

// seatSession is a session of dice as everybody sees it.
type seatSession struct {
	commitment string
	given      []act.ShareGiven
	seal       dice.Secret
}

// openedMove is a move of which the seat has seen something.
type openedMove struct {
	opened  int // session in which it was opened, from 0
	session int // session of its dice: that in which it was opened, or that of the last import since
	shares  []string
	nonce   string
	known   bool // the nonce is known
	throws  []view.Throw
	lines   []view.Line
	outcome *view.Outcome
	args    map[string]any
}

// seatThrow is a throw whose dice are derived at the end, when all secrets are known.
type seatThrow struct {
	seq   uint64
	rules string
	move  string
	told  string // the secret in the entry, "" for none
	of    int    // session
	given []string
	view.Throw
}

// verifySeat checks a file that Seat.Seen wrote.
func verifySeat(games []*game.Game, in *archive.Reader) (Result, error) {
	v := &seatLog{head: in.Header(), moves: map[string]*openedMove{}, found: Result{Header: in.Header()}}
	if i := slices.IndexFunc(games, func(g *game.Game) bool { return g.ID == v.head.Game }); i >= 0 {
		v.game = games[i]
	} else {
		return Result{}, &refusal.MisfitError{Seq: 1, Code: refusal.MisfitHeader}
	}
	for {
		e, err := in.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return Result{}, err
		}
		var body seatLine
		read := json.NewDecoder(bytes.NewReader(e.Body))
		if err := read.Decode(&body); err != nil {
			return Result{}, &refusal.MisfitError{
				Seq: e.Seq, Code: refusal.MisfitUnreadable,
				Data: view.Data{"Problem": err.Error()}, Err: err,
			}
		}
		if body.V != body.version() {
			problem := fmt.Sprintf("it is of version %d, this norn knows up to %d", body.V, seatVersion)
			return Result{}, &refusal.MisfitError{
				Seq: e.Seq, Code: refusal.MisfitUnreadable,
				Data: view.Data{"Problem": problem},
			}
		}
		if shown := body.Entry; shown.Seq != e.Seq || shown.Move != e.Move || shown.Seat.ID != e.Seat ||
			!shown.Time.Equal(e.Time) {
			return Result{}, &refusal.MisfitError{
				Seq: e.Seq, Code: refusal.MisfitUnreadable,
				Data: view.Data{"Problem": "the entry isn't that of its line"},
			}
		}
		if err := v.take(body); err != nil {
			return Result{}, err
		}
	}
	if err := v.derive(); err != nil {
		return Result{}, err
	}
	v.found.Sessions = len(v.sessions)
	return v.found, nil
}

// take checks one entry.
func (v *seatLog) take(b seatLine) (err error) {
	defer func() {
		if misfit := (*refusal.MisfitError)(nil); errors.As(err, &misfit) {
			misfit.Seq, misfit.Rules = b.Entry.Seq, b.Entry.Rules
		}
	}()
	defer recoverMisfit(&err, &b.Entry.Seq)
	e := b.Entry
	if err := v.follows(e); err != nil {
		return err
	}
	if e.Move == "" {
		return v.own(e)
	}
	m := v.moves[e.Move]
	switch {
	case e.Kind == view.KindMove && m == nil:
		if len(v.sessions) == 0 {
			return refusal.Misfit(refusal.MisfitUnreadable, view.Data{"Problem": "no dice are sealed"})
		}
		if err := refusal.Same(e.Move, fmt.Sprintf("m%d", e.Seq)); err != nil {
			return err
		}
		m = &openedMove{
			opened: len(v.sessions) - 1, session: len(v.sessions) - 1, shares: shares(v.now().given),
			args: e.Args,
		}
		v.moves[e.Move] = m
		v.found.Unseen++
	case m == nil || e.Kind == view.KindMove:
		return refusal.Misfit(refusal.MisfitMissing, view.Data{"ID": e.Move})
	}
	if e.Kind != view.KindMove && e.Kind != view.KindAnswer {
		return nil
	}
	if now := len(v.sessions) - 1; m.opened < now { // no session ends during a move: the table was imported
		m.session, m.shares = now, shares(v.now().given)
	}
	if err := v.throws(m, e); err != nil {
		return err
	}
	m.throws = append(m.throws, e.Throws...)
	for _, line := range e.Lines {
		if line.Type != (act.MoveYielded{}).Type() { // that event is about another move
			m.lines = append(m.lines, line)
		}
	}
	if e.Outcome != nil {
		m.outcome = e.Outcome
	}
	if b.Again == nil {
		return nil
	}
	v.found.Unseen--
	if v.edition == v.game.EditionID() {
		v.found.Moves++
		return v.rerun(m, *b.Again, e)
	}
	if v.sameByTheseRules(m, *b.Again, e) {
		v.found.Moves++
	} else {
		v.found.older(v.edition)
	}
	return nil
}

// sameByTheseRules reports whether the current rules would make a move of an older edition just so.
func (v *seatLog) sameByTheseRules(m *openedMove, a seatMove, e view.Entry) (borne bool) {
	defer func() { borne = recover() == nil && borne }()
	return v.rerun(m, a, e) == nil
}

// follows tracks the edition that the table plays by, and checks that the entry is of that edition.
func (v *seatLog) follows(e view.Entry) error {
	made := cmp.Or(e.Edition, state.FirstEdition)
	if !v.game.Knows(made) {
		return refusal.Misfit(refusal.MisfitUnreadable,
			view.Data{"Problem": fmt.Sprintf("the edition %q is not known", made)})
	}
	switch {
	case v.edition == "" || e.Kind == view.KindEdition && v.game.Follows(v.edition, made):
		v.edition = made
	case made != v.edition:
		return refusal.Misfit(refusal.MisfitEdition, view.Data{"Have": made, "Want": v.edition})
	}
	return nil
}

func (v *seatLog) now() *seatSession { return v.sessions[len(v.sessions)-1] }

func shares(given []act.ShareGiven) []string {
	texts := []string{}
	for _, s := range given {
		texts = append(texts, s.Share)
	}
	return texts
}

// own tracks the sessions of dice through an entry that isn't of a move.
func (v *seatLog) own(e view.Entry) error {
	for _, line := range e.Lines {
		var err error
		switch line.Type {
		case act.DiceSealed{}.Type():
			var sealed act.DiceSealed
			if err = json.Unmarshal(line.Data, &sealed); err == nil {
				sealed.Secret = ""
				_, err = sealed.Open() // checks the commitment's form
				v.sessions = append(v.sessions, &seatSession{commitment: sealed.Commitment})
			}
		case act.ShareAdded{}.Type():
			var added act.ShareAdded
			if err = json.Unmarshal(line.Data, &added); err == nil && added.Session != len(v.sessions) {
				return refusal.Misfit(refusal.MisfitShares, nil)
			}
			if err == nil {
				v.now().given = append(v.now().given, act.ShareGiven{Seat: added.Seat, Share: added.Share})
			}
		case act.SessionEnded{}.Type():
			var ended act.SessionEnded
			if err = json.Unmarshal(line.Data, &ended); err != nil {
				break
			}
			if ended.N != len(v.sessions) || ended.Commitment != v.now().commitment ||
				!slices.Equal(ended.Shares, v.now().given) {
				return refusal.Misfit(refusal.MisfitShares, nil)
			}
			v.now().seal, err = act.DiceSealed{Secret: ended.Secret, Commitment: ended.Commitment}.Open()
		}
		if err != nil {
			return refusal.Misfit(refusal.MisfitUnreadable, view.Data{"Problem": err.Error()})
		}
	}
	return nil
}

// throws checks an entry's dice against what was known when its move was opened.
func (v *seatLog) throws(m *openedMove, e view.Entry) error {
	for _, t := range e.Throws {
		if err := checkFaces(t.Rule(), state.Place(t.Part, t.N)); err != nil {
			return err
		}
		if t.Hand {
			v.found.Hand += len(t.Faces)
			continue
		}
		c := e.Check
		switch {
		case c == nil || t.Place != state.Place(t.Part, t.N):
			return refusal.Misfit(refusal.MisfitUnreadable,
				view.Data{"Problem": "it doesn't say where its dice come from"})
		case c.Table != v.head.Table || c.Move != e.Move || c.Session != m.session+1 ||
			c.Commitment != v.sessions[m.session].commitment,
			m.known && c.Nonce != m.nonce:
			return refusal.Misfit(refusal.MisfitID,
				view.Data{"Have": c.Table + " " + c.Move, "Want": v.head.Table + " " + e.Move})
		case !slices.Equal(c.Shares, m.shares):
			return refusal.Misfit(refusal.MisfitShares, nil)
		}
		m.nonce, m.known = c.Nonce, true
		v.thrown = append(v.thrown, seatThrow{
			seq: e.Seq, rules: e.Rules, move: e.Move, told: c.Secret, of: m.session,
			given: m.shares, Throw: t,
		})
	}
	return nil
}

// derive derives the dice of all opened sessions again.
func (v *seatLog) derive() error {
	for _, t := range v.thrown {
		m := v.moves[t.move]
		s := v.sessions[t.of]
		if opened := !s.seal.IsZero(); opened != (t.told != "") || opened && t.told != s.seal.Reveal() {
			return &refusal.MisfitError{
				Seq: t.seq, Rules: t.rules, Code: refusal.MisfitUnreadable,
				Data: view.Data{"Problem": "it names another secret than its session"},
			}
		}
		if s.seal.IsZero() {
			v.found.Sealed += len(t.Faces)
			continue
		}
		if err := checkDerived(t.Rule(), t.Place,
			dice.Key(s.seal, t.given, v.head.Table, t.move, m.nonce, t.Place)); err != nil {
			misfit := err.(*refusal.MisfitError)
			misfit.Seq, misfit.Rules = t.seq, t.rules
			return misfit
		}
		v.found.Dice += len(t.Faces)
	}
	return nil
}

// rerun runs a whole move again and checks that it gives what the seat was shown.
func (v *seatLog) rerun(m *openedMove, a seatMove, e view.Entry) error {
	unreadable := func(err error) error {
		return refusal.Misfit(refusal.MisfitUnreadable, view.Data{"Problem": err.Error()})
	}
	def, ok := v.game.Move(a.Move)
	if !ok || a.Move != e.Name {
		return refusal.Misfit(refusal.MisfitMissing, view.Data{"ID": a.Move})
	}
	scene := game.Scene{Actor: a.Actor, Cast: map[string]game.Member{}, Secret: a.Secret, Ruled: a.Ruled}
	var err error
	if scene.Settings, err = v.game.Settings.Restore(a.Settings); err != nil {
		return unreadable(err)
	}
	for i, c := range slices.Concat(a.Cast, a.Joined) {
		kind, ok := v.game.Kind(c.Kind)
		if !ok {
			return refusal.Misfit(refusal.MisfitMissing, view.Data{"ID": c.Kind})
		}
		sheet, err := kind.Restore(c.Sheet)
		if err != nil {
			return unreadable(err)
		}
		member := game.Member{ID: c.ID, Kind: c.Kind, Name: c.Name, Owner: c.Owner, Sheet: sheet}
		if i < len(a.Cast) {
			scene.Cast[c.ID] = member
		} else {
			scene = scene.WithMembers(member)
		}
	}
	args, err := def.Restore(a.Args)
	if err != nil {
		return unreadable(err)
	}
	if err := act.CheckBounds(def, def.Form.For(form.AtTable), a.Args); err != nil {
		return err
	}
	if stated := def.Form.For(form.AtTable).WithoutAssumed(); !reflect.DeepEqual(state.NonEmpty(state.Members(stated.Fill(args))), state.NonEmpty(state.Members(m.args))) {
		return refusal.Misfit(refusal.MisfitRefused, view.Data{"Problem": string(a.Args)})
	}
	if err := def.Allow(scene, args); err != nil && !game.IsOldNotation(err) {
		return refusal.Misfit(refusal.MisfitRefused, view.Data{"Problem": err.Error()})
	}
	result, err := rule.Play(def.Play(scene, args), rule.Options{Trail: a.Steps})
	switch {
	case err != nil:
		return refusal.Misfit(refusal.MisfitRule, view.Data{"Problem": err.Error()})
	case !result.Done || !e.Done:
		return refusal.Misfit(refusal.MisfitEnd, nil)
	case result.Value != a.Outcome:
		return refusal.Misfit(refusal.MisfitOutcome,
			view.Data{"Have": outcomeText(a.Outcome), "Want": outcomeText(result.Value)})
	}
	events, told := make([]rule.Event, len(a.Events)), make([]rule.PlacedEvent, len(a.Events))
	for i, stored := range a.Events {
		if events[i], err = v.game.Decode(stored.Type, stored.V, stored.Data); err != nil {
			return unreadable(err)
		}
		told[i] = rule.PlacedEvent{Part: stored.Part, N: stored.N, Event: events[i]}
	}
	// Events of parallel parts come in the order of the answers, so they are compared by place.
	byPlace := func(x, y rule.PlacedEvent) int { return cmp.Or(cmp.Compare(x.Part, y.Part), cmp.Compare(x.N, y.N)) }
	slices.SortStableFunc(told, byPlace)
	slices.SortStableFunc(result.Events, byPlace)
	if err := tells(result.Events, told); err != nil {
		return err
	}
	if def != &game.Plain {
		events = slices.DeleteFunc(events, func(e rule.Event) bool { return isShownToNobody(v.game, scene.Settings, e) })
	}
	return m.shows(a, events)
}

// shows checks that a move's entries show what happened in it.
func (m *openedMove) shows(a seatMove, events []rule.Event) error {
	var thrown []string
	for _, step := range a.Steps {
		if step.Dice != nil {
			thrown = append(thrown, string(state.JSON(*step.Dice)))
		}
	}
	if err := compareEvents(game.Each(m.throws, func(t view.Throw) string {
		return string(state.JSON(t.Rule()))
	}), thrown); err != nil {
		return err
	}
	lines := m.lines
	for _, event := range events {
		told, resolved := event.(game.Resolved)
		if resolved && told.Who == a.Actor && m.outcome != nil && m.outcome.ID == told.Outcome.ID &&
			!matchLine(lines, event) {
			continue // the entry shows it elsewhere, not as a line
		}
		if !matchLine(lines, event) {
			have := "—"
			if len(lines) > 0 {
				have = lines[0].Type + " " + string(lines[0].Data)
			}
			return refusal.Misfit(refusal.MisfitEvents,
				view.Data{"Have": have, "Want": game.TypeOf(event) + " " + string(state.JSON(event))})
		}
		lines = lines[1:]
	}
	if len(lines) > 0 {
		return refusal.Misfit(refusal.MisfitEvents,
			view.Data{"Have": lines[0].Type + " " + string(lines[0].Data), "Want": "—"})
	}
	if m.outcome != nil && m.outcome.N != nil && m.outcome.ID == a.Outcome.ID && *m.outcome.N != a.Outcome.N {
		return refusal.Misfit(refusal.MisfitOutcome,
			view.Data{"Have": fmt.Sprint(m.outcome.ID, " ", *m.outcome.N), "Want": outcomeText(a.Outcome)})
	}
	return nil
}

// matchLine reports whether the first line is of the event.
func matchLine(lines []view.Line, event rule.Event) bool {
	return len(lines) > 0 && lines[0].Type == game.TypeOf(event) &&
		bytes.Equal(state.JSON(lines[0].Data), state.JSON(event))
}

package state

import (
	"slices"
	"strings"
	"testing"

	"norn/dice"
	"norn/game"
	"norn/rule"
)

// A sealed question is open until it is answered; then the move continues with the next one.
func TestOpenMoveContinuesWithEachAnswer(t *testing.T) {
	st := after(start(), func(st *State) *Record { return made(t, st, duel, 4) })
	u := st.OpenMoves.Of("m2")
	if !u.IsSealed() || len(u.Pending) != 1 || u.Pending[0].To != "c2" || u.Throws[""] != 1 || len(u.Asks) != 1 ||
		st.OpenMoves.Holding("c2") != u || st.OpenMoves.Holding("c3") != nil || st.OpenMoves.Of("m3") != nil {
		t.Fatalf("opened: %+v", u)
	}
	st = after(st, func(st *State) *Record { return answers(t, st, `{"block":true}`) })
	next := st.OpenMoves.Of("m2")
	if next.IsSealed() || next.Pending[0].To != game.GM || len(next.Trail) != 2 || len(next.Asks) != 1 ||
		next.Asks[0].To != game.GM || !slices.Equal(next.Released, []string{"c2"}) {
		t.Errorf("answered: %+v", next)
	}
	if !u.IsSealed() || len(u.Trail) != 1 || len(u.Released) > 0 || u.Asks[0].To != "c2" {
		t.Errorf("the former state's move changed: %+v", u)
	}
	r := answers(t, st, `{}`)
	if st = after(st, func(*State) *Record { return r }); len(st.OpenMoves) > 0 || r.Result == nil || r.Result.N != 4 {
		t.Errorf("ended: %+v, with %+v", st.OpenMoves, r.Result)
	}
}

// A character that an answer names joins the move, with its sheet of that moment.
func TestAnAnswerAddsACharacterToTheMove(t *testing.T) {
	st := after(start(), func(st *State) *Record { return made(t, st, join) },
		func(st *State) *Record { return edits(st, "c3", 4) })
	before := st.OpenMoves[0]
	step := rule.Step{Answer: &rule.Answer{Question: "toy.guest", Value: []byte(`{"who":"c3"}`)}}
	joined := before.JoinedBy(st, step)
	if !joined.Has("c3") || before.Has("c3") || joined.Scene.Apart()["c3"].Sheet != (hero{4}) ||
		joined.JoinedBy(st, step) != joined {
		t.Errorf("joined: %v", joined.Joined)
	}
}

func TestMoveThatNewRulesCannotContinueHasAFault(t *testing.T) {
	opened := func() *OpenMove {
		st := after(start(), func(st *State) *Record { return made(t, st, duel, 4) },
			func(st *State) *Record { return answers(t, st, `{}`) })
		return st.OpenMoves[0]
	}
	rules := func(play func(r *rule.Run, s game.Scene, a aim) rule.Outcome) func(*OpenMove) {
		def := game.Define(game.MoveSpec[aim]{ID: "duel", Play: play})
		return func(u *OpenMove) {
			m := *u.Move
			m.Def, u.Move = &def, &m
		}
	}
	end := rule.Outcome{ID: "stung"}
	roll := func(r *rule.Run, sides int) { r.Sum(dice.Pool{N: 1, Sides: sides, For: "pool"}) }
	asks := func(r *rule.Run) {
		rule.Ask(r, rule.Question[block]{ID: "toy.block", To: "c2", Sealed: true})
	}
	for name, c := range map[string]struct {
		change func(*OpenMove)
		want   string
	}{
		"nothing": {func(*OpenMove) {}, ""},
		"other dice": {rules(func(r *rule.Run, _ game.Scene, _ aim) rule.Outcome {
			roll(r, 8)
			return end
		}), "doesn't fit the rule"},
		"it ends": {rules(func(r *rule.Run, _ game.Scene, _ aim) rule.Outcome {
			roll(r, 6)
			asks(r)
			return end
		}), "open"},
		"it records something else": {rules(func(r *rule.Run, _ game.Scene, _ aim) rule.Outcome {
			roll(r, 6)
			asks(r)
			r.Record(stung{"c2", 1})
			r.Release("c2")
			rule.Ask(r, rule.Question[block]{ID: "toy.after", To: game.GM})
			return end
		}), "doesn't tell"},
		"it releases nobody": {rules(func(r *rule.Run, _ game.Scene, _ aim) rule.Outcome {
			roll(r, 6)
			asks(r)
			r.Record(stung{"c2", 4})
			rule.Ask(r, rule.Question[block]{ID: "toy.after", To: game.GM})
			return end
		}), "doesn't let go of c2"},
		"it panics": {rules(func(*rule.Run, game.Scene, aim) rule.Outcome {
			panic("no sheet")
		}), "breaks off: no sheet"},
	} {
		t.Run(name, func(t *testing.T) {
			u := opened()
			u.Pending = nil
			c.change(u)
			all := OpenMoves{u}
			all.FindPending()
			if (u.Fault == nil) != (c.want == "") || u.Fault != nil && !strings.Contains(u.Fault.Error(), c.want) {
				t.Errorf("fault %v, want %q", u.Fault, c.want)
			}
			if stranded := len(all.FindStranded()) == 1; stranded != (c.want != "") ||
				stranded == (len(u.Pending) > 0) {
				t.Errorf("stranded: %v, with %d questions", stranded, len(u.Pending))
			}
		})
	}
}

func TestOnlyOpenPublicMovesReleaseCharacters(t *testing.T) {
	u := &OpenMove{Move: &Move{Cast: []string{"c1", "c2"}}}
	run := rule.Result[rule.Outcome]{Released: []string{"c2", "c3", "c2"}}
	if got := u.Releases(run); !slices.Contains(got, "c2") || slices.Contains(got, "c3") {
		t.Errorf("a public one releases %q", got)
	}
	if run.Done = true; u.Releases(run) != nil {
		t.Error("a finished one releases somebody")
	}
	run.Done = false
	if u.Secret = true; u.Releases(run) != nil {
		t.Error("a secret one releases somebody")
	}
}

// The game master types in faces that players may not see. Other faces are typed in by the seat
// that the rule names, or by the actor.
func TestHiddenDiceAreTypedByTheGM(t *testing.T) {
	view := game.View{Throw: func(v game.Viewer, _ any, t rule.Throw) bool { return v.IsGM() || t.For != "fate" }}
	u := &OpenMove{Move: &Move{Def: &sting, Actor: "c1", View: &view}}
	for _, c := range []struct{ why, by, want string }{
		{"pool", "", "c1"}, {"pool", "c2", "c2"}, {"fate", "", game.GM}, {"fate", "c2", game.GM},
	} {
		if got := u.roller(dice.Pool{N: 1, Sides: 6, For: c.why}, c.by); got != c.want {
			t.Errorf("%s by %q: %s", c.why, c.by, got)
		}
	}
	if u.Actor = ""; u.roller(dice.Pool{For: "pool"}, "") != game.GM {
		t.Error("a move of nobody")
	}
	if u.Def = &game.Plain; u.Hidden(dice.Pool{For: "fate"}) {
		t.Error("plain dice are hidden")
	}
}

func TestOnlyTheNewestSecretMovesAreListed(t *testing.T) {
	st := start()
	for range maxSecrets + 3 {
		m := newMove(st, &sting)
		m.Secret = true
		st = st.Next(run(t, st, "move", st.NewOpenMove(m), nil, nil))
	}
	if n := len(st.Secrets); n != maxSecrets || st.Secrets[0] != 5 || st.Openly || !st.Begun {
		t.Errorf("%d are listed, from %d on; openly is %v", n, st.Secrets[0], st.Openly)
	}
}

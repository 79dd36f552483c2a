package gametest

import (
	"testing"

	"norn/dice"
	"norn/game"
	"norn/odds"
	"norn/rule"
)

// Job is a bare move together with the same computation by hand: in closed form, without any rule
// code. Both must have the same result. Benchmarks run them next to each other, so that their ratio
// is meaningful on any machine.
type Job struct {
	Move     game.Move
	Settings any
	Args     any
	// Odds returns the rows of the move's exact odds, in order.
	Odds func() []odds.Row
	// Throw throws the move's dice once and returns the outcome; nil for a job that is only about
	// odds.
	Throw func(dice *dice.Stream) rule.Outcome
}

func (j Job) price() func(*rule.Run) rule.Outcome {
	return j.Move.Price(game.Scene{Settings: j.Settings}, j.Args)
}

func (j Job) kinds() []odds.Kind {
	kinds := make([]odds.Kind, len(j.Move.Outcomes))
	for i, o := range j.Move.Outcomes {
		kinds[i] = odds.Kind{ID: o.ID, Counts: o.Counts}
	}
	return kinds
}

// Check compares the odds and throws of the rule with those by hand.
func (j Job) Check(t testing.TB) {
	t.Helper()
	got, err := odds.Price(t.Context(), j.price(), j.kinds(), nil, rule.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	CompareRows(t, got.Rows, j.Odds())
	if j.Throw == nil {
		return
	}
	mine, theirs := dice.NewStream([32]byte{1}), dice.NewStream([32]byte{1})
	for range 1000 {
		got, err := rule.Simulate(j.price(), mine, nil)
		if err != nil {
			t.Fatal(err)
		}
		if want := j.Throw(theirs); got != want {
			t.Fatalf("the rule comes to %v, by hand it's %v", got, want)
		}
	}
}

// CompareRows fails the test unless the rows are the same.
func CompareRows(t testing.TB, got, want []odds.Row) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d rows, by hand %d: %v and %v", len(got), len(want), got, want)
	}
	for i, w := range want {
		if g := got[i]; g.Outcome != w.Outcome || g.N != w.N || g.Counts != w.Counts || g.P.Cmp(w.P) != 0 {
			t.Fatalf("row %d is %v, by hand %v", i, g, w)
		}
	}
}

// BenchmarkOdds measures the odds by rule and by hand.
func (j Job) BenchmarkOdds(b *testing.B) {
	j.Check(b)
	price, kinds := j.price(), j.kinds()
	b.Run("rule", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := odds.Price(b.Context(), price, kinds, nil, rule.Limits{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("by-hand", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			j.Odds()
		}
	})
}

// BenchmarkLive measures a throw as at a table, with its trail.
func (j Job) BenchmarkLive(b *testing.B) {
	price, source := j.price(), rule.RollerSource(dice.NewStream([32]byte{1}))
	b.Run("rule", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := rule.Play(price, rule.Options{Source: source}); err != nil {
				b.Fatal(err)
			}
		}
	})
	j.byHand(b)
}

// BenchmarkSimulation measures a throw without its trail.
func (j Job) BenchmarkSimulation(b *testing.B) {
	price, roller := j.price(), dice.NewStream([32]byte{1})
	b.Run("rule", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := rule.Simulate(price, roller, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
	j.byHand(b)
}

func (j Job) byHand(b *testing.B) {
	if j.Throw == nil {
		return
	}
	stream := dice.NewStream([32]byte{1})
	b.Run("by-hand", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			j.Throw(stream)
		}
	})
}

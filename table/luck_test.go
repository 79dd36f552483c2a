package table_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"testing"

	"norn/game"
	"norn/odds"
	"norn/rule"
	"norn/table"
	"norn/table/internal/tabletest"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/verify"
	"norn/table/view"
)

// blow makes a strike of five typed dice with a number of hits, answers its questions, and returns
// the entry with the outcome.
func (d *desk) blow(by *table.Seat, who, target string, hits int, secret bool) view.Entry {
	d.t.Helper()
	dice := []int{1, 1, 1, 1, 1}
	for i := range hits {
		dice[i] = 6
	}
	made := d.make(by, request.Move{
		Move: "strike", Character: who, Args: raw(`{"target":"` + target + `","bonus":3}`), Dice: dice, Secret: secret,
	})
	for {
		open := d.view(d.gm).Questions
		if len(open) == 0 {
			return made.Entry
		}
		answer := map[string]string{
			"toy.weight": `{"n":1}`, "toy.dodge": `{"dodge":false}`,
			"dice": `{"faces":[3]}`,
		}[open[0].Question]
		d.answer(d.gm, open[0].ID, answer)
	}
}

// Five dice that hit on 4 or more are like five coins.
func TestLuckOfAMoveRanksItsOutcomeAmongTheOdds(t *testing.T) {
	d := newDesk(t)
	for hits, want := range []string{"1", "31/32", "13/16", "1/2", "3/16", "1/32"} {
		e := d.blow(d.anna, d.hero, d.other, hits, false)
		if e.Luck == nil || e.Luck.OrBetter != want {
			t.Errorf("%d hits: %+v, want %s or better", hits, e.Luck, want)
		}
	}
	for what, e := range map[string]view.Entry{
		"no chance": d.make(d.anna, request.Move{Move: "rest", Character: d.hero}).Entry,
		"no odds":   d.make(d.anna, request.Move{Move: "swap", Character: d.hero}).Entry,
	} {
		if e.Luck != nil {
			t.Errorf("%s: %+v", what, e.Luck)
		}
	}
}

// The odds of a move with a question in the middle assume the given answer; if both sides answered
// differently, the default one.
func TestLuckAssumesTheGivenAnswers(t *testing.T) {
	for _, v := range []struct {
		mine, other bool
		policy      rule.Policy
	}{
		{true, true, rule.Policy{"toy.press": rule.Given{JSON: raw(`{"press":true}`)}}},
		{false, false, nil},
		{true, false, nil},
	} {
		d := newDesk(t)
		d.make(d.anna, request.Move{
			Move: "duel", Character: d.hero, Args: raw(`{"target":"` + d.other + `"}`),
			ByHand: true,
		})
		var came view.Entry
		for {
			open := d.view(d.gm).Questions
			if len(open) == 0 {
				break
			}
			q, answer := open[0], `{"n":0}`
			press := map[string]bool{d.hero: v.mine, d.other: v.other}[q.To]
			switch {
			case q.Question == "toy.press" && press:
				answer = `{"press":true}`
			case q.Question == "toy.press":
				answer = `{"press":false}`
			case q.Question == "dice" && strings.Contains(q.Text, "2d6"):
				answer = `{"faces":[4,1]}`
			case q.Question == "dice":
				answer = `{"faces":[1]}`
			}
			if e := d.answer(d.gm, q.ID, answer).Entry; e.Outcome != nil {
				came = e
			}
		}
		law, err := rule.Walk(tabletest.Dueling.Price(game.Scene{Actor: d.hero}, tabletest.Duel{Target: "c2"}),
			v.policy, rule.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		want, ok := odds.Stand(law, rule.Outcome{ID: "lose"}, tabletest.Dueling.Better)
		if !ok || came.Luck == nil || came.Luck.OrBetter != want.OrBetter().RatString() ||
			came.Luck.Points != want.Points() {
			t.Errorf("%v: %+v of %+v, want %v", v, came.Luck, came.Outcome, want)
		}
	}
}

func TestSessionLuckCombinesTheLuckOfItsMoves(t *testing.T) {
	d := newDesk(t)
	lucks := func(s *table.Seat, session int) map[string]view.SeatLuck {
		t.Helper()
		all, err := s.Luck(t.Context(), session)
		if err != nil {
			t.Fatal(err)
		}
		by := map[string]view.SeatLuck{}
		for _, l := range all {
			by[l.Name] = l
		}
		return by
	}
	for _, hits := range []int{5, 3} {
		d.blow(d.boris, d.other, d.hero, hits, false)
	}
	undone := d.blow(d.boris, d.other, d.hero, 0, false)
	d.undo(undone.Seq)
	got := lucks(d.boris, 1)["Boris"]
	// 98 points and 66: (31+16+16)/32 … by the distribution 1 5 10 10 5 1 of 32, with the scores 98
	// 89 66 34 11 2.
	scores, ways := []int{98, 89, 66, 34, 11, 2}, []int64{1, 5, 10, 10, 5, 1}
	want := new(big.Rat)
	for i, a := range scores {
		for j, b := range scores {
			half := map[bool]int64{true: 2}[a+b < 98+66]
			if a+b == 98+66 {
				half = 1
			}
			want.Add(want, big.NewRat(ways[i]*ways[j]*half, 2*32*32))
		}
	}
	have, _ := new(big.Rat).SetString(got.LuckierThan)
	within, _ := new(big.Rat).SetString(got.Within)
	if got.Throws != 2 || got.Points != 98+66 || have.Cmp(want) > 0 || new(big.Rat).Add(have, within).Cmp(want) < 0 {
		t.Errorf("%+v, want %v", got, want)
	}

	// A secret move doesn't change what a player sees; the game master sees it.
	d.blow(d.gm, d.other, d.hero, 5, true)
	before := lucks(d.anna, 1)
	d.blow(d.gm, d.shade, d.hero, 5, true)
	if after := lucks(d.anna, 1); len(after) != len(before) || after["GM"].Throws != 0 {
		t.Errorf("a secret moves what Anna sees: %v, %v", before, after)
	}
	if gm := lucks(d.gm, 1); gm["GM"].Throws != 2 || gm["Boris"].Throws != 2 {
		t.Errorf("the game master sees %v", gm)
	}
	// Here players don't see each other's sheets completely, and so not these odds either.
	for name, s := range map[string]*table.Seat{"Anna": d.anna, "Guest": d.guest} {
		if l, ok := lucks(s, 1)["Boris"]; ok {
			t.Errorf("%s is told of Boris's luck: %v", name, l)
		}
	}
	entries, err := d.anna.Log(t.Context(), 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Luck != nil {
			t.Errorf("Anna is told the odds of %s: %v", e.Move, e.Luck)
		}
	}
	d.endSession()
	if len(lucks(d.gm, 2)) != 0 || len(lucks(d.gm, 1)) != 2 || len(lucks(d.gm, 3)) != 0 {
		t.Error("luck goes from one session to the next")
	}
}

// A story contains no luck that depends on what players hide from each other, for any reader.
// Package main's stories test what it does contain.
func TestStoryRevealsNoLuckOfHiddenThrows(t *testing.T) {
	d := newDesk(t)
	story := func(by *table.Seat, session int) string {
		t.Helper()
		var b strings.Builder
		if err := by.Story(t.Context(), &b, request.Telling{Session: session}); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	d.blow(d.boris, d.other, d.hero, 5, false)
	if got := story(d.gm, 0); strings.Contains(got, "uckier") {
		t.Errorf("the story tells odds of sheets that players hide from each other:\n%s", got)
	}
}

// Verify finds a wrong luck; a log without any is an older one.
func TestVerifyFindsWrongLuck(t *testing.T) {
	d := newDesk(t)
	d.blow(d.boris, d.other, d.hero, 3, false)
	d.endSession()
	whole := d.export()
	if !bytes.Contains(whole, []byte(`"luck":"2: 1 5 10 10 5 1"`)) {
		t.Fatal("no luck is kept")
	}
	for kept, want := range map[string]bool{
		"": true, "1: 1 5 10 10 5 1": false, "2: 1 5 10 10 5 2": false,
		"2: 1 5 10": false,
	} {
		entries := d.stored()
		var changed [][]byte
		for _, e := range entries {
			var body map[string]any
			if err := json.Unmarshal(e.Body, &body); err != nil {
				t.Fatal(err)
			}
			if _, ok := body["luck"]; ok {
				body["luck"] = kept
			}
			if body["luck"] == "" {
				delete(body, "luck")
			}
			data, err := json.Marshal(body)
			if err != nil {
				t.Fatal(err)
			}
			changed = append(changed, data)
		}
		for i := range entries {
			entries[i].Body = changed[i]
		}
		_, err := verify.File(toys, words, bytes.NewReader(d.file(entries)))
		if (err == nil) != want {
			t.Errorf("%q: %v", kept, err)
		}
	}
}

// Every norn that knew second editions recorded luck.
func TestVerifyRequiresLuckInLaterEditions(t *testing.T) {
	d := newDesk(t)
	d.upgrade(newer(2, nil))
	d.take()
	for range 3 {
		d.blow(d.boris, d.other, d.hero, 3, false)
	}
	d.endSession()
	entries, told := d.stored(), regexp.MustCompile(`,"luck":"[^"]*"`)
	games := []*game.Game{newer(2, nil)}
	if _, err := verify.File(games, words, bytes.NewReader(d.file(entries))); err != nil {
		t.Fatal(err)
	}
	for i := range entries {
		entries[i].Body = told.ReplaceAll(entries[i].Body, nil)
	}
	_, err := verify.File(games, words, bytes.NewReader(d.file(entries)))
	if misfit, ok := errors.AsType[*refusal.MisfitError](err); !ok || misfit.Code != refusal.MisfitLuck {
		t.Errorf("without any luck: %v", err)
	}
}

// Luck may be missing up to the first entry that has it: an older norn wrote those. After that it's
// required.
func TestVerifyRequiresLuckOnceAnEntryHasIt(t *testing.T) {
	d := newDesk(t)
	for range 3 {
		d.blow(d.boris, d.other, d.hero, 3, false)
	}
	d.endSession()
	entries := d.stored()
	var lucky []int
	for i, e := range entries {
		if bytes.Contains(e.Body, []byte(`"luck":"`)) {
			lucky = append(lucky, i)
		}
	}
	if len(lucky) != 3 {
		t.Fatalf("%d entries tell their luck, want 3", len(lucky))
	}
	for _, c := range []struct {
		drops []int
		fits  bool
	}{{[]int{0}, true}, {[]int{0, 1}, true}, {[]int{1}, false}, {[]int{2}, false}, {[]int{1, 2}, false}} {
		changed := slices.Clone(entries)
		for _, n := range c.drops {
			e := &changed[lucky[n]]
			e.Body = regexp.MustCompile(`,"luck":"[^"]*"`).ReplaceAll(e.Body, nil)
		}
		_, err := verify.File(toys, words, bytes.NewReader(d.file(changed)))
		misfit, _ := errors.AsType[*refusal.MisfitError](err)
		if (err == nil) != c.fits || !c.fits &&
			(misfit == nil || misfit.Code != refusal.MisfitLuck || misfit.Seq != changed[lucky[c.drops[0]]].Seq) {
			t.Errorf("without luck %v: %v", c.drops, err)
		}
	}
}

package table_test

import (
	"bytes"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"norn/form"
	"norn/game"
	"norn/rule"
	"norn/table"
	"norn/table/act"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/verify"
	"norn/table/view"
)

// struck is a desk where Anna's hero strikes Boris's with typed dice.
type struck struct {
	*desk
	made view.Made // the strike
	half view.Made // what is open after Boris's answer
}

// A strike goes from a roll to the game master's question, two people's questions and harm.
func TestStrikeAsksTheGMThenBothHeroesAndThenHarms(t *testing.T) {
	d := &struck{desk: newDesk(t)}
	d.made = d.make(d.anna, request.Move{
		Move: "strike", Character: d.hero, Args: raw(`{"target":"` + d.other + `","bonus":1}`), Dice: []int{6, 4, 1},
	})
	d.step("the throw is shown with its outcome, and the GM is waited for", d.isShown)
	d.step("the GM answers how hard it is", d.isWeighed)
	d.step("Boris is asked whether to dodge, and is waited for", d.asksBoris)
	d.step("Anna types in the dice, and Boris's hero is hurt before hers has answered", d.asksAnna)
	d.step("Anna's hero dodges, which ends the strike", d.isDodged)
	d.step("the log says once who is hurt, and whose the dice are", d.isLogged)
}

func (d *struck) isShown(t *testing.T) {
	e := d.made.Entry
	if e.Kind != view.KindMove || e.Done || e.Name != "strike" || e.Character != d.hero || e.Seat.Name != "Anna" {
		t.Errorf("entry: %+v", e)
	}
	if e.Outcome == nil || e.Outcome.ID != "hit" || *e.Outcome.N != 2 || e.Outcome.Tone != game.Good ||
		e.Outcome.Character != d.hero {
		t.Errorf("outcome: %+v", e.Outcome)
	}
	if len(e.Lines) != 0 {
		t.Errorf("the outcome stands twice: %+v", e.Lines)
	}
	same(t, "args", map[string]any{"target": d.other, "bonus": 1, "name": ""}, e.Args)
	same(t, "throws", []view.Throw{{
		For: "pool", Sides: 6, Faces: []int{6, 4, 1}, Marks: make([]game.Mark, 3),
		Hand: true,
	}}, e.Throws)
	if e.Check != nil {
		t.Errorf("there is nothing to check of dice thrown by hand: %+v", e.Check)
	}
	same(t, "Anna waits", []view.Waiting{{Move: e.Move, To: game.GM}}, d.made.Waiting)
	same(t, "asked", []view.Asked{{To: game.GM, Open: true}}, e.Questions)
}

func (d *struck) isWeighed(t *testing.T) {
	e := d.made.Entry
	asked := d.view(d.gm).Questions
	if len(asked) != 1 || asked[0].Question != "toy.weight" || !asked[0].Mine || asked[0].Move != e.Move ||
		asked[0].Form == nil {
		t.Fatalf("the GM is asked %+v", asked)
	}
	landed := d.answer(d.gm, asked[0].ID, `{"n":2,"note":"SECRET weight"}`)
	if len(landed.Open) != 2 || landed.Open[0].To != d.hero || landed.Open[1].To != d.other {
		t.Fatalf("the GM may answer for both: %+v", landed.Open)
	}
	if landed.Open[0].Mine || landed.Open[1].Mine {
		t.Error("the heroes' questions wait for their players, not for the GM")
	}
}

func (d *struck) asksBoris(t *testing.T) {
	e := d.made.Entry
	mine := d.view(d.boris)
	if len(mine.Questions) != 1 || !mine.Questions[0].Mine || mine.Questions[0].To != d.other {
		t.Fatalf("Boris is asked %+v", mine.Questions)
	}
	same(t, "Boris waits", []view.Waiting{{Move: e.Move, To: d.hero}}, mine.Waiting)
	if !mine.Characters[1].Waits || mine.Characters[1].Busy != e.Move {
		t.Errorf("Orm is busy and waited for: %+v", mine.Characters[1])
	}
	d.half = d.answer(d.boris, mine.Questions[0].ID, `{"dodge":false}`)
}

func (d *struck) asksAnna(t *testing.T) {
	if d.half.Entry.Done || len(d.half.Open) != 0 || len(d.half.Waiting) != 2 || d.half.Waiting[1].To != d.hero {
		t.Fatalf("who made the move types in the dice: %+v", d.half)
	}
	hero := d.view(d.anna).Questions
	if len(hero) != 2 || hero[0].Question != "toy.dodge" || hero[1].Question != rule.DiceQuestion {
		t.Fatalf("Anna is asked %+v", hero)
	}
	d.answer(d.anna, hero[1].ID, `{"faces":[3]}`)
	if got := sheet[Hero](d.desk, d.other); got.Hurt != 5 {
		t.Errorf("Orm: %+v, want hurt 5 before the other has answered", got)
	}
}

func (d *struck) isDodged(t *testing.T) {
	dodged := d.answer(d.anna, d.view(d.anna).Questions[0].ID, `{"dodge":true}`)
	last := d.answer(d.anna, dodged.Open[0].ID, `{"faces":[6]}`)
	if !last.Entry.Done || len(last.Open)+len(last.Waiting) != 0 {
		t.Errorf("done: %+v", last)
	}
	if o := last.Entry.Outcome; o == nil || o.ID != "hit" || *o.N != 5 {
		t.Errorf("the end differs from what was told before, so it stands: %+v", o)
	}
	if got := sheet[Hero](d.desk, d.hero); got.Hurt != 0 {
		t.Errorf("Lira: %+v", got)
	}
	if v := d.view(d.gm); len(v.Questions) != 0 || v.Characters[0].Busy != "" {
		t.Error("the move is over, but something is left of it")
	}
}

func (d *struck) isLogged(t *testing.T) {
	hurt, whose := 0, []string{}
	for _, e := range d.log(d.gm) {
		for _, thrown := range e.Throws {
			whose = append(whose, thrown.Whose)
		}
		for _, l := range e.Lines {
			if l.Type == "toy.hurt" {
				hurt++
				same(t, "line", "Orm is hurt", l.Text)
			}
		}
	}
	if hurt != 1 {
		t.Errorf("harm was told %d times", hurt)
	}
	same(t, "whose dice, where they aren't Lira's", []string{"", "Orm", ""}, whose)
}

func TestOpenQuestionSurvivesRestart(t *testing.T) {
	d := newDesk(t)
	d.hit()
	d.answer(d.gm, d.view(d.gm).Questions[0].ID, `{"n":1}`)
	before, log := d.view(d.gm), d.log(d.gm)
	d.reopen()
	after := d.view(d.gm)
	same(t, "view", text(t, before), text(t, after))
	same(t, "log", text(t, log), text(t, d.log(d.gm)))
	if len(after.Questions) != 2 {
		t.Fatalf("open: %+v", after.Questions)
	}
	d.answer(d.boris, d.view(d.boris).Questions[0].ID, `{}`)
	d.answer(d.anna, d.view(d.anna).Questions[1].ID, `{"faces":[2]}`)
	if got := sheet[Hero](d, d.other); got.Hurt != 3 {
		t.Errorf("Orm: %+v", got)
	}
}

// The order of answers changes neither the dice nor the state.
func TestOrderOfAnswersChangesNothing(t *testing.T) {
	run := func(first, second string) (faces_ map[string][]int, sheets string) {
		d := newDesk(t) // with the same random bytes, so with the same table and secret
		made := d.make(d.gm, request.Move{
			Move: "haunt", Args: raw(`{"who":["` + d.hero + `","` + d.other + `"]}`),
			Nonce: "n",
		})
		if len(made.Open) != 2 {
			t.Fatalf("open: %+v", made.Open)
		}
		for _, who := range []string{first, second} {
			for _, q := range made.Open {
				if q.To == who {
					d.answer(d.gm, q.ID, `{"dodge":false}`)
				}
			}
		}
		return faces(d.log(d.gm)), text(t, d.view(d.gm).Characters)
	}
	facesA, sheetsA := run("c1", "c2")
	facesB, sheetsB := run("c2", "c1")
	if len(facesA) != 2 {
		t.Fatalf("thrown: %v", facesA)
	}
	same(t, "faces", facesA, facesB)
	same(t, "sheets", sheetsA, sheetsB)
}

func TestAnotherNonceGivesOtherDice(t *testing.T) {
	throw := func(nonce string) []int {
		d := newDesk(t)
		var all []int
		for range 4 {
			all = append(all, d.make(d.gm,
				request.Move{Move: "swap", Character: d.hero, Nonce: nonce}).Entry.Throws[0].Faces...)
		}
		return all
	}
	same(t, "the same nonce", throw("a"), throw("a"))
	if text(t, throw("a")) == text(t, throw("b")) {
		t.Error("another nonce gives the same twelve faces")
	}
}

// A game master's move always has a nonce, from the request or drawn by norn. Without one, anybody
// with the secret of a past session could derive dice that they weren't shown.
func TestAGameMastersMoveHasANonce(t *testing.T) {
	d := newDesk(t)
	seen := map[string]bool{}
	for _, r := range []request.Move{{Secret: true}, {Secret: true, Key: "k"}, {}} {
		r.Move, r.Args = game.PlainDice, raw(`{"notation":"2d6"}`)
		nonce := d.make(d.gm, r).Entry.Check.Nonce
		if len(nonce) < 32 || seen[nonce] {
			t.Errorf("%+v: the nonce is %q", r, nonce)
		}
		seen[nonce] = true
		if again := d.make(d.gm, r).Entry.Check.Nonce; r.Key != "" && again != nonce {
			t.Errorf("asked again, the nonce is %q, was %q", again, nonce)
		}
	}
	own := request.Move{Move: game.PlainDice, Args: raw(`{"notation":"2d6"}`), Nonce: "own", Secret: true}
	if nonce := d.make(d.gm, own).Entry.Check.Nonce; nonce != "own" {
		t.Errorf("a nonce of one's own becomes %q", nonce)
	}
}

func TestARepeatedKeyMakesAMoveOnce(t *testing.T) {
	d := newDesk(t)
	r := request.Move{Move: "rest", Character: d.hero, Args: raw(`{"n":2}`), Key: "k"}
	first := d.make(d.anna, r)
	r.Args = raw(` { "n" : 2 } `) // the same JSON in other words
	again := d.make(d.anna, r)
	same(t, "the same key", text(t, first), text(t, again))
	if got := sheet[Hero](d, d.hero).Luck; got != 5 {
		t.Errorf("luck %d: it was counted twice", got)
	}
	r.Args = raw(`{"n":3}`)
	_, err := d.anna.Make(t.Context(), r)
	var reused *refusal.KeyReusedError
	if !errors.As(err, &reused) || reused.Seq != first.Entry.Seq {
		t.Errorf("other content: %v", err)
	}
	if _, err := table.Do(t.Context(), d.anna, act.ChangeCharacter,
		act.ChangeRequest{ID: d.hero, Sheet: raw(`{"luck":1}`)}, "k"); code(err) != refusal.CodeKeyReused {
		t.Errorf("another operation: %v", err)
	}
	if _, err := d.boris.Make(t.Context(), request.Move{Move: "rest", Character: d.other, Key: "k"}); err != nil {
		t.Errorf("another seat has keys of its own: %v", err)
	}

	invited, err := table.Do(t.Context(), d.gm, act.AddSeat, act.SeatRequest{Name: "Vera", Role: string(game.Player)},
		"v")
	if err != nil {
		t.Fatal(err)
	}
	d.reopen()
	repeated, err := table.Do(t.Context(), d.gm, act.AddSeat, act.SeatRequest{Name: "Vera", Role: string(game.Player)},
		"v")
	if err != nil {
		t.Fatal(err)
	}
	same(t, "the invitation", invited, repeated)
	if _, err := d.host.Enter(t.Context(), d.id, repeated.Secret, "en"); err != nil {
		t.Error(err)
	}
	same(t, "after a restart", text(t, first.Entry), text(t, d.make(d.anna, request.Move{
		Move: "rest", Character: d.hero, Args: raw(`{"n":2}`), Key: "k",
	}).Entry))
}

func TestARepeatedAnswerCountsOnce(t *testing.T) {
	d := newDesk(t)
	d.hit()
	q := d.view(d.gm).Questions[0].ID
	reply := request.Answer{Question: q, Answer: raw(`{"n":1}`), Key: "a"}
	first, err := d.gm.Answer(t.Context(), reply)
	if err != nil {
		t.Fatal(err)
	}
	again, err := d.gm.Answer(t.Context(), reply)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "the same key", text(t, first), text(t, again))
	_, err = d.gm.Answer(t.Context(), request.Answer{Question: q, Answer: raw(`{"n":1}`), Key: "b"})
	var answered *refusal.AnsweredError
	if !errors.As(err, &answered) || answered.By != d.gm.ID() || answered.Name != "GM" || answered.Question != q {
		t.Errorf("another key: %v", err)
	}
	for id := range map[string]bool{
		"": true, "m": true, "m1:0": true, "m99:0": true, first.Entry.Move + ":7": true,
		first.Entry.Move: true,
	} {
		if _, err := d.gm.Answer(t.Context(),
			request.Answer{Question: id, Answer: raw(`{}`)}); code(err) != refusal.CodeInvalid {
			t.Errorf("question %q: %v", id, err)
		}
	}
}

func TestCharacterInAnOpenMoveCannotActOrChange(t *testing.T) {
	d := newDesk(t)
	made := d.hit()
	for name, err := range map[string]error{
		"the actor moves": second(d.anna.Make(t.Context(), request.Move{Move: "rest", Character: d.hero})),
		"the target is in another's cast": second(d.boris.Make(t.Context(), request.Move{
			Move: "swap", Character: d.other,
		})),
		"its sheet is changed": second(table.Do(t.Context(), d.gm, act.ChangeCharacter,
			act.ChangeRequest{ID: d.hero, Sheet: raw(`{"luck":1}`)}, "")),
		"the target is removed": second(table.Do(t.Context(), d.gm, act.RemoveCharacter,
			act.CharacterNamed{Character: d.other}, "")),
	} {
		var busy *refusal.BusyError
		if !errors.As(err, &busy) || busy.Move != made.Entry.Move || busy.Name != "strike" {
			t.Errorf("%s: %v", name, err)
		}
	}
	waits := func(who string, s *table.Seat, character string, want ...string) {
		t.Helper()
		var busy *refusal.BusyError
		if _, err := s.Make(t.Context(), request.Move{Move: "rest", Character: character}); !errors.As(err, &busy) ||
			!slices.Equal(busy.Waits, want) {
			t.Errorf("%s: %v waits for %v, want %v", who, err, busy.Waits, want)
		}
	}
	waits("Anna, of the GM", d.anna, d.hero, game.GM)
	waits("the GM, of nobody else", d.gm, d.hero)
	d.answer(d.gm, d.view(d.gm).Questions[0].ID, `{"n":2}`)
	waits("the GM, of both players", d.gm, d.hero, d.hero, d.other)
	waits("Boris, of himself first", d.boris, d.other)
	name := "Lira the Bold"
	if _, err := table.Do(t.Context(), d.anna, act.ChangeCharacter, act.ChangeRequest{ID: d.hero, Name: &name},
		""); err != nil {
		t.Errorf("a name isn't part of the sheet: %v", err)
	}
	d.make(d.gm, request.Move{
		Move: "strike", Character: d.shade,
		Args: raw(`{"target":"` + d.add(d.gm, act.CharacterRequest{Name: "Third", Kind: "hero"}) + `"}`),
		Dice: []int{1, 1},
	})
}

func second[T any](_ T, err error) error { return err }

func TestOpenMoveUsesTheSettingsOfItsStart(t *testing.T) {
	d := newDesk(t)
	limit := func(n string) {
		if _, err := table.Do(t.Context(), d.gm, act.Configure,
			act.ConfigureRequest{Settings: raw(`{"limit":` + n + `}`)}, ""); err != nil {
			t.Fatal(err)
		}
	}
	limit("3")
	d.hit()
	limit("1")
	q := d.view(d.gm).Questions[0].ID
	if _, err := d.gm.Answer(t.Context(),
		request.Answer{Question: q, Answer: raw(`{"n":4}`)}); code(err) != refusal.CodeRefused {
		t.Errorf("4 of 3: %v", err)
	}
	d.reopen()
	d.answer(d.gm, q, `{"n":3}`) // the limit was 3 when the move was opened
	d.reopen()
	if got := d.view(d.gm).Settings.(House).Limit; got != 1 {
		t.Errorf("limit %d", got)
	}
}

// An outcome that was known with the dice isn't repeated when the move ends.
func TestKnownOutcomeIsNotRepeatedAtTheEnd(t *testing.T) {
	d := newDesk(t)
	first := d.hit().Entry.Outcome
	var last view.Made
	for _, answer := range []string{`{"n":0}`, `{}`, `{"faces":[1]}`, `{}`, `{"faces":[1]}`} {
		last = d.answer(d.gm, d.view(d.gm).Questions[0].ID, answer)
	}
	if !last.Entry.Done || *first.N != 1 || last.Entry.Outcome != nil {
		t.Errorf("it came out as %+v, and at the end as %+v", first, last.Entry.Outcome)
	}
}

func TestInvalidTypedFacesAreRefused(t *testing.T) {
	d := newDesk(t)
	target := `{"target":"` + d.other + `"}`
	for name, c := range map[string]struct {
		dice    []int
		problem form.Problem
	}{
		"too few":    {[]int{6}, form.Problem{Path: "dice", Code: form.TooFew, Min: 2, Given: "1", Sides: 6}},
		"too many":   {[]int{1, 1, 1}, form.Problem{Path: "dice", Code: form.TooMany, Max: 2, Given: "3", Sides: 6}},
		"impossible": {[]int{6, 7}, form.Problem{Path: "dice.1", Code: form.Range, Min: 1, Max: 6, Given: "7"}},
		"no face":    {[]int{0, 1}, form.Problem{Path: "dice.0", Code: form.Range, Min: 1, Max: 6, Given: "0"}},
		"for another": {
			[]int{6, 6, 5},
			form.Problem{Path: "dice", Code: form.TooMany, Max: 2, Given: "3", Later: true, Sides: 6},
		},
	} {
		_, err := d.anna.Make(t.Context(),
			request.Move{Move: "strike", Character: d.hero, Args: raw(target), Dice: c.dice})
		var invalid *refusal.InvalidError
		if !errors.As(err, &invalid) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		same(t, name, form.Problems{c.problem}, invalid.Problems)
	}

	made := d.make(d.anna, request.Move{Move: "strike", Character: d.hero, Args: raw(target), ByHand: true})
	if len(made.Open) != 1 || made.Open[0].Question != rule.DiceQuestion || made.Open[0].To != d.hero ||
		!made.Open[0].Mine {
		t.Fatalf("the dice are asked for: %+v", made)
	}
	same(t, "its text", "Roll 2d6. Let norn do it, or type the 2 numbers you rolled", made.Open[0].Text)
	q := made.Open[0].ID
	for answer, want := range map[string]form.Problem{
		`{"faces":[1]}`:     {Path: "answer.faces", Code: form.TooFew, Min: 2, Given: "1", Sides: 6},
		`{"faces":[1,2,3]}`: {Path: "answer.faces", Code: form.TooMany, Max: 2, Given: "3", Sides: 6},
		`{"faces":[1,9]}`:   {Path: "answer.faces.1", Code: form.Range, Min: 1, Max: 6, Given: "9"},
		`{}`:                {Path: "answer.faces", Code: form.Missing},
	} {
		_, err := d.anna.Answer(t.Context(), request.Answer{Question: q, Answer: raw(answer)})
		var invalid *refusal.InvalidError
		if !errors.As(err, &invalid) {
			t.Errorf("%s: %v", answer, err)
			continue
		}
		same(t, answer, form.Problems{want}, invalid.Problems)
	}
	if _, err := d.boris.Answer(t.Context(),
		request.Answer{Question: q, Answer: raw(`{"faces":[1,1]}`)}); code(err) != refusal.CodeForbidden {
		t.Errorf("dice are asked of who throws: %v", err)
	}
	got, err := d.anna.Answer(t.Context(), request.Answer{Question: q, Values: url.Values{"faces": {"1, 2"}}})
	if err != nil || got.Entry.Outcome == nil || got.Entry.Outcome.ID != "miss" || !got.Entry.Done ||
		!got.Entry.Throws[0].Hand {
		t.Errorf("a plain form: %+v, %v", got, err)
	}
}

// A player whose character must roll in another's move with typed dice may let norn roll; those
// dice are derived and verified like any.
func TestPlayerMayLetNornRollInAMoveWithTypedDice(t *testing.T) {
	d := newDesk(t)
	made := d.make(d.anna, request.Move{
		Move: "duel", Character: d.hero, Args: raw(`{"target":"` + d.other + `"}`),
		ByHand: true,
	})
	theirs := d.view(d.boris).Questions[0]
	if theirs.ByHand || !made.Open[0].ByHand {
		t.Error("only anna chose dice by hand")
	}
	_, err := d.boris.Answer(t.Context(),
		request.Answer{Question: theirs.ID, Answer: raw(`{"faces":[1,1],"roll":true}`)})
	var invalid *refusal.InvalidError
	if !errors.As(err, &invalid) || invalid.Problems[0].Code != form.Unneeded ||
		invalid.Problems[0].Path != "answer.faces" {
		t.Errorf("faces are typed and norn is to throw: %v", err)
	}
	rolled := d.answer(d.boris, theirs.ID, `{"roll":true}`)
	if throw := rolled.Entry.Throws[0]; throw.Hand || throw.Place == "" || rolled.Entry.Check == nil {
		t.Fatalf("norn's dice: %+v", rolled.Entry)
	}
	pressed := d.answer(d.boris, rolled.Open[0].ID, `{"press":true}`)
	if again := pressed.Open[0]; again.Question != rule.DiceQuestion {
		t.Fatalf("boris chooses anew at each throw: %+v", again)
	}
	typed := pressed.Open[0].Dice.N
	d.answer(d.boris, pressed.Open[0].ID, plain(t, rule.Faces{Faces: slices.Repeat(form.Faces{5}, typed)}))
	d.answer(d.anna, made.Open[0].ID, `{"faces":[4,5]}`)
	for _, q := range d.view(d.gm).Questions {
		d.answer(d.gm, q.ID, `{"n":1}`)
	}
	before := text(t, d.log(d.gm))
	d.reopen()
	same(t, "the log after a restart", before, text(t, d.log(d.gm)))
	d.endSession()

	found, err := verify.File(toys, words, bytes.NewReader(d.export()))
	if err != nil || found.Dice != 2 || found.Hand != 2+typed {
		t.Errorf("found %+v, %v", found, err)
	}
	seq, faces := rolled.Entry.Seq, rolled.Entry.Throws[0].Faces
	was := fmt.Sprintf(`"faces":[%d,%d]`, faces[0], faces[1])
	for name, c := range map[string]struct{ old, new, code string }{
		"another face":          {was, fmt.Sprintf(`"faces":[%d,%d]`, faces[0]%6+1, faces[1]), refusal.MisfitFace},
		"called thrown by hand": {was, was + `,"hand":true`, refusal.MisfitUnreadable}, // by its version it isn't
		"of an older body":      {`"v":8`, `"v":1`, refusal.MisfitUnreadable},
		"a question's other place": {
			`"answers":"` + placeOf(theirs.ID) + `"`,
			`"answers":"` + placeOf(made.Open[0].ID) + `"`, "",
		},
	} {
		entries := d.stored()
		body := string(entries[seq-1].Body)
		entries[seq-1].Body = raw(strings.Replace(body, c.old, c.new, 1))
		_, err := verify.File(toys, words, bytes.NewReader(d.file(entries)))
		var misfit *refusal.MisfitError
		if !errors.As(err, &misfit) || misfit.Seq != seq || c.code != "" && misfit.Code != c.code {
			t.Errorf("%s: %v in %s", name, err, body)
		}
	}
}

// A roll by norn stays: sending the answer again returns the same roll, and nobody can choose anew.
func TestRepeatedRollAnswerReturnsTheSameRoll(t *testing.T) {
	d := newDesk(t)
	d.make(d.anna, request.Move{
		Move: "duel", Character: d.hero, Args: raw(`{"target":"` + d.other + `"}`),
		ByHand: true,
	})
	roll := request.Answer{Question: d.view(d.boris).Questions[0].ID, Answer: raw(`{"roll":true}`), Key: "r"}
	if _, err := d.anna.Answer(t.Context(), roll); code(err) != refusal.CodeForbidden {
		t.Errorf("anna has norn throw for boris: %v", err)
	}
	first, err := d.boris.Answer(t.Context(), roll)
	if err != nil {
		t.Fatal(err)
	}
	again, err := d.boris.Answer(t.Context(), roll)
	if err != nil || again.Entry.Seq != first.Entry.Seq {
		t.Errorf("a retry writes %+v, %v", again.Entry, err)
	}
	for answer, want := range map[string]string{"r": refusal.CodeKeyReused, "s": refusal.CodeAnswered} {
		typed := request.Answer{Question: roll.Question, Answer: raw(`{"faces":[6,6]}`), Key: answer}
		if _, err := d.boris.Answer(t.Context(), typed); code(err) != want {
			t.Errorf("faces are typed over norn's with the key %s: %v", answer, err)
		}
	}
	roll.Key = "t"
	if _, err := d.boris.Answer(t.Context(), roll); code(err) != refusal.CodeAnswered {
		t.Errorf("norn throws again: %v", err)
	}
}

func placeOf(question string) string {
	_, place, _ := strings.Cut(question, ":")
	return place
}

// Each side's player types in that side's dice, by the name of the throw.
func TestEachSideTypesItsOwnDice(t *testing.T) {
	d := newDesk(t)
	made := d.make(d.anna, request.Move{
		Move: "duel", Character: d.hero, Args: raw(`{"target":"` + d.other + `"}`),
		ByHand: true,
	})
	if len(made.Open) != 1 || len(made.Waiting) != 1 || made.Open[0].To != d.hero {
		t.Fatalf("anna is asked for her own dice: %+v", made)
	}
	theirs := d.view(d.boris).Questions
	if len(theirs) != 1 || theirs[0].To != d.other || !theirs[0].Mine || theirs[0].Question != rule.DiceQuestion {
		t.Fatalf("boris is asked for his: %+v", theirs)
	}
	if _, err := d.anna.Answer(t.Context(),
		request.Answer{Question: theirs[0].ID, Answer: raw(`{"faces":[1,1]}`)}); code(err) != refusal.CodeForbidden {
		t.Errorf("anna throws for boris: %v", err)
	}
	pressed := d.answer(d.boris, d.answer(d.boris, theirs[0].ID, `{"faces":[6,1]}`).Open[0].ID, `{"press":true}`)
	d.answer(d.boris, pressed.Open[0].ID, `{"faces":[5]}`)
	d.answer(d.anna, made.Open[0].ID, `{"faces":[4,5]}`)
	d.answer(d.gm, d.view(d.gm).Questions[0].ID, `{"n":1}`)
	for range 6 { // so that the records are folded
		d.make(d.anna, request.Move{Move: "rest", Character: d.hero})
	}
	for range 2 { // the rule recorded it before any dice
		whose := []string{}
		for _, e := range d.log(d.guest) {
			for _, thrown := range e.Throws {
				whose = append(whose, thrown.Whose)
			}
		}
		same(t, "whose dice, where they aren't Lira's", []string{"Orm", "Orm", ""}, whose)
		var story strings.Builder
		if err := d.gm.Story(t.Context(), &story, request.Telling{}); err != nil {
			t.Fatal(err)
		}
		if want := "**Lira** — ⟨toy.move.duel⟩ (target: Orm): **⟨toy.outcome.lose⟩**.\n"; !strings.Contains(story.String(), want) {
			t.Errorf("the story lacks %q:\n%s", want, &story)
		}
		d.reopen()
	}
	if left := d.view(d.boris).Questions; len(left) != 0 {
		t.Errorf("boris is still asked: %+v", left)
	}
}

// Faces typed in for dice that come after a question aren't dropped: the error says how many are
// wanted now.
func TestFacesTypedTooEarlyAreRefusedNotDropped(t *testing.T) {
	d := newDesk(t)
	_, err := d.anna.Make(t.Context(), request.Move{
		Move: "strike", Character: d.hero, Args: raw(`{"target":"` + d.other + `","bonus":1}`), Dice: []int{6, 4, 1, 5},
	})
	invalid, ok := errors.AsType[*refusal.InvalidError](err)
	if !ok || len(invalid.Problems) != 1 {
		t.Fatal(err)
	}
	if p := invalid.Problems[0]; p.Path != "dice" || p.Code != form.TooMany || p.Max != 3 || !p.Later {
		t.Errorf("%+v", p)
	}
	_, err = d.anna.Make(t.Context(), request.Move{
		Move: "strike", Character: d.hero, Args: raw(`{"target":"` + d.other + `","bonus":0}`), Dice: []int{1, 1, 5},
	})
	if invalid, ok := errors.AsType[*refusal.InvalidError](err); !ok || invalid.Problems[0].Later {
		t.Errorf("nothing comes later: %v", err)
	}
}

func TestPlainFormsMakeMovesAndAnswers(t *testing.T) {
	d := newDesk(t)
	made := d.make(d.anna, request.Move{
		Move: "strike", Character: d.hero, Values: url.Values{"target": {d.other}, "bonus": {"0"}, "name": {""}},
		Dice: []int{6, 1},
	})
	q := d.view(d.gm).Questions[0].ID
	if _, err := d.gm.Answer(t.Context(),
		request.Answer{Question: q, Values: url.Values{"n": {"12"}}}); code(err) != refusal.CodeInvalid {
		t.Error(err)
	}
	if _, err := d.gm.Answer(t.Context(),
		request.Answer{Question: q, Values: url.Values{"n": {"9"}}}); code(err) != refusal.CodeRefused {
		t.Error("the question's own check")
	}
	answered, err := d.gm.Answer(t.Context(),
		request.Answer{Question: q, Values: url.Values{"n": {"3"}, "note": {"x"}}})
	if err != nil || answered.Entry.Move != made.Entry.Move {
		t.Fatal(err)
	}

	id := d.add(d.boris, act.CharacterRequest{Name: "Ulf", Kind: "hero"})
	f, err := d.boris.SheetForm(t.Context(), id)
	if code(err) != "" {
		t.Fatal(err)
	}
	var fields []string
	for _, field := range f.Form.Fields {
		fields = append(fields, field.Name)
	}
	same(t, "what Boris may change", []string{"luck", "bag", "home"}, fields)
	if f.Values.Get("luck") != "3" {
		t.Errorf("Boris is shown %v", f.Values)
	}
	if _, err := table.Do(t.Context(), d.boris, act.ChangeCharacter, act.ChangeRequest{ID: id, Values: url.Values{
		"luck": {"4"}, "bag.0.name": {"Rope"}, "home.town": {"Rut"},
	}}, ""); err != nil {
		t.Fatal(err)
	}
	same(t, "Ulf", Hero{Luck: 4, Bag: []Thing{{Name: "Rope"}}, Home: Home{Town: "Rut"}}, sheet[Hero](d, id))
	if again, err := d.boris.SheetForm(t.Context(), id); err != nil || again.Values.Get("bag.0.name") != "Rope" {
		t.Errorf("what is full may be changed too: %v, %v", again.Values, err)
	}
	whole, err := d.gm.SheetForm(t.Context(), d.shade)
	if err != nil || len(whole.Form.Fields) != 3 {
		t.Fatalf("the GM may change all: %v", err)
	}
	if _, err := table.Do(t.Context(), d.gm, act.ChangeCharacter,
		act.ChangeRequest{ID: d.shade, Values: url.Values{"hurt": {"4"}, "note": {"SECRET"}}}, ""); err != nil {
		t.Fatal(err)
	}
	if got := sheet[Shade](d, d.shade); got != (Shade{Hurt: 4, Note: "SECRET"}) {
		t.Errorf("shade: %+v", got)
	}
	gerd := d.add(d.boris, act.CharacterRequest{Name: "Gerd", Kind: "hero", Values: url.Values{"luck": {"7"}}})
	if got := sheet[Hero](d, gerd); got.Luck != 7 {
		t.Errorf("Gerd: %+v", got)
	}
}

func TestMoveFormOffersOnlyCharactersTheSeatSees(t *testing.T) {
	d := newDesk(t)
	options := func(s *table.Seat, who string) []string {
		f, err := s.MoveForm(t.Context(), "strike", who)
		if err != nil {
			t.Fatal(err)
		}
		field, _ := f.Field("target")
		var texts []string
		for _, o := range field.Options {
			texts = append(texts, o.Value+" "+o.Text)
		}
		return texts
	}
	same(t, "the GM", []string{"c1 Lira", "c2 Orm", "c3 SECRET shade"}, options(d.gm, d.hero))
	same(t, "Anna", []string{"c1 Lira", "c2 Orm"}, options(d.anna, d.hero))
	_, err := d.anna.Make(t.Context(), request.Move{Move: "strike", Character: d.hero, Args: raw(`{"target":"c3"}`)})
	if code(err) != refusal.CodeInvalid || strings.Contains(err.Error(), "shade") {
		t.Errorf("Anna strikes at what she can't know: %v", err)
	}
}

func TestOddsAreComputedForTheRequestedMove(t *testing.T) {
	d := newDesk(t)
	r := request.Move{Move: "strike", Character: d.hero, Args: raw(`{"target":"` + d.other + `","bonus":0}`)}
	priced, err := d.anna.Odds(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for _, row := range priced.Rows {
		rows = append(rows, fmt.Sprintf("%s %d %t %s", row.Outcome, row.N, row.Counts, row.P))
	}
	same(t, "the odds", []string{"hit 1 true 1/2", "hit 2 true 1/4", "miss 0 false 1/4"}, rows)
	d.hit()
	if _, err := d.anna.Odds(t.Context(), r); err != nil {
		t.Errorf("odds of somebody busy: %v", err)
	}
	if _, err := d.anna.Odds(t.Context(),
		request.Move{Move: "rest", Character: d.hero}); code(err) != refusal.CodeRefused {
		t.Errorf("a move without chance: %v", err)
	}
}

func TestRefusedMovesNameTheWrongField(t *testing.T) {
	d := newDesk(t)
	_, err := d.anna.Make(t.Context(), request.Move{Move: "strike", Character: d.hero, Args: raw(`{"target":"c1"}`)})
	var refused *refusal.RefusedError
	if !errors.As(err, &refused) || refused.Refusal.Rule != "TY-01" {
		t.Errorf("the game's refusal: %v", err)
	}
	for name, c := range map[string]struct {
		r    request.Move
		path string
	}{
		"no such move":      {request.Move{Move: "fly", Character: d.hero}, "move"},
		"no character":      {request.Move{Move: "rest"}, "character"},
		"no such character": {request.Move{Move: "rest", Character: "c99"}, "character"},
		"of the wrong kind": {request.Move{Move: "rest", Character: d.shade}, "character"},
		"nobody is to act":  {request.Move{Move: "omen", Character: d.hero}, "character"},
		"unknown argument":  {request.Move{Move: "rest", Character: d.hero, Args: raw(`{"m":1}`)}, "args.m"},
		"out of range":      {request.Move{Move: "rest", Character: d.hero, Args: raw(`{"n":4}`)}, "args.n"},
		"not JSON":          {request.Move{Move: "rest", Character: d.hero, Args: raw(`{`)}, "args"},
		"no such target": {
			request.Move{Move: "strike", Character: d.hero, Args: raw(`{"target":"c9"}`)},
			"args.target",
		},
		"no target": {request.Move{Move: "strike", Character: d.hero}, "args.target"},
		"long key":  {request.Move{Move: "rest", Character: d.hero, Key: strings.Repeat("k", 201)}, "key"},
		"long nonce": {
			request.Move{Move: "rest", Character: d.hero, Nonce: strings.Repeat("k", 201)},
			"nonce",
		},
		"a nonce not in UTF-8": {request.Move{Move: "rest", Character: d.hero, Nonce: "\xff"}, "nonce"},
	} {
		before := len(d.log(d.gm))
		_, err := d.gm.Make(t.Context(), c.r)
		var invalid *refusal.InvalidError
		if !errors.As(err, &invalid) || invalid.Problems[0].Path != c.path {
			t.Errorf("%s: %v", name, err)
		}
		if len(d.log(d.gm)) != before {
			t.Errorf("%s: something was written", name)
		}
	}
}

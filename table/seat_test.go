package table_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"norn/game"
	"norn/internal/relay"
	"norn/internal/relay/local"
	"norn/journal"
	"norn/lang"
	"norn/table"
	"norn/table/act"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/view"
)

func TestCreateRefusesBadTables(t *testing.T) {
	host := newHost(open(t), local.New())
	for name, c := range map[string]struct {
		n    request.NewTable
		path string
	}{
		"no such game":        {request.NewTable{Game: "chess", Name: "x", Lang: lang.En}, "game"},
		"no name":             {request.NewTable{Game: "toy", Lang: lang.En}, "name"},
		"blank name":          {request.NewTable{Game: "toy", Name: "  ", Lang: lang.En}, "name"},
		"long name":           {request.NewTable{Game: "toy", Name: strings.Repeat("й", 201), Lang: lang.En}, "name"},
		"a control character": {request.NewTable{Game: "toy", Name: "a\x07b", Lang: lang.En}, "name"},
		"not UTF-8":           {request.NewTable{Game: "toy", Name: "\xff", Lang: lang.En}, "name"},
		"no such language":    {request.NewTable{Game: "toy", Name: "x", Lang: "de"}, "lang"},
	} {
		_, err := host.Create(t.Context(), c.n)
		var invalid *refusal.InvalidError
		if !errors.As(err, &invalid) || invalid.Problems[0].Path != c.path {
			t.Errorf("%s: %v", name, err)
		}
	}
	made, err := host.Create(t.Context(), request.NewTable{Game: "toy", Name: strings.Repeat("й", 200), Lang: lang.Uk})
	if err != nil || made.Seat.Name != "Ведучий" || made.Seat.Role != game.Master || len(made.ID) != 16 ||
		len(made.Seat.Secret) != 43 {
		t.Errorf("created: %+v, %v", made, err)
	}
}

// A missing table, a wrong secret and a revoked seat look the same.
func TestLinksThatOpenNothingAllLookTheSame(t *testing.T) {
	d := newDesk(t)
	enter := func(id, secret string) error {
		_, err := d.host.Enter(t.Context(), id, secret, lang.En)
		return err
	}
	wrong := enter(d.id, "nonsense")
	missing := enter("aaaaaaaaaaaaaaaa", d.secrets["s1"])
	odd := enter("../../etc/passwd", d.secrets["s1"])
	empty := enter(d.id, "")
	if _, err := table.Do(t.Context(), d.gm, act.RevokeSeat, act.SeatNamed{Seat: d.anna.ID()}, ""); err != nil {
		t.Fatal(err)
	}
	revoked := enter(d.id, d.secrets[d.anna.ID()])
	_, held := d.anna.View(t.Context())
	if _, err := table.Do(t.Context(), d.gm, act.RenewSeat, act.SeatNamed{Seat: d.boris.ID()}, ""); err != nil {
		t.Fatal(err)
	}
	renewed := enter(d.id, d.secrets[d.boris.ID()])
	_, made := d.boris.Make(t.Context(), request.Move{Move: "rest", Character: d.other})
	for name, err := range map[string]error{
		"missing": missing, "odd": odd, "empty": empty, "revoked": revoked, "held": held, "renewed": renewed,
		"made": made,
	} {
		if code(err) != refusal.CodeNotFound || err.Error() != wrong.Error() ||
			refusal.Say(table.VoiceOf(words.In(lang.Ru)), err) != refusal.Say(table.VoiceOf(words.In(lang.Ru)), wrong) {
			t.Errorf("%s: %v, a wrong secret is %v", name, err, wrong)
		}
	}
}

func TestSeatsAreAddedRenamedRenewedAndRevoked(t *testing.T) {
	d := newDesk(t)
	ctx := t.Context()
	if _, err := table.Do(ctx, d.gm, act.RevokeSeat, act.SeatNamed{Seat: d.gm.ID()},
		""); code(err) != refusal.CodeRefused {
		t.Errorf("the last GM: %v", err)
	}
	second, err := table.Do(ctx, d.gm, act.AddSeat, act.SeatRequest{Name: "Second", Role: string(game.Master)}, "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := table.Do(ctx, d.gm, act.RenameSeat, act.RenameRequest{Seat: second.ID, Name: "Twice"},
		""); err != nil {
		t.Fatal(err)
	}
	renewed, err := table.Do(ctx, d.gm, act.RenewSeat, act.SeatNamed{Seat: d.gm.ID()}, "r")
	if err != nil || renewed.Secret == "" || renewed.Role != game.Master {
		t.Fatalf("renewed: %+v, %v", renewed, err)
	}
	gm := d.enter(renewed.Secret)
	entry, err := table.Do(ctx, gm, act.RevokeSeat, act.SeatNamed{Seat: gm.ID()}, "")
	if err != nil || entry.Kind != view.KindSeat || entry.Seq == 0 {
		t.Fatalf("one of two may go: %+v, %v", entry, err)
	}
	d.gm = d.enter(second.Secret)
	names := []string{}
	for _, s := range d.view(d.gm).Seats {
		names = append(names, s.ID+" "+s.Name)
	}
	same(t, "seats", []string{"s2 Anna", "s3 Boris", "s4 Guest", "s5 Twice"}, names)
	if _, err := table.Do(ctx, d.gm, act.RevokeSeat, act.SeatNamed{Seat: d.anna.ID()}, ""); err != nil {
		t.Fatal(err)
	}
	if c := d.view(d.gm).Characters[0]; c.Owner != "" {
		t.Errorf("nobody plays %+v", c)
	}
	if _, err := table.Do(ctx, d.gm, act.RevokeSeat, act.SeatNamed{Seat: d.anna.ID()},
		""); code(err) != refusal.CodeInvalid {
		t.Errorf("twice: %v", err)
	}
	for i := len(d.view(d.gm).Seats); i < request.MaxSeats; i++ {
		if _, err := table.Do(ctx, d.gm, act.AddSeat, act.SeatRequest{Name: "x", Role: string(game.Spectator)},
			""); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := table.Do(ctx, d.gm, act.AddSeat, act.SeatRequest{Name: "x", Role: string(game.Spectator)},
		""); code(err) != refusal.CodeTooMany {
		t.Errorf("one too many: %v", err)
	}
	for name, r := range map[string]act.SeatRequest{
		"no name": {Role: "player"}, "no role": {Name: "x"}, "no such role": {Name: "x", Role: "king"},
	} {
		if _, err := table.Do(ctx, d.gm, act.AddSeat, r, ""); code(err) != refusal.CodeInvalid {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// deed is an act at a desk, with the seats that may do it.
type deed struct {
	name string
	do   func(ctx context.Context, d *desk, s *table.Seat) error
	may  string // g, a (Anna, a player with Lira), b (Boris), s (spectator)
}

func deeds() []deed {
	name, owner := "New", "s2"
	return []deed{
		{"view", func(ctx context.Context, d *desk, s *table.Seat) error { return second(s.View(ctx)) }, "gabs"},
		{"log", func(ctx context.Context, d *desk, s *table.Seat) error { return second(s.Log(ctx, 0, 0)) }, "gabs"},
		{"last", func(ctx context.Context, d *desk, s *table.Seat) error { return second(s.Last(ctx, 5)) }, "gabs"},
		{"add a seat", func(ctx context.Context, d *desk, s *table.Seat) error {
			return second(table.Do(ctx, s, act.AddSeat, act.SeatRequest{Name: "x", Role: string(game.Player)}, ""))
		}, "g"},
		{"rename a seat", func(ctx context.Context, d *desk, s *table.Seat) error {
			return second(table.Do(ctx, s, act.RenameSeat, act.RenameRequest{Seat: "s4", Name: "x"}, ""))
		}, "gs"}, // everybody may rename their own
		{"rename Anna's seat", func(ctx context.Context, d *desk, s *table.Seat) error {
			return second(table.Do(ctx, s, act.RenameSeat, act.RenameRequest{Seat: "s2", Name: "x"}, ""))
		}, "ga"},
		{"renew a seat", func(ctx context.Context, d *desk, s *table.Seat) error {
			return second(table.Do(ctx, s, act.RenewSeat, act.SeatNamed{Seat: "s4"}, ""))
		}, "g"},
		{"revoke a seat", func(ctx context.Context, d *desk, s *table.Seat) error {
			return second(table.Do(ctx, s, act.RevokeSeat, act.SeatNamed{Seat: "s4"}, ""))
		}, "g"},
		{"configure", func(ctx context.Context, d *desk, s *table.Seat) error {
			return second(table.Do(ctx, s, act.Configure, act.ConfigureRequest{Settings: raw(`{"deadly":true}`)}, ""))
		}, "g"},
		{"add one's own hero", func(ctx context.Context, d *desk, s *table.Seat) error {
			return second(table.Do(ctx, s, act.AddCharacter, act.CharacterRequest{Name: "x", Kind: "hero"}, ""))
		}, "gab"},
		{"add a hero for Anna", func(ctx context.Context, d *desk, s *table.Seat) error {
			return second(table.Do(ctx, s, act.AddCharacter, act.CharacterRequest{Name: "x", Kind: "hero", Owner: "s2"},
				""))
		}, "ga"},
		{"add a shade", func(ctx context.Context, d *desk, s *table.Seat) error {
			return second(table.Do(ctx, s, act.AddCharacter, act.CharacterRequest{Name: "x", Kind: "shade"}, ""))
		}, "g"},
		{"change Lira", func(ctx context.Context, d *desk, s *table.Seat) error {
			return second(table.Do(ctx, s, act.ChangeCharacter,
				act.ChangeRequest{ID: d.hero, Name: &name, Sheet: raw(`{"luck":1}`)}, ""))
		}, "ga"},
		{"give Lira away", func(ctx context.Context, d *desk, s *table.Seat) error {
			return second(table.Do(ctx, s, act.ChangeCharacter, act.ChangeRequest{ID: d.hero, Owner: &owner}, ""))
		}, "g"},
		{"remove Lira", func(ctx context.Context, d *desk, s *table.Seat) error {
			return second(table.Do(ctx, s, act.RemoveCharacter, act.CharacterNamed{Character: d.hero}, ""))
		}, "g"},
		{"see Lira's form", func(ctx context.Context, d *desk, s *table.Seat) error {
			return second(s.SheetForm(ctx, d.hero))
		}, "ga"},
		{"move with Lira", func(ctx context.Context, d *desk, s *table.Seat) error {
			return second(s.Make(ctx, request.Move{Move: "rest", Character: d.hero}))
		}, "ga"},
		{"move in secret", func(ctx context.Context, d *desk, s *table.Seat) error {
			return second(s.Make(ctx, request.Move{Move: "rest", Character: d.hero, Secret: true}))
		}, "g"},
		{"see an omen", func(ctx context.Context, d *desk, s *table.Seat) error {
			return second(s.Make(ctx, request.Move{Move: "omen"}))
		}, "g"},
		{"ask Lira's odds", func(ctx context.Context, d *desk, s *table.Seat) error {
			return second(s.Odds(ctx, request.Move{Move: "strike", Character: d.hero, Args: raw(`{"target":"c2"}`)}))
		}, "ga"},
		{"see Lira's moves", func(ctx context.Context, d *desk, s *table.Seat) error {
			return second(s.MoveForm(ctx, "strike", d.hero))
		}, "ga"},
		{"answer the GM's question", func(ctx context.Context, d *desk, s *table.Seat) error {
			d.hit()
			return second(s.Answer(ctx, request.Answer{Question: d.view(d.gm).Questions[0].ID, Answer: raw(`{}`)}))
		}, "g"},
		{"answer Lira's question", func(ctx context.Context, d *desk, s *table.Seat) error {
			made := d.make(d.gm, request.Move{Move: "haunt", Args: raw(`{"who":["c1"]}`)})
			return second(s.Answer(ctx, request.Answer{Question: made.Open[0].ID, Answer: raw(`{}`)}))
		}, "ga"},
		{"answer Lira's secret question", func(ctx context.Context, d *desk, s *table.Seat) error {
			made := d.make(d.gm, request.Move{Move: "haunt", Args: raw(`{"who":["c1"]}`), Secret: true})
			err := second(s.Answer(ctx, request.Answer{Question: made.Open[0].ID, Answer: raw(`{}`)}))
			if code(err) == refusal.CodeInvalid { // the seat doesn't see the question, so it can't be forbidden
				return &refusal.ForbiddenError{}
			}
			return err
		}, "g"},
	}
}

func TestEachSeatMayDoOnlyWhatItsRoleAllows(t *testing.T) {
	d := newDesk(t)
	for _, o := range deeds() {
		t.Run(o.name, func(t *testing.T) {
			for _, who := range "gabs" {
				d.t = t
				fresh := d.copy()
				err := o.do(t.Context(), fresh,
					map[rune]*table.Seat{'g': fresh.gm, 'a': fresh.anna, 'b': fresh.boris, 's': fresh.guest}[who])
				want := refusal.CodeForbidden
				if strings.ContainsRune(o.may, who) {
					want = ""
				}
				if code(err) != want {
					t.Errorf("%c: got %v, want %q", who, err, want)
				}
			}
		})
	}
}

// copy returns another table like this one, over a journal in memory.
func (d *desk) copy() *desk {
	d.t.Helper()
	return newDeskOver(d.t, newMemory())
}

func TestLockedFieldsOfASheetStayAndAreNotShown(t *testing.T) {
	d := newDesk(t)
	for patch, want := range map[string]string{
		`{"luck":2}`:                    "",
		`{"hurt":0}`:                    refusal.CodeRefused, // the game locks it
		`{"doom":""}`:                   refusal.CodeRefused, // Anna can't see it
		`{"luck":1,"doom":""}`:          refusal.CodeRefused,
		`{"luck":10}`:                   refusal.CodeInvalid,
		`{"charm":1}`:                   refusal.CodeInvalid,
		`[1]`:                           refusal.CodeInvalid,
		`{"luck":`:                      refusal.CodeInvalid,
		"{\"luck\":\"\xff\"}":           refusal.CodeInvalid,
		`{"luck":12345678901234567890}`: refusal.CodeInvalid,
	} {
		_, err := table.Do(t.Context(), d.anna, act.ChangeCharacter, act.ChangeRequest{ID: d.hero, Sheet: raw(patch)},
			"")
		if code(err) != want {
			t.Errorf("%s: %v", patch, err)
		}
	}
	same(t, "Lira", Hero{Luck: 2, Doom: "SECRET doom"}, sheet[Hero](d, d.hero))
	if _, err := table.Do(t.Context(), d.anna, act.ChangeCharacter, act.ChangeRequest{ID: d.hero},
		""); code(err) != refusal.CodeInvalid {
		t.Errorf("no change at all: %v", err)
	}
	before := len(d.log(d.anna))
	if _, err := table.Do(t.Context(), d.gm, act.ChangeCharacter,
		act.ChangeRequest{ID: d.hero, Sheet: raw(`{"doom":"SECRET other"}`)}, ""); err != nil {
		t.Fatal(err)
	}
	if got := len(d.log(d.anna)); got != before {
		t.Error("Anna reads of a change that she can't see")
	}
	if got := d.log(d.gm); len(got[len(got)-1].Lines) != 1 {
		t.Errorf("the GM reads %+v", got[len(got)-1])
	}
}

// secretive is a desk with something secret of each kind, written while Boris and a spectator were
// watching.
type secretive struct {
	*desk
	heard              map[string]<-chan []view.Update
	secret, open, rest view.Made // a secret strike, an open one, and the last entry that everybody gets
	pending            string    // a secret move that waits for an answer
	invited            string    // the secret of a seat that nobody has entered
}

func newSecretive(t *testing.T) *secretive {
	d := &secretive{desk: newDesk(t), heard: map[string]<-chan []view.Update{}}
	for name, s := range map[string]*table.Seat{"Boris": d.boris, "Guest": d.guest} {
		d.heard[name] = untilRest(t, s)
	}
	d.fill()
	return d
}

// untilRest sends the updates of a seat up to a rest.
func untilRest(t *testing.T, s *table.Seat) <-chan []view.Update {
	heard := make(chan []view.Update, 1)
	go func() {
		var updates []view.Update
		for u, err := range s.Watch(t.Context(), 0) {
			if err != nil {
				t.Error(err)
				break
			}
			if updates = append(updates, u); u.Entry != nil && u.Entry.Name == "rest" {
				break
			}
		}
		heard <- updates
	}()
	return heard
}

// fill writes secrets of each kind, and a rest.
func (d *secretive) fill() {
	d.t.Helper()
	d.make(d.gm, request.Move{Move: "omen", Args: raw(`{"text":"plain"}`)})
	d.make(d.gm, request.Move{Move: "omen", Args: raw(`{"text":"SECRET"}`), Secret: true, Nonce: "SECRET"})
	d.secret = d.make(d.gm, request.Move{
		Move: "strike", Character: d.shade,
		Args: raw(`{"target":"c1","bonus":3,"name":"SECRET"}`), Secret: true,
	})
	for _, q := range d.answer(d.gm, d.secret.Open[0].ID, `{"note":"SECRET"}`).Open {
		d.answer(d.gm, q.ID, `{}`)
	}
	d.open = d.make(d.gm, request.Move{
		Move: "strike", Character: d.other, Args: raw(`{"target":"c3"}`),
		Dice: []int{6, 6},
	})
	d.answer(d.gm, d.open.Open[0].ID, `{"n":1,"note":"SECRET"}`)
	if _, err := table.Do(d.t.Context(), d.gm, act.ChangeCharacter,
		act.ChangeRequest{ID: d.shade, Sheet: raw(`{"note":"SECRET again"}`)}, ""); code(err) != refusal.CodeBusy {
		d.t.Fatal(err)
	}
	invited, err := table.Do(d.t.Context(), d.gm, act.AddSeat, act.SeatRequest{Name: "Late", Role: string(game.Player)},
		"")
	if err != nil {
		d.t.Fatal(err)
	}
	d.invited = invited.Secret
	third := d.add(d.boris, act.CharacterRequest{Name: "Ulf", Kind: "hero"})
	d.rest = d.make(d.boris, request.Move{Move: "rest", Character: third})

	d.pending = d.make(d.gm, request.Move{Move: "haunt", Args: raw(`{"who":["c1"]}`), Secret: true}).Entry.Move
}

// secretWords returns texts that only the game master may read.
func (d *secretive) secretWords() []string {
	d.t.Helper()
	stored, err := d.journal.Read(d.t.Context(), d.id, 0, 0)
	if err != nil {
		d.t.Fatal(err)
	}
	forbidden := []string{"SECRET", d.invited, `"fate"`}
	for _, s := range d.secrets {
		forbidden = append(forbidden, s)
	}
	for _, e := range stored { // the secrets of the dice and of the seats
		for _, mark := range []string{`"secret":"`, `"hash":"`, `"salt":"`} {
			if _, after, ok := strings.Cut(string(e.Body), mark); ok {
				forbidden = append(forbidden, after[:strings.Index(after, `"`)])
			}
		}
	}
	if len(forbidden) < 12 {
		d.t.Fatalf("only %d secrets to look for", len(forbidden))
	}
	return forbidden
}

// read collects everything that Boris and a spectator get, by source.
func (d *secretive) read() map[string]string {
	d.t.Helper()
	said := map[string]string{"made": text(d.t, d.rest)}
	for name, s := range map[string]*table.Seat{"Boris": d.boris, "Guest": d.guest} {
		last, err := s.Last(d.t.Context(), 100)
		if err != nil {
			d.t.Fatal(err)
		}
		said[name] = text(d.t, d.view(s), d.log(s), last)
	}
	for who, updates := range d.heard {
		said[who+" watching"] = text(d.t, <-updates)
	}
	f, err := d.boris.SheetForm(d.t.Context(), d.other)
	if code(err) != "" {
		d.t.Fatal(err)
	}
	said["form"] = text(d.t, f)
	return said
}

func TestNobodyGetsSecretsThatAreNotTheirs(t *testing.T) {
	d := newSecretive(t)
	d.step("nothing that a player or a spectator gets holds one", func(t *testing.T) {
		forbidden := d.secretWords()
		for who, text := range d.read() {
			for _, word := range forbidden {
				if strings.Contains(text, word) {
					at := strings.Index(text, word)
					t.Errorf("%s: %q is in …%s…", who, word, text[max(0, at-300):min(len(text), at+100)])
				}
			}
		}
	})
	d.step("no player knows of an open secret move", func(t *testing.T) {
		for _, s := range []*table.Seat{d.anna, d.boris, d.guest} {
			if v := d.view(s); strings.Contains(text(t, v), d.pending) || v.Characters[0].Busy != "" ||
				v.Characters[0].Waits {
				t.Errorf("%s knows of an open secret move: %s", s.Role(), text(t, v))
			}
		}
	})
	d.step("the game master sees everything", func(t *testing.T) {
		if gm := text(t, d.view(d.gm), d.log(d.gm)); !strings.Contains(gm, "SECRET doom") ||
			!strings.Contains(gm, "SECRET note") ||
			!strings.Contains(gm, `"fate"`) || !strings.Contains(gm, "SECRET omen") {
			t.Error("the GM sees less than everything")
		}
	})
	d.step("printing a seat doesn't show what opens it", func(t *testing.T) {
		if got := fmt.Sprintf("%v %+v %#v", d.gm, d.gm, *d.gm); strings.Contains(got, d.secrets["s1"]) {
			t.Error("printing a seat shows its secret")
		}
	})
	d.step("a secret entry isn't in the guest's log, an open one is", func(t *testing.T) {
		seqs := map[uint64]bool{}
		for _, e := range d.log(d.guest) {
			seqs[e.Seq] = true
		}
		if seqs[d.secret.Entry.Seq] || !seqs[d.open.Entry.Seq] {
			t.Error("a secret entry stands in the guest's log, or an open one doesn't")
		}
	})
	d.step("a move against somebody hidden doesn't name them to the guest", func(t *testing.T) {
		for _, e := range d.log(d.guest) {
			if e.Seq == d.open.Entry.Seq && e.Args["target"] != "" {
				t.Errorf("the guest reads of somebody hidden: %v", e.Args)
			}
		}
	})
}

func TestAnswersAreSeenOnlyByTheGMAndTheirAuthor(t *testing.T) {
	d := newDesk(t)
	made := d.make(d.gm, request.Move{Move: "haunt", Args: raw(`{"who":["c1"]}`)})
	d.answer(d.anna, made.Open[0].ID, `{"dodge":true}`)
	for name, c := range map[string]struct {
		s    *table.Seat
		sees bool
	}{"GM": {d.gm, true}, "Anna": {d.anna, true}, "Boris": {d.boris, false}, "Guest": {d.guest, false}} {
		last, err := c.s.Last(t.Context(), 1)
		if err != nil {
			t.Fatal(err)
		}
		if e := last[0]; (e.Answer != nil) != c.sees || e.Question != "toy.dodge" || !e.Done {
			t.Errorf("%s: %+v", name, e)
		}
	}
}

// A character that a seat doesn't see isn't among the arguments of a move either, at any depth.
// Rolls of characters other than the actor are in lines.
func TestEntryHidesUnseenCharactersInArguments(t *testing.T) {
	d := newDesk(t)
	made := d.make(d.gm, request.Move{Move: "swap", Character: d.hero, Args: raw(
		`{"with":["c2","c3"],"via":{"guide":"c3"},"legs":[{"who":"c3"},{"who":"c2"}]}`)})
	if got := made.Entry.Lines[1].Outcome; got == nil || got.ID != "hit" || got.Character != d.other || *got.N != 1 ||
		got.Tone != game.Good {
		t.Errorf("Orm's throw: %+v", got)
	}
	same(t, "the GM reads", `{"legs":[{"who":"c3"},{"who":"c2"}],"via":{"guide":"c3"},"with":["c2","c3"]}`,
		plain(t, made.Entry.Args))
	last, err := d.guest.Last(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "the guest reads", `{"legs":[{"who":""},{"who":"c2"}],"via":{"guide":""},"with":["c2"]}`,
		plain(t, last[0].Args))
	if text := last[0].Lines[3].Text; text != "somebody: ⟨toy.outcome.hit⟩" ||
		last[0].Lines[3].Outcome.Character != "" {
		t.Errorf("the guest reads %q", text)
	}
	_, err = d.anna.Make(t.Context(),
		request.Move{Move: "swap", Character: d.hero, Args: raw(`{"legs":[{"who":"c3"}]}`)})
	if code(err) != refusal.CodeInvalid {
		t.Errorf("Anna names whom she can't know: %v", err)
	}
}

func TestLogTextsNameOnlyWhatTheSeatMaySee(t *testing.T) {
	d := newDesk(t)
	ctx := t.Context()
	name, boris, nobody := "Lira the Bold", d.boris.ID(), ""
	for _, err := range []error{
		second(table.Do(ctx, d.gm, act.RenameSeat, act.RenameRequest{Seat: d.anna.ID(), Name: "Hanna"}, "")),
		second(table.Do(ctx, d.gm, act.RenewSeat, act.SeatNamed{Seat: d.anna.ID()}, "")),
		second(table.Do(ctx, d.gm, act.RevokeSeat, act.SeatNamed{Seat: d.guest.ID()}, "")),
		second(table.Do(ctx, d.gm, act.Configure, act.ConfigureRequest{Settings: raw(`{"deadly":true}`)}, "")),
		second(table.Do(ctx, d.gm, act.Configure, act.ConfigureRequest{Settings: raw(`{}`)}, "")),
		second(table.Do(ctx, d.gm, act.ChangeCharacter,
			act.ChangeRequest{ID: d.hero, Name: &name, Owner: &boris, Sheet: raw(`{"luck":1,"doom":"SECRET"}`)}, "")),
		second(table.Do(ctx, d.gm, act.ChangeCharacter, act.ChangeRequest{ID: d.hero, Owner: &nobody, Sheet: raw(`{}`)},
			"")),
		second(table.Do(ctx, d.gm, act.ChangeCharacter, act.ChangeRequest{ID: d.other, Sheet: raw(`{}`)}, "")),
		second(table.Do(ctx, d.gm, act.ChangeCharacter, act.ChangeRequest{ID: d.shade, Sheet: raw(`{"risen":true}`)},
			"")),
		second(table.Do(ctx, d.gm, act.RemoveCharacter, act.CharacterNamed{Character: d.hero}, "")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	read := func(s *table.Seat) string {
		var b strings.Builder
		for _, e := range d.log(s) {
			for _, l := range e.Lines {
				fmt.Fprintf(&b, "%d %s\n", e.Seq, l.Text)
			}
		}
		return b.String()
	}
	same(t, "the GM reads", `1 The table “Tuesday” is open. We play ⟨toy.game.name⟩.
1 The dice are sealed: ece5dc03…
1 GM is invited. Role: GM.
2 Anna is invited. Role: Player.
3 Boris is invited. Role: Player.
4 Guest is invited. Role: Spectator.
5 Lira joined the story.
6 Orm joined the story.
7 SECRET shade joined the story.
8 Anna is now called Hanna
9 Hanna has a new link
10 Guest has no seat here any more
11 Settings were changed. Deadly: yes
12 Settings stay as they were
13 Lira is now called Lira the Bold
13 Lira the Bold is now played by Boris
13 Lira the Bold: Luck 3 → 1; Doom: SECRET doom → SECRET
14 Lira the Bold has no player now
15 The sheet of Orm stays as it was
16 SECRET shade: Risen: yes
17 Lira the Bold is no longer in play
`, read(d.gm))
	same(t, "Boris reads", `1 The table “Tuesday” is open. We play ⟨toy.game.name⟩.
1 The dice are sealed: ece5dc03…
1 GM is invited. Role: GM.
2 Anna is invited. Role: Player.
3 Boris is invited. Role: Player.
4 Guest is invited. Role: Spectator.
5 Lira joined the story.
6 Orm joined the story.
7 SECRET shade joined the story.
8 Anna is now called Hanna
9 Hanna has a new link
10 Guest has no seat here any more
11 Settings were changed. Deadly: yes
12 Settings stay as they were
13 Lira is now called Lira the Bold
13 Lira the Bold is now played by Boris
13 Lira the Bold: Luck 3 → 1
14 Lira the Bold has no player now
16 SECRET shade: Risen: yes
17 Lira the Bold is no longer in play
`, read(d.boris))
}

// An event may name a character that a seat doesn't see, even if another seat has read the event
// before.
func TestEventsCallUnseenCharactersSomebody(t *testing.T) {
	d := newDesk(t)
	d.make(d.gm, request.Move{
		Move: "haunt",
		Args: raw(`{"who":["` + d.shade + `","` + d.hero + `"]}`),
	}) // a move about the shade alone would be secret
	d.answerOf(d.shade)
	for _, c := range []struct {
		reader *table.Seat
		want   string
	}{
		{d.gm, "SECRET shade is hurt"},
		{d.boris, "somebody is hurt"},
		{d.anna, "somebody is hurt"},
		{d.gm, "SECRET shade is hurt"},
		{d.anna, "somebody is hurt"},
	} {
		last, err := c.reader.Last(t.Context(), 1)
		if err != nil {
			t.Fatal(err)
		}
		same(t, c.reader.ID(), c.want, last[0].Lines[0].Text)
	}
}

func TestVoiceNamesOnlyCharactersItsSeatSees(t *testing.T) {
	d := newDesk(t)
	for name, c := range map[string]struct {
		s    *table.Seat
		want string
	}{"GM": {d.gm, "SECRET shade"}, "Anna": {d.anna, "somebody"}} {
		voice, err := c.s.Voice(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		same(t, name, c.want, voice.Name(d.shade))
		same(t, name, "Lira", voice.Name(d.hero))
		same(t, name, "somebody", voice.Name("c99"))
		same(t, name, "Lira is still in a move. Finish it first.",
			refusal.Say(voice, &refusal.BusyError{Character: d.hero}))
		same(t, name, "Lira is still in a move. Yet to answer: the GM and Lira.",
			refusal.Say(voice, &refusal.BusyError{Character: d.hero, Waits: []string{game.GM, d.hero}}))
	}
	if d.gm.Table() != d.id || d.gm.Game() != toy || d.gm.Role() != game.Master {
		t.Error("a seat knows where it is")
	}
}

func TestPagesOfALogMissAndRepeatNothing(t *testing.T) {
	d := newDesk(t)
	for range 10 {
		d.make(d.anna, request.Move{Move: "rest", Character: d.hero})
	}
	all := d.log(d.guest)
	var paged []view.Entry
	for after := uint64(0); ; {
		page, err := d.guest.Log(t.Context(), after, 3)
		if err != nil {
			t.Fatal(err)
		}
		if len(page) == 0 {
			break
		}
		paged, after = append(paged, page...), page[len(page)-1].Seq
	}
	same(t, "pages", text(t, all), text(t, paged))
	last, err := d.guest.Last(t.Context(), 4)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "last", text(t, all[len(all)-4:]), text(t, last))
	if none, err := d.guest.Log(t.Context(), 1<<60, 0); err != nil || len(none) != 0 {
		t.Errorf("after the end: %v, %v", none, err)
	}
	if none, err := d.guest.Last(t.Context(), -1); err != nil || len(none) != 0 {
		t.Errorf("none: %v, %v", none, err)
	}
}

func TestTablesWithUnknownEntriesAreUnreadable(t *testing.T) {
	for name, body := range map[string]string{
		"an unknown event":   `{"v":1,"kind":"move","opening":{"move":"rest","args":{}},"events":[{"n":0,"type":"toy.vanished","v":1,"data":{}}],"done":true}`,
		"a newer event":      `{"v":1,"kind":"move","opening":{"move":"rest","args":{}},"events":[{"n":0,"type":"toy.hurt","v":2,"data":{}}],"done":true}`,
		"a newer own event":  `{"v":1,"kind":"seat","events":[{"n":0,"type":"table.seat-added","v":99,"data":{}}]}`,
		"an unknown own":     `{"v":1,"kind":"seat","events":[{"n":0,"type":"table.burnt","v":1,"data":{}}]}`,
		"a newer body":       `{"v":5,"kind":"seat"}`,
		"an unknown edition": `{"v":4,"kind":"seat","edition":"2"}`,
		"a named first one":  `{"v":4,"kind":"seat","edition":"1"}`,
		"an unknown kind":    `{"v":1,"kind":"dance"}`,
		"an unknown move":    `{"v":1,"kind":"move","opening":{"move":"fly","args":{}}}`,
		"an undo of nothing": `{"v":1,"kind":"undone","events":[{"n":0,"type":"table.change-undone","v":1,"data":{"seq":99}}]}`,
		"an undo of a seat":  `{"v":1,"kind":"undone","events":[{"n":0,"type":"table.change-undone","v":1,"data":{"seq":2}}]}`,
		"an end of no move":  `{"v":1,"kind":"cancelled","events":[{"n":0,"type":"table.move-cancelled","v":1,"data":{"move":"m1"}}]}`,
		"another secret":     `{"v":1,"kind":"session","events":[{"n":0,"type":"table.session-ended","v":1,"data":{"n":1,"secret":"00"}}]}`,
		"unsealed dice":      `{"v":1,"kind":"session"}`,
		"no such move":       `{"v":1,"kind":"answer","answers":":0"}`,
		"no JSON":            `{`,
	} {
		d := newDesk(t)
		log := d.log(d.gm)
		seq := log[len(log)-1].Seq
		if _, err := d.journal.Append(t.Context(), d.id, seq,
			journal.Entry{Time: time.Now(), Seat: "s1", Move: "m9", Body: []byte(body)}); err != nil {
			t.Fatal(err)
		}
		d.relay.Publish(relay.Message{Table: d.id, Seq: seq + 1})
		_, err := d.gm.View(t.Context())
		var unreadable *refusal.UnreadableError
		if !errors.As(err, &unreadable) || unreadable.Seq != seq+1 || unreadable.Table != d.id {
			t.Errorf("%s: %v", name, err)
		}
		host := newHost(d.journal, d.relay)
		if _, err := host.Enter(t.Context(), d.id, d.secrets["s1"], lang.En); !errors.As(err, &unreadable) {
			t.Errorf("%s, after a restart: %v", name, err)
		}
		if _, err := host.Enter(t.Context(), d.id, "wrong", lang.En); code(err) != refusal.CodeNotFound {
			t.Errorf("%s, with a wrong secret: %v", name, err)
		}
	}
}

// If even the first entry can't be read, nobody has a seat.
func TestTableUnreadableFromTheFirstEntryHasNoSeats(t *testing.T) {
	d := newDesk(t)
	for i, body := range []string{
		`{"v":99}`, `{`,
		`{"v":1,"kind":"opened","events":[{"n":0,"type":"table.opened","v":1,"data":{"game":"chess"}}]}`,
	} {
		id := strings.Repeat(string(rune('a'+i)), 16)
		if _, err := d.journal.Append(t.Context(), id, 0,
			journal.Entry{Time: time.Now(), Body: []byte(body)}); err != nil {
			t.Fatal(err)
		}
		if _, err := d.host.Enter(t.Context(), id, d.secrets["s1"], lang.En); code(err) != refusal.CodeNotFound {
			t.Errorf("%s: %v", body, err)
		}
	}
}

// A newer norn's table is distinguished from a damaged one.
func TestNewerTablesAreToldFromDamagedOnes(t *testing.T) {
	for body, newer := range map[string]bool{
		`{"v":99,"kind":"seat"}`:  true,
		`{"v":1,"kind":"dance"}`:  true,
		`{"v":1,"kind":"answer"}`: false,
		`{`:                       false,
		`{"v":1,"kind":"move","opening":{"move":"fly","args":{}}}`:                                true,
		`{"v":1,"kind":"seat","events":[{"n":0,"type":"table.seat-added","v":99,"data":{}}]}`:     true,
		`{"v":1,"kind":"undone","events":[{"n":0,"type":"table.change-undone","v":1,"data":{}}]}`: false,
	} {
		d := newDesk(t)
		log := d.log(d.gm)
		seq := log[len(log)-1].Seq
		if _, err := d.journal.Append(t.Context(), d.id, seq,
			journal.Entry{Time: time.Now(), Seat: "s1", Move: "m9", Body: []byte(body)}); err != nil {
			t.Fatal(err)
		}
		d.relay.Publish(relay.Message{Table: d.id, Seq: seq + 1})
		_, err := d.gm.View(t.Context())
		said := refusal.Say(table.VoiceOf(words.In(lang.En)), err)
		if strings.Contains(said, "newer norn") != newer || strings.Contains(said, "damaged") == newer {
			t.Errorf("%s: %s (%v)", body, said, err)
		}
	}
}

func TestEveryErrorHasWordsInEachLanguage(t *testing.T) {
	errs := []refusal.Error{
		&refusal.NotFoundError{}, &refusal.ForbiddenError{},
		&refusal.RefusedError{Refusal: &game.Refusal{Word: "table.refusal.last-gm"}},
		&refusal.InvalidError{}, &refusal.BusyError{}, &refusal.AnsweredError{}, &refusal.KeyReusedError{},
		&refusal.ConflictError{}, &refusal.ChangedError{}, &refusal.ChangedError{Called: true},
		&refusal.UnavailableError{Err: context.Canceled}, &refusal.UnreadableError{Err: context.Canceled},
		&refusal.UnreadableError{Err: &game.UnknownEventError{}},
		&refusal.UnreadableError{Err: refusal.UnknownGame("chess")},
		&refusal.TooManyError{What: "seats", Max: request.MaxSeats}, &refusal.TooManyError{What: "characters"},
		&refusal.TooManyError{What: "bytes"},
		&refusal.LaterError{}, &refusal.LaterError{Later: []refusal.Later{{Seq: 9, Text: "a change"}}},
		&refusal.TooOftenError{After: time.Second},
	}
	met := map[string]bool{}
	for _, l := range lang.All {
		for _, err := range errs {
			met[err.Code()] = true
			if said := refusal.Say(table.VoiceOf(words.In(l)), fmt.Errorf("wrapped: %w", err)); said == "" ||
				strings.Contains(said, "⟨") {
				t.Errorf("%s %s: %q", l, err.Code(), said)
			}
		}
	}
	for _, c := range refusal.Codes() {
		if !met[c] {
			t.Errorf("no error with the code %s was tried", c)
		}
	}
}

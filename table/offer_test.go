package table_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"norn/game"
	"norn/rule"
	"norn/table"
	"norn/table/act"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/verify"
	"norn/table/view"
)

// Boon is luck that a hero may take.
type Boon struct {
	N int `json:"n" form:"max=9"`
}

// offering is the toy game with a move that offers luck to its actor and a blow to the game master,
// and a move that ends such offers.
var offering = func() *game.Game {
	g := *toy
	kinds, done := []string{"hero"}, []game.OutcomeKind{{ID: "done", Tone: game.Neutral}}
	came := rule.Outcome{ID: "done"}
	boon := game.Define(game.MoveSpec[Boon]{
		ID: "boon", AtTable: true, ByOffer: true, Kinds: kinds, Outcomes: done,
		Allow: func(s game.Scene, _ Boon) error {
			if hero, ok := game.Sheet[Hero](s, s.Actor); ok && hero.Luck == 9 {
				return game.Refuse("TY-03", "toy.refusal.lucky")
			}
			return nil
		},
		Play: func(r *rule.Run, s game.Scene, a Boon) rule.Outcome {
			r.Record(Rested{Who: s.Actor, N: a.N})
			return came
		},
	})
	find := game.Define(game.MoveSpec[struct{}]{
		ID: "find", AtTable: true, Kinds: kinds, Outcomes: done,
		Play: func(r *rule.Run, s game.Scene, _ struct{}) rule.Outcome {
			game.Offer(r, s.Actor, "boon", s.Actor, Boon{N: 2})
			game.Offer(r, game.GM, "omen", "", Omen{Text: "SECRET end"})
			return came
		},
	})
	sleep := game.Define(game.MoveSpec[struct{}]{
		ID: "sleep", AtTable: true, Kinds: kinds, Outcomes: done, Ends: []string{"boon"},
		Play: func(*rule.Run, game.Scene, struct{}) rule.Outcome { return came },
	})
	g.Moves = append(slices.Clip(toy.Moves), boon, find, sleep)
	return &g
}()

func offers(t *testing.T) *desk {
	d := newDesk(t)
	d.upgrade(offering)
	return d
}

// offered returns the ids of the moves that a seat is offered.
func (d *desk) offered(s *table.Seat) []string {
	d.t.Helper()
	return game.Each(d.view(s).Offers, func(o view.OfferShown) string { return o.Move })
}

func (d *desk) finds() view.Made {
	d.t.Helper()
	return d.make(d.anna, request.Move{Move: "find", Character: d.hero})
}

// takes makes a seat take its first offer of a move.
func (d *desk) takes(s *table.Seat, move string) view.Made {
	d.t.Helper()
	all := d.view(s).Offers
	i := slices.IndexFunc(all, func(o view.OfferShown) bool { return o.Move == move })
	if i < 0 {
		d.t.Fatalf("%s isn't offered %s", s.ID(), move)
	}
	return d.make(s, request.Move{Offer: all[i].ID})
}

func TestOfferIsTakenOnce(t *testing.T) {
	t.Parallel()
	d := offers(t)
	found := d.finds()
	if !found.Entry.Done || len(d.view(d.anna).Waiting) > 0 || len(found.Entry.Lines) > 0 {
		t.Errorf("somebody is held up or told: %+v", found.Entry)
	}
	same(t, "the player is offered", []string{"boon"}, d.offered(d.anna))
	same(t, "the game master is offered", []string{"boon", "omen"}, d.offered(d.gm))
	same(t, "another player is offered", 0, len(d.offered(d.boris)))
	offer := d.view(d.anna).Offers[0]
	if offer.From != found.Entry.Move || offer.Character != d.hero || offer.Args["n"] != 2 {
		t.Errorf("it says %+v", offer)
	}
	if _, err := d.boris.Make(t.Context(), request.Move{Offer: offer.ID}); code(err) != refusal.CodeInvalid {
		t.Errorf("another player takes it: %v", err)
	}
	if _, err := d.anna.Make(t.Context(),
		request.Move{Move: "boon", Character: d.hero}); code(err) != refusal.CodeInvalid {
		t.Errorf("the move is made without an offer: %v", err)
	}
	made := d.takes(d.anna, "boon")
	same(t, "the entry names the offer", offer.ID, made.Entry.Takes)
	same(t, "luck", 5, sheet[Hero](d, d.hero).Luck)
	same(t, "the player is offered", 0, len(d.offered(d.anna)))
	if _, err := d.gm.Make(t.Context(), request.Move{Offer: offer.ID}); code(err) != refusal.CodeRefused {
		t.Errorf("it's taken twice: %v", err)
	}
}

func TestOfferIsOpenAgainWhenItsMoveIsUndone(t *testing.T) {
	t.Parallel()
	d := offers(t)
	found := d.finds()
	made := d.takes(d.anna, "boon")
	_, err := table.Do(t.Context(), d.gm, act.Undo, act.UndoRequest{Seq: int(found.Entry.Seq)}, "")
	if code(err) != refusal.CodeLater {
		t.Errorf("what made an offer is undone under it: %v", err)
	}
	d.undo(made.Entry.Seq)
	same(t, "the player is offered", []string{"boon"}, d.offered(d.anna))
	d.takes(d.anna, "boon")
	same(t, "luck", 5, sheet[Hero](d, d.hero).Luck)
}

func TestOfferEndsWithLaterMovesAndRefusals(t *testing.T) {
	t.Parallel()
	d := offers(t)
	found := d.finds()
	t.Run("with a later move, until that is undone", func(t *testing.T) {
		slept := d.make(d.anna, request.Move{Move: "sleep", Character: d.hero})
		same(t, "the player is offered", 0, len(d.offered(d.anna)))
		same(t, "the game master is offered", []string{"omen"}, d.offered(d.gm))
		d.undo(slept.Entry.Seq)
		same(t, "the player is offered", []string{"boon"}, d.offered(d.anna))
	})
	t.Run("not with a secret move, which players would notice", func(t *testing.T) {
		slept := d.make(d.gm, request.Move{Move: "sleep", Character: d.hero, Secret: true})
		same(t, "the player is offered", []string{"boon"}, d.offered(d.anna))
		d.undo(slept.Entry.Seq)
	})
	t.Run("where its rule would refuse it", func(t *testing.T) {
		offer := d.view(d.anna).Offers[0]
		e := d.change(d.gm, act.ChangeRequest{ID: d.hero, Sheet: raw(`{"luck":9}`)})
		same(t, "the player is offered", 0, len(d.offered(d.anna)))
		if _, err := d.anna.Make(t.Context(), request.Move{Offer: offer.ID}); code(err) != refusal.CodeRefused {
			t.Errorf("it's taken: %v", err)
		}
		d.undo(e.Seq)
	})
	t.Run("with the undoing of what made it", func(t *testing.T) {
		d.undo(found.Entry.Seq)
		same(t, "the game master is offered", 0, len(d.offered(d.gm)))
	})
}

func TestOfferOfASecretMoveIsSeenOnlyByTheGM(t *testing.T) {
	t.Parallel()
	d := offers(t)
	d.make(d.gm, request.Move{Move: "find", Character: d.hero, Secret: true})
	same(t, "the player is offered", 0, len(d.offered(d.anna)))
	made := d.takes(d.gm, "boon")
	same(t, "what is taken is secret", true, made.Entry.Secret)
}

// A log with taken offers verifies, and opens again from its entries and from a snapshot.
func TestLogWithTakenOffersVerifiesAndReopens(t *testing.T) {
	t.Parallel()
	d := offers(t)
	d.finds()
	d.takes(d.anna, "boon")
	d.takes(d.gm, "omen")
	d.finds()
	want := d.view(d.gm).Offers
	d.upgrade(offering)
	same(t, "offers after a restart", want, d.view(d.gm).Offers)
	check := func(file []byte) error {
		_, err := verify.File([]*game.Game{offering}, words, bytes.NewReader(file))
		return err
	}
	if err := check(d.export()); err != nil {
		t.Error(err)
	}
	if err := check(d.seen(d.anna)); err != nil {
		t.Errorf("the player's file: %v", err)
	}
	stored := d.stored()
	for i, e := range stored {
		if bytes.Contains(e.Body, []byte(`"offer":"`)) {
			stored[i].Body = bytes.ReplaceAll(e.Body, []byte(`#0"`), []byte(`#7"`))
			break
		}
	}
	if check(d.file(stored)) == nil {
		t.Error("a move that takes an offer which nobody made is verified")
	}
}

// An offer is taken once, even if the request is repeated with its key or another seat takes it
// meanwhile.
func TestRetriedOfferIsTakenOnce(t *testing.T) {
	t.Parallel()
	d := offers(t)
	d.finds()
	take := request.Move{Offer: d.view(d.anna).Offers[0].ID, Key: "k"}
	first, again := d.make(d.anna, take), d.make(d.anna, take)
	same(t, "the entry of a retry", first.Entry.Seq, again.Entry.Seq)
	for _, s := range []*table.Seat{d.anna, d.gm} {
		if _, err := s.Make(t.Context(),
			request.Move{Offer: take.Offer, Key: "another"}); code(err) != refusal.CodeRefused {
			t.Errorf("%s takes it again: %v", s.ID(), err)
		}
	}
	same(t, "luck", 5, sheet[Hero](d, d.hero).Luck)
}

// A player who guesses the id of a secret offer gets the same refusal as for an unknown one.
func TestSecretOfferIsRefusedLikeAnUnknownOne(t *testing.T) {
	t.Parallel()
	d := offers(t)
	move := d.make(d.gm, request.Move{Move: "find", Character: d.hero, Secret: true}).Entry.Move
	_, secret := d.anna.Make(t.Context(), request.Move{Offer: move + ":#0"})
	_, none := d.anna.Make(t.Context(), request.Move{Offer: move + ":#9"})
	if secret == nil || none == nil {
		t.Fatalf("%v, %v", secret, none)
	}
	same(t, "the refusal", none.Error(), strings.ReplaceAll(secret.Error(), "#0", "#9"))
	d.takes(d.gm, "boon")
	_, taken := d.anna.Make(t.Context(), request.Move{Offer: move + ":#0"})
	same(t, "the refusal once it's taken", secret.Error(), taken.Error())
}

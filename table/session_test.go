package table_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"norn/dice"
	"norn/journal"
	"norn/table"
	"norn/table/act"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/view"
)

func (d *desk) share(s *table.Seat, share string) view.Entry {
	d.t.Helper()
	e, err := table.Do(d.t.Context(), s, act.AddShare, act.ShareRequest{Share: share}, "")
	if err != nil {
		d.t.Fatalf("share %q: %v", share, err)
	}
	return e
}

func (d *desk) endSession() view.Entry {
	d.t.Helper()
	e, err := table.Do(d.t.Context(), d.gm, act.EndSession, act.Nothing{}, "")
	if err != nil {
		d.t.Fatal(err)
	}
	return e
}

// seals returns the secrets of a table's dice in the journal: those of past sessions, and the
// current one.
func seals(t testing.TB, j journal.Journal, id string) (opened []string, sealed string) {
	t.Helper()
	stored, err := j.Read(t.Context(), id, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range stored {
		var b struct {
			Events []struct {
				Type string
				Data struct{ Secret string }
			}
		}
		if err := json.Unmarshal(e.Body, &b); err != nil {
			t.Fatal(err)
		}
		for _, event := range b.Events {
			if event.Type == "table.dice-sealed" {
				if sealed != "" {
					opened = append(opened, sealed)
				}
				sealed = event.Data.Secret
			}
		}
	}
	return opened, sealed
}

// derive derives an entry's dice again from its check, and returns the number of throws.
func derive(t testing.TB, e view.Entry) int {
	t.Helper()
	n := 0
	for _, throw := range e.Throws {
		if throw.Hand {
			if throw.Place != "" {
				t.Errorf("%d: dice thrown by hand have the place %q", e.Seq, throw.Place)
			}
			continue
		}
		secret, err := dice.ParseSecret(e.Check.Secret)
		if err != nil || !dice.Check(e.Check.Commitment, secret) {
			t.Fatalf("%d: the secret isn't the one that was committed to: %v", e.Seq, err)
		}
		n++
		c := e.Check
		key := dice.Key(secret, c.Shares, c.Table, c.Move, c.Nonce, throw.Place)
		same(t, throw.Place, dice.Throw(dice.NewStream(key), dice.Pool{N: len(throw.Faces), Sides: throw.Sides}),
			throw.Faces)
	}
	return n
}

// Every face of a past session follows from the checks in the entries.
func TestAllDiceOfAPastSessionCanBeDerivedAgain(t *testing.T) {
	d := newDesk(t)
	play := func(nonce string) {
		made := d.make(d.gm, request.Move{Move: "haunt", Args: raw(`{"who":["c1","c2"]}`), Nonce: nonce})
		for _, q := range made.Open {
			d.answer(d.gm, q.ID, `{}`)
		}
		d.make(d.anna, request.Move{Move: "swap", Character: d.hero, Nonce: nonce})
	}
	play("")
	d.share(d.anna, "anna’s")
	play("mine")
	d.share(d.gm, "0011")
	d.share(d.guest, "anna’s")
	play("mine")
	sealed := d.view(d.guest).Session
	for _, e := range d.log(d.gm) {
		if e.Check != nil && (e.Check.Secret != "" || e.Check.Session != 1 || e.Check.Commitment != sealed.Commitment) {
			t.Errorf("while the session lasts: %+v", e.Check)
		}
	}
	ended := d.endSession()
	play("mine")
	d.share(d.boris, "next")
	play("")
	d.endSession()

	shares, throws := map[int][]string{}, 0
	for _, e := range d.log(d.guest) {
		throws += derive(t, e)
		if e.Check != nil {
			shares[e.Check.Session*10+len(e.Check.Shares)] = e.Check.Shares
		}
	}
	if throws != 15 {
		t.Errorf("%d throws", throws)
	}
	same(t, "shares", map[int][]string{10: {}, 11: {"anna’s"}, 13: {"anna’s", "0011", "anna’s"}, 20: {}, 21: {"next"}},
		shares)

	v := d.view(d.anna)
	if v.Session.N != 3 || v.Session.Secret != "" || v.Session.To != 0 || len(v.Sessions) != 2 ||
		len(v.Session.Shares) != 0 {
		t.Fatalf("sessions: %+v, %+v", v.Session, v.Sessions)
	}
	first := v.Sessions[0]
	if first.N != 1 || first.Commitment != sealed.Commitment || first.From != 1 || first.To != ended.Seq ||
		v.Sessions[1].From != ended.Seq {
		t.Errorf("the first session: %+v", first)
	}
	same(t, "its shares", []view.Share{
		{Seat: "s2", Name: "Anna", Share: "anna’s"},
		{Seat: "s1", Name: "GM", Share: "0011"},
		{Seat: "s4", Name: "Guest", Share: "anna’s"},
	}, first.Shares)
	if !strings.Contains(ended.Lines[0].Text, first.Secret) || ended.Kind != view.KindSession || !ended.Done {
		t.Errorf("the entry: %+v", ended)
	}
	before := text(t, d.view(d.gm), d.log(d.gm))
	d.reopen()
	same(t, "after a restart", before, text(t, d.view(d.gm), d.log(d.gm)))
}

// A share changes the dice of moves that are opened after it, and of no other.
func TestShareChangesOnlyTheDiceOfLaterMoves(t *testing.T) {
	run := func(early, late bool) map[string][]int {
		d := newDesk(t) // with the same random bytes each time
		if early {
			d.share(d.anna, "early")
		} else {
			d.share(d.anna, "other")
		}
		made := d.make(d.gm, request.Move{Move: "haunt", Args: raw(`{"who":["c1","c2"]}`)})
		if late {
			d.share(d.boris, "late")
		}
		for _, q := range made.Open {
			d.answer(d.gm, q.ID, `{}`)
		}
		return faces(d.log(d.gm))
	}
	same(t, "a share while the move was open", run(true, false), run(true, true))
	if text(t, run(true, false)) == text(t, run(false, false)) {
		t.Error("another share gives the same dice")
	}
}

func TestSharesAreCheckedAndAddedOnce(t *testing.T) {
	d := newDesk(t)
	for name, share := range map[string]string{
		"empty": "", "long": strings.Repeat("я", request.MaxShare+1), "control": "a\nb", "unseen": "a\u200bb",
		"no text": "a\xff",
	} {
		if _, err := table.Do(t.Context(), d.anna, act.AddShare, act.ShareRequest{Share: share},
			""); code(err) != refusal.CodeInvalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	long := strings.Repeat("я", request.MaxShare)
	first, err := table.Do(t.Context(), d.anna, act.AddShare, act.ShareRequest{Share: long}, "k")
	if err != nil || first.Kind != view.KindShare || first.Lines[0].Text != "Anna has added a share to the dice" {
		t.Fatalf("%+v, %v", first, err)
	}
	again, err := table.Do(t.Context(), d.anna, act.AddShare, act.ShareRequest{Share: long}, "k")
	if err != nil || again.Seq != first.Seq {
		t.Errorf("the same request again: %+v, %v", again, err)
	}
	if _, err := table.Do(t.Context(), d.anna, act.AddShare, act.ShareRequest{Share: "another"},
		""); code(err) != refusal.CodeRefused {
		t.Errorf("a second share: %v", err)
	}
	d.share(d.guest, "a guest’s")
	d.endSession()
	d.share(d.anna, "another")
	same(t, "shares", []view.Share{{Seat: "s2", Name: "Anna", Share: "another"}}, d.view(d.guest).Session.Shares)
}

func TestSessionIsEndedOnlyByTheGMWithNothingOpen(t *testing.T) {
	d := newDesk(t)
	for _, s := range []*table.Seat{d.anna, d.guest} {
		if _, err := table.Do(t.Context(), s, act.EndSession, act.Nothing{}, ""); code(err) != refusal.CodeForbidden {
			t.Errorf("%s ends a session: %v", s.Role(), err)
		}
	}
	open := d.hit()
	_, err := table.Do(t.Context(), d.gm, act.EndSession, act.Nothing{}, "k")
	if voice := table.VoiceOf(words.In("en")); code(err) != refusal.CodeRefused ||
		!strings.Contains(refusal.Say(voice, err), "no.\u00a0"+strings.TrimPrefix(open.Entry.Move, "m")) {
		t.Errorf("while a move is open: %v, %s", err, refusal.Say(voice, err))
	}
	if _, err := table.Do(t.Context(), d.gm, act.Cancel, act.CancelRequest{Move: open.Entry.Move}, ""); err != nil {
		t.Fatal(err)
	}
	first, err := table.Do(t.Context(), d.gm, act.EndSession, act.Nothing{}, "k")
	if err != nil {
		t.Fatal(err)
	}
	again, err := table.Do(t.Context(), d.gm, act.EndSession, act.Nothing{}, "k")
	if err != nil || again.Seq != first.Seq || d.view(d.gm).Session.N != 2 {
		t.Errorf("the same request again: %+v, %v", again, err)
	}
}

// No seat, not even the GM, sees a secret of the dice before its session is over.
func TestDiceSecretIsHiddenUntilItsSessionIsOver(t *testing.T) {
	d := newDesk(t)
	d.share(d.anna, "x")
	for n := range 3 {
		d.make(d.anna, request.Move{Move: "swap", Character: d.hero})
		opened, sealed := seals(t, d.journal, d.id)
		if len(opened) != n || len(sealed) != 64 {
			t.Fatalf("%d sessions: %v, %s", n, opened, sealed)
		}
		for _, s := range []*table.Seat{d.gm, d.anna, d.guest} {
			seen := text(t, d.view(s), d.log(s))
			if strings.Contains(seen, sealed) {
				t.Errorf("%s sees the sealed secret", s.Role())
			}
			if slices.ContainsFunc(opened, func(secret string) bool { return !strings.Contains(seen, secret) }) {
				t.Errorf("%s doesn't see an opened one", s.Role())
			}
		}
		d.endSession()
	}
}

package table_test

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"norn/journal"
	"norn/table"
	"norn/table/act"
	"norn/table/refusal"
	"norn/table/verify"
	"norn/table/view"
)

// code makes a recovery code for a seat.
func (d *desk) code(s *table.Seat, key string) string {
	d.t.Helper()
	made, err := table.Do(d.t.Context(), s, act.MakeCode, act.Nothing{}, key)
	if err != nil {
		d.t.Fatal(err)
	}
	return made.Code
}

var formOfCode = regexp.MustCompile(`^([2-9A-HJ-NP-Z]{5}-){3}[2-9A-HJ-NP-Z]{5}$`)

// A recovery code gives its seat a new link, once. The old link and the code stop working, a retry
// gets the same link, and no file has any of them.
func TestRecoveryCodeGivesItsSeatANewLinkOnce(t *testing.T) {
	d := played(t)
	ctx := t.Context()
	first := d.code(d.anna, "k1")
	if !formOfCode.MatchString(first) || d.code(d.anna, "k1") != first {
		t.Fatalf("the code %q, again %q", first, d.code(d.anna, "k1"))
	}
	second := d.code(d.anna, "k2")
	if _, err := d.host.Recover(ctx, d.id, first, ""); code(err) != refusal.CodeNotFound {
		t.Errorf("a replaced code: %v", err)
	}
	d.reopen() // the code is in the journal
	typed := " " + strings.ToLower(strings.ReplaceAll(second, "-", " ")) + "\n"
	back, err := d.host.Recover(ctx, d.id, typed, "lost answer")
	if err != nil || back.ID != d.anna.ID() || back.Name != "Anna" || back.Secret == d.secrets[d.anna.ID()] {
		t.Fatalf("recovered: %+v, %v", back, err)
	}
	if again, err := d.host.Recover(ctx, d.id, second, "lost answer"); err != nil || again != back {
		t.Errorf("a retry: %+v, %v", again, err)
	}
	for _, key := range []string{"", "another press"} {
		if _, err := d.host.Recover(ctx, d.id, second, key); code(err) != refusal.CodeNotFound {
			t.Errorf("a used code with key %q: %v", key, err)
		}
	}
	if _, err := d.anna.View(ctx); code(err) != refusal.CodeNotFound {
		t.Errorf("the old link: %v", err)
	}
	old := d.secrets[d.anna.ID()]
	d.anna, d.secrets[d.anna.ID()] = d.enter(back.Secret), back.Secret
	if v := d.view(d.anna); v.Seat != back.ID || !v.Characters[0].Mine {
		t.Errorf("Anna sees %+v", v.Characters[0])
	}
	file := d.export()
	if _, err := verify.File(toys, words, bytes.NewReader(file)); err != nil {
		t.Error(err)
	}
	for what, secret := range map[string]string{
		"the old link": old, "the new link": back.Secret, "the code": second, "a part of the code": second[:11],
		"the code without dashes": strings.ReplaceAll(second, "-", ""),
	} {
		if bytes.Contains(file, []byte(secret)) {
			t.Errorf("the file has %s", what)
		}
	}
	if third := d.code(d.anna, "k3"); third == second {
		t.Error("the same code again")
	}
}

// A code ends when a game master makes its seat a new link or revokes it, when its owner removes
// it, and when the operator restores the seat.
func TestRecoveryCodeEndsWithANewLinkOrRemoval(t *testing.T) {
	for name, end := range map[string]func(d *desk, s *table.Seat) error{
		"renewed": func(d *desk, s *table.Seat) error {
			_, err := table.Do(d.t.Context(), d.gm, act.RenewSeat, act.SeatNamed{Seat: s.ID()}, "")
			return err
		},
		"revoked": func(d *desk, s *table.Seat) error {
			_, err := table.Do(d.t.Context(), d.gm, act.RevokeSeat, act.SeatNamed{Seat: s.ID()}, "")
			return err
		},
		"removed": func(d *desk, s *table.Seat) error {
			_, err := table.Do(d.t.Context(), s, act.RemoveCode, act.Nothing{}, "")
			return err
		},
		"restored": func(d *desk, s *table.Seat) error {
			_, err := d.host.Restore(d.t.Context(), d.id, s.ID())
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			seat := d.anna
			if name == "restored" {
				seat = d.gm
			}
			made := d.code(seat, "")
			if err := end(d, seat); err != nil {
				t.Fatal(err)
			}
			before := len(d.stored())
			if _, err := d.host.Recover(t.Context(), d.id, made, ""); code(err) != refusal.CodeNotFound {
				t.Errorf("the code: %v", err)
			}
			if len(d.stored()) != before {
				t.Error("a dead code writes an entry")
			}
		})
	}
	d := newDesk(t)
	if _, err := table.Do(t.Context(), d.anna, act.RemoveCode, act.Nothing{}, ""); code(err) != refusal.CodeRefused {
		t.Errorf("no code to remove: %v", err)
	}
}

// What opens nothing gets one answer: guesses, a seat's link, no table.
func TestWrongRecoveryCodesGetTheSameAnswer(t *testing.T) {
	d := newDesk(t)
	made := d.code(d.anna, "")
	for name, c := range map[string]struct{ table, code string }{
		"nothing":         {d.id, ""},
		"only dashes":     {d.id, "- -"},
		"a sign is wrong": {d.id, "2" + strings.Map(func(r rune) rune { return r + r%2 }, made[1:])},
		"a part":          {d.id, made[:17]},
		"a link":          {d.id, d.secrets["s1"]},
		"no table":        {"aaaaaaaaaaaaaaaa", made},
		"no id":           {"x", made},
	} {
		if _, err := d.host.Recover(t.Context(), c.table, c.code, ""); code(err) != refusal.CodeNotFound {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Everybody sees that a seat has come back; that a code was made, only its owner and game masters.
func TestOnlyOwnerAndGMsSeeThatACodeWasMade(t *testing.T) {
	d := newDesk(t)
	made := d.code(d.anna, "")
	last := func(s *table.Seat) string {
		t.Helper()
		log, err := s.Last(t.Context(), 1)
		if err != nil || len(log) != 1 {
			t.Fatal(log, err)
		}
		return log[0].Kind
	}
	for who, s := range map[string]*table.Seat{"Anna": d.anna, "GM": d.gm} {
		if last(s) != view.KindRecovery {
			t.Errorf("%s doesn't see the new code", who)
		}
	}
	for who, s := range map[string]*table.Seat{"Boris": d.boris, "a spectator": d.guest} {
		if last(s) == view.KindRecovery {
			t.Errorf("%s sees the new code", who)
		}
	}
	if _, err := d.host.Recover(t.Context(), d.id, made, ""); err != nil {
		t.Fatal(err)
	}
	for who, s := range map[string]*table.Seat{"GM": d.gm, "Boris": d.boris, "a spectator": d.guest} {
		if last(s) != view.KindRecovery {
			t.Errorf("%s doesn't see that Anna is back", who)
		}
	}
}

// A log doesn't verify if a seat comes back without a code, or a code is another seat's.
func TestLogWithForgedRecoveriesDoesNotVerify(t *testing.T) {
	d := newDesk(t)
	if _, err := d.host.Recover(t.Context(), d.id, d.code(d.anna, ""), ""); err != nil {
		t.Fatal(err)
	}
	entries := d.stored()
	for what, change := range map[string]func(made, used *journal.Entry){
		"made by another": func(made, _ *journal.Entry) { made.Seat = d.boris.ID() },
		"used by another": func(_, used *journal.Entry) { used.Seat = d.boris.ID() },
		"of another seat": func(_, used *journal.Entry) {
			used.Body = bytes.Replace(used.Body, []byte(`"id":"s2"`), []byte(`"id":"s3"`), 1)
		},
		"without a code": func(made, used *journal.Entry) {
			made.Body = json.RawMessage(bytes.Clone(used.Body))
		},
	} {
		changed := append([]journal.Entry(nil), entries...)
		change(&changed[len(changed)-2], &changed[len(changed)-1])
		if _, err := verify.File(toys, words, bytes.NewReader(d.file(changed))); err == nil {
			t.Errorf("%s: it verifies", what)
		}
	}
}

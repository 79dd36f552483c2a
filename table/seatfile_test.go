package table_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"
	"testing"

	"norn/game"
	"norn/journal/archive"
	"norn/table"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/verify"
)

func (d *desk) seen(s *table.Seat) []byte {
	d.t.Helper()
	var b bytes.Buffer
	if err := s.ExportSeen(d.t.Context(), &b); err != nil {
		d.t.Fatal(err)
	}
	return b.Bytes()
}

// A seat's own file is checked as far as the seat sees, and has no secret.
func TestSeatFileVerifiesAndHoldsNoSecret(t *testing.T) {
	d := played(t)
	d.hit() // a waiting move doesn't matter
	_, sealed := seals(t, d.journal, d.id)
	for name, s := range map[string]*table.Seat{"gm": d.gm, "anna": d.anna, "boris": d.boris, "guest": d.guest} {
		file := d.seen(s)
		found, err := verify.File(toys, words, bytes.NewReader(file))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if found.Seat != s.ID() || found.Sessions != 2 || found.Dice == 0 || found.Sealed == 0 || found.Hand != 4 {
			t.Errorf("%s: %+v", name, found)
		}
		if (name == "gm") != (found.Moves > 0) || found.Entries != len(d.log(s)) {
			t.Errorf("%s: %+v", name, found)
		}
		if strings.Contains(string(file), sealed) {
			t.Errorf("%s: the secret of the session that lasts is in the file", name)
		}
		if name != "gm" && strings.Contains(string(file), "SECRET n") {
			t.Errorf("%s: a secret is in the file", name)
		}
		for id, secret := range d.secrets {
			if strings.Contains(string(file), secret) {
				t.Errorf("%s: the link of %s is in the file", name, id)
			}
		}
		host, _ := elsewhere(t)
		_, err = brought(t, host, bytes.NewReader(file), false)
		var fault *archive.FaultError
		if !errors.As(err, &fault) || fault.Code != archive.OfSeat {
			t.Errorf("%s: an import: %v", name, err)
		}
	}
}

// A change in a seat's file is found, where what everybody saw proves it.
func TestTamperingWithASeatFileIsFound(t *testing.T) {
	d := newDesk(t)
	share := d.share(d.anna, "a share").Seq
	thrown := d.make(d.anna, request.Move{Move: game.PlainDice, Args: raw(`{"notation":"3d6"}`), Nonce: "n"}).Entry.Seq
	d.make(d.gm, request.Move{Move: "omen", Secret: true})
	ended := d.endSession().Seq
	file := d.seen(d.anna)
	if found, err := verify.File(toys, words, bytes.NewReader(file)); err != nil || found.Moves != 1 ||
		found.Unseen != 0 || found.Dice != 3 {
		t.Fatalf("%+v, %v", found, err)
	}
	for _, c := range []struct {
		seq  uint64
		path string
		code string
	}{
		{1, "entry.lines.1.data.commitment", refusal.MisfitUnreadable},
		{1, "v", refusal.MisfitUnreadable},
		{share, "entry.lines.0.data.share", refusal.MisfitShares},
		{share, "entry.lines.0.data.session", refusal.MisfitShares},
		{share, "entry.lines.0.data.seat", refusal.MisfitShares},
		{thrown, "entry.seq", refusal.MisfitUnreadable},
		{thrown, "entry.move", refusal.MisfitUnreadable},
		{thrown, "entry.name", refusal.MisfitMissing},
		{thrown, "entry.args.notation", refusal.MisfitRefused},
		{thrown, "entry.throws.0.faces.0", ""},
		{thrown, "entry.throws.0.sides", ""},
		{thrown, "entry.throws.0.place", refusal.MisfitUnreadable},
		{thrown, "entry.check.table", refusal.MisfitID},
		{thrown, "entry.check.session", refusal.MisfitID},
		{thrown, "entry.check.commitment", refusal.MisfitID},
		{thrown, "entry.check.move", refusal.MisfitID},
		{thrown, "entry.check.nonce", refusal.MisfitFace},
		{thrown, "entry.check.secret", refusal.MisfitUnreadable},
		{thrown, "entry.check.shares.0", refusal.MisfitShares},
		{thrown, "again.move", refusal.MisfitMissing},
		{thrown, "again.args.notation", ""},
		{thrown, "again.steps.0.dice.faces.0", ""},
		{thrown, "again.steps.0.dice.sides", refusal.MisfitRule},
		{thrown, "again.outcome.outcome", refusal.MisfitOutcome},
		{thrown, "again.outcome.n", refusal.MisfitOutcome},
		{thrown, "entry.outcome.n", ""},
		{ended, "entry.lines.0.data.secret", refusal.MisfitUnreadable},
		{ended, "entry.lines.0.data.commitment", refusal.MisfitShares},
		{ended, "entry.lines.0.data.n", refusal.MisfitShares},
		{ended, "entry.lines.0.data.shares.0.share", refusal.MisfitShares},
	} {
		_, err := verify.File(toys, words, bytes.NewReader(tampered(t, file, c.seq, strings.Split(c.path, "."))))
		var misfit *refusal.MisfitError
		switch {
		case !errors.As(err, &misfit):
			t.Errorf("entry %d, %s changed: %v", c.seq, c.path, err)
		case c.code != "" && misfit.Code != c.code:
			t.Errorf("entry %d, %s changed: %v, want %s", c.seq, c.path, err, c.code)
		case misfit.Seq < 1 || misfit.Seq > ended:
			t.Errorf("entry %d, %s changed: at entry %d", c.seq, c.path, misfit.Seq)
		}
	}
}

// tampered returns a seat's file with another number or text at a path of an entry's body, and new
// checksums.
func tampered(t *testing.T, file []byte, seq uint64, path []string) []byte {
	t.Helper()
	in, err := archive.NewReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	out, err := archive.NewWriter(&b, in.Header())
	if err != nil {
		t.Fatal(err)
	}
	for {
		e, err := in.Next()
		if err == io.EOF {
			break
		}
		if err == nil && e.Seq == seq {
			var body any
			if err := json.Unmarshal(e.Body, &body); err != nil {
				t.Fatal(err)
			}
			e.Body = raw(plain(t, altered(t, body, path)))
		}
		if err == nil {
			err = out.Write(e)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// altered returns a value with another number or text at a path.
func altered(t *testing.T, value any, path []string) any {
	t.Helper()
	switch value := value.(type) {
	case map[string]any:
		value[path[0]] = altered(t, value[path[0]], path[1:])
		return value
	case []any:
		i, err := strconv.Atoi(path[0])
		if err != nil || i >= len(value) {
			t.Fatalf("no place %v", path)
		}
		value[i] = altered(t, value[i], path[1:])
		return value
	case string:
		return value + "1"
	case float64:
		if value > 1 {
			return value - 1
		}
		return value + 1
	}
	t.Fatalf("nothing at %v", path)
	return nil
}

package table_test

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"
	"testing"
	"time"

	"norn/internal/relay/local"
	"norn/journal"
	"norn/journal/archive"
	"norn/lang"
	"norn/table"
	"norn/table/act"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/verify"
	"norn/table/view"
)

// elsewhere returns a host with a journal of its own and other random bytes.
func elsewhere(t testing.TB) (*table.Host, journal.Journal) {
	t.Helper()
	j := newMemory()
	c := config(j, local.New())
	c.Entropy = strings.NewReader(strings.Repeat("other dice fall here ", 100))
	return table.New(c), j
}

// brought imports a file.
func brought(t testing.TB, host *table.Host, file io.Reader, checked bool) (verify.Result, error) {
	t.Helper()
	a, err := verify.ReadImport(host.Games.Games(), host.Words, file, checked)
	if err != nil {
		return verify.Result{}, err
	}
	return host.Import(t.Context(), a)
}

func TestAnExportHoldsNoSecret(t *testing.T) {
	d := played(t)
	opened, sealed := seals(t, d.journal, d.id)
	file := string(d.export())
	if strings.Contains(file, sealed) {
		t.Error("the secret of the session that lasts is in the export")
	}
	for _, secret := range opened {
		if !strings.Contains(file, secret) {
			t.Error("an opened secret is missing: nobody could check its dice")
		}
	}
	for id, secret := range d.secrets {
		if strings.Contains(file, secret) {
			t.Errorf("the link of %s is in the export", id)
		}
	}
}

func TestOnlyGameMastersMayExport(t *testing.T) {
	d := played(t)
	for _, s := range []*table.Seat{d.anna, d.boris, d.guest} {
		var b bytes.Buffer
		if err := s.Export(t.Context(), &b); code(err) != refusal.CodeForbidden || b.Len() > 0 {
			t.Errorf("%s: %v, and %d bytes", s.Role(), err, b.Len())
		}
	}
}

// opened returns a desk where a strike with norn's dice has hit and waits for answers.
func opened(t *testing.T) (d *desk, move string) {
	t.Helper()
	d = newDesk(t)
	for nonce := range 50 {
		made := d.make(d.anna, request.Move{
			Move: "strike", Character: d.hero,
			Args: raw(`{"target":"` + d.other + `"}`), Nonce: strconv.Itoa(nonce),
		})
		if !made.Entry.Done {
			return d, made.Entry.Move
		}
	}
	t.Fatal("no blow has hit")
	return nil, ""
}

// answerAll answers open questions with their default answers until none is left.
func answerAll(t *testing.T, seats ...*table.Seat) {
	t.Helper()
	for again := true; again; {
		again = false
		for _, s := range seats {
			v, err := s.View(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, q := range v.Questions {
				if _, err := s.Answer(t.Context(), request.Answer{Question: q.ID, Answer: raw(`{}`)}); err == nil {
					again = true
					break
				}
			}
		}
	}
}

// A table with an open move is imported with its question. The move continues there with new dice
// that nobody knew before. All dice can be checked, and the move can be exported, imported and
// undone like any other.
func TestOpenMoveContinuesAfterImportWithNewDice(t *testing.T) {
	d, move := opened(t)
	_, sealed := seals(t, d.journal, d.id)
	file := d.export()
	if strings.Contains(string(file), sealed) {
		t.Error("the secret of the open move's dice is in the file")
	}
	host, j := elsewhere(t)
	if _, err := brought(t, host, bytes.NewReader(file), true); err != nil {
		t.Fatal(err)
	}
	enter := func(s *table.Seat) *table.Seat {
		there, err := host.Enter(t.Context(), d.id, d.secrets[s.ID()], lang.En)
		if err != nil {
			t.Fatal(err)
		}
		return there
	}
	gm, anna, boris := enter(d.gm), enter(d.anna), enter(d.boris)
	for here, there := range map[*table.Seat]*table.Seat{d.gm: gm, d.anna: anna, d.boris: boris} {
		v, err := there.View(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		same(t, "the questions of "+here.ID(), plain(t, d.view(here).Questions), plain(t, v.Questions))
	}
	if _, err := table.Do(t.Context(), boris, act.AddShare, act.ShareRequest{Share: "given after the import"},
		""); err != nil {
		t.Fatal(err)
	}
	arrived, err := j.Read(t.Context(), d.id, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	arrival := &arrived[len(arrived)-2]
	arrival.Body = bytes.Replace(bytes.Replace(arrival.Body, []byte(`,"reseals":true`), nil, 1), []byte(`"v":6,`),
		[]byte(`"v":1,`), 1)
	if _, err := verify.File(toys, words, bytes.NewReader(d.file(arrived))); err == nil ||
		!strings.Contains(err.Error(), "which dice") {
		t.Errorf("a file that doesn't say which dice the move goes on with: %v", err)
	}
	answerAll(t, gm, anna, boris)
	seq, err := strconv.ParseUint(strings.TrimPrefix(move, "m"), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := table.Do(t.Context(), gm, act.Undo, act.UndoRequest{Seq: int(seq)}, ""); err != nil {
		t.Errorf("undo: %v", err)
	}
	checkImported(t, gm, anna)
}

// checkImported checks the files of a table after an imported move has ended.
func checkImported(t *testing.T, gm, anna *table.Seat) {
	t.Helper()
	if _, err := table.Do(t.Context(), gm, act.EndSession, act.Nothing{}, ""); err != nil {
		t.Fatal(err)
	}
	var whole, seen bytes.Buffer
	if err := errors.Join(gm.Export(t.Context(), &whole), anna.ExportSeen(t.Context(), &seen)); err != nil {
		t.Fatal(err)
	}
	found, err := verify.File(toys, words, bytes.NewReader(whole.Bytes()))
	if err != nil || found.Dice == 0 || found.Sealed == 0 {
		t.Errorf("the table: %+v, %v", found, err)
	}
	if found, err := verify.File(toys, words, &seen); err != nil || found.Dice == 0 {
		t.Errorf("the player's own file: %+v, %v", found, err)
	}
	third, _ := elsewhere(t)
	if _, err := brought(t, third, bytes.NewReader(whole.Bytes()), true); err != nil {
		t.Errorf("imported once more: %v", err)
	}
}

// Cancelling an imported move doesn't make the tallies of the new session negative.
func TestCancellingAnImportedMoveKeepsTalliesValid(t *testing.T) {
	d, move := opened(t)
	host, _ := elsewhere(t)
	if _, err := brought(t, host, bytes.NewReader(d.export()), true); err != nil {
		t.Fatal(err)
	}
	gm, err := host.Enter(t.Context(), d.id, d.secrets[d.gm.ID()], lang.En)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := table.Do(t.Context(), gm, act.Cancel, act.CancelRequest{Move: move}, ""); err != nil {
		t.Fatal(err)
	}
	tallies, err := gm.Tally(t.Context())
	for _, tally := range tallies {
		if err != nil || tally.Moves != 0 || tally.Dice != 0 {
			t.Errorf("%+v counts, %v", tally, err)
		}
	}
	v, err := gm.View(t.Context())
	if err != nil || len(v.Questions) > 0 {
		t.Errorf("%d questions are left, %v", len(v.Questions), err)
	}
}

// An imported table is the same for everybody, opens with the old links, and can be played on.
func TestAnImportedTableIsTheSameForEverybody(t *testing.T) {
	d := played(t)
	file := d.export()
	host, j := elsewhere(t)
	found, err := brought(t, host, bytes.NewReader(file), true)
	if err != nil {
		t.Fatal(err)
	}
	if found.Table != d.id || found.Name != "Tuesday" || found.Entries != len(d.stored()) {
		t.Errorf("found %+v", found)
	}
	for _, s := range []*table.Seat{d.gm, d.anna, d.boris, d.guest} {
		there, err := host.Enter(t.Context(), d.id, d.secrets[s.ID()], lang.En)
		if err != nil {
			t.Fatal(err)
		}
		log, err := there.Log(t.Context(), 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		if last := log[len(log)-1]; last.Kind != view.KindImported ||
			!strings.HasPrefix(last.Lines[0].Text, "The table came here from a file with") {
			t.Errorf("the last entry is %+v", last)
		}
		same(t, string(s.Role())+"'s log", plain(t, d.log(s)), plain(t, log[:len(log)-1]))
		shown, err := there.View(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		same(t, string(s.Role())+"'s characters", plain(t, d.view(s).Characters), plain(t, shown.Characters))
		if lost := shown.Sessions[1]; lost.Secret != "" || lost.Commitment != d.view(s).Session.Commitment ||
			shown.Session.Commitment == lost.Commitment {
			t.Errorf("sessions %+v and %+v", lost, shown.Session)
		}
	}

	// The game goes on there, and its new dice can be checked.
	gm, err := host.Enter(t.Context(), d.id, d.secrets[d.gm.ID()], lang.En)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := gm.Make(t.Context(), request.Move{Move: "swap", Character: d.hero}); err != nil {
		t.Fatal(err)
	}
	if _, err := table.Do(t.Context(), gm, act.EndSession, act.Nothing{}, ""); err != nil {
		t.Fatal(err)
	}
	var again bytes.Buffer
	if err := gm.Export(t.Context(), &again); err != nil {
		t.Fatal(err)
	}
	after, err := verify.File(toys, words, bytes.NewReader(again.Bytes()))
	if err != nil || after.Sealed != 3 || after.Dice != found.Dice+3 || after.Sessions != 4 {
		t.Errorf("after the import: %+v, %v", after, err)
	}
	third, _ := elsewhere(t)
	if _, err := brought(t, third, &again, true); err != nil {
		t.Error("brought on:", err)
	}

	// A second import finds the table there.
	before, _ := j.Read(t.Context(), d.id, 0, 0)
	var exists *table.ExistsError
	if _, err := brought(t, host, bytes.NewReader(file), true); !errors.As(err, &exists) || !exists.Same {
		t.Errorf("got %v, want *ExistsError of the same table", err)
	}
	if after, _ := j.Read(t.Context(), d.id, 0, 0); len(after) != len(before) {
		t.Error("a refused import has written")
	}
	changed := d.stored()
	changed[len(changed)-1].Time = changed[len(changed)-1].Time.Add(time.Second)
	if _, err := brought(t, host, bytes.NewReader(d.file(changed)), true); !errors.As(err, &exists) || exists.Same {
		t.Errorf("got %v, want *ExistsError of another table", err)
	}
}

func TestARefusedImportWritesNothing(t *testing.T) {
	d := played(t)
	good := string(d.export())
	stored := d.stored()
	odd := d.stored()
	odd[len(odd)-1].Body = bytes.Replace(odd[len(odd)-1].Body, []byte(`"kind":"move"`), []byte(`"kind":"dance"`), 1)
	for name, file := range map[string]string{
		"empty":      "",
		"cut":        good[:len(good)-200],
		"changed":    strings.Replace(good, "SECRET shade", "SECRET shape", 1),
		"trailing":   good + "\n",
		"unknown":    string(d.file(odd)),
		"other game": strings.Replace(good, `"game":"toy"`, `"game":"chess"`, 1),
		"no opening": string(d.file(stored[1:])),
	} {
		for _, checked := range []bool{true, false} {
			host, j := elsewhere(t)
			_, err := brought(t, host, strings.NewReader(file), checked)
			var (
				fault  *archive.FaultError
				misfit *refusal.MisfitError
			)
			if !errors.As(err, &fault) && !errors.As(err, &misfit) {
				t.Errorf("%s: got %v", name, err)
			}
			if heads, _ := j.Tables(t.Context()); len(heads) > 0 {
				t.Errorf("%s: %v was written", name, heads)
			}
		}
	}
}

// A log of rules that have changed since fails the check but can be imported unchecked, unless it
// isn't a valid table.
func TestLogOfChangedRulesIsImportedOnlyUnchecked(t *testing.T) {
	d := played(t)
	stored := d.stored()
	last := &stored[len(stored)-1]
	last.Body = bytes.Replace(last.Body, []byte(`"outcome":"swapped"`), []byte(`"outcome":"swopped"`), 1)
	host, _ := elsewhere(t)
	var misfit *refusal.MisfitError
	if _, err := brought(t, host, bytes.NewReader(d.file(stored)), true); !errors.As(err, &misfit) ||
		misfit.Rules != "test" {
		t.Errorf("checked: %v", err)
	}
	if _, err := brought(t, host, bytes.NewReader(d.file(stored)), false); err != nil {
		t.Errorf("unchecked: %v", err)
	}
}

func TestHistoryIsReadAndExportedWithoutAServer(t *testing.T) {
	d := played(t)
	p, err := table.ReadHistory(t.Context(), toys, d.journal, d.id, words.In(lang.En))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := p.Export(t.Context(), &b, time.Unix(0, 0), "test"); err != nil {
		t.Fatal(err)
	}
	if _, err := verify.File(toys, words, &b); err != nil {
		t.Error(err)
	}
	name, g, err := table.Title(t.Context(), toys, d.journal, d.id)
	if err != nil || name != "Tuesday" || g != toy {
		t.Errorf("title %q, %v", name, err)
	}
	if _, err := table.ReadHistory(t.Context(), toys, d.journal, "nowhere",
		words.In(lang.En)); code(err) != refusal.CodeNotFound {
		t.Errorf("nowhere: %v", err)
	}
	if _, err := table.ReadHistory(t.Context(), nil, d.journal, d.id,
		words.In(lang.En)); code(err) != refusal.CodeUnreadable {
		t.Errorf("without its game: %v", err)
	}
}

// failing is a writer that fails after some bytes.
type failing struct{ left int }

func (f *failing) Write(b []byte) (int, error) {
	if f.left -= len(b); f.left < 0 {
		return 0, io.ErrShortWrite
	}
	return len(b), nil
}

func TestExportThatCannotBeWrittenReturnsAnError(t *testing.T) {
	d := played(t)
	whole := len(d.export())
	for _, room := range []int{0, 100, whole / 2, whole - 1} {
		if err := d.gm.Export(t.Context(), &failing{room}); !errors.Is(err, io.ErrShortWrite) {
			t.Errorf("with room for %d bytes of %d: %v", room, whole, err)
		}
	}
}

// FuzzImport imports files with correct checksums and hostile contents.
func FuzzImport(f *testing.F) {
	d := played(f)
	for _, e := range d.stored() {
		f.Add(int(e.Seq), e.Body)
	}
	stored := d.stored()
	f.Fuzz(func(t *testing.T, seq int, body []byte) {
		if seq < 1 || seq > len(stored) || len(body) == 0 || body[0] != '{' || len(body) > 1<<16 {
			return
		}
		entries := append([]journal.Entry{}, stored...)
		entries[seq-1].Body = body
		var b bytes.Buffer
		w, err := archive.NewWriter(&b, archive.Header{Table: d.id, Game: "toy", Entries: len(entries)})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if w.Write(e) != nil {
				return // not JSON
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		for _, checked := range []bool{true, false} {
			host, _ := elsewhere(t)
			_, err := brought(t, host, bytes.NewReader(b.Bytes()), checked)
			var (
				fault  *archive.FaultError
				misfit *refusal.MisfitError
			)
			if err != nil && !errors.As(err, &fault) && !errors.As(err, &misfit) {
				t.Fatalf("got %v", err)
			}
			if err != nil {
				continue
			}
			gm, err := host.Enter(t.Context(), d.id, d.secrets["s1"], lang.En)
			if code(err) == refusal.CodeNotFound {
				continue // another lock
			}
			if err != nil {
				t.Fatal(err)
			}
			if _, err := gm.View(t.Context()); err != nil && code(err) != refusal.CodeNotFound {
				t.Fatal(err)
			}
		}
	})
}

package sqlite

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"norn/journal"
)

// holding returns the files in a folder that contain a text.
func holding(t *testing.T, dir, text string) (found []string) {
	t.Helper()
	for _, name := range names(t, dir) {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(data, []byte(text)) {
			found = append(found, name)
		}
	}
	return found
}

const deletedWords, keptWords = "Oksana's secret garden", "what stays"

// crowded makes an open journal with a table of small and large entries, with keys and moves, between
// others, and a snapshot.
func crowded(t *testing.T, dir string) *Journal {
	t.Helper()
	j := mustOpen(t, dir)
	for n := range uint64(200) {
		for table, words := range map[string]string{"gone": deletedWords, "stays": keptWords} {
			body := bytes.Repeat([]byte(words), 1+int(n%7)*int(n%11)*40)
			mustAppend(t, j, table, n, journal.Entry{
				Time: noon, Seat: "s1", Key: fmt.Sprint("key ", words, n), Move: fmt.Sprint("move ", words, n/3), Body: body,
			})
			if n%50 == 0 {
				if err := j.KeepSnapshot(t.Context(), table, bytes.Repeat(body, 3)); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	return j
}

func mustDelete(t *testing.T, j *Journal, table string, expect uint64) {
	t.Helper()
	if err := j.Delete(t.Context(), table, expect, noon); err != nil {
		t.Fatal(err)
	}
}

func TestADeletedTableIsGoneFromTheFilesBytes(t *testing.T) {
	dir := t.TempDir()
	j := crowded(t, dir)
	if len(holding(t, dir, deletedWords)) == 0 {
		t.Fatal("nothing is there to delete")
	}
	mustDelete(t, j, "gone", 200)
	look := func(when string) {
		t.Helper()
		if found := holding(t, dir, deletedWords); len(found) > 0 {
			t.Errorf("%s, %v still have the words", when, found)
		}
		if len(holding(t, dir, keptWords)) == 0 || count(t, j, "stays") != 200 {
			t.Errorf("%s, the other table isn't whole", when)
		}
	}
	look("after deleting")
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	j = mustOpen(t, dir)
	look("after opening again")
	only, err := OpenReadOnly(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer only.Close()
	copied := filepath.Join(t.TempDir(), "copy")
	if _, _, err := only.Backup(t.Context(), copied); err != nil {
		t.Fatal(err)
	}
	if found := holding(t, copied, deletedWords); len(found) > 0 {
		t.Error("a backup has the words")
	}
}

func TestBlankedWordsAreGoneFromTheFilesBytes(t *testing.T) {
	dir := t.TempDir()
	j := crowded(t, dir)
	var blanked []journal.Entry
	for seq := range uint64(200) {
		blanked = append(blanked, journal.Entry{Seq: seq + 1, Body: []byte("-")})
	}
	// keys and moves hold no words of people
	for _, column := range []string{"key", "move"} {
		if found := holding(t, dir, column+" "+deletedWords); len(found) == 0 {
			t.Fatal("the fixture has no ", column)
		}
	}
	if _, err := j.Blank(t.Context(), "gone", 200, blanked, journal.Entry{Time: noon}); err != nil {
		t.Fatal(err)
	}
	if found := holding(t, dir, deletedWords+deletedWords); len(found) > 0 {
		t.Errorf("%v still have the words", found)
	}
	if got := count(t, j, "gone"); got != 201 {
		t.Errorf("there are %d entries", got)
	}
}

// A reader that began before the deletion needs the log; the bytes go with a later write, or when
// the journal is closed.
func TestBytesThatAReaderNeedsGoLater(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: waits for a lock")
	}
	dir := t.TempDir()
	j := crowded(t, dir)
	tx, err := j.reader.db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var n int
	if err := tx.QueryRowContext(t.Context(), "SELECT count(*) FROM entries").Scan(&n); err != nil {
		t.Fatal(err)
	}
	mustDelete(t, j, "gone", 200)
	if count(t, j, "gone") > 0 {
		t.Error("it can be read")
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	mustAppend(t, j, "stays", 200, journal.Entry{Time: noon})
	if found := holding(t, dir, deletedWords); len(found) > 0 {
		t.Errorf("%v still have the words", found)
	}
}

func TestDeletingTheNewestEntriesLosesNoCount(t *testing.T) {
	dir := t.TempDir()
	j := mustOpen(t, dir)
	mustAppend(t, j, "a", 0, journal.Entry{Time: noon})
	mustAppend(t, j, "b", 0, journal.Entry{Time: noon}, journal.Entry{Time: noon})
	mustDelete(t, j, "b", 2)
	for n := range uint64(3) { // each opening checks the number of entries
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		j = mustOpen(t, dir)
		mustAppend(t, j, "a", n+1, journal.Entry{Time: noon})
	}
	mustDelete(t, j, "a", 4)
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	j = mustOpen(t, dir)
	if heads, err := j.Tables(t.Context()); err != nil || len(heads) > 0 {
		t.Errorf("%v, %v", heads, err)
	}
}

// The record of what was acknowledged may be of an entry that was deleted, if norn was killed before
// it wrote the next.
func TestAKillAfterADeletionIsNoLoss(t *testing.T) {
	dir := t.TempDir()
	j := mustOpen(t, dir)
	mustAppend(t, j, "a", 0, journal.Entry{Time: noon}, journal.Entry{Time: noon})
	before, err := os.ReadFile(filepath.Join(dir, positionFile))
	if err != nil {
		t.Fatal(err)
	}
	mustDelete(t, j, "a", 2)
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, positionFile), before)
	if err := os.Remove(filepath.Join(dir, deletedFile)); err != nil { // it wasn't written either
		t.Fatal(err)
	}
	j = mustOpen(t, dir)
	noted, err := readDeletions(filepath.Join(dir, deletedFile))
	if err != nil || len(noted) != 1 || noted[0].Table != "a" || !noted[0].Time.Equal(noon) {
		t.Errorf("noted are %v, %v", noted, err)
	}
	if past, _ := j.Past(); past != Whole {
		t.Errorf("it's taken for %v", past)
	}
}

func TestARestoredBackupSaysWhichOfItsTablesWereDeleted(t *testing.T) {
	dir, copied := t.TempDir(), filepath.Join(t.TempDir(), "copy")
	j := mustOpen(t, dir)
	for _, table := range []string{"a", "b", "c"} {
		mustAppend(t, j, table, 0, journal.Entry{Time: noon})
	}
	only, err := OpenReadOnly(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := only.Backup(t.Context(), copied); err != nil {
		t.Fatal(err)
	}
	only.Close()
	mustDelete(t, j, "a", 1)
	mustDelete(t, j, "b", 1)
	mustAppend(t, j, "b", 0, journal.Entry{Time: noon}) // an import
	said := func(want ...string) {
		t.Helper()
		restored, err := j.Restored(context.Background())
		var got []string
		for _, d := range restored {
			got = append(got, d.Table)
		}
		if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("restored are %v, %v, want %v", got, err, want)
		}
	}
	said()
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(copied, File), filepath.Join(dir, File)); err != nil {
		t.Fatal(err)
	}
	j = mustOpen(t, dir)
	said("a", "b")
	mustDelete(t, j, "a", 1)
	said("b")
	if got, err := os.ReadFile(filepath.Join(dir, deletedFile)); err != nil || bytes.Count(got, []byte("\n")) != 2 {
		t.Errorf("the file says %s, %v", got, err)
	}
}

package archive_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"norn/journal"
	"norn/journal/archive"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 123_456_000, time.UTC)

var header = archive.Header{
	Table:    "abcdefghijklmnop",
	Game:     "toy",
	Name:     "Вторник <1>",
	Exported: noon,
	Norn:     "1.0.0",
	Entries:  3,
}

func entries() []journal.Entry {
	return []journal.Entry{
		{Table: header.Table, Seq: 1, Time: noon, Seat: "s1", Body: []byte(`{"v":1,"name":"a\u003cb & c"}`)},
		{
			Table: header.Table,
			Seq:   2,
			Time:  noon.Add(time.Microsecond),
			Seat:  "s1",
			Move:  "m2",
			Key:   "k",
			Body:  []byte(`{}`),
		},
		{
			Table: header.Table,
			Seq:   3,
			Time:  noon,
			Seat:  "s2",
			Move:  "m2",
			Key:   "k",
			Body:  []byte(`{"n":[1,{"n":12345678901234567890}]}`),
		},
	}
}

func write(t testing.TB, h archive.Header, entries []journal.Entry) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := archive.NewWriter(&b, h)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if err := w.Write(e); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func read(file io.Reader) (archive.Header, []journal.Entry, error) {
	r, err := archive.NewReader(file)
	if err != nil {
		return archive.Header{}, nil, err
	}
	var read []journal.Entry
	for {
		e, err := r.Next()
		if err == io.EOF {
			return r.Header(), read, nil
		}
		if err != nil {
			return archive.Header{}, nil, err
		}
		read = append(read, e)
	}
}

// The file format is a contract with other programs: this file was made by hand, with its sums by
// sha256sum.
func TestHandMadeFileIsReadAndWrittenUnchanged(t *testing.T) {
	want, err := os.ReadFile("testdata/small.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	got := write(t, header, entries())
	if d := cmp.Diff(string(want), string(got)); d != "" {
		t.Errorf("written (-want +got):\n%s", d)
	}
	h, back, err := read(bytes.NewReader(want))
	if err != nil {
		t.Fatal(err)
	}
	told := header
	told.Exported = told.Exported.Truncate(time.Second)
	if d := cmp.Diff(told, h); d != "" {
		t.Errorf("header (-want +got):\n%s", d)
	}
	if d := cmp.Diff(entries(), back); d != "" {
		t.Errorf("entries (-want +got):\n%s", d)
	}
}

// summed recomputes the sums of lines, so that other faults are found.
func summed(lines ...string) string {
	var file strings.Builder
	chain := ""
	for _, line := range lines {
		text := strings.TrimSuffix(line, "}")
		sum := sha256.Sum256([]byte(chain + text))
		chain = hex.EncodeToString(sum[:])
		fmt.Fprintf(&file, "%s,\"sum\":\"%s\"}\n", text, chain)
	}
	return file.String()
}

// hostileFile is an invalid file with the line and the code of its fault.
type hostileFile struct {
	name, file   string
	line         int
	code, detail string
}

// These are the lines of a good file, which the cases spoil.
const (
	goodHead = `{"format":"norn table","version":1,"table":"abcdefghijklmnop","game":"toy","name":"x","exported":"2026-03-01T12:00:00Z","norn":"1","entries":2}`
	goodOne  = `{"seq":1,"time":"2026-03-01T12:00:00Z","seat":"s1","key":"k","body":{}}`
	goodTwo  = `{"seq":2,"time":"2026-03-01T12:00:00Z","body":{}}`
	goodEnd  = `{"end":true,"entries":2}`
	goodTime = "2026-03-01T12:00:00Z"
)

// hostileFiles lists the ways in which a file can be damaged or forged.
func hostileFiles(t *testing.T) []hostileFile {
	if _, _, err := read(strings.NewReader(summed(goodHead, goodOne, goodTwo, goodEnd))); err != nil {
		t.Fatal("the file that the cases spoil is not good:", err)
	}
	return slices.Concat(
		foreignFiles(t), miscountedFiles(), ambiguousFiles(), wrongValues(), wrongTexts(), wrongHeaders(),
	)
}

// foreignFiles lists files of something else, cut, changed and continued ones.
func foreignFiles(t *testing.T) []hostileFile {
	good := string(write(t, header, entries()))
	lines := strings.SplitAfter(good, "\n")
	return []hostileFile{
		{"empty", "", 1, archive.Foreign, ""},
		{"no line", "norn", 1, archive.Foreign, ""},
		{"another file", "{}\n", 1, archive.Foreign, ""},
		{"a picture", "\x89PNG\r\n\x1a\n" + strings.Repeat("\x00", 100), 1, archive.Foreign, ""},
		{"one endless line", strings.Repeat("[", archive.MaxLine+1), 1, archive.Foreign, ""},
		{"newer", strings.Replace(good, `"version":1`, `"version":2`, 1), 1, archive.Newer, "2"},
		{"version 0", strings.Replace(good, `"version":1`, `"version":0`, 1), 1, archive.Foreign, ""},
		{"cut between lines", strings.Join(lines[:3], ""), 4, archive.Truncated, ""},
		{"cut before the end", strings.Join(lines[:4], ""), 5, archive.Truncated, ""},
		{"cut in a line", good[:len(good)-1], 5, archive.Truncated, ""},
		{"cut to nothing but the header", lines[0], 2, archive.Truncated, ""},
		{"a letter changed", strings.Replace(good, "a\\u003cb", "a\\u003cc", 1), 2, archive.Sum, ""},
		{"the header changed", strings.Replace(good, "Вторник", "Среда", 1), 1, archive.Sum, ""},
		{"lines swapped", lines[0] + lines[2] + lines[1] + lines[3] + lines[4], 2, archive.Sum, ""},
		{"a line twice", lines[0] + lines[1] + lines[1] + lines[2] + lines[3] + lines[4], 3, archive.Sum, ""},
		{"no sum", goodHead + "\n", 1, archive.Sum, ""},
		{"trailing line", good + "{}\n", 6, archive.Trailing, ""},
		{"trailing byte", good + " ", 6, archive.Trailing, ""},
		{"trailing file", good + good, 6, archive.Trailing, ""},
	}
}

// miscountedFiles lists files whose entries are numbered or counted wrongly.
func miscountedFiles() []hostileFile {
	return []hostileFile{
		{"seq twice", summed(goodHead, goodOne, goodOne, goodEnd), 3, archive.Gap, "2"},
		{
			"seq leaps", summed(goodHead, goodOne, strings.Replace(goodTwo, `"seq":2`, `"seq":3`, 1), goodEnd),
			3, archive.Gap, "2",
		},
		{"seq missing", summed(goodHead, goodOne, `{"time":"`+goodTime+`","body":{}}`, goodEnd), 3, archive.Gap, "2"},
		{
			"seq negative",
			summed(goodHead, goodOne, strings.Replace(goodTwo, `"seq":2`, `"seq":-2`, 1), goodEnd),
			3,
			archive.Value,
			"seq",
		},
		{"ends early", summed(goodHead, goodOne, goodEnd), 3, archive.Count, "2"},
		{
			"goes on", summed(goodHead, goodOne, goodTwo, strings.Replace(goodTwo, `"seq":2`, `"seq":3`, 1), goodEnd),
			4, archive.Count, "2",
		},
		{"end counts wrongly", summed(goodHead, goodOne, goodTwo, `{"end":true,"entries":3}`), 4, archive.Count, "2"},
		{"end that is none", summed(goodHead, goodOne, goodTwo, `{"end":false,"entries":2}`), 4, archive.Count, "2"},
	}
}

// ambiguousFiles lists files with keys and members that are there twice or unknown.
func ambiguousFiles() []hostileFile {
	return []hostileFile{
		{
			"key twice",
			summed(goodHead, goodOne, `{"seq":2,"time":"`+goodTime+`","seat":"s1","key":"k","body":{}}`, goodEnd),
			3,
			archive.KeyTwice,
			"k",
		},
		{
			"member twice",
			summed(goodHead, `{"seq":1,"time":"`+goodTime+`","body":{"v":1,"in":[{"v":1,"v":2}]}}`, goodTwo, goodEnd),
			2,
			archive.Twice,
			"v",
		},
		{
			"entry's member twice",
			summed(goodHead, `{"seq":9,"seq":1,"time":"`+goodTime+`","body":{}}`, goodTwo, goodEnd),
			2,
			archive.Twice,
			"seq",
		},
		{
			"member in other letters",
			summed(goodHead, `{"SEQ":1,"time":"`+goodTime+`","body":{}}`, goodTwo, goodEnd),
			2,
			archive.Unknown,
			"SEQ",
		},
		{
			"member unknown",
			summed(goodHead, `{"seq":1,"table":"other","time":"`+goodTime+`","body":{}}`, goodTwo, goodEnd),
			2,
			archive.Unknown,
			"table",
		},
	}
}

// wrongValues lists files of entries with values that are missing or too large.
func wrongValues() []hostileFile {
	return []hostileFile{
		{"no body", summed(goodHead, `{"seq":1,"time":"`+goodTime+`"}`, goodTwo, goodEnd), 2, archive.Value, "body"},
		{
			"body of another kind",
			summed(goodHead, `{"seq":1,"time":"`+goodTime+`","body":[1]}`, goodTwo, goodEnd),
			2,
			archive.Value,
			"body",
		},
		{
			"body null", summed(goodHead, `{"seq":1,"time":"`+goodTime+`","body":null}`, goodTwo, goodEnd),
			2, archive.Value, "body",
		},
		{
			"no time", summed(goodHead, `{"seq":1,"body":{}}`, goodTwo, goodEnd),
			2, archive.Value, "entries[0].time is not set",
		},
		{
			"time that is none", summed(goodHead, `{"seq":1,"time":"noon","body":{}}`, goodTwo, goodEnd),
			2, archive.Value, "time",
		},
		{
			"time finer than kept",
			summed(goodHead, `{"seq":1,"time":"2026-03-01T12:00:00.1234567Z","body":{}}`, goodTwo, goodEnd),
			2,
			archive.Value,
			"time",
		},
		{
			"seat too long", summed(goodHead, `{"seq":1,"time":"`+goodTime+`","seat":"`+strings.Repeat("s", 201)+
				`","body":{}}`, goodTwo, goodEnd), 2, archive.Value,
			"entries[0].seat is 201 bytes long; at most 200 are allowed",
		},
	}
}

// wrongTexts lists files that aren't JSON in UTF-8.
func wrongTexts() []hostileFile {
	return []hostileFile{
		{"no JSON", summed(goodHead, `{"seq":1,,}`, goodTwo, goodEnd), 2, archive.Syntax, ""},
		{"two values", summed(goodHead, `{} {}`, goodTwo, goodEnd), 2, archive.Syntax, ""},
		{"a list", summed(goodHead, `[]`, goodTwo, goodEnd), 2, archive.Syntax, ""},
		{
			"not UTF-8",
			summed(goodHead, `{"seq":1,"time":"`+goodTime+`","body":{"n":"`+"\xff"+`"}}`, goodTwo, goodEnd),
			2,
			archive.UTF8,
			"",
		},
		{
			"half a character",
			summed(goodHead, `{"seq":1,"time":"`+goodTime+`","body":{"n":"a\ud800"}}`, goodTwo, goodEnd),
			2,
			archive.UTF8,
			"",
		},
		{
			"the other half",
			summed(goodHead, `{"seq":1,"time":"`+goodTime+`","body":{"\uDC00":1}}`, goodTwo, goodEnd),
			2,
			archive.UTF8,
			"",
		},
		{
			"two first halves",
			summed(goodHead, `{"seq":1,"time":"`+goodTime+`","body":{"n":"\ud83c\ud83c"}}`, goodTwo, goodEnd),
			2,
			archive.UTF8,
			"",
		},
		{
			"half a character in the header",
			summed(strings.Replace(goodHead, `"name":"x"`, `"name":"\ud83c x"`, 1), goodOne, goodTwo, goodEnd),
			1,
			archive.UTF8,
			"",
		},
	}
}

// wrongHeaders lists files with headers that promise what can't be, and a body that is too deep.
func wrongHeaders() []hostileFile {
	return []hostileFile{
		{
			"too deep",
			summed(
				goodHead,
				`{"seq":1,"time":"`+goodTime+`","body":{"n":`+strings.Repeat("[", 200)+strings.Repeat("]", 200)+`}}`,
				goodTwo,
				goodEnd,
			),
			2,
			archive.Depth,
			"100",
		},
		{
			"header's member twice",
			summed(strings.Replace(goodHead, `"game":"toy"`, `"game":"toy","game":"spire"`, 1),
				goodOne, goodTwo, goodEnd),
			1,
			archive.Twice,
			"game",
		},
		{
			"no entries",
			summed(strings.Replace(goodHead, `"entries":2`, `"entries":0`, 1), goodEnd),
			1,
			archive.Value,
			"entries",
		},
		{
			"negative entries",
			summed(strings.Replace(goodHead, `"entries":2`, `"entries":-1`, 1), goodEnd),
			1,
			archive.Value,
			"entries",
		},
		{
			"more than may be",
			summed(strings.Replace(goodHead, `"entries":2`, `"entries":1048577`, 1), goodOne),
			1,
			archive.TooMany,
			"1048576",
		},
		{
			"header's version as text",
			summed(strings.Replace(goodHead, `"version":1`, `"version":"1"`, 1), goodOne),
			1,
			archive.Foreign,
			"",
		},
		{
			"table without an id",
			summed(strings.Replace(goodHead, "abcdefghijklmnop", "", 1), goodOne, goodTwo, goodEnd),
			2,
			archive.Value,
			"table is empty; 1 to 200 bytes are allowed",
		},
	}
}

func TestHostileFilesAreRefusedWithLineAndReason(t *testing.T) {
	for _, c := range hostileFiles(t) {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := read(strings.NewReader(c.file))
			var fault *archive.FaultError
			if !errors.As(err, &fault) {
				t.Fatalf("got %v, want a *FaultError", err)
			}
			if d := cmp.Diff(&archive.FaultError{Line: c.line, Code: c.code, Detail: c.detail}, fault); d != "" {
				t.Errorf("fault (-want +got):\n%s", d)
			}
		})
	}
}

// endless gives one entry's line after another, as fast as it's read, and
// counts what was taken of it.
type endless struct {
	line []byte
	left []byte
	took int
}

func (e *endless) Read(b []byte) (int, error) {
	if len(e.left) == 0 {
		e.left = e.line
	}
	n := copy(b, e.left)
	e.left = e.left[n:]
	e.took += n
	return n, nil
}

// What looks like half a character and isn't one is read.
func TestEscapesThatLookLikeLoneSurrogatesAreRead(t *testing.T) {
	head := `{"format":"norn table","version":1,"table":"t","game":"toy","name":"x","exported":"2026-03-01T12:00:00Z","norn":"1","entries":1}`
	for _, text := range []string{`\ud83c\udfb2`, `\\ud800`, `\u0439\"\\`, `ud800`, `\ufffd`} {
		body := `{"n":"` + text + `"}`
		_, back, err := read(
			strings.NewReader(
				summed(head, `{"seq":1,"time":"2026-03-01T12:00:00Z","body":`+body+`}`, `{"end":true,"entries":1}`),
			),
		)
		if err != nil || string(back[0].Body) != body {
			t.Errorf("%s: got %v, %v", text, back, err)
		}
	}
}

func TestReaderStopsAtALineThatIsTooLong(t *testing.T) {
	head := summed(
		`{"format":"norn table","version":1,"table":"t","game":"toy","name":"x","exported":"2026-03-01T12:00:00Z","norn":"1","entries":2}`,
	)
	e := &endless{line: bytes.Repeat([]byte("x"), 4096)}
	_, _, err := read(io.MultiReader(strings.NewReader(head), e))
	var fault *archive.FaultError
	if !errors.As(err, &fault) || fault.Line != 2 || fault.Code != archive.LongLine {
		t.Errorf("got %v", err)
	}
	if e.took > archive.MaxLine+128<<10 {
		t.Errorf("took %d bytes of a line that may have %d", e.took, archive.MaxLine)
	}
}

func TestReaderReturnsItsFaultAgain(t *testing.T) {
	r, err := archive.NewReader(strings.NewReader(strings.SplitAfter(string(write(t, header, entries())), "\n")[0]))
	if err != nil {
		t.Fatal(err)
	}
	_, first := r.Next()
	_, again := r.Next()
	if first == nil || first != again {
		t.Errorf("got %v and then %v", first, again)
	}
}

func TestWriterRefusesWrongOrderOrNumberOfEntries(t *testing.T) {
	all := entries()
	w, err := archive.NewWriter(io.Discard, header)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(all[1]); err == nil {
		t.Error("entry 2 was taken where entry 1 was due")
	}
	w, _ = archive.NewWriter(io.Discard, header)
	if err := w.Write(all[0]); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err == nil {
		t.Error("a file with too few entries was closed as whole")
	}
	if _, err := archive.NewWriter(io.Discard, archive.Header{Entries: archive.MaxEntries + 1}); err == nil {
		t.Error("a file that nobody could read was begun")
	}
	one := header
	one.Entries = 1
	w, _ = archive.NewWriter(io.Discard, one)
	if err := w.Write(all[0]); err != nil {
		t.Fatal(err)
	}
	if err := w.Write(all[1]); err == nil {
		t.Error("more entries were taken than the header says")
	}
}

func TestWrittenFilesAreReadBackTheSame(t *testing.T) {
	text := rapid.StringMatching(`[a-z<>&"'\\й🎲 ]{0,40}`)
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 20).Draw(t, "entries")
		h := archive.Header{
			Table:    "t",
			Game:     text.Draw(t, "game"),
			Name:     text.Draw(t, "name"),
			Exported: noon.Truncate(time.Second),
			Entries:  n,
		}
		var all []journal.Entry
		for i := range n {
			all = append(all, journal.Entry{
				Table: "t", Seq: uint64(i + 1),
				Time: noon.Add(time.Duration(rapid.IntRange(0, 1e9).Draw(t, "µs")) * time.Microsecond),
				Seat: text.Draw(t, "seat"), Move: text.Draw(t, "move"), Key: fmt.Sprint(text.Draw(t, "key"), i),
				Body: fmt.Appendf(nil, `{"n":%q}`, rapid.StringMatching(`[a-zA-Z0-9й]{0,20}`).Draw(t, "body")),
			})
		}
		var b bytes.Buffer
		w, err := archive.NewWriter(&b, h)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range all {
			if err := w.Write(e); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		got, back, err := read(&b)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(h, got) + cmp.Diff(all, back); d != "" {
			t.Fatal(d)
		}
	})
}

// No byte of a file can be changed without notice.
func TestAnyChangedByteIsDetected(t *testing.T) {
	good := write(t, header, entries())
	for i := range good {
		bad := bytes.Clone(good)
		bad[i] ^= 1
		if _, _, err := read(bytes.NewReader(bad)); err == nil {
			t.Errorf("byte %d was changed, and nobody noticed", i)
		}
	}
}

func FuzzReader(f *testing.F) {
	f.Add(write(f, header, entries()))
	f.Add(
		[]byte(
			summed(
				`{"format":"norn table","version":1,"table":"t","game":"g","name":"","exported":"2026-03-01T12:00:00Z","norn":"","entries":1}`,
				`{"seq":1,"time":"2026-03-01T12:00:00Z","body":{"a":[{}]}}`,
				`{"end":true,"entries":1}`,
			),
		),
	)
	f.Fuzz(func(t *testing.T, file []byte) {
		// The fuzzer can't find sums, so the lines are also tried with theirs.
		lines := strings.Split(strings.TrimSuffix(string(file), "\n"), "\n")
		for i, line := range lines {
			lines[i], _, _ = strings.Cut(line, `,"sum":"`)
		}
		for _, given := range []string{string(file), summed(lines...)} {
			h, all, err := read(strings.NewReader(given))
			if err != nil {
				var fault *archive.FaultError
				if !errors.As(err, &fault) || fault.Line < 1 {
					t.Fatalf("got %v, want a *FaultError with its line", err)
				}
				continue
			}
			if len(all) != h.Entries {
				t.Fatalf("%d entries of %d", len(all), h.Entries)
			}
			if _, err := journal.Number(h.Table, 0, all); err != nil {
				t.Fatal("no journal takes what was read:", err)
			}
		}
	})
}

func TestAFileThatWindowsSavedIsRead(t *testing.T) {
	file := "\ufeff" + strings.ReplaceAll(string(write(t, header, entries())), "\n", "\r\n")
	_, got, err := read(strings.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(entries(), got); d != "" {
		t.Errorf("entries (-want +got):\n%s", d)
	}
}

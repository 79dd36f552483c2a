package table_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"norn/foreign/foreigntest"
	"norn/internal/relay/local"
	"norn/internal/rows"
	"norn/table"
	"norn/table/act"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/verify"
	"norn/table/view"
)

// sets adds a list and returns its id.
func (d *desk) sets(r act.ListRequest) (id string, e view.Entry) {
	d.t.Helper()
	e, err := table.Do(d.t.Context(), d.gm, act.SetList, r, "")
	if err != nil {
		d.t.Fatal(err)
	}
	all := d.view(d.gm).Lists
	return all[len(all)-1].ID, e
}

// bag returns a request for a list of things, as a page sends it.
func bag(text string) act.ListRequest {
	return act.ListRequest{Name: "Curios", Kind: "hero", Field: "bag", File: []byte(text)}
}

// columns returns a request for a list whose columns go where they can't.
func columns(paths ...string) act.ListRequest {
	r := bag("a,b")
	r.Columns = paths
	return r
}

func (d *desk) picks(s *table.Seat, r act.PickRequest) (view.Entry, error) {
	d.t.Helper()
	return table.Do(d.t.Context(), s, act.PickFromList, r, "")
}

// A row that a player takes is a change of the sheet like any other, and is undone as one.
func TestPickedRowChangesTheSheetAndIsUndone(t *testing.T) {
	d := newDesk(t)
	id, added := d.sets(bag("\ufeffName;Weight\r\nA bone key;1\r\n\"A lamp; lit\";2\r\n"))
	same(t, "the line", "A list: Curios, 2 rows", added.Lines[0].Text)
	seen := d.view(d.anna).Lists[0]
	same(t, "what a player sees", 2, seen.Rows)
	picked, err := d.picks(d.anna, act.PickRequest{List: id, Row: 2, Character: d.hero, Hash: seen.Hash})
	if err != nil {
		t.Fatal(err)
	}
	same(t, "it's a change of the sheet", "table.character-changed", picked.Lines[0].Type)
	d.reopen()
	hero := d.sheet(d.anna, d.hero)
	if !strings.Contains(hero, `"A lamp; lit"`) {
		t.Errorf("the sheet is %s", hero)
	}
	if _, err := d.picks(d.anna, act.PickRequest{List: id, Row: 1, Character: d.hero}); err != nil {
		t.Fatal(err)
	}
	if hero = d.sheet(d.anna, d.hero); strings.Index(hero, "lamp") > strings.Index(hero, "bone") {
		t.Errorf("what was picked last isn't last: %s", hero)
	}
	for _, r := range []act.PickRequest{
		{List: id, Row: 3, Character: d.hero},
		{List: id, Row: 1, Character: d.other},
		{List: id, Row: 1, Character: "c99"},
		{List: "l99", Row: 1, Character: d.hero},
		{List: id, Row: 1, Character: d.hero, Hash: "ff"},
	} {
		if _, err := d.picks(d.anna, r); !refusal.IsRefusal(err) {
			t.Errorf("%+v: %v", r, err)
		}
	}
	if _, err := d.picks(d.guest, act.PickRequest{List: id, Row: 1, Character: d.hero}); err == nil {
		t.Error("a spectator picks")
	}
	if _, err := verify.File(toys, words, bytes.NewReader(d.export())); err != nil {
		t.Error(err)
	}
}

// A list of the largest size is stored in several parts, and is one list for everybody.
func TestLargestListIsKeptInParts(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: reads four million characters")
	}
	d := newDesk(t)
	id, added := d.sets(act.ListRequest{Name: "Gifts", File: []byte(largest(rows.MaxText - rows.MaxRows*60)), Hidden: true})
	parts := regexp.MustCompile(`"more":\[("[0-9a-f]{64}",?)+\]`).FindString(string(d.export()))
	if strings.Count(parts, ",") < 1 {
		t.Fatalf("its parts: %s", parts)
	}
	second := strings.Split(parts, `"`)[3]
	if _, _, err := d.anna.Attachment(t.Context(), view.UseList, second); err == nil {
		t.Error("a player loads rows of a list that they don't see")
	}
	d.sets(act.ListRequest{ID: id, Name: "Books"})
	d.reopen()
	l, err := d.anna.List(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "rows", rows.MaxRows, len(l.Texts))
	same(t, "found", 1, len(l.Find("GIFT 4999 ")))
	if _, _, err := d.anna.Attachment(t.Context(), view.UseList, second); err != nil {
		t.Errorf("a player who sees the list: %v", err)
	}
	file, err := d.gm.ListFile(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	again, err := json.Marshal(file)
	if err != nil {
		t.Fatal(err)
	}
	copied, _ := d.sets(act.ListRequest{Name: "Again", File: again})
	other, err := d.gm.List(t.Context(), copied)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "the rows of its copy", text(t, l.Texts), text(t, other.Texts))
	if _, err := verify.File(toys, words, bytes.NewReader(d.export())); err != nil {
		t.Error(err)
	}
	if _, err := table.Do(t.Context(), d.gm, act.Undo, act.UndoRequest{Seq: int(added.Seq)}, ""); code(err) != refusal.CodeLater {
		t.Errorf("undo: %v", err)
	}
	// its parts must be there, as many rows as it says, and no more of them than a list has
	whole := string(d.export())
	for what, forged := range map[string]string{
		"twice the same": strings.Replace(whole, parts, strings.Replace(parts, `[`, `["`+second+`",`, 1), 1),
		"none of them":   strings.Replace(whole, parts+",", "", 1),
		"an unknown one": strings.Replace(whole, second, strings.Repeat("0", 64), 1),
		"too many":       strings.Replace(whole, parts, `"more":["`+second+strings.Repeat(`","`+second, 20)+`"]`, 1),
	} {
		if forged == whole {
			t.Fatalf("%s: nothing is forged", what)
		}
		if _, err := verify.File(toys, words, strings.NewReader(forged)); err == nil {
			t.Errorf("%s: a forged file is taken", what)
		}
	}
}

// largest returns the text of a list with as many rows as one may have, and about n characters.
func largest(n int) string {
	var text strings.Builder
	r := rand.New(rand.NewPCG(1, 2))
	for i := range rows.MaxRows {
		fmt.Fprintf(&text, "Gift %d ", i)
		for range n / rows.MaxRows / 8 {
			fmt.Fprintf(&text, "снег%03x ", r.IntN(1<<12))
		}
		text.WriteByte('\n')
	}
	return text.String()
}

// A search of a book while somebody types: 5,000 rows and a million characters.
func BenchmarkSearchInABook(b *testing.B) {
	d := newDesk(b)
	var text strings.Builder
	for i := range rows.MaxRows {
		fmt.Fprintf(&text, "Gift %d of %s\n", i, strings.Repeat("snow and ice ", 15))
	}
	id, _ := d.sets(act.ListRequest{Name: "Gifts", File: []byte(text.String())})
	for b.Loop() {
		l, err := d.gm.List(b.Context(), id)
		if err != nil || len(l.Find("GIFT 4999")) != 1 {
			b.Fatal(err)
		}
	}
}

// A list is changed, hidden and removed, and each change is undone in turn, with the rows that it
// had.
func TestEachChangeOfAListIsUndone(t *testing.T) {
	d := newDesk(t)
	id, added := d.sets(bag("Name\nA bone key"))
	next := bag("A lamp\nA rope")
	next.ID, next.Name = id, "Things"
	_, replaced := d.sets(next)
	same(t, "the line", "The list “Things” was changed: 2 rows", replaced.Lines[0].Text)
	_, hidden := d.sets(act.ListRequest{ID: id, Name: "Things", Hidden: true})
	same(t, "a player sees none", 0, len(d.view(d.anna).Lists))
	same(t, "it keeps its rows", 2, d.view(d.gm).Lists[0].Rows)
	removed, err := table.Do(t.Context(), d.gm, act.RemoveList, act.ListNamed{List: id}, "")
	if err != nil {
		t.Fatal(err)
	}
	d.reopen()
	undo := func(e view.Entry) error {
		_, err := table.Do(t.Context(), d.gm, act.Undo, act.UndoRequest{Seq: int(e.Seq)}, "")
		return err
	}
	if err := undo(added); code(err) != refusal.CodeLater {
		t.Errorf("an older change is undone first: %v", err)
	}
	for _, c := range []struct {
		of   view.Entry
		want string
	}{{removed, `"Things",2,true`}, {hidden, `"Things",2,false`}, {replaced, `"Curios",1,false`}} {
		if err := undo(c.of); err != nil {
			t.Fatal(err)
		}
		l, err := d.gm.List(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		same(t, "undone", c.want, strings.Trim(text(t, l.Name, len(l.Texts), l.Hidden), "[]"))
	}
	if err := undo(added); err != nil {
		t.Fatal(err)
	}
	same(t, "none is left", 0, len(d.view(d.gm).Lists))
	if _, err := verify.File(toys, words, bytes.NewReader(d.export())); err != nil {
		t.Error(err)
	}
}

// What doesn't fit is listed by row and field, and nothing is taken, or the rest if that was said.
func TestRowsThatDoNotFitAreListedByRowAndField(t *testing.T) {
	d := newDesk(t)
	before := len(d.stored())
	wrong := act.ListRequest{Name: "Foes", Kind: "shade", File: []byte(
		"Name,hurt,risen,note\nWraith,1,yes,a\n,2,no,b\nGhoul,many,perhaps,\nImp,100,,c\n")}
	_, err := table.Do(t.Context(), d.gm, act.SetList, wrong, "")
	if code(err) != refusal.CodeInvalid {
		t.Fatalf("it's taken: %v", err)
	}
	for _, part := range []string{"rows.3._name", "rows.4.hurt", "rows.4.risen", "rows.5.hurt"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%s isn't in %v", part, err)
		}
	}
	same(t, "nothing is written", before, len(d.stored()))
	wrong.Fitting = true
	id, _ := d.sets(wrong)
	l, err := d.anna.List(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "the row that fits", "Wraith 1 on a", strings.Join(l.Texts[0], " "))
	same(t, "no other", 1, len(l.Texts))
}

func TestInvalidOrTooManyListsAreRefused(t *testing.T) {
	d := newDesk(t)
	for _, c := range []struct {
		says string
		act.ListRequest
	}{
		{"rows", act.ListRequest{Name: "x"}},
		{"name", act.ListRequest{File: []byte("a")}},
		{"name", act.ListRequest{Name: strings.Repeat("x", 81), File: []byte("a")}},
		{"kind", act.ListRequest{Name: "x", Kind: "dragon", File: []byte("a")}},
		{"field", act.ListRequest{Name: "x", Kind: "hero", Field: "luck", File: []byte("a")}},
		{"field", act.ListRequest{Name: "x", Kind: "hero", Field: "bag.0", File: []byte("a")}},
		{"columns.1", columns("name", "name")},
		{"columns.0", columns("colour")},
		{"to", act.ListRequest{Name: "x", To: []string{"s99"}, File: []byte("a")}},
		{"id", act.ListRequest{ID: "l99", Name: "x", File: []byte("a")}},
		{"list-empty", bag("Name\n")},
		{"list-quote", bag("Name\n\"a")},
		{"list-hero", bag(foreigntest.Mage(13, true, "Wen"))},
		{"list-hero", bag("[" + foreigntest.Mage(9, false, "Wen") + "," + foreigntest.Mage(13, true, "Ash") + "]")},
		{"list-foundry", bag(foreigntest.Actor(13, "npc", "Crab", `{"hd":{"max":3}}`, "", ""))},
		{"list-foundry", bag(`[{"name":"Oar","type":"weapon","_key":"!items!x","system":{"cost":{"gold":2}}}]`)},
		{"list-nested", bag(`[{"name":"Oar","cost":{"gold":2}}]`)},
		{"list-rows", bag(strings.Repeat("a\n", rows.MaxRows+1))},
		{"list-large", bag(strings.Repeat("a", rows.MaxBytes+1))},
	} {
		_, err := table.Do(t.Context(), d.gm, act.SetList, c.ListRequest, "")
		if !refusal.IsRefusal(err) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", c.says, err)
		}
	}
	if _, err := table.Do(t.Context(), d.anna, act.SetList, bag("a"), ""); code(err) != refusal.CodeForbidden {
		t.Errorf("a player adds one: %v", err)
	}
	first, _ := d.sets(bag("a"))
	for range request.MaxLists - 1 {
		d.sets(bag("a"))
	}
	if _, err := table.Do(t.Context(), d.gm, act.SetList, bag("a"), ""); code(err) != refusal.CodeTooMany {
		t.Errorf("one list too many: %v", err)
	}
	removed, err := table.Do(t.Context(), d.gm, act.RemoveList, act.ListNamed{List: first}, "")
	if err != nil {
		t.Fatal(err)
	}
	d.sets(bag("b"))
	if _, err := table.Do(t.Context(), d.gm, act.Undo, act.UndoRequest{Seq: int(removed.Seq)},
		""); code(err) != refusal.CodeTooMany {
		t.Errorf("an undo makes one too many: %v", err)
	}
}

// A list that isn't shared with a seat is nowhere for it: not its name, its number, its size, or
// its rows. Shared later, its past stays hidden.
func TestHiddenListIsSeenOnlyByTheGM(t *testing.T) {
	d := newDesk(t)
	secret := bag("SECRET blade")
	secret.Name, secret.Hidden = "SECRET plot", true
	id, hidden := d.sets(secret)
	same(t, "the entry is secret", true, hidden.Secret)
	hash := d.view(d.gm).Lists[0].Hash
	unseen := func(what string, s *table.Seat) {
		t.Helper()
		if sent := text(t, d.view(s), d.log(s)); strings.Contains(sent, "SECRET") || strings.Contains(sent, `"list`) ||
			strings.Contains(sent, hash) {
			t.Errorf("%s: %s", what, sent)
		}
		_, none := s.List(t.Context(), "l99")
		_, its := s.List(t.Context(), id)
		same(t, what+" asks for it", strings.ReplaceAll(none.Error(), "l99", id), its.Error())
		if _, _, err := s.Attachment(t.Context(), view.UseList, hash); err == nil {
			t.Errorf("%s loads its rows", what)
		}
		_, none = d.picks(s, act.PickRequest{List: "l99", Row: 1, Character: d.hero})
		_, its = d.picks(s, act.PickRequest{List: id, Row: 1, Character: d.hero})
		same(t, what+" picks from it", strings.ReplaceAll(none.Error(), "l99", id), its.Error())
	}
	unseen("a player", d.anna)
	unseen("a spectator", d.guest)
	d.sets(act.ListRequest{ID: id, Name: "The hoard", To: []string{d.anna.ID()}})
	unseen("another player", d.boris)
	l, err := d.anna.List(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "a player to whom it's shown", "SECRET blade", l.Texts[0][0])
	same(t, "for whom isn't said", 0, len(d.view(d.anna).Lists[0].To))
	d.sets(act.ListRequest{ID: id, Name: "The hoard", Hidden: true})
	same(t, "hidden again", 0, len(d.view(d.anna).Lists))
	var lines []string
	for _, e := range d.log(d.anna) {
		for _, l := range e.Lines {
			if strings.HasPrefix(l.Type, "table.list") {
				lines = append(lines, l.Text)
			}
		}
	}
	same(t, "what the player reads", "A list: The hoard, 1 row|The list “The hoard” is out of sight",
		strings.Join(lines, "|"))
	var file bytes.Buffer
	if err := d.boris.ExportSeen(t.Context(), &file); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(file.String(), "hoard") || strings.Contains(file.String(), hash) {
		t.Error("it's in another player's file")
	}
}

// A list's file gives the same list at another table, and a table's file has its lists.
func TestListIsTheSameAfterExportAndImport(t *testing.T) {
	d, other := newDesk(t), newDesk(t)
	id, _ := d.sets(bag("Name\nA bone key\nA lamp"))
	file, err := d.gm.ListFile(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(file)
	if err != nil {
		t.Fatal(err)
	}
	head, ok := act.ListIn(toy, data)
	same(t, "its name", "Curios", head.Name)
	same(t, "it's of the same game", true, ok)
	other.sets(act.ListRequest{Name: head.Name, File: data})
	was, is := d.view(d.gm).Lists[0], other.view(other.gm).Lists[0]
	same(t, "the same rows, for the same", was.Hash+was.Kind+was.Field, is.Hash+is.Kind+is.Field)

	home := newHost(open(t), local.New())
	imported, err := verify.ReadImport(toys, words, bytes.NewReader(d.export()), true)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := home.Import(t.Context(), imported); err != nil {
		t.Fatal(err)
	}
	gm, err := home.Enter(t.Context(), d.id, d.secrets[d.gm.ID()], "en")
	if err != nil {
		t.Fatal(err)
	}
	l, err := gm.List(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "rows after an import", "A lamp", l.Texts[1][0])
}

// Rows that are characters are added as such; of a list that is only read nothing is taken.
func TestCharactersAreAddedFromListsButReadOnlyRowsAreNot(t *testing.T) {
	d := newDesk(t)
	foes, _ := d.sets(act.ListRequest{
		Name: "Foes", Kind: "shade", Hidden: true, File: []byte("name\thurt\nWraith\t+2\n"),
	})
	for _, want := range []string{"Wraith", "Wraith 2"} {
		if _, err := d.picks(d.gm, act.PickRequest{List: foes, Row: 1, Hidden: true}); err != nil {
			t.Fatal(err)
		}
		all := d.view(d.gm).Characters
		last := all[len(all)-1]
		same(t, "the name", want, last.Name)
		same(t, "hidden", true, last.Hidden)
	}
	read, _ := d.sets(act.ListRequest{Name: "Rotes", File: []byte("Rote|Spheres\n-|-\nCall the rain|Forces 3")})
	l, err := d.boris.List(t.Context(), read)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "the columns", "Rote,Spheres", strings.Join(l.Columns, ","))
	same(t, "found by words of any column", 1, len(l.Find("RAIN forces")))
	same(t, "not found", 0, len(l.Find("rain mind")))
	_, err = d.picks(d.anna, act.PickRequest{List: read, Row: 1, Character: d.hero})
	if code(err) != refusal.CodeRefused {
		t.Errorf("a row is taken: %v", err)
	}
}

// A request that is sent again is done once, also after its list was removed.
func TestRepeatedListRequestsAreDoneOnce(t *testing.T) {
	d := newDesk(t)
	r := bag("Name\nA bone key")
	for range 2 {
		if _, err := table.Do(t.Context(), d.gm, act.SetList, r, "again"); err != nil {
			t.Fatal(err)
		}
	}
	same(t, "lists", 1, len(d.view(d.gm).Lists))
	pick := act.PickRequest{List: d.view(d.gm).Lists[0].ID, Row: 1, Character: d.hero}
	for range 2 {
		if _, err := table.Do(t.Context(), d.anna, act.PickFromList, pick, "pick"); err != nil {
			t.Fatal(err)
		}
		d.sets(act.ListRequest{ID: pick.List, Name: "Curios", Hidden: true})
	}
	same(t, "picked", 1, strings.Count(d.sheet(d.anna, d.hero), "bone"))
}

func (d *desk) sheet(s *table.Seat, id string) string {
	d.t.Helper()
	for _, c := range d.view(s).Characters {
		if c.ID == id {
			return text(d.t, c.Sheet)
		}
	}
	d.t.Fatal("there is no " + id)
	return ""
}

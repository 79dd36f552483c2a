package table_test

import (
	"errors"
	"strings"
	"testing"

	"norn/table"
	"norn/table/act"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/view"
)

// put changes one value as a page does: with the mark of the list around it.
func (d *desk) put(s *table.Seat, id, path, text string) (view.Entry, error) {
	d.t.Helper()
	f, err := s.SheetForm(d.t.Context(), id)
	if err != nil {
		d.t.Fatal(err)
	}
	return table.Do(d.t.Context(), s, act.ChangeCharacter,
		act.ChangeRequest{ID: id, Put: &request.Put{Path: path, Text: text, Among: f.Among(path)}}, "")
}

func lines(e view.Entry) string {
	var texts []string
	for _, l := range e.Lines {
		texts = append(texts, l.Text)
	}
	return strings.Join(texts, "\n")
}

func TestPutChangesOneFieldOfASheet(t *testing.T) {
	d := newDesk(t)
	_, err := table.Do(t.Context(), d.gm, act.ChangeCharacter,
		act.ChangeRequest{ID: d.hero, Sheet: raw(`{"bag":[{"name":"rope"},{"name":"lamp"}],"home":{"town":"Ys"}}`)}, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ path, text, want string }{
		{"luck", "5", "Lira: Luck 3 → 5"},
		{"luck", " 4 ", "Lira: Luck 5 → 4"},
		{"home.town", "Rungholt", "Lira: Home: Town: Ys → Rungholt"},
		{"home.town", "", "Lira: Home: Town: Rungholt → —"},
		{"bag.1.name", "lantern", "Lira: Bag: lamp → lantern"},
	} {
		entry, err := d.put(d.anna, d.hero, c.path, c.text)
		if err != nil {
			t.Fatalf("%s = %q: %v", c.path, c.text, err)
		}
		same(t, c.path, c.want, lines(entry))
	}
	home, err := table.Do(t.Context(), d.anna, act.ChangeCharacter,
		act.ChangeRequest{ID: d.hero, Sheet: raw(`{"luck":5,"home":{"town":"Ys","gate":2}}`)}, "")
	if err != nil {
		t.Fatal(err)
	}
	same(t, "what values belong to is said once", "Lira: Luck 4 → 5; Home: Town: — → Ys; Gate 0 → 2", lines(home))
	for _, c := range []struct{ path, text, want string }{
		{"luck", "12", refusal.CodeInvalid},
		{"luck", "many", refusal.CodeInvalid},
		{"luck", "", refusal.CodeInvalid},
		{"bag.7.name", "x", refusal.CodeInvalid},
		{"bag.0", "x", refusal.CodeInvalid},
		{"bag", "x", refusal.CodeInvalid},
		{"home", "x", refusal.CodeInvalid},
		{"nothing", "x", refusal.CodeInvalid},
		{"hurt", "0", refusal.CodeRefused},    // seen, but only the GM may change it
		{"doom", "none", refusal.CodeRefused}, // not seen at all
		{"doom.x", "none", refusal.CodeInvalid},
	} {
		if _, err := d.put(d.anna, d.hero, c.path, c.text); code(err) != c.want {
			t.Errorf("%s = %q: %v, want %s", c.path, c.text, err, c.want)
		}
	}
	if _, err := d.put(d.gm, d.other, "luck", "2"); err != nil {
		t.Error(err)
	}
	if _, err := table.Do(t.Context(), d.anna, act.ChangeCharacter,
		act.ChangeRequest{ID: d.other, Put: &request.Put{Path: "luck", Text: "1"}},
		""); code(err) != refusal.CodeForbidden {
		t.Errorf("Anna changes Orm: %v", err)
	}
}

// Another seat shortens a list while somebody edits a value in it.
func TestPutIsRefusedIfTheListChangedMeanwhile(t *testing.T) {
	d := newDesk(t)
	change := func(sheet string) {
		t.Helper()
		if _, err := table.Do(t.Context(), d.gm, act.ChangeCharacter, act.ChangeRequest{ID: d.hero, Sheet: raw(sheet)},
			""); err != nil {
			t.Fatal(err)
		}
	}
	change(`{"bag":[{"name":"rope"},{"name":"lamp"},{"name":"bread"}]}`)
	f, err := d.anna.SheetForm(t.Context(), d.hero)
	if err != nil {
		t.Fatal(err)
	}
	typed := request.Put{Path: "bag.1.name", Text: "lantern", Among: f.Among("bag.1.name")}
	change(`{"luck":1}`)
	if _, err := table.Do(t.Context(), d.anna, act.ChangeCharacter, act.ChangeRequest{ID: d.hero, Put: &typed},
		""); err != nil {
		t.Errorf("another value isn't in the way: %v", err)
	}
	change(`{"bag":[{"name":"lantern"},{"name":"bread"}]}`)
	_, err = table.Do(t.Context(), d.anna, act.ChangeCharacter, act.ChangeRequest{ID: d.hero, Put: &typed}, "")
	var refused *refusal.RefusedError
	if !errors.As(err, &refused) || refused.Refusal.Word != "table.refusal.meanwhile" {
		t.Errorf("the lamp's place is the bread's now: %v", err)
	}
	if f.Among("luck") != "" || f.Among("home.town") != "" || f.Among("bag.0.name") == "" {
		t.Error("only what stands in a list is among others")
	}
}

// A change reveals no value that the seat may not see.
func TestPutRevealsNoHiddenValues(t *testing.T) {
	d := newDesk(t)
	if _, err := table.Do(t.Context(), d.gm, act.ChangeCharacter,
		act.ChangeRequest{ID: d.hero, Sheet: raw(`{"doom":"SECRET end","hurt":7,"luck":2,"bag":[{"name":"rope"}]}`)},
		""); err != nil {
		t.Fatal(err)
	}
	if _, err := d.put(d.gm, d.hero, "doom", "SECRET again"); err != nil {
		t.Fatal(err)
	}
	last := func(s *table.Seat, n int) string {
		entries, err := s.Last(t.Context(), 1)
		if err != nil {
			t.Fatal(err)
		}
		text := plain(t, entries)
		if n > 0 && !strings.Contains(text, "luck") {
			t.Errorf("the open part isn't told: %s", text)
		}
		return text
	}
	same(t, "the GM reads", true, strings.Contains(last(d.gm, 0), "SECRET end → SECRET again"))
	for _, s := range []*table.Seat{d.anna, d.boris, d.guest} {
		if text := last(s, 1); strings.Contains(text, "SECRET") || strings.Contains(text, `"7"`) {
			t.Errorf("a player reads %s", text)
		}
	}
}

// An item is added to a list by its name, even if somebody adds another at the same time.
func TestPutAddsAnItemToAList(t *testing.T) {
	d := newDesk(t)
	for _, name := range []string{"rope", "lantern"} {
		if _, err := table.Do(t.Context(), d.anna, act.ChangeCharacter,
			act.ChangeRequest{ID: d.hero, Put: &request.Put{Path: "bag.+.name", Text: name}}, ""); err != nil {
			t.Fatal(err)
		}
	}
	f, err := d.anna.SheetForm(t.Context(), d.hero)
	if err != nil || f.Values.Get("bag.0.name") != "rope" || f.Values.Get("bag.1.name") != "lantern" {
		t.Errorf("the bag holds %v, %v", f.Values, err)
	}
	for path, want := range map[string]string{
		"bag.+": refusal.CodeInvalid, "bag.+.weight": refusal.CodeInvalid,
		"luck.+.name": refusal.CodeInvalid, "bag.+.name.more": refusal.CodeInvalid,
	} {
		if _, err := table.Do(t.Context(), d.anna, act.ChangeCharacter,
			act.ChangeRequest{ID: d.hero, Put: &request.Put{Path: path, Text: "x"}}, ""); code(err) != want {
			t.Errorf("%s: %v, want %s", path, err, want)
		}
	}
	for range 3 {
		if _, err := table.Do(t.Context(), d.anna, act.ChangeCharacter,
			act.ChangeRequest{ID: d.hero, Put: &request.Put{Path: "bag.+.name", Text: "stone"}}, ""); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := table.Do(t.Context(), d.anna, act.ChangeCharacter,
		act.ChangeRequest{ID: d.hero, Put: &request.Put{Path: "bag.+.name", Text: "one more"}},
		""); code(err) != refusal.CodeInvalid {
		t.Errorf("a full bag takes more: %v", err)
	}
}

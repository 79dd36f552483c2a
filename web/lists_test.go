//go:build !race

package web_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"norn/form"
	"norn/game"
	"norn/games"
	"norn/table"
	"norn/table/act"
)

// brings posts the form of a list, with a file or without.
func (b *browser) brings(file string, fields ...string) answer {
	b.t.Helper()
	kind, body := sends(b.t, []byte(file), fields...)
	b.extra.Set("Content-Type", kind)
	defer b.extra.Del("Content-Type")
	return b.do(http.MethodPost, b.at("/lists"), bytes.NewReader(body))
}

// A game master reads a list by a plain form, sees what fits and what doesn't, keeps it and shares it;
// a player finds a row and takes it, and sees no list before.
func TestListIsReadSharedAndPickedFromOnThePage(t *testing.T) {
	h := open(t)
	gm, anna := h.sits("gm"), h.sits("anna")
	contains(t, "the page", gm.get(gm.at("/lists")).body, `enctype="multipart/form-data"`)
	const gear = "Вещь;Die;Armour\r\n<Knife>;d6;0\r\nCoat;;2\r\nCannon;d20;0\r\nVest;;thick\r\n"
	target := []string{"_goes", "character gear", "_id", ""}
	seen := gm.brings(gear, append(target, "_do", "read", "_text", "")...)
	want(t, "read", seen.status, http.StatusOK)
	for _, part := range []string{
		"&lt;Knife&gt;", "2 rows fit", "2 rows don’t fit", "Row 4.", "d3, d6, d8", "“thick”", "Save 2 rows",
	} {
		contains(t, "the preview", seen.body, part)
	}
	view, err := h.master.View(t.Context())
	must(t, err)
	want(t, "nothing is kept yet", len(view.Lists), 0)
	wrong := gm.brings("", append(target, "_do", "read", "_text", "a,\"b")...)
	want(t, "a text that can't be read", wrong.status, http.StatusUnprocessableEntity)
	contains(t, "it's shown again", wrong.body, "a,&#34;b")
	kept := append(target, "_do", "store", "_was", "character gear", "_named", "yes", "_text", gear, "_name", "Gear of old",
		"_column", "name", "_column", "die", "_column", "armour", "_whom", "none", "_key", "k")
	for range 2 { // sent again with the same key, it's kept once
		want(t, "kept", gm.brings("", kept...).status, http.StatusOK)
	}
	view, err = h.master.View(t.Context())
	must(t, err)
	want(t, "lists", len(view.Lists), 1)
	list := view.Lists[0]
	at := "/lists/" + list.ID
	want(t, "a player has none", anna.statusOf(anna.at(at)), http.StatusNotFound)
	want(t, "nor a file", anna.statusOf(anna.at(at+"/file")), http.StatusNotFound)
	want(t, "nor its name", strings.Contains(anna.get(anna.at("")).body+anna.get(anna.at("/lists")).body, "Gear of old"),
		false)
	want(t, "nor a form", strings.Contains(anna.get(anna.at("/lists")).body, "_goes"), false)

	shared := gm.post(gm.at("/act/set-list"), url.Values{"_id": {list.ID}, "_name": {"Gear of old"}, "_whom": {"all"}})
	want(t, "shared", shared.status < 400, true)
	contains(t, "the sheet leads to it", anna.get(anna.at("")).body, at+"?_c=")
	found := anna.get(anna.at(at + "?_q=KNIFE")).body
	contains(t, "a row is found", found, "+ &lt;Knife&gt;")
	want(t, "no other", strings.Contains(found, "Coat"), false)
	vex := view.Characters[0].ID
	picked := anna.post(anna.at("/act/pick-from-list"), url.Values{
		"_list": {list.ID}, "_hash": {list.Hash}, "_character": {vex}, "_c": {vex}, "_row": {"1"}, "_q": {"KNIFE"},
	})
	contains(t, "the list says so", picked.body, "Added: &lt;Knife&gt;")
	contains(t, "it's on the sheet", anna.get(anna.at("")).body, "&lt;Knife&gt;")
	stale := anna.post(anna.at("/act/pick-from-list"), url.Values{
		"_list": {list.ID}, "_hash": {"ff"}, "_character": {vex}, "_row": {"1"},
	})
	contains(t, "a changed list is refused", stale.body, "changed meanwhile")
	file := gm.get(gm.at(at + "/file")).body
	again := gm.brings(file, "_goes", "character bonds", "_id", "", "_do", "read", "_text", "")
	contains(t, "its file is read as it was", again.body, `value="Gear of old"`)
	contains(t, "for the same", again.body, "Save 2 rows")
	gone := gm.post(gm.at("/act/remove-list"), url.Values{"_list": {list.ID}})
	want(t, "removed", gone.status < 400, true)
	want(t, "it's gone", anna.statusOf(anna.at(at)), http.StatusNotFound)
}

// In every game, and in an own one, a list of names is read for each list of a sheet and for
// characters of each kind; a row of it is taken.
func TestEveryGameAcceptsRowsOfLists(t *testing.T) {
	for _, g := range append(games.All(), ferries(t)) {
		t.Run(g.ID, func(t *testing.T) {
			_, gm := hosted(t, g)
			for _, target := range act.ListTargets(g) {
				what := target.Kind + " " + target.Field
				kept, err := table.Do(t.Context(), gm, act.SetList, act.ListRequest{
					Name: what, Kind: target.Kind, Field: target.Field, File: []byte("Ember\nFrost\n"),
				}, "")
				if err != nil {
					t.Errorf("%s: %v", what, err)
					continue
				}
				view, err := gm.View(t.Context())
				must(t, err)
				pick := act.PickRequest{List: view.Lists[len(view.Lists)-1].ID, Row: 2}
				if target.Field != "" {
					who, err := table.Do(t.Context(), gm, act.AddCharacter,
						act.CharacterRequest{Name: "Taker of " + what, Kind: target.Kind}, "")
					must(t, err)
					pick.Character = who.ID
				}
				if _, err := table.Do(t.Context(), gm, act.PickFromList, pick, ""); err != nil {
					t.Errorf("%s (%d): %v", what, kept.Seq, err)
				}
			}
		})
	}
}

// filled returns a row with a value for each column that a list may have, and another with as few as
// may be.
func filled(columns []act.ListColumn) (rows []map[string]string) {
	whole, least := map[string]string{}, map[string]string{}
	for _, c := range columns {
		switch c.Kind {
		case form.KindInt:
			whole[c.Path] = strconv.Itoa(c.Max)
		case form.KindBool:
			whole[c.Path] = "yes"
		case form.KindChoice:
			whole[c.Path] = c.Options[len(c.Options)-1].Value
		case form.KindTrait, form.KindText, form.KindProse:
			if whole[c.Path] = "=1; \"Ж\", x"; c.Dice {
				whole[c.Path] = "2d6+1"
			}
		case form.KindList:
			whole[c.Path] = "Ash 2d6+1; Ember 1d4"
		}
		if c.Required {
			least[c.Path] = "-@x"
		}
	}
	return []map[string]string{whole, least}
}

// A list of any use in any game goes to a spreadsheet in any language and comes back whole.
func TestListsComeBackFromSpreadsheetsAsTheyWere(t *testing.T) {
	for _, g := range games.All() {
		t.Run(g.ID, func(t *testing.T) {
			h, gm := hosted(t, g)
			b := h.sits("gm")
			for i, target := range act.ListTargets(g) {
				what := target.Kind + " " + target.Field
				data, err := json.Marshal(filled(act.ListColumns(g, target)))
				must(t, err)
				asked := act.ListRequest{Name: what, Kind: target.Kind, Field: target.Field, Rows: data, Fitting: true}
				was, err := gm.ReadList(t.Context(), asked)
				must(t, err)
				if len(was.Texts.Rows) == 0 {
					t.Errorf("%s: no row of %s fits: %v", what, data, was.Problems)
					continue
				}
				_, err = table.Do(t.Context(), gm, act.SetList, asked, "")
				must(t, err)
				view, err := gm.View(t.Context())
				must(t, err)
				b.lang = []string{"ru", "uk", "en"}[i%3]
				for _, as := range []string{"csv", "xlsx"} {
					r, err := http.NewRequestWithContext(t.Context(), http.MethodGet,
						h.url+b.at("/lists/"+view.Lists[i].ID+"/file?_as="+as), nil)
					must(t, err)
					r.Header.Set("Accept-Language", b.lang)
					answer, err := b.http.Do(r)
					must(t, err)
					file, err := io.ReadAll(answer.Body)
					must(t, err)
					must(t, answer.Body.Close())
					again := act.ListRequest{Kind: target.Kind, Field: target.Field, File: file}
					got, err := gm.ReadList(t.Context(), again)
					if err != nil || fmt.Sprint(got.Texts, got.Left) != fmt.Sprint(was.Texts, was.Left) {
						t.Errorf("%s, %s in %s: %v, want %v: %v", what, as, b.lang, got.Texts, was.Texts, err)
					}
				}
			}
		})
	}
}

// foesOf is a table of foes as a Russian group keeps it, with a title, notes in brackets and dashes for
// nothing.
const foesOf = `Враги первой главы,,,,,,,,,
Имя,КД,ХД,Мораль,Действий,Бонус атаки,Спас (любой),Усилие,Атаки,Цвет
Волк,7,1,6,1,+1,14,—,"Клыки 1к6; Рык (1к4)",серый
Древний лёд,"3,0",12.0,12,2,+12,—,6,2 × Удар (1d10+2),белый
Тень,5,2,8,1,+2,13,—,Касание,
`

// Heads are found by the game's terms and by what people call them; what has no place is named, on the
// page and in the log, and what is assigned by hand is found the next time.
func TestHeadsOfAFoesTableAreFoundByTheirNames(t *testing.T) {
	all := games.All()
	_, gm := hosted(t, all[slices.IndexFunc(all, func(g *game.Game) bool { return g.ID == "godbound" })])
	read, err := gm.ReadList(t.Context(), act.ListRequest{Kind: "foe", File: []byte(foesOf)})
	must(t, err)
	want(t, "columns", strings.Join(read.Columns, " "), "_name ac hd morale actions bonus save effort.total attacks ")
	want(t, "left", strings.Join(read.Left, " "), "Цвет")
	want(t, "rows", len(read.Texts.Rows), 2)
	want(t, "an attack without dice", read.Problems[0].Row, 5)
	bring := act.ListRequest{Name: "Foes", Kind: "foe", File: []byte(foesOf), Fitting: true}
	kept, err := table.Do(t.Context(), gm, act.SetList, bring, "")
	must(t, err)
	want(t, "the log", kept.Lines[len(kept.Lines)-1].Text, "Columns left out: Цвет")
	view, err := gm.View(t.Context())
	must(t, err)
	for row, part := range map[int]string{
		1: `"attacks":[{"name":"Клыки","dice":"1d6","times":1,"straight":false},{"name":"Рык","dice":"1d4",`,
		2: `[{"name":"Удар","dice":"1d10+2","times":2,`,
	} {
		_, err := table.Do(t.Context(), gm, act.PickFromList, act.PickRequest{List: view.Lists[0].ID, Row: row}, "")
		must(t, err)
		now, err := gm.View(t.Context())
		must(t, err)
		sheet, err := json.Marshal(now.Characters[len(now.Characters)-1].Sheet)
		must(t, err)
		contains(t, "a foe", string(sheet), part)
	}
	bring.Name, bring.Columns = "More foes", []string{"_name", "ac", "hd", "morale", "actions", "bonus", "save", "effort.total", "attacks", "notes"}
	kept, err = table.Do(t.Context(), gm, act.SetList, bring, "")
	must(t, err)
	want(t, "lines", len(kept.Lines), 2)
	want(t, "the title", kept.Lines[1].Text, "A title above the heads isn’t taken as a row: Враги первой главы")
	read, err = gm.ReadList(t.Context(), act.ListRequest{Kind: "foe", File: []byte("Имя,Цвет\nЛис,рыжий\n")})
	must(t, err)
	want(t, "the next time", strings.Join(read.Columns, " "), "_name notes")
}

// A title above the heads is named and is no row, whatever the rows are for; a single column, or rows with
// one text at their beginning, have none.
func TestTitleAboveTheHeadsIsNamedAndNotTakenAsARow(t *testing.T) {
	h := open(t)
	const lists = "Gear of the north,,\nPrices of 1881,,\nThing,Price,Where\nRope,3,Port\nOil,1,Port\n"
	for name, c := range map[string]struct {
		asked   act.ListRequest
		title   string
		columns string
		rows    int
	}{
		"only to read":            {act.ListRequest{File: []byte(lists)}, "Gear of the north · Prices of 1881", "Thing Price Where", 2},
		"for a list of the sheet": {act.ListRequest{Kind: "character", Field: "gear", File: []byte("Gear,,\nName,Die,Armour\nRope,,\nKnife,d6,\n")}, "Gear", "name die armour", 2},
		"heads are wanted":        {act.ListRequest{Kind: "character", Field: "gear", Heads: "yes", File: []byte("Gear,,\nWhat,Size,Cost\nRope,,\nKnife,d6,\n")}, "Gear", "name", 2},
		"no heads are wanted":     {act.ListRequest{Heads: "no", File: []byte("Gear,\nRope,3\nOil,1\n")}, "", "1 2", 3},
		"one column":              {act.ListRequest{File: []byte("Gear\nRope\nOil\n")}, "", "1", 3},
		"heads at once":           {act.ListRequest{File: []byte("Thing,Price\nRope,3\nOil,1\n")}, "", "Thing Price", 2},
		"rows without heads": {
			act.ListRequest{Kind: "character", Field: "gear", Fitting: true, File: []byte("Rope,,\nKnife,d6,x\nOil,d3,y\n")}, "", "name", 3,
		},
	} {
		read, err := h.master.ReadList(t.Context(), c.asked)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := strings.Join(read.Texts.Columns, " "); read.Title != c.title || got != c.columns || len(read.Texts.Rows) != c.rows {
			t.Errorf("%s: title %q, columns %s, %d rows %v", name, read.Title, got, len(read.Texts.Rows), read.Problems)
		}
	}
	gm := h.sits("gm")
	seen := gm.brings("", "_id", "", "_goes", " ", "_do", "read", "_text", lists)
	contains(t, "the preview", seen.body, "Above the heads stands “Gear of the north · Prices of 1881”. It isn’t taken as a row.")
}

// The folders of a pack are the groups of its rows: shown, found and stored in the list's file, and on no
// sheet.
func TestFoldersOfAPackAreTheGroupsOfItsRows(t *testing.T) {
	all := games.All()
	h, gm := hosted(t, all[slices.IndexFunc(all, func(g *game.Game) bool { return g.ID == "godbound" })])
	const pack = `[{"_id":"f","name":"Sea","type":"Item","sorting":"a"},{"_id":"g","name":"Deep","type":"Item","folder":"f","sorting":"a"},
		{"name":"Brine","type":"divineGift","folder":"g","system":{"word":"Salt"}},
		{"name":"Crust","type":"divineGift","system":{"word":"Salt"}}]`
	_, err := table.Do(t.Context(), gm, act.SetList, act.ListRequest{Name: "Gifts", Rows: json.RawMessage(pack)}, "")
	must(t, err)
	_, err = table.Do(t.Context(), gm, act.AddCharacter, act.CharacterRequest{Name: "Arren", Kind: "hero"}, "")
	must(t, err)
	view, err := gm.View(t.Context())
	must(t, err)
	b, at := h.sits("gm"), "/lists/"+view.Lists[0].ID
	page := b.get(b.at(at + "?_q=deep")).body
	contains(t, "the group", page, "Group: Sea / Deep")
	want(t, "the other row is found", strings.Contains(page, "Crust"), false)
	file, err := gm.ListFile(t.Context(), view.Lists[0].ID)
	must(t, err)
	want(t, "in its file", file.Rows[0]["_group"], "Sea / Deep")
	data, err := json.Marshal(file)
	must(t, err)
	again, err := gm.ReadList(t.Context(), act.ListRequest{Rows: data})
	must(t, err)
	want(t, "read again", strings.Join(again.Texts.Columns, " "), strings.Join([]string{"_group", "name", "word"}, " "))
	_, err = table.Do(t.Context(), gm, act.PickFromList,
		act.PickRequest{List: view.Lists[0].ID, Row: 1, Character: view.Characters[0].ID}, "")
	must(t, err)
	only, err := gm.ReadList(t.Context(), act.ListRequest{File: []byte(pack), Sheet: "Gifts"})
	must(t, err)
	contains(t, "only to read", strings.Join(only.Texts.Columns, ","), "Group")
}

// A book of 1,500 rows with texts in Cyrillic, two million characters, is read, stored, found and taken on
// the page.
func TestListHoldsABook(t *testing.T) {
	h := open(t)
	gm, anna := h.sits("gm"), h.sits("anna")
	var text strings.Builder
	text.WriteString("Name\tDescription\n")
	for i := range 1500 {
		fmt.Fprintf(&text, "Дар %d\t%s\n", i, strings.Repeat("Герой берёт дар номер "+strconv.Itoa(i*7919)+", и никто не видит. ", 30))
	}
	seen := gm.brings(text.String(), "_id", "", "_goes", "character more", "_do", "read", "_text", "")
	want(t, "read", seen.status, http.StatusOK)
	contains(t, "the preview", seen.body, "1500 rows fit")
	kept := gm.brings("", "_id", "", "_goes", "character more", "_do", "store", "_was", "character more", "_named", "yes",
		"_text", text.String(), "_name", "Gifts", "_column", "name", "_column", "detail", "_whom", "all", "_key", "k")
	want(t, "kept", kept.status, http.StatusOK)
	view, err := h.master.View(t.Context())
	must(t, err)
	at, vex := "/lists/"+view.Lists[0].ID, view.Characters[0].ID
	contains(t, "a row far behind", anna.get(anna.at(at+"?_q="+strconv.Itoa(1499*7919))).body, "+ Дар 1499")
	picked := anna.post(anna.at("/act/pick-from-list"), url.Values{
		"_list": {view.Lists[0].ID}, "_character": {vex}, "_c": {vex}, "_row": {"1500"},
	})
	contains(t, "it's taken", picked.body, "Added: Дар 1499")
	file, err := h.master.ListFile(t.Context(), view.Lists[0].ID)
	must(t, err)
	want(t, "rows in its file", len(file.Rows), 1500)
}

// A workbook is read as it is; where it has several sheets, the page offers them. A date that a
// spreadsheet has made is refused by its row.
func TestWorkbookIsReadByItsSheets(t *testing.T) {
	h := open(t)
	gm := h.sits("gm")
	file, err := os.ReadFile(filepath.Join("..", "internal", "workbook", "testdata", "foes.xlsx"))
	must(t, err)
	seen := gm.brings(string(file), "_id", "", "_goes", "npc ", "_do", "read", "_text", "")
	want(t, "read", seen.status, http.StatusOK)
	for _, part := range []string{`<option value="Враги" selected`, `<option value="Тайно"`, `name="_book"`, "1 row fits", "Left out: КД and Когда."} {
		contains(t, "the preview", seen.body, part)
	}
	dates := gm.brings(
		string(file), "_id", "", "_goes", "npc ", "_was", "npc ", "_named", "on", "_do", "read", "_text", "",
		"_column", "_name", "_column", "", "_column", "", "_column", "notes",
	)
	contains(t, "a date", dates.body, "Row 3. “2026-05-03”: a spreadsheet has made a date of this.")
	contains(t, "the other row", dates.body, "1 row fits")
	other := gm.brings("", "_id", "", "_goes", "npc ", "_was", "npc ", "_book", base64.StdEncoding.EncodeToString(file),
		"_from", "Враги", "_sheet", "Тайно", "_do", "read", "_column", "notes")
	contains(t, "the other sheet", other.body, `<option value="Тайно" selected`)
	contains(t, "its row", other.body, "<div>x</div>")
	broken := gm.brings("PK\x03\x04", "_id", "", "_goes", "npc ", "_do", "read", "_text", "")
	want(t, "broken", broken.status, http.StatusUnprocessableEntity)
	contains(t, "broken", broken.body, "The workbook isn’t whole")
}

// A pack of Foundry is read by its shelves, each for what its rows are; what is no row is named.
func TestPackOfFoundryIsReadByItsShelves(t *testing.T) {
	all := games.All()
	h, gm := hosted(t, all[slices.IndexFunc(all, func(g *game.Game) bool { return g.ID == "godbound" })])
	b := h.sits("gm")
	pack := `[{"name":"Salt","type":"boundWord","system":{"description":"<p>It keeps.</p>"}},
	 {"name":"Brine","type":"divineGift","system":{"word":"Salt","onTurn":true,"scene":true}},
	 {"name":"Shoal","type":"npc","system":{"ac":6,"save":13,"morale":8,"hd":{"max":12}},
	  "items":[{"type":"attack","name":"Bite","system":{"damageRoll":"1d8"}}]},
	 {"name":"Oru","type":"pc","system":{},"items":[]}]`
	seen := b.brings(pack, "_id", "", "_goes", "hero weapons", "_do", "read", "_text", "")
	want(t, "read", seen.status, http.StatusOK)
	for _, part := range []string{
		`<option value="Words (1)" selected`, `<option value="Gifts (1)"`, `<option value="NPC (1)"`, "It keeps.",
		`<option value="hero words" selected`, "Row 4. “Oru” (pc) is no row of a list", "Save 1 row",
	} {
		contains(t, "the preview", seen.body, part)
	}
	foes := b.brings("", "_id", "", "_goes", "hero words", "_was", "hero words", "_from", "Words (1)", "_sheet", "NPC (1)",
		"_do", "read", "_text", pack, "_column", "name", "_column", "detail")
	contains(t, "its foes", foes.body, `<option value="foe " selected`)
	contains(t, "an attack", foes.body, "Bite 1d8")
	heroes := b.brings(`[{"name":"Oru","type":"pc","system":{},"items":[]},{"name":"Ash","type":"pc","system":{},"items":[]}]`,
		"_id", "", "_goes", "hero weapons", "_do", "read", "_text", "")
	contains(t, "heroes alone", heroes.body, "Nothing of this pack is a row of a list here: 2 documents (pc).")
	plain := b.brings(pack, "_id", "", "_goes", " ", "_do", "read", "_text", "")
	contains(t, "only to read", plain.body, `<option value=" " selected`)
	contains(t, "its heads", plain.body, "<th scope=\"col\">Description</th>")
	kept, err := table.Do(t.Context(), gm, act.SetList, act.ListRequest{
		Name: "Gifts", Rows: json.RawMessage(pack), Sheet: "Gifts (1)", Fitting: true,
	}, "")
	must(t, err)
	want(t, "kept", kept.Lines[0].Text, "A list: Gifts, 1 row")
	view, err := gm.View(t.Context())
	must(t, err)
	want(t, "for", view.Lists[0].Kind+" "+view.Lists[0].Field, "hero gifts")
	_, err = gm.ReadList(t.Context(), act.ListRequest{File: []byte(pack), Sheet: "Powers"})
	contains(t, "another sheet", fmt.Sprint(err), "list-sheet")
	for file, part := range map[string]string{`{"name":"x","type":"gift","system":{}}` + "\n{": "a whole pack", `[{"name":"x","system":{}}]`: "object in the cell"} {
		refused := b.brings(file, "_id", "", "_goes", "hero gifts", "_do", "read", "_text", "")
		contains(t, "a refusal", refused.body, part)
	}
}

// In a game without sheets a list is only read: the form offers nothing else, and nothing of it is
// taken.
func TestListsInAGameWithoutSheetsAreOnlyRead(t *testing.T) {
	g := *ferries(t)
	g.Kinds, g.Moves = nil, nil
	h, master := hosted(t, &g)
	gm := h.sits("gm")
	page := gm.get(gm.at("/lists"))
	want(t, "status", page.status, http.StatusOK)
	want(t, "what rows are for", len(page.the(t, "id", "list-target").with("value", "*")), 1)
	read := gm.brings("Name\tWhere\nEmber\tNorth\n", "_goes", " ", "_id", "", "_do", "read", "_text", "")
	contains(t, "the preview", read.body, "1 row fits")
	kept := gm.brings("", "_goes", " ", "_id", "", "_do", "store", "_was", " ", "_named", "yes", "_column", "x", "_column", "x",
		"_text", "Name\tWhere\nEmber\tNorth\n", "_name", "Places", "_whom", "all", "_key", "k")
	contains(t, "the list", kept.body, "Ember")
	want(t, "rows to take", strings.Contains(kept.body, `name="_row"`), false)
	view, err := master.View(t.Context())
	must(t, err)
	_, err = table.Do(t.Context(), master, act.PickFromList, act.PickRequest{List: view.Lists[0].ID, Row: 1}, "")
	want(t, "a row is refused", err != nil, true)
}

package godbound_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"norn/foreign"
	"norn/foreign/foreigntest"
	"norn/games/godbound"
	"norn/internal/growth"
	"norn/lang"
)

// pack holds documents of an invented pack, as godbound-ru 1.0.19 writes them.
var pack = []string{
	`{"_key":"!folders!f","name":"Words","type":"Item","sorting":"a"}`,
	`{"_key":"!items!a","name":"Salt","type":"boundWord","system":{"description":"<p>It keeps.</p>"}}`,
	`{"_key":"!items!b","name":"Brine","type":"divineGift","system":{"word":"Salt","onTurn":true,"scene":true,
	 "description":"<p>Rolls [[/r 2d6]].</p>"}}`,
	`{"_key":"!items!c","name":"Crust","type":"divineGift","system":{"word":"Salt","constant":true,"noEffort":true,"greater":true}}`,
	`{"_key":"!items!d","name":"A shell","type":"treasure","system":{"description":"It <em>hums</em>.","value":3}}`,
	`{"_key":"!actors!e","name":"Shoal","type":"npc","system":{"ac":6,"save":13,"morale":8,"hd":{"current":20,"max":24},
	 "mobHd":{"max":2},"cardinality":"LargeMob","numActions":1,"numAttacks":2,"toHitBonus":5,"effort":{"total":4},
	 "description":"<p>Cold.</p>","move":"60","tactics":["","Flees"]},
	 "items":[{"type":"attack","name":"Bite; claw","system":{"damageRoll":"1к8","damageBonus":2}},
	  {"type":"attack","name":"Song","system":{"damageRoll":""}},{"type":"divineGift","name":"Tide","system":{"description":"Rises."}}]}`,
	`{"_key":"!actors!g","name":"Oru","type":"pc","system":{"attributes":{"str":{"score":9}}},"items":[]}`,
}

// say writes a book as "kind field: cells | cells".
func say(b *foreign.Book) string {
	var all []string
	for _, s := range b.Shelves {
		line := s.Kind + " " + s.Field + ":"
		for _, row := range s.Rows {
			line += fmt.Sprintf(" %d", row.Number)
			for i, cell := range row.Cells {
				if cell != "" {
					line += fmt.Sprintf(" %s=%q", s.Heads[i], cell)
				}
			}
		}
		all = append(all, line)
	}
	for _, leaf := range b.Left {
		all = append(all, fmt.Sprint("left: ", leaf.Number, " ", leaf.Name, " ", leaf.Type))
	}
	return strings.Join(all, "\n")
}

// A pack is rows of the lists that a game has, and of its foes: whether it's a list, one document a line,
// or an archive. Folders are nothing, and a hero is taken as a character.
func TestPackBecomesRowsOfListsAndFoes(t *testing.T) {
	words, err := lang.Load(foreign.Words)
	if err != nil {
		t.Fatal(err)
	}
	want := `hero words: 2 name="Salt" detail="It keeps."
hero gifts: 3 name="Brine" word="Salt" action="on-turn" cost="scene" detail="Rolls 2d6." 4 name="Crust" word="Salt" action="instant" detail="Greater gift yes"
hero more: 5 name="A shell" detail="It *hums*.\n\n- value 3"
foe : 6 _name="Shoal" hd="2" count="12" ac="6" save="13" morale="8" bonus="5" attacks="2 × Bite, claw 1d8+2" actions="1" ` +
		`effort.total="4" notes="**Song**\n\nCold.\n\n60\n\n**Tide** Rises.\n\n- tactics: Flees"
left: 7 Oru pc`
	files := map[string]string{}
	var lines []string
	for i, one := range pack {
		files[fmt.Sprintf("%d.json", i)] = one
		lines = append(lines, strings.ReplaceAll(one, "\n", " "))
	}
	for name, data := range map[string]string{
		"a list": "[" + strings.Join(pack, ",") + "]", "lines": strings.Join(lines, "\n") + "\n",
		"an archive": foreigntest.Zip(t, files),
	} {
		b, err := foreign.ReadBook(godbound.New(), []byte(data), words.In(lang.En))
		if err != nil {
			t.Fatal(err)
		}
		if !foreign.IsBook([]byte(data)) {
			t.Errorf("%s is no book", name)
		}
		if got := say(b); name != "an archive" && got != strings.ReplaceAll(want, `\n`, "\\n") {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
		if len(b.Shelves) != 4 || len(b.Left) != 1 {
			t.Errorf("%s: %s", name, say(b))
		}
	}
}

// The folders of documents are the groups of their rows, in whatever order they come, and folders that
// hold themselves end nothing.
func TestFoldersOfAPackAreGroups(t *testing.T) {
	words, err := lang.Load(foreign.Words)
	if err != nil {
		t.Fatal(err)
	}
	item := func(name, folder string) string {
		return `{"name":"` + name + `","type":"divineGift","folder":` + folder + `,"system":{"word":"Salt"}}`
	}
	const sea = `{"_key":"!folders!f","_id":"f","name":" Sea ","type":"Item"}`
	for name, c := range map[string]struct{ pack, want string }{
		"none":           {item("Brine", "null"), ""},
		"one":            {sea + "," + item("Brine", `"f"`), "Sea"},
		"behind":         {item("Brine", `"f"`) + "," + sea, "Sea"},
		"not there":      {item("Brine", `"x"`), ""},
		"within another": {sea + `,{"_id":"g","name":"Deep","type":"Item","folder":"f","sorting":"m"},` + item("Brine", `"g"`), "Sea / Deep"},
		"within itself":  {`{"_id":"f","name":"Sea","type":"Item","folder":"f"},` + item("Brine", `"f"`), "Sea"},
	} {
		b, err := foreign.ReadBook(godbound.New(), []byte("["+c.pack+"]"), words.In(lang.En))
		if err != nil || len(b.Shelves) != 1 || len(b.Left) != 0 {
			t.Errorf("%s: %+v, %v", name, b, err)
			continue
		}
		got, last := "", len(b.Shelves[0].Heads)-1
		if b.Shelves[0].Heads[last] == foreign.RowGroup {
			got = b.Shelves[0].Rows[0].Cells[last]
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// A pack before Foundry 11 is a journal: the last line of an id counts, and none that was removed. Read
// from a file that nedb 1.8.0 has written.
func TestJournalOfAPackIsReadAsItIsNow(t *testing.T) {
	words, err := lang.Load(foreign.Words)
	if err != nil {
		t.Fatal(err)
	}
	b, err := foreign.ReadBook(godbound.New(), []byte(strings.Join([]string{
		`{"_id":"a","name":"Salt","type":"boundWord","system":{}}`,
		`{"_id":"b","name":"Brine","type":"boundWord","system":{}}`,
		`{"name":"Sea salt","type":"boundWord","system":{},"_id":"a"}`,
		`{"$$deleted":true,"_id":"b"}`,
		`{"$$indexCreated":{"fieldName":"name"}}`,
	}, "\n")), words.In(lang.En))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := say(b), `hero words: 1 name="Sea salt"`; got != want {
		t.Errorf("read\n%s\nwant\n%s", got, want)
	}
}

// A text that is longer than its field goes on in rows of the notes; nothing of it is lost.
func TestLongTextsOfPacksGoOnInTheNotes(t *testing.T) {
	words, err := lang.Load(foreign.Words)
	if err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("snow and ice ", 700)
	for kind, want := range map[string]string{"divineGift": "gifts more more", "treasure": "more more more"} {
		b, err := foreign.ReadBook(godbound.New(), []byte(`[{"name":"Drift","type":"`+kind+`","system":{"description":"`+long+`"}}]`),
			words.In(lang.En))
		if err != nil {
			t.Fatal(err)
		}
		var fields []string
		n := 0
		for _, s := range b.Shelves {
			for _, row := range s.Rows {
				fields = append(fields, s.Field)
				n += strings.Count(strings.Join(row.Cells, " "), "snow")
			}
		}
		if n != 700 || strings.Join(fields, " ") != want {
			t.Errorf("%s: %d of 700 words in %v", kind, n, fields)
		}
	}
}

// What is no pack isn't taken for one; a broken one is an error.
func TestOtherFilesAreNoBooks(t *testing.T) {
	hero := foreigntest.Actor(13, "pc", "Oru", foreigntest.GodboundSystem, foreigntest.GodboundItems, "")
	for name, data := range map[string]string{
		"rows": `[{"name":"Salt","price":3}]`, "a hero": hero, "CSV": "name,type\nSalt,gift\n", "nothing": "",
		"a workbook": foreigntest.KeeperXLSX(t, foreigntest.KeeperCells("Ash")),
	} {
		if foreign.IsBook([]byte(data)) {
			t.Errorf("%s is a book", name)
		}
	}
	for name, data := range map[string]string{
		"half a line": lineOf(pack[1]) + "\n" + lineOf(pack[2])[:40], "deep": pack[1] + "\n" + strings.Repeat("[", 100),
		"a broken file": foreigntest.Zip(t, map[string]string{"a.json": "{"}),
		"many values":   "[" + strings.Repeat("[],", 200_000) + "1]",
		"a small bomb":  foreigntest.Zip(t, map[string]string{"a.json": "[" + strings.Repeat("[],", 5<<20) + "1]"}),
		"too many":      "[" + strings.Repeat("1,", foreign.MaxDocuments) + "1]",
	} {
		if _, err := foreign.ReadBook(godbound.New(), []byte(data), lang.Speaker{}); !errors.As(err, new(*foreign.Problem)) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func lineOf(document string) string { return strings.ReplaceAll(document, "\n", " ") }

func TestCostOfReadingPacksIsLinear(t *testing.T) {
	words, err := lang.Load(foreign.Words)
	if err != nil {
		t.Fatal(err)
	}
	g, s := godbound.New(), words.In(lang.En)
	for name, one := range map[string]string{
		"gifts": lineOf(pack[2]), "foes": lineOf(pack[5]), "folders": pack[0], "nothing": "{}",
		"tags": `{"name":"a","type":"treasure","system":{"description":"<ul><li><p @UUID[a]{b} [[/r 1]]"}}`,
	} {
		t.Run(name, func(t *testing.T) {
			growth.Check(t, 50_000, func(n int) []byte { return []byte(strings.Repeat(one+"\n", n/(len(one)+1)+1)) },
				func(data []byte) { _, _ = foreign.ReadBook(g, data, s) })
		})
	}
}

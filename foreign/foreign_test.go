package foreign_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"norn/foreign"
	"norn/foreign/foreigntest"
	"norn/game"
	"norn/games"
	"norn/lang"
)

func found(t testing.TB, id string) *game.Game {
	t.Helper()
	g, ok := game.Find(games.All(), id)
	if !ok {
		t.Fatal("there is no game", id)
	}
	return g
}

func TestProblemsOfFilesAreNamed(t *testing.T) {
	hero := foreigntest.Actor(13, "pc", "Oru", foreigntest.GodboundSystem, foreigntest.GodboundItems, "")
	const tab = "xl/worksheets/sheet1.xml"
	quill := foreigntest.KeeperCells("Quill")
	for name, c := range map[string]struct{ file, code string }{
		"nothing":          {"", foreign.Unknown},
		"a text":           {"name;level", foreign.Unknown},
		"half a workbook":  {foreigntest.KeeperXLSX(t, quill)[:900], foreign.Broken},
		"another archive":  {foreigntest.Zip(t, map[string]string{"a.txt": "a"}), foreign.Unknown},
		"another workbook": {foreigntest.KeeperXLSX(t, map[string]string{"B4": "Price"}), foreign.OtherTab},
		"two tabs":         {foreigntest.KeeperXLSX(t, quill, foreigntest.KeeperCells("Ash")), foreign.SeveralTabs},
		"a zip bomb":       {foreigntest.Zip(t, map[string]string{tab: strings.Repeat(" ", 17<<20)}), foreign.Unpacked},
		"a liar of a bomb": {lie(t, strings.Repeat(" ", 17<<20)), foreign.Broken},
		"deep XML":         {foreigntest.Zip(t, map[string]string{tab: strings.Repeat("<a>", 100)}), foreign.Deep},
		"broken XML":       {foreigntest.Zip(t, map[string]string{tab: "<a></b>"}), foreign.Broken},
		"another tab":      {"a,Player Name (Pronouns)\nb,c\n", foreign.OtherTab},
		"other JSON":       {`{"type":"x"}`, foreign.Unknown},
		"half a file":      {hero[:len(hero)/2], foreign.Broken},
		"deep":             {strings.Repeat("[", 100) + strings.Repeat("]", 100), foreign.Deep},
		"deep and broken":  {strings.Repeat(`{"a":`, 100000), foreign.Deep},
		"large":            {hero + strings.Repeat(" ", foreign.MaxBytes), foreign.Large},
		"two in a list":    {"[" + hero + "," + hero + "]", foreign.Several},
		"two lines":        {compact(hero) + "\n" + compact(hero), foreign.Several},
		"a folder":         {`{"_key":"!folders!x","type":"Actor","name":"PCs"}`, foreign.NoHero},
		"an item":          {`{"_key":"!items!x","type":"divineGift","name":"Brine","system":{}}`, foreign.NoHero},
		"an NPC":           {foreigntest.Actor(13, "npc", "Crab", `{"hd":{"max":3}}`, "", ""), foreign.WrongType},
		"another system's": {foreigntest.Actor(13, "hero", "Zed", `{"x":1}`, "", ""), foreign.OtherSystem},
	} {
		_, err := foreign.Read([]byte(c.file))
		var problem *foreign.Problem
		if !errors.As(err, &problem) || problem.Code != c.code {
			t.Errorf("%s: %v, want %s", name, err, c.code)
			continue
		}
		text := problem.Say(foreigntest.Words(t, found(t, "mage")))
		if text == "" || strings.Contains(text, "foreign.") {
			t.Errorf("%s: %q", name, text)
		}
	}
	h, err := foreign.Read([]byte(hero))
	if err != nil {
		t.Fatal(err)
	}
	_, err = foreign.Propose(found(t, "mage"), h, nil, foreigntest.Words(t, found(t, "mage")))
	var problem *foreign.Problem
	if !errors.As(err, &problem) || problem.Code != foreign.OtherGame {
		t.Error("a hero of another game:", err)
	}
}

// lie packs a text as a tab, and then declares in the archive's directory that it has ten bytes.
func lie(t *testing.T, text string) string {
	packed := []byte(foreigntest.Zip(t, map[string]string{"xl/worksheets/sheet1.xml": text}))
	at := bytes.LastIndex(packed, []byte("PK\x01\x02")) // of the file in the directory
	binary.LittleEndian.PutUint32(packed[at+24:], 10)
	return string(packed)
}

// A description becomes Markdown: links are names, rolls are their text, nothing is fetched or run.
func TestDescriptionsBecomeMarkdown(t *testing.T) {
	for html, want := range map[string]string{
		"plain":                                    "plain",
		"<p>One</p><p>Two<br>three</p>":            "One\n\nTwo\nthree",
		"<ul><li>a</li><li>b</li></ul>":            "- a\n- b",
		"<h2>Head</h2><p>text</p>":                 "**Head**\n\ntext",
		`<img src="https://x/y.png">seen`:          "seen",
		"<script>alert(1)</script>safe":            "safe",
		"<p>@UUID[Actor.x]{The crab} and @Item[y]": "The crab and",
		"[[/r 2d6 # fire]] or [[/roll 1d8]]{cold}": "2d6 or cold",
		"a &amp; b\x00\x07":                        "a & b",
	} {
		system := strings.Replace(foreigntest.GodboundSystem, `"notes":""`, fmt.Sprintf(`"notes":%s`, quote(html)), 1)
		h, err := foreign.Read([]byte(foreigntest.Actor(13, "pc", "Oru", system, "", "")))
		if err != nil {
			t.Fatal(err)
		}
		if got := h.Values["text.notes"].Is; got != want {
			t.Errorf("%q: %q, want %q", html, got, want)
		}
	}
}

func compact(text string) string {
	var b bytes.Buffer
	_ = json.Compact(&b, []byte(text))
	return b.String()
}

// Each game's foreign.toml fits its sheets.
func TestNamesFitTheirGames(t *testing.T) {
	takes := 0
	for _, g := range games.All() {
		for _, system := range []string{"ep2e", "wod20", "godbound", "spire-keeper"} {
			_, ok, err := foreign.NamesOf(g, system)
			if err != nil {
				t.Error(err)
			}
			if ok {
				takes++
			}
		}
	}
	if takes < 3 {
		t.Error("games take", takes, "systems")
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(foreigntest.Actor(13, "pc", "Oru", foreigntest.GodboundSystem, foreigntest.GodboundItems, "")))
	f.Add([]byte(foreigntest.Actor(9, "character", "Ilm", `{"aptitudes":{"cog":15,"ref":10},
  "skills":{"guns":{"points":35}},
	 "fieldSkills":{"know":[{"points":40,"field":"Tides","linkedAptitude":"int"}]},"spentPools":{"vigor":9},"flex":1}`,
		`{"type":"trait","name":"Steady","system":{"state":{"level":0},"levels":[{"effects":[{"type":"pool",
  "pool":"vigor","modifier":4}]}]}}`,
		`,"flags":{"ep2e":{"synthetic":{"name":"Crane","data":{"pools":{"vigor":2}}}}}`)))
	f.Add([]byte(foreigntest.Actor(12, "Mage", "Wen",
		`{"attributes":{"strength":{"value":2}},"abilities":{"craft":{"type":"skill","value":3}}}`, "", "")))
	f.Add([]byte(foreigntest.Actor(12, "character", "Cen", `{"details":{"level":{"xp":7}},
  "attributes":{"str":{"value":25}}}`,
		`{"type":"gift","name":"Cinder","system":{"word":{"name":"Ash"},"type":{"value":"turn"},"effort":1}}`, "")))
	f.Add([]byte(foreigntest.Actor(10, "character", "Bey", `{"coreStats":{"levelOrHD":2},
  "attributes":{"str":{"baseScore":10}}}`, "", "")))
	f.Add([]byte("\n\n\n,Player Name (Pronouns)\n,,,Quill\n\n\n\n\n\n,,,,,,,TRUE,,FALSE\n,,1,2,3,,,FALSE\n"))
	voices := map[*game.Game]lang.Speaker{}
	for _, g := range games.All() {
		voices[g] = foreigntest.Words(f, g)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 64<<10 {
			return
		}
		h, err := foreign.Read(data)
		if err != nil {
			return
		}
		for g, s := range voices {
			p, err := foreign.Propose(g, h, nil, s)
			if err != nil {
				continue
			}
			kind, _ := g.Kind(p.Kind)
			if _, err := kind.Decode(p.Sheet); err != nil {
				t.Errorf("%s refuses the sheet: %v", g.ID, err)
			}
		}
	})
}

func BenchmarkPropose(b *testing.B) {
	items := strings.Repeat(foreigntest.GodboundItems+",", 30) + foreigntest.GodboundItems
	data, g := []byte(foreigntest.Actor(13, "pc", "Oru", foreigntest.GodboundSystem, items, "")), found(b, "godbound")
	s := foreigntest.Words(b, g)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		h, err := foreign.Read(data)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := foreign.Propose(g, h, nil, s); err != nil {
			b.Fatal(err)
		}
	}
}

package foreign_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"norn/foreign"
	"norn/foreign/foreigntest"
	"norn/internal/growth"
)

// worst makes heroes of about n bytes with which a reader could do too much.
var worst = map[string]func(t testing.TB, n int) string{
	"many bonuses": func(_ testing.TB, n int) string {
		one := `{"type":"attribute_buff","settingtype":"wits","value":1,"isactive":true}`
		list := `{"type":"Trait","name":"Veil","system":{"bonuslist":[` + strings.Repeat(one+",", n/75) + one + `]}}`
		return foreigntest.Actor(13, "PC", "Wen",
			`{"attributes":{"strength":{"value":2},"wits":{"value":2}},"settings":{"splat":"mage"}}`, list, "")
	},
	"many items": func(_ testing.TB, n int) string {
		return pc("", strings.Repeat(`{"type":"treasure","name":"A","system":{}},`, n/45)+`{"type":"treasure","name":"A"}`)
	},
	"many gifts": func(_ testing.TB, n int) string {
		gifts := strings.Repeat(`{"type":"divineGift","name":"A","system":{"day":true}},`, n/56)
		return pc("", gifts+`{"type":"treasure","name":"A"}`)
	},
	"a long name": func(_ testing.TB, n int) string {
		return pc("", `{"type":"treasure","name":`+quote(strings.Repeat("a ", n/2))+`}`)
	},
	"open tags":        func(_ testing.TB, n int) string { return pc(strings.Repeat("<p", n/2), "") },
	"tags in tags":     func(_ testing.TB, n int) string { return pc(strings.Repeat("<ul><li>", n/8), "") },
	"links":            func(_ testing.TB, n int) string { return pc(strings.Repeat("@UUID[", n/6), "") },
	"links with names": func(_ testing.TB, n int) string { return pc(strings.Repeat("@UUID[a]{b}", n/11), "") },
	"rolls":            func(_ testing.TB, n int) string { return pc(strings.Repeat("[[/r ", n/5), "") },
	"signs":            func(_ testing.TB, n int) string { return pc(strings.Repeat("&amp;", n/5), "") },
	"comments":         func(_ testing.TB, n int) string { return pc(strings.Repeat("<!--", n/4), "") },
	"empty lines":      func(_ testing.TB, n int) string { return pc(strings.Repeat("\n", n/2), "") },
	"unknown members": func(_ testing.TB, n int) string {
		return unknown(n, func(i int) string { return fmt.Sprintf(`"m%d":%d,`, i, i) })
	},
	"unknown objects": func(_ testing.TB, n int) string {
		return unknown(n, func(i int) string { return fmt.Sprintf(`"m%d":{"a":{"b":[{"c":1}]}},`, i) })
	},
	"members of a long name": func(_ testing.TB, n int) string {
		inside := unknown(n/2, func(i int) string { return fmt.Sprintf(`"m%d":%d,`, i, i) })
		return strings.Replace(inside, `"system":{`, `"system":{"`+strings.Repeat("a", n/2)+`":{"a":1},`, 1)
	},
	"cells of a tab": func(_ testing.TB, n int) string {
		return "\n\n\n,Player Name (Pronouns)\n" + strings.Repeat("a,b\n", n/4)
	},
	"cells of a book": func(t testing.TB, n int) string {
		return book(t, strings.Repeat(`<c r="B4"><v>1</v></c>`, n/23), "")
	},
	"texts of a book": func(t testing.TB, n int) string { return book(t, "", strings.Repeat(`<si><t>a</t></si>`, n/18)) },
	"one text": func(t testing.TB, n int) string {
		return book(t, "", "<si><t>"+strings.Repeat("a", n)+"</t></si>")
	},
	"attributes":      func(t testing.TB, n int) string { return book(t, "<c "+strings.Repeat(`a="" `, n/5)+"/>", "") },
	"names of spaces": func(t testing.TB, n int) string { return book(t, strings.Repeat(`<c xmlns:a="b"/>`, n/16), "") },
	"cell in long text": func(t testing.TB, n int) string {
		return book(t, `<c r="B4"><v>`+strings.Repeat("1", n)+`</v></c>`, "")
	},
}

// unknown writes a hero with n bytes of members that no reader knows.
func unknown(n int, member func(i int) string) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		b.WriteString(member(i))
	}
	return strings.Replace(pc("", ""), `"level":3,`, b.String()+`"level":3,`, 1)
}

// pc writes a hero with notes and items.
func pc(notes, items string) string {
	system := strings.Replace(foreigntest.GodboundSystem, `"notes":""`, `"notes":`+quote(notes), 1)
	return foreigntest.Actor(13, "pc", "Oru", system, items, "")
}

// book writes a workbook with one tab, which is no hero's.
func book(t testing.TB, cells, texts string) string {
	return foreigntest.Store(t, map[string]string{
		"xl/worksheets/sheet1.xml": "<worksheet>" + cells + "</worksheet>",
		"xl/sharedStrings.xml":     "<sst>" + texts + "</sst>",
	})
}

func TestCostOfReadingHeroesIsLinear(t *testing.T) {
	for name, input := range worst {
		t.Run(name, func(t *testing.T) {
			growth.Check(t, 100_000, func(n int) []byte { return []byte(input(t, n)) },
				func(data []byte) { _, _ = foreign.Read(data) })
		})
	}
}

// Descriptions are read in any state, and cost no more than their length allows.
func FuzzDescription(f *testing.F) {
	for _, text := range []string{
		"<p>One</p><br>", "@UUID[a]{b}", "[[/r 2d6]]{c}", "<ul><li>a", "&amp;&#x41;", "<!-- a --><script>b</script>",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if text == "" || len(text) > 500 { // nothing repeated stays nothing
			return
		}
		repeated := func(n int) []byte { return []byte(pc(strings.Repeat(text, max(1, n/max(1, len(text)))), "")) }
		growth.Check(t, fuzzed, repeated, func(data []byte) {
			if _, err := foreign.Read(data); err != nil {
				t.Error(err)
			}
		})
	})
}

// Tabs of a workbook are read in any state.
func FuzzWorkbook(f *testing.F) {
	f.Add(`<c r="B4" t="s"><v>0</v></c>`, "<si><t>Player Name (Pronouns)</t></si>")
	f.Add(`<c r="B4" t="inlineStr"><is><t>Player Name (Pronouns)</t></is></c><c r="H11" t="b"><v>1</v></c>`,
		"<si><r><t>a</t></r><rPh><t>b</t></rPh></si>")
	f.Fuzz(func(t *testing.T, cells, texts string) {
		if cells+texts == "" || len(cells)+len(texts) > 500 {
			return
		}
		repeated := func(n int) []byte {
			return []byte(book(t, strings.Repeat(cells, n/max(1, len(cells))), strings.Repeat(texts, n/max(1, len(texts)))))
		}
		growth.Check(t, fuzzed, repeated, func(data []byte) { _, _ = foreign.Read(data) })
	})
}

// fuzzed is how much is made of each thing that a fuzzer thinks of: enough to distinguish linear
// cost from another, and little enough for some hundred runs a second.
const fuzzed = 3_000 // bytes

func quote(text string) string {
	data, _ := json.Marshal(text)
	return string(data)
}

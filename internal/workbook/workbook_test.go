package workbook_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"norn/internal/growth"
	"norn/internal/workbook"
)

var all = workbook.Area{Rows: 1000, Columns: 100}

// pack makes a file of parts, each below xl/.
func pack(t testing.TB, parts ...string) []byte { return store(t, zip.Deflate, parts...) }

func store(t testing.TB, method uint16, parts ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(parts); i += 2 {
		w, err := z.CreateHeader(&zip.FileHeader{Name: "xl/" + parts[i], Method: method})
		if err == nil {
			_, err = w.Write([]byte(parts[i+1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// one makes a file with one sheet of these elements.
func one(t testing.TB, cells string) []byte {
	return pack(t, "worksheets/sheet1.xml", "<worksheet><sheetData>"+cells+"</sheetData></worksheet>")
}

// say writes rows as "1:a,b|2:c", with a star behind dates.
func say(s workbook.Sheet) string {
	var rows []string
	for _, row := range s.Rows {
		cells := append([]string(nil), row.Cells...)
		for _, at := range row.Dates {
			cells[at] += "*"
		}
		rows = append(rows, fmt.Sprint(row.Number, ":", strings.Join(cells, ",")))
	}
	return strings.Join(rows, "|")
}

func TestCellsAreReadAsTheyAreShown(t *testing.T) {
	styles := `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[$-419]d\ mmm&quot; h&quot;;@"/>` +
		`<numFmt numFmtId="165" formatCode="[h]:mm:ss"/><numFmt numFmtId="166" formatCode="&quot;day &quot;0"/>` +
		`<numFmt numFmtId="167" formatCode="mm:ss"/><numFmt numFmtId="168" formatCode="0.0%"/></numFmts>` +
		`<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/>` +
		`<xf numFmtId="165"/><xf numFmtId="166"/><xf numFmtId="167"/><xf numFmtId="168"/><xf numFmtId="22"/></cellXfs></styleSheet>`
	for name, c := range map[string]struct{ cells, want string }{
		"numbers":   {`<row r="1"><c><v>3.0</v></c><c><v>0.30000000000000004</v></c><c><v>-1E3</v></c></row>`, "1:3,0.3,-1000"},
		"large":     {`<row r="1"><c><v>1e300</v></c><c><v>123456789012345678</v></c></row>`, "1:1e+300,1.2345678901234568e+17"},
		"shared":    {`<row r="2"><c r="C2" t="s"><v>1</v></c><c r="A2" t="s"><v>0</v></c><c t="s"><v>7</v></c></row>`, "2:Bow,,A B"},
		"inline":    {`<row><c t="inlineStr"><is><r><t>a</t></r><r><t> b</t></r><rPh><t>no</t></rPh></is></c></row>`, "1:a b"},
		"formula":   {`<row><c t="str"><f>A1</f><v>x</v></c><c t="e"><v>#REF!</v></c><c t="b"><v>1</v></c></row>`, "1:x,#REF!,TRUE"},
		"no places": {`<row/><row><c/><c><v>1</v></c></row><row><c><v>2</v></c></row>`, "2:,1|3:2"},
		"dates":     {`<row><c s="1"><v>46145</v></c><c s="2"><v>46145.5</v></c><c s="1"><v>1</v></c></row>`, "1:2026-05-03*,2026-05-03*,1900-01-01*"},
		"times":     {`<row><c s="3"><v>1.25</v></c><c s="5"><v>0.5</v></c><c s="7"><v>46145.75</v></c></row>`, "1:30:00*,12:00*,2026-05-03 18:00*"},
		"no dates":  {`<row><c s="4"><v>3</v></c><c s="6"><v>0.125</v></c><c s="99"><v>3</v></c><c s="1"><v>-5</v></c></row>`, "1:3,12.5%,3,-5"},
		"ISO dates": {`<row><c t="d"><v>2026-05-03</v></c></row>`, "1:2026-05-03*"},
	} {
		t.Run(name, func(t *testing.T) {
			file := pack(
				t, "styles.xml", styles, "worksheets/sheet1.xml", "<worksheet><sheetData>"+c.cells+"</sheetData></worksheet>",
				"sharedStrings.xml", "<sst><si><t>Bow</t></si><si><r><t>A </t></r><r><t>B</t></r></si></sst>",
			)
			sheets, err := workbook.Read(file, all)
			if err != nil {
				t.Fatal(err)
			}
			if got := say(sheets[0]); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// LibreOffice 7.4.7 wrote this workbook: a sheet with merged heads, a date, a percentage and a formula, a
// hidden one, which comes last, and an empty one. See testdata/foes.fods, from which it was converted.
func TestWorkbookOfLibreOfficeIsRead(t *testing.T) {
	file, err := os.ReadFile(filepath.Join("testdata", "foes.xlsx"))
	if err != nil {
		t.Fatal(err)
	}
	sheets, err := workbook.Read(file, all)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range sheets {
		got = append(got, s.Name+" "+say(s)+fmt.Sprint(s.Merged))
	}
	want := []string{
		"Враги 1:Имя,Бой,,Когда|2:,КД,Урон|3:Волк,7,1d6,2026-05-03*|4:Тень,4.5,12.5%,TRUE[{0 0 1 0} {0 1 0 2} {0 3 1 3}]",
		"Пусто []", "Тайно 1:x[]",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestBrokenWorkbooksAreErrors(t *testing.T) {
	sheet := "worksheets/sheet1.xml"
	for name, c := range map[string]struct {
		file []byte
		want error
	}{
		"no archive":        {[]byte("PK\x03\x04"), workbook.ErrBroken},
		"half":              {one(t, strings.Repeat("<row/>", 99))[:90], workbook.ErrBroken},
		"no sheets":         {pack(t, "workbook.xml", "<workbook/>"), workbook.ErrNone},
		"broken XML":        {pack(t, sheet, "<a></b>"), workbook.ErrBroken},
		"deep XML":          {pack(t, sheet, strings.Repeat("<a>", 100)), workbook.ErrTooDeep},
		"too much":          {pack(t, sheet, strings.Repeat(" ", workbook.MaxUnpacked+1)), workbook.ErrUnpacked},
		"too many texts":    {pack(t, sheet, "<a/>", "sharedStrings.xml", "<a>"+strings.Repeat("<si/>", 500_001)+"</a>"), workbook.ErrUnpacked},
		"too much together": {pack(t, sheet, strings.Repeat(" ", workbook.MaxUnpacked), "styles.xml", "<a/>"), workbook.ErrUnpacked},
	} {
		if _, err := workbook.Read(c.file, all); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

func TestCellsBeyondTheAreaAreTold(t *testing.T) {
	for place, beyond := range map[string]bool{"B2": false, "C1": true, "A3": true, "XFD1": true, "A1048576": true, "?": false} {
		sheets, err := workbook.Read(one(t, `<row r="1"><c r="`+place+`"><v>1</v></c></row>`), workbook.Area{Rows: 2, Columns: 2})
		if err != nil || sheets[0].Beyond != beyond {
			t.Errorf("%s: %v %v", place, sheets, err)
		}
	}
}

// What is written is read as it was, whatever the texts: no program takes one for a formula, since each
// is an inline text.
func TestWrittenWorkbookIsReadAsItWas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.RuneFrom([]rune("=+-@'\"<>&;,\t\n аЯїa1 —×\u00a0😀")))
		rows := rapid.SliceOfN(rapid.SliceOfN(text, 1, 30), 1, 20).Draw(t, "rows")
		file, err := workbook.Write(rapid.String().Draw(t, "name"), rows)
		if err != nil {
			t.Fatal(err)
		}
		sheets, err := workbook.Read(file, all)
		if err != nil {
			t.Fatal(err)
		}
		got := map[int][]string{}
		for _, row := range sheets[0].Rows {
			got[row.Number] = row.Cells
		}
		for i, cells := range rows {
			for j, want := range cells {
				is := ""
				if j < len(got[i+1]) {
					is = got[i+1][j]
				}
				if is != want {
					t.Fatalf("row %d, column %d: %q, want %q", i+1, j, is, want)
				}
			}
		}
	})
}

// worst are parts of about n bytes with which a reader could do too much.
var worst = map[string]func(n int) (sheet, texts, book string){
	"cells":    func(n int) (string, string, string) { return strings.Repeat(`<c><v>1</v></c>`, n/15), "", "" },
	"far ones": func(n int) (string, string, string) { return far(n), "", "" },
	"one cell": func(n int) (string, string, string) { return strings.Repeat(`<c r="A1"><v>1</v></c>`, n/22), "", "" },
	"texts":    func(n int) (string, string, string) { return "", strings.Repeat(`<si><t>a</t></si>`, n/18), "" },
	"a text":   func(n int) (string, string, string) { return "", "<si><t>" + strings.Repeat("a", n), "" },
	"attributes": func(n int) (string, string, string) {
		return "<c " + strings.Repeat(`a="" `, n/5) + "/>", "", ""
	},
	"merges": func(n int) (string, string, string) {
		return strings.Repeat(`<mergeCell ref="A1:A1048576"/>`, n/31), "", ""
	},
	"sheets": func(n int) (string, string, string) {
		return "", "", strings.Repeat(`<sheet name="a" id="r"/>`, n/25)
	},
}

// far writes cells at the ends of rows, so that each row is as wide as it may be.
func far(n int) string {
	var b strings.Builder
	for i := 1; b.Len() < n; i++ {
		fmt.Fprintf(&b, `<c r="CV%d"><v>1</v></c>`, i%1000+1)
	}
	return b.String()
}

func TestCostOfReadingIsLinear(t *testing.T) {
	for name, input := range worst {
		t.Run(name, func(t *testing.T) {
			growth.Check(t, 100_000, func(n int) []byte {
				sheet, texts, book := input(n)
				return store(
					t, zip.Store, "worksheets/sheet1.xml", "<worksheet><sheetData>"+sheet+"</sheetData></worksheet>",
					"sharedStrings.xml", "<sst>"+texts+"</sst>", "workbook.xml", "<workbook>"+book+"</workbook>",
					"_rels/workbook.xml.rels", `<a><Relationship Id="r" Target="worksheets/sheet1.xml"/></a>`,
				)
			}, func(data []byte) { _, _ = workbook.Read(data, all) })
		})
	}
}

// FuzzRead checks that any sheet is read or refused, and stays in its area.
func FuzzRead(f *testing.F) {
	f.Add(`<row r="1"><c r="B4" t="s"><v>0</v></c></row>`, "<si><t>a</t></si>", `<numFmt numFmtId="1" formatCode="d"/>`)
	f.Add(`<c t="inlineStr"><is><t>a</t></is></c><mergeCell ref="A1:B2"/>`, "<si><rPh><t>b</t></rPh></si>", `<cellXfs><xf numFmtId="14"/></cellXfs>`)
	f.Fuzz(func(t *testing.T, cells, texts, styles string) {
		file := pack(
			t, "worksheets/sheet1.xml", "<worksheet>"+cells+"</worksheet>", "sharedStrings.xml", "<sst>"+texts+"</sst>",
			"styles.xml", "<styleSheet>"+styles+"</styleSheet>",
		)
		area := workbook.Area{Rows: 9, Columns: 9}
		sheets, err := workbook.Read(file, area)
		if err != nil {
			return
		}
		for _, row := range sheets[0].Rows {
			if row.Number < 1 || row.Number > area.Rows || len(row.Cells) > area.Columns {
				t.Errorf("row %d with %d cells", row.Number, len(row.Cells))
			}
		}
	})
}

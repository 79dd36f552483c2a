package rows_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"pgregory.net/rapid"

	"norn/internal/rows"
	"norn/internal/workbook"
)

const swords = "Имя,Кость\nМеч,d6\nНож,d3\n"

func TestRead(t *testing.T) {
	wide, _ := charmap.Windows1251.NewEncoder().String(strings.ReplaceAll(swords, ",", ";"))
	for name, c := range map[string]struct {
		text   string
		want   string // cells by commas, rows by bars
		format rows.Format
		named  bool
	}{
		"CSV":                  {swords, "1:Имя,Кость|2:Меч,d6|3:Нож,d3", rows.Delimited, false},
		"a mark of UTF-8":      {"\ufeff" + swords, "1:Имя,Кость|2:Меч,d6|3:Нож,d3", rows.Delimited, false},
		"line ends of Windows": {"a,b\r\nc,d\r\n", "1:a,b|2:c,d", rows.Delimited, false},
		"old line ends":        {"a,b\rc,d", "1:a,b|2:c,d", rows.Delimited, false},
		"semicolons":           {"a;b, c\nd;e", "1:a,b, c|2:d,e", rows.Delimited, false},
		"tabs":                 {"a\tb, c\nd\te; f", "1:a,b, c|2:d,e; f", rows.Delimited, false},
		"Windows-1251":         {wide, "1:Имя,Кость|2:Меч,d6|3:Нож,d3", rows.Delimited, false},
		"UTF-16":               {utf16le(swords), "1:Имя,Кость|2:Меч,d6|3:Нож,d3", rows.Delimited, false},
		"quotes": {
			`a,"b, ""c"""` + "\n" + `"d` + "\n" + `e",f`,
			"1:a,b, \"c\"|2:d\ne,f", rows.Delimited, false,
		},
		"a quote in a cell":   {"sword 5\",a\nknife,b", "1:sword 5\",a|2:knife,b", rows.Delimited, false},
		"empty rows count":    {"a,b\n\n,\nc,d", "1:a,b|4:c,d", rows.Delimited, false},
		"short and long rows": {"a,b\nc\nd,e,\nf,g", "1:a,b|2:c,|3:d,e|4:f,g", rows.Delimited, false},
		"one a line":          {"Fire\nA sword, broad\nRain", "1:Fire|2:A sword, broad|3:Rain", rows.Delimited, false},
		"one in quotes":       {"\"Fire\nand rain\"\nSnow", "1:Fire\nand rain|2:Snow", rows.Delimited, false},
		"Markdown": {
			"# Gear\n\n| a | b |\n|---|:-:|\n| c \\| d | e<br>f |\n| g |\n\nText | no",
			"1:a,b|2:c | d,e\nf|3:g,", rows.Markdown, true,
		},
		"Markdown without outer bars": {"a | b\n--|--\nc | ", "1:a,b|2:c,", rows.Markdown, true},
		"JSON of objects": {
			`[{"a":"x","b":3},{"b":true,"c":["u","v"]},{"a":null}]`,
			"0:a,b,c|1:x,3,|2:,true,u, v", rows.JSON, true,
		},
		"JSON of lists":   {`[["a",1],["b",-2]]`, "1:a,1|2:b,-2", rows.JSON, false},
		"JSON of texts":   {`["a","b, c"]`, "1:a|2:b, c", rows.JSON, false},
		"JSON in a file":  {`{"name":"Gifts","tags":[1],"rows":[{"a":"b"}]}`, "0:a|1:b", rows.JSON, true},
		"JSON in a list":  {`{"gifts":[{"a":"b"}]}`, "0:a|1:b", rows.JSON, true},
		"a bracket in it": {"[a],b\n[c],d", "1:[a],b|2:[c],d", rows.Delimited, false},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := rows.Read([]byte(c.text), "")
			if err != nil {
				t.Fatal(err)
			}
			if text := shown(got); text != c.want || got.Format != c.format || got.Named != c.named {
				t.Errorf("%s, %v: %q, want %q", got.Format, got.Named, text, c.want)
			}
		})
	}
}

// foes is a workbook that LibreOffice wrote, with heads over several columns.
func foes(t *testing.T) []byte {
	t.Helper()
	file, err := os.ReadFile(filepath.Join("..", "workbook", "testdata", "foes.xlsx"))
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// Of a workbook the first sheet with rows is read, or the one that is named. Heads in two rows become
// one, and the text of merged cells is in each row that they're in.
func TestSheetOfAWorkbookIsRead(t *testing.T) {
	for name, want := range map[string]string{
		"":      "2:Имя,КД,Урон,Когда|3:Волк,7,1d6,2026-05-03|4:Тень,4.5,12.5%,TRUE",
		"Враги": "2:Имя,КД,Урон,Когда|3:Волк,7,1d6,2026-05-03|4:Тень,4.5,12.5%,TRUE",
		"Тайно": "1:x",
	} {
		got, err := rows.Read(foes(t), name)
		if err != nil {
			t.Fatal(err)
		}
		if text := shown(got); text != want || got.Format != rows.Workbook || strings.Join(got.Sheets, ",") != "Враги,Тайно" {
			t.Errorf("%s: %q of %s, want %q", name, text, got.Sheets, want)
		}
	}
	down, err := rows.Read(merged(t, "A1:A3"), "")
	if err != nil || shown(down) != "1:Fire,a|2:Fire,b|3:Fire,c|4:,d" {
		t.Errorf("%v %v", shown(down), err)
	}
	titled, err := rows.Read(mergedIn(t, [][]string{{"Gear", "", ""}, {"Name", "Die", "Die"}, {"Oar", "1d8", ""}}, "A1:C1"), "")
	if err != nil || shown(titled) != "1:Gear,,|2:Name,Die,Die|3:Oar,1d8," { // a title is no head of all columns
		t.Errorf("%v %v", shown(titled), err)
	}
	_, err = rows.Read(foes(t), "Пусто")
	if got := (*rows.Problem)(nil); !errors.As(err, &got) || *got != (rows.Problem{Code: rows.NoSheet, What: "Враги, Тайно"}) {
		t.Errorf("%v", err)
	}
}

// merged makes a workbook with merged cells.
func merged(t *testing.T, ranges ...string) []byte {
	t.Helper()
	return mergedIn(t, [][]string{{"Fire", "a"}, {"", "b"}, {"", "c"}, {"", "d"}}, ranges...)
}

func mergedIn(t *testing.T, texts [][]string, ranges ...string) []byte {
	t.Helper()
	file, err := workbook.Write("x", texts)
	if err != nil {
		t.Fatal(err)
	}
	var cells string
	for _, r := range ranges {
		cells += `<mergeCell ref="` + r + `"/>`
	}
	z, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	again := zip.NewWriter(&packed)
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		w, err := again.Create(f.Name)
		if err == nil {
			_, err = w.Write(bytes.Replace(text, []byte("</worksheet>"), []byte("<mergeCells>"+cells+"</mergeCells></worksheet>"), 1))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}
	return packed.Bytes()
}

// Merged cells that reach far cost no more than a full list.
func TestMergedCellsReachNoFurtherThanTheirRows(t *testing.T) {
	got, err := rows.Read(merged(t, slices.Repeat([]string{"A1:A1048576"}, 5000)...), "")
	if err != nil || shown(got) != "1:Fire,a|2:Fire,b|3:Fire,c|4:Fire,d" {
		t.Errorf("%v %v", shown(got), err)
	}
}

func TestReadNamesWhatIsWrong(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want rows.Problem
	}{
		"nothing":         {" \n", rows.Problem{Code: rows.Empty}},
		"only heads":      {"|a|b|\n|-|-|\n", rows.Problem{Code: rows.Empty}},
		"no rows in JSON": {"[]", rows.Problem{Code: rows.Empty}},
		"bytes":           {"a\x00b", rows.Problem{Code: rows.NoText}},
		"too large": {
			strings.Repeat("x", rows.MaxBytes+1),
			rows.Problem{Code: rows.TooLarge, Max: rows.MaxText},
		},
		"an open quote": {"a,b\nc,\"d\ne,f", rows.Problem{Code: rows.OpenQuote, Row: 2, Column: 2}},
		"many rows": {
			strings.Repeat("a\n", rows.MaxRows+2),
			rows.Problem{Code: rows.TooManyRows, Max: rows.MaxRows},
		},
		"many items": {
			"[" + strings.Repeat("1,", rows.MaxRows+1) + "1]",
			rows.Problem{Code: rows.TooManyRows, Max: rows.MaxRows},
		},
		"many columns": {
			"a" + strings.Repeat(",a", rows.MaxColumns),
			rows.Problem{Code: rows.TooManyColumns, Row: 1, Max: rows.MaxColumns},
		},
		"a long cell": {
			"a,b\nc," + strings.Repeat("д", rows.MaxCell+1),
			rows.Problem{Code: rows.TooLong, Row: 2, Column: 2, Max: rows.MaxCell},
		},
		"bytes in JSON":      {`["a\u0000"]`, rows.Problem{Code: rows.NoText, Row: 1, Column: 1}},
		"half a workbook":    {"PK\x03\x04", rows.Problem{Code: rows.BadWorkbook}},
		"broken JSON":        {`[{"a":1},]`, rows.Problem{Code: rows.BadJSON}},
		"an object":          {`{"a":1}`, rows.Problem{Code: rows.BadJSON}},
		"rows of two sorts":  {`[{"a":1},"b"]`, rows.Problem{Code: rows.BadJSON, Row: 2}},
		"an object in a row": {`[{"a":1,"b":{"c":1}}]`, rows.Problem{Code: rows.Nested, Row: 1, Column: 2}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := rows.Read([]byte(c.text), "")
			if got := (*rows.Problem)(nil); !errors.As(err, &got) || *got != c.want {
				t.Errorf("%+v, want %+v", err, c.want)
			}
		})
	}
}

// FuzzRead checks that whatever is read is within its limits, and is read again from CSV as it is.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		swords, "a\tb\n\"c\"\td", `[{"a":1},{"b":[1]}]`, `{"rows":[["a"]]}`, "|a|b|\n|-|-|\n|c\\||d|", "\xff\xfea\x00",
		"\"a", "a;b\r\n", "\ufeffx",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := rows.Read(data, "")
		if err != nil {
			if problem := (*rows.Problem)(nil); !errors.As(err, &problem) {
				t.Fatalf("an error that is no problem: %v", err)
			}
			return
		}
		width := len(got.Rows[0].Cells)
		var again bytes.Buffer
		for _, row := range got.Rows {
			if len(row.Cells) != width || width == 0 || width > rows.MaxColumns {
				t.Fatalf("%d cells of %d", len(row.Cells), width)
			}
			for i, cell := range row.Cells {
				if !utf8.ValidString(cell) || cell != strings.TrimSpace(cell) {
					t.Fatalf("cell %q", cell)
				}
				if i > 0 {
					again.WriteByte('\t')
				}
				if strings.Contains(cell, "|") { // could be read as Markdown
					return
				}
				again.WriteString(`"` + strings.ReplaceAll(cell, `"`, `""`) + `"`)
			}
			again.WriteByte('\n')
		}
		if len(got.Rows) > rows.MaxRows+1 {
			t.Fatalf("%d rows", len(got.Rows))
		}
		if width < 2 || again.Len() > rows.MaxBytes {
			return
		}
		twice, err := rows.Read(again.Bytes(), "")
		if err != nil {
			t.Fatal(err)
		}
		for i, row := range twice.Rows {
			if !reflect.DeepEqual(row.Cells, got.Rows[i].Cells) {
				t.Fatalf("row %d is %q, was %q", i, row.Cells, got.Rows[i].Cells)
			}
		}
	})
}

// A sign in the quoted lines of a cell isn't taken for the one between cells, and one cell with a loose
// quote doesn't change what is.
func TestSeparatorIsFoundAroundQuotes(t *testing.T) {
	for text, want := range map[string][]string{
		"\"x\",\"a\nb;\nc\",\"y;d\"\r\n":        {"x", "a\nb;\nc", "y;d"},
		"\"Bob\" Smith,3\nAnn,4\nIvo,5\n":       {"Bob Smith", "3"},
		"\"Bob\" Smith;3,5\nAnn;4,5\nIvo;5,5\n": {"Bob Smith", "3,5"},
	} {
		got, err := rows.Read([]byte(text), "")
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.Rows[0].Cells[:len(want)], want) {
			t.Errorf("%q is read as %q, want %q", text, got.Rows[0].Cells, want)
		}
	}
}

// What CSV writes is read as it was, and no cell of it begins like a formula.
func TestCSVIsReadAsItWasWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cell := rapid.Map(rapid.StringOf(rapid.RuneFrom([]rune("=+-@'\"<;,\t\n аЇa1\u00a0😀"))), strings.TrimSpace)
		width := rapid.IntRange(1, 5).Draw(t, "width")
		written := rapid.SliceOfN(rapid.SliceOfN(cell, width, width), 1, 9).Draw(t, "rows")
		for i := range written { // rows and columns without a text are left out
			written[i][0], written[i][width-1] = "x"+written[i][0], "y"+written[i][width-1]
		}
		for _, by := range []byte(",;") {
			text := rows.CSV(written, by)
			for _, line := range strings.Split(string(text), "\r\n") {
				if at := regexp.MustCompile(`(^|"[,;])"[=+@-]`).FindString(line); at != "" && !number.MatchString(line) {
					t.Fatalf("a formula in %q", line)
				}
			}
			got, err := rows.Read(text, "")
			if err != nil {
				t.Fatal(err)
			}
			for i, row := range got.Rows {
				if !slices.Equal(row.Cells, written[i]) {
					t.Fatalf("%q, want %q, of %q", row.Cells, written[i], text)
				}
			}
		}
	})
	same := "\ufeff\"-3\",\"'=1\",\"''=1\",\"+1,5\"\r\n"
	if got := string(rows.CSV([][]string{{"-3", "=1", "'=1", "+1,5"}}, ',')); got != same {
		t.Errorf("%q", got)
	}
}

// number matches a cell that may begin with a sign.
var number = regexp.MustCompile(`"[+-][0-9]+"`)

func shown(t rows.Table) string {
	texts := make([]string, len(t.Rows))
	for i, row := range t.Rows {
		texts[i] = fmt.Sprint(row.Number) + ":" + strings.Join(row.Cells, ",")
	}
	return strings.Join(texts, "|")
}

func utf16le(text string) string {
	var b strings.Builder
	b.WriteString("\xff\xfe")
	for _, unit := range utf16.Encode([]rune(text)) {
		b.WriteByte(byte(unit))
		b.WriteByte(byte(unit >> 8))
	}
	return b.String()
}

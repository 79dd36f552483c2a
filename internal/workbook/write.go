package workbook

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"
)

// The parts of a workbook with one sheet. Every cell is a text of its own: no program takes it for a
// formula, a number or a date.
const (
	head      = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"
	main      = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
	office    = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	related   = "http://schemas.openxmlformats.org/package/2006/relationships"
	sheetType = "application/vnd.openxmlformats-officedocument.spreadsheetml."

	types = head + `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
		`<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
		`<Override PartName="/xl/workbook.xml" ContentType="` + sheetType + `sheet.main+xml"/>` +
		`<Override PartName="/xl/worksheets/sheet1.xml" ContentType="` + sheetType + `worksheet+xml"/></Types>`
	root = head + `<Relationships xmlns="` + related + `"><Relationship Id="r1" Type="` + office +
		`/officeDocument" Target="xl/workbook.xml"/></Relationships>`
	sheets = head + `<Relationships xmlns="` + related + `"><Relationship Id="r1" Type="` + office +
		`/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`
)

// maxName bounds the characters of a sheet's name, as spreadsheets do.
const maxName = 31

// Write returns an XLSX file with one sheet, of which the first row is the heads of the columns.
func Write(name string, rows [][]string) ([]byte, error) {
	book := head + `<workbook xmlns="` + main + `" xmlns:r="` + office + `"><sheets><sheet name="` +
		escape(sheetName(name)) + `" sheetId="1" r:id="r1"/></sheets></workbook>`
	var sheet strings.Builder
	sheet.WriteString(head + `<worksheet xmlns="` + main + `"><sheetData>`)
	for i, cells := range rows {
		fmt.Fprintf(&sheet, `<row r="%d">`, i+1)
		for j, text := range cells {
			if text != "" {
				fmt.Fprintf(&sheet, `<c r="%s%d" t="inlineStr"><is><t xml:space="preserve">%s</t></is></c>`, column(j), i+1,
					escape(text))
			}
		}
		sheet.WriteString(`</row>`)
	}
	sheet.WriteString(`</sheetData></worksheet>`)
	var packed bytes.Buffer
	z := zip.NewWriter(&packed)
	for _, part := range []struct{ name, text string }{
		{"[Content_Types].xml", types},
		{"_rels/.rels", root},
		{"xl/workbook.xml", book},
		{"xl/_rels/workbook.xml.rels", sheets},
		{"xl/worksheets/sheet1.xml", sheet.String()},
	} {
		w, err := z.Create(part.name)
		if err == nil {
			_, err = w.Write([]byte(part.text))
		}
		if err != nil {
			return nil, err
		}
	}
	err := z.Close()
	return packed.Bytes(), err
}

// sheetName returns a name that spreadsheets allow.
func sheetName(name string) string {
	name = strings.Trim(strings.Map(func(r rune) rune {
		if strings.ContainsRune(`[]:*?/\`, r) {
			return ' '
		}
		return r
	}, name), " '")
	if runes := []rune(name); len(runes) > maxName {
		name = strings.TrimSpace(string(runes[:maxName]))
	}
	if name == "" {
		return "1"
	}
	return name
}

// column names a column: A, B … Z, AA.
func column(i int) string {
	if i < 26 {
		return string(rune('A' + i))
	}
	return column(i/26-1) + string(rune('A'+i%26))
}

func escape(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // a builder takes everything
	return b.String()
}

#!/usr/bin/env bash
# Two Go readers of XLSX give different texts of the same valid workbook. A cell of Japanese may hold
# how its text is read aloud (rPh); the part styles.xml is optional.
# - excelize 2.11.1: TRUE, 3 and the text itself; it needs no styles.
# - xlsxreader 1.2.8: 1, 3.0 and the reading instead of the text; without styles it refuses the file.
# Exits with another status than 0 if that changes.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat >go.mod <<'MOD'
module readers

go 1.25
MOD
cat >main.go <<'GO'
package main

import (
	"archive/zip"
	"bytes"
	"fmt"
	"strings"

	"github.com/thedatashed/xlsxreader"
	"github.com/xuri/excelize/v2"
)

const (
	spreadsheet    = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"`
	office      = `http://schemas.openxmlformats.org/officeDocument/2006/relationships`
	packages    = `http://schemas.openxmlformats.org/package/2006/`
	kind        = `application/vnd.openxmlformats-officedocument.spreadsheetml.`
)

// book writes a workbook with a ticked box, a number and a text with its reading.
func book(styles bool) []byte {
	parts := [][2]string{
		{"[Content_Types].xml", `<Types xmlns="` + packages + `content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="` + kind + `sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="` + kind + `worksheet+xml"/><Override PartName="/xl/sharedStrings.xml" ContentType="` + kind + `sharedStrings+xml"/></Types>`},
		{"_rels/.rels", `<Relationships xmlns="` + packages + `relationships"><Relationship Id="rId1" Type="` + office + `/officeDocument" Target="xl/workbook.xml"/></Relationships>`},
		{"xl/workbook.xml", `<workbook ` + spreadsheet + ` xmlns:r="` + office + `"><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>`},
		{"xl/_rels/workbook.xml.rels", `<Relationships xmlns="` + packages + `relationships"><Relationship Id="rId1" Type="` + office + `/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="` + office + `/sharedStrings" Target="sharedStrings.xml"/></Relationships>`},
		{"xl/worksheets/sheet1.xml", `<worksheet ` + spreadsheet + `><sheetData><row r="1"><c r="A1" t="b"><v>1</v></c><c r="B1"><v>3.0</v></c><c r="C1" t="s"><v>0</v></c></row></sheetData></worksheet>`},
		{"xl/sharedStrings.xml", `<sst ` + spreadsheet + ` count="1" uniqueCount="1"><si><t>山</t><rPh sb="0" eb="1"><t>ヤマ</t></rPh></si></sst>`},
	}
	if styles {
		parts = append(parts, [2]string{"xl/styles.xml", `<styleSheet ` + spreadsheet + `/>`})
	}
	var packed bytes.Buffer
	z := zip.NewWriter(&packed)
	for _, part := range parts {
		w, _ := z.Create(part[0])
		fmt.Fprint(w, part[1])
	}
	z.Close()
	return packed.Bytes()
}

func main() {
	for _, styles := range []bool{false, true} {
		var cells []string
		f, err := excelize.OpenReader(bytes.NewReader(book(styles)))
		if err == nil {
			rows, _ := f.GetRows("A")
			cells = rows[0]
		}
		fmt.Println("excelize", styles, strings.Join(cells, ","), err)
		cells = nil
		x, err := xlsxreader.NewReader(book(styles))
		if err == nil {
			for row := range x.ReadRows(x.Sheets[0]) {
				for _, c := range row.Cells {
					cells = append(cells, c.Value)
				}
			}
		}
		fmt.Println("xlsxreader", styles, strings.Join(cells, ","), err)
	}
}
GO
go get github.com/xuri/excelize/v2@v2.11.1 github.com/thedatashed/xlsxreader@v1.2.8 >/dev/null 2>&1
go run . | tee seen
diff seen - <<'WANT'
excelize false TRUE,3,山 <nil>
xlsxreader false  unable to initialise file: unable to get date styles: unable to get styles file: file not found: xl/styles.xml
excelize true TRUE,3,山 <nil>
xlsxreader true 1,3.0,ヤマ <nil>
WANT

package rows

import (
	"bytes"
	"regexp"
	"strings"
)

// CSV writes rows so that Read reads them as they are and spreadsheets run none of their cells: one that
// begins like a formula gets an apostrophe, as people write it there, which Read takes off again.
// Numbers may have signs. by is the sign between cells.
func CSV(rows [][]string, by byte) []byte {
	var b bytes.Buffer
	b.WriteString("\ufeff") // without it spreadsheets on Windows take it for another encoding
	for _, cells := range rows {
		for i, cell := range cells {
			if i > 0 {
				b.WriteByte(by)
			}
			if formula.MatchString(cell) && !signed.MatchString(cell) {
				cell = "'" + cell
			}
			b.WriteString(`"` + strings.ReplaceAll(cell, `"`, `""`) + `"`)
		}
		b.WriteString("\r\n")
	}
	return b.Bytes()
}

var (
	formula = regexp.MustCompile(`^'*[=+\-@\t\r]`)
	escaped = regexp.MustCompile(`^'+[=+\-@\t\r]`)
	signed  = regexp.MustCompile(`^[+-][0-9]+([.,][0-9]+)?$`)
)

// plain takes off the apostrophe of a cell that begins like a formula.
func plain(cell string) string {
	if escaped.MatchString(cell) {
		return cell[1:]
	}
	return cell
}

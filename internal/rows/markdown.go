package rows

import "strings"

// isRule reports whether a line is that under the heads of a table in Markdown: "|---|:-:|".
func isRule(line string) bool {
	line = strings.TrimSpace(line)
	line = strings.TrimSuffix(strings.TrimPrefix(line, "|"), "|")
	for cell := range strings.SplitSeq(line, "|") {
		cell = strings.TrimSpace(cell)
		cell = strings.TrimSuffix(strings.TrimPrefix(cell, ":"), ":")
		if cell == "" || strings.Trim(cell, "-") != "" {
			return false
		}
	}
	return true
}

// findMarkdown finds the first table in Markdown: its head, and the lines after the rule.
func findMarkdown(text string) (head string, lines []string, ok bool) {
	all := strings.Split(text, "\n")
	for i := range len(all) - 1 {
		if strings.Contains(all[i], "|") && strings.Contains(all[i+1], "|") && isRule(all[i+1]) {
			return all[i], all[i+2:], true
		}
	}
	return "", nil, false
}

// lineBreaks replaces the line breaks of HTML, which a cell of a table may have.
var lineBreaks = strings.NewReplacer("<br>", "\n", "<br/>", "\n", "<br />", "\n")

func readMarkdown(head string, lines []string) (Table, error) {
	t := Table{Format: Markdown, Named: true, Rows: []Row{{Number: 1, Cells: splitMarkdown(head)}}}
	for i, line := range lines {
		if !strings.Contains(line, "|") { // the table ends
			break
		}
		t.Rows = append(t.Rows, Row{Number: i + 2, Cells: splitMarkdown(line)})
		if err := checkCount(len(t.Rows)); err != nil {
			return Table{}, err
		}
		if row := t.Rows[len(t.Rows)-1]; len(row.Cells) > maxCells {
			return Table{}, &Problem{Code: TooManyColumns, Row: row.Number, Max: MaxColumns}
		}
	}
	return t, nil
}

// splitMarkdown returns the cells of a line, up to one more than maxCells. A bar with a backslash
// before it is text.
func splitMarkdown(line string) []string {
	line = strings.TrimPrefix(strings.TrimSpace(line), "|")
	var cells []string
	var b strings.Builder
	for i := 0; i < len(line) && len(cells) <= maxCells; i++ {
		switch {
		case line[i] == '\\' && i+1 < len(line) && line[i+1] == '|':
			i++
			b.WriteByte('|')
		case line[i] == '|':
			cells = append(cells, b.String())
			b.Reset()
		default:
			b.WriteByte(line[i])
		}
	}
	if rest := b.String(); strings.TrimSpace(rest) != "" || len(cells) == 0 {
		cells = append(cells, rest)
	}
	for i, cell := range cells {
		cells[i] = lineBreaks.Replace(cell)
	}
	return cells
}

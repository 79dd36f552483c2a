package rows

import (
	"regexp"
	"strings"
)

// rule is the line under the heads of a table in Markdown.
var rule = regexp.MustCompile(`^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$`)

// findMarkdown finds the first table in Markdown: its head, and the lines after the rule.
func findMarkdown(text string) (head string, lines []string, ok bool) {
	all := strings.Split(text, "\n")
	for i := range len(all) - 1 {
		if strings.Contains(all[i], "|") && strings.Contains(all[i+1], "-") && strings.Contains(all[i+1], "|") &&
			rule.MatchString(all[i+1]) {
			return all[i], all[i+2:], true
		}
	}
	return "", nil, false
}

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
	}
	return t, nil
}

// splitMarkdown returns the cells of a line. A bar with a backslash before it is text.
func splitMarkdown(line string) []string {
	line = strings.TrimPrefix(strings.TrimSpace(line), "|")
	var cells []string
	var b strings.Builder
	for i := 0; i < len(line); i++ {
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
		cells[i] = strings.NewReplacer("<br>", "\n", "<br/>", "\n", "<br />", "\n").Replace(cell)
	}
	return cells
}

package foreign

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxText bounds the characters of a description.
const maxText = 4000

var (
	// links name a document by its id: @UUID[Actor.x]{Name}, @Compendium[…]{Name}.
	links = regexp.MustCompile(`@[A-Za-z]+\[[^\]]*\](?:\{([^}]*)\})?`)
	// rolls are thrown where the text is shown: [[/r 1d6 # fire]], [[/roll 2d8]]{fire}.
	rolls = regexp.MustCompile(`\[\[(?:/[a-z]+ )?([^\]#]*)(?:#[^\]]*)?\]\](?:\{([^}]*)\})?`)
	// blanks are more empty lines than one.
	blanks = regexp.MustCompile(`\n{3,}`)
	spaces = regexp.MustCompile(`[ \t\x{a0}]+`)
)

// plain returns a description as Markdown. Of HTML only paragraphs, lists, headings, bold and
// slanted text remain; pictures, scripts and styles are dropped with their content.
func plain(text string) string {
	text = printable(text)
	if !strings.ContainsAny(text, "<&@[") {
		return strings.TrimSpace(text)
	}
	var b strings.Builder
	t := html.NewTokenizer(strings.NewReader(text))
	hidden := 0 // in elements whose text isn't for people
	for {
		kind := t.Next()
		if kind == html.ErrorToken {
			break
		}
		token := t.Token()
		closing := kind == html.EndTagToken
		switch {
		case kind == html.TextToken && hidden == 0:
			b.WriteString(spaces.ReplaceAllString(strings.ReplaceAll(token.Data, "\n", " "), " "))
		case kind == html.TextToken || kind == html.CommentToken:
		default:
			switch token.DataAtom {
			case atom.Script, atom.Style, atom.Template, atom.Iframe, atom.Object, atom.Svg:
				if closing {
					hidden = max(0, hidden-1)
				} else if kind == html.StartTagToken {
					hidden++
				}
			case atom.P, atom.Div, atom.Section, atom.Blockquote, atom.Ul, atom.Ol, atom.Table, atom.Hr:
				b.WriteString("\n\n")
			case atom.Br, atom.Tr:
				b.WriteString("\n")
			case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
				if closing {
					b.WriteString("**\n\n")
				} else {
					b.WriteString("\n\n**")
				}
			case atom.Li:
				if !closing {
					b.WriteString("\n- ")
				}
			case atom.Td, atom.Th:
				if closing {
					b.WriteString(" ")
				}
			case atom.Strong, atom.B:
				b.WriteString("**")
			case atom.Em, atom.I:
				b.WriteString("*")
			}
		}
	}
	return tidy(printable(b.String()))
}

// tidy names what a text links to, shows its rolls, and removes marks around nothing.
func tidy(text string) string {
	text = links.ReplaceAllString(text, "$1")
	text = rolls.ReplaceAllStringFunc(text, func(roll string) string {
		found := rolls.FindStringSubmatch(roll)
		if found[2] != "" {
			return found[2]
		}
		return strings.TrimSpace(found[1])
	})
	text = strings.ReplaceAll(text, "****", "")
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "-" || line == "**" || line == "*" {
			line = ""
		}
		lines = append(lines, line)
	}
	return strings.TrimSpace(blanks.ReplaceAllString(strings.Join(lines, "\n"), "\n\n"))
}

// cut divides a text into pieces of at most so many characters, at ends of lines or words.
func cut(text string, most int) []string {
	var all []string
	for runes := []rune(text); len(runes) > 0; {
		n := min(most, len(runes))
		if n < len(runes) {
			for at := n; at > n/2; at-- {
				if runes[at] == '\n' || runes[at] == ' ' {
					n = at
					break
				}
			}
		}
		if piece := strings.TrimSpace(string(runes[:n])); piece != "" {
			all = append(all, piece)
		}
		runes = runes[n:]
	}
	return all
}

// printable leaves out control characters.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t' || r == '\r':
			return ' '
		case unicode.IsControl(r) && r != '\n', r == utf8.RuneError:
			return -1
		}
		return r
	}, text)
}

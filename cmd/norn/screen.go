package main

import (
	"io"
	"os"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
	"golang.org/x/term"

	"norn/game"
)

// Widths in columns: what is assumed where there's no terminal, and between
// which bounds lines are laid out.
const (
	usualWidth = 80
	leastWidth = 40
	mostWidth  = 100
)

// screen is an output stream that knows how much it can show. Text is styled
// for a terminal and loses, on the way out, what the stream can't show.
type screen struct {
	*colorprofile.Writer
	terminal bool
	width    int
	failure  error // the first that a write met
}

// newScreen looks at a stream. Colour is for terminals; NO_COLOR and TERM=dumb
// turn it off, CLICOLOR_FORCE on.
func newScreen(w io.Writer, env []string) *screen {
	s := &screen{Writer: colorprofile.NewWriter(w, env), width: usualWidth}
	if file, ok := w.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		s.terminal = true
		if width, _, err := term.GetSize(int(file.Fd())); err == nil && width > 0 {
			s.width = min(max(width, leastWidth), mostWidth)
		}
	}
	if getenv(env)("NO_COLOR") != "" && s.Profile > colorprofile.ASCII { // any value, not only a true one
		s.Profile = colorprofile.ASCII
	}
	return s
}

// Write keeps the first failure, so that printing needs no check of its own.
func (s *screen) Write(p []byte) (int, error) {
	if s.failure != nil {
		return 0, s.failure
	}
	n, err := s.Writer.Write(p)
	s.failure = err
	return n, err
}

// styled tells whether bold and the like are shown; where they aren't,
// brackets stand for them.
func (s *screen) styled() bool { return s.Profile > colorprofile.NoTTY }

// The styles. Colours are the terminal's own, so that they suit its background.
var (
	strong  = lipgloss.NewStyle().Bold(true)
	quiet   = lipgloss.NewStyle().Faint(true)
	alarm   = lipgloss.NewStyle().Bold(true).Foreground(lipgloss.Red)
	caution = lipgloss.NewStyle().Foreground(lipgloss.Yellow)
	advice  = lipgloss.NewStyle().Foreground(lipgloss.Cyan)
	struck  = lipgloss.NewStyle().Faint(true).Strikethrough(true)
)

// tones are the styles of outcomes.
var tones = map[game.Tone]lipgloss.Style{
	game.Triumph:  lipgloss.NewStyle().Foreground(lipgloss.Cyan),
	game.Good:     lipgloss.NewStyle().Foreground(lipgloss.Green),
	game.Mixed:    lipgloss.NewStyle().Foreground(lipgloss.Yellow),
	game.Bad:      lipgloss.NewStyle().Foreground(lipgloss.Red),
	game.Disaster: lipgloss.NewStyle().Foreground(lipgloss.Magenta),
	game.Neutral:  lipgloss.NewStyle().Foreground(lipgloss.BrightBlue),
}

// pad fills text up with spaces to a width as it's seen.
func pad(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-lipgloss.Width(text)))
}

// padLeft puts the spaces before the text.
func padLeft(text string, width int) string {
	return strings.Repeat(" ", max(0, width-lipgloss.Width(text))) + text
}

// wrap breaks text into lines of at most width columns, at spaces but not at
// those that hold a number together; a word that is longer stands alone.
func wrap(text string, width int) []string {
	var lines []string
	line := ""
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ' ' || r == '\n' }) {
		switch {
		case line == "":
			line = word
		case lipgloss.Width(line)+1+lipgloss.Width(word) <= width:
			line += " " + word
		default:
			lines = append(lines, line)
			line = word
		}
	}
	return append(lines, line)
}

package cli

import (
	"io"
	"os"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
	"golang.org/x/term"

	"norn/game"
)

// Widths in columns: the default without a terminal, and the limits for a terminal.
const (
	usualWidth = 80
	leastWidth = 40
	maxWidth   = 100
)

// screen is an output stream that knows what it can display. Text is styled for a terminal, and the
// stream removes the styles that it can't display.
type screen struct {
	*colorprofile.Writer
	terminal bool
	Width    int
	Failure  error // the first error of a write
}

// NewScreen examines a stream. Colour is for terminals; NO_COLOR and TERM=dumb turn it off,
// CLICOLOR_FORCE on.
func NewScreen(w io.Writer, env []string) *screen {
	s := &screen{Writer: colorprofile.NewWriter(w, env), Width: usualWidth}
	if file, ok := w.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		s.terminal = true
		if width, _, err := term.GetSize(int(file.Fd())); err == nil && width > 0 {
			s.Width = min(max(width, leastWidth), maxWidth)
		}
	}
	if Getenv(env)("NO_COLOR") != "" && s.Profile > colorprofile.ASCII { // any value counts, not only true ones
		s.Profile = colorprofile.ASCII
	}
	return s
}

// Write remembers the first failure, so that callers needn't check each write.
func (s *screen) Write(p []byte) (int, error) {
	if s.Failure != nil {
		return 0, s.Failure
	}
	n, err := s.Writer.Write(p)
	s.Failure = err
	return n, err
}

// HasStyles reports whether bold and the like are displayed. Otherwise brackets replace them.
func (s *screen) HasStyles() bool { return s.Profile > colorprofile.NoTTY }

// The styles use the terminal's own colours, so that they suit its background.
var (
	Strong  = lipgloss.NewStyle().Bold(true)
	Quiet   = lipgloss.NewStyle().Faint(true)
	alarm   = lipgloss.NewStyle().Bold(true).Foreground(lipgloss.Red)
	caution = lipgloss.NewStyle().Foreground(lipgloss.Yellow)
	advice  = lipgloss.NewStyle().Foreground(lipgloss.Cyan)
	Struck  = lipgloss.NewStyle().Faint(true).Strikethrough(true)
)

// Tones holds the styles of outcomes.
var Tones = map[game.Tone]lipgloss.Style{
	game.Triumph:  lipgloss.NewStyle().Foreground(lipgloss.Cyan),
	game.Good:     lipgloss.NewStyle().Foreground(lipgloss.Green),
	game.Mixed:    lipgloss.NewStyle().Foreground(lipgloss.Yellow),
	game.Bad:      lipgloss.NewStyle().Foreground(lipgloss.Red),
	game.Disaster: lipgloss.NewStyle().Foreground(lipgloss.Magenta),
	game.Neutral:  lipgloss.NewStyle().Foreground(lipgloss.BrightBlue),
}

// Pad appends spaces up to a displayed width.
func Pad(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-lipgloss.Width(text)))
}

// PadLeft puts the spaces before the text.
func PadLeft(text string, width int) string {
	return strings.Repeat(" ", max(0, width-lipgloss.Width(text))) + text
}

// Wrap breaks text into lines of at most width columns. It breaks at ordinary spaces, not at the
// non-breaking ones in numbers; a longer word gets a line of its own.
func Wrap(text string, width int) []string {
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

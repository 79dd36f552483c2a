package html

import (
	"fmt"
	"hash/fnv"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"norn/form"
	"norn/game"
	"norn/table/view"
	"norn/web/fields"
)

// Between is the page between sessions.
type Between struct {
	Name   string // of the table
	Seat   string
	Master bool
	Parts  []BetweenPart
	Done   []MoveLine // lines that were done; their notes say why they aren't over
	Wrong  bool       // some lines were refused
	Gone   []string   // why, of those that aren't suggested any more
}

// BetweenPart has the lines of a character, or those for everybody.
type BetweenPart struct {
	Name   string // "" for everybody
	Link   string // to the sheet
	Unseen bool   // players don't see the character
	Lines  []BetweenLine
}

// Idle returns the parts of characters without lines.
func (b Between) Idle() []BetweenPart {
	return slices.DeleteFunc(slices.Clone(b.Parts), func(part BetweenPart) bool {
		return part.Link == "" || len(part.Lines) > 0
	})
}

// BetweenLine is a move that is made if it's ticked, with the questions that it will ask the reader.
type BetweenLine struct {
	ID          string
	Name, About string
	On          bool
	Mark        string // changes with what the line offers
	Made        *view.MadeAt
	MadeLink    string
	Fields      fields.Form
	Asks        []Question // which it answers at once
	Problem     string
}

// Names of what the page between sessions posts.
const (
	BetweenTick = Own + "line" // ids of the lines that are ticked
	BetweenMark = Own + "mark."
)

// BetweenID returns the id of a suggestion's line: who makes the move, and which one.
func BetweenID(s view.Suggestion) string { return s.Character + ":" + s.Move }

// BetweenLineOf returns who makes the move of a line, and which move it is.
func BetweenLineOf(id string) (character, move string) {
	character, move, _ = strings.Cut(id, ":")
	return character, move
}

// BetweenFields returns the prefix of the names of a line's arguments.
func BetweenFields(id string) string { return id + "." }

// BetweenAnswer returns the prefix of the names of the answer to a line's question.
func BetweenAnswer(id string, at int) string { return id + "." + Own + strconv.Itoa(at) + "." }

// BetweenAsked is the name of the mark of a question, after the prefix of its answer.
const BetweenAsked = Own + "is"

// BetweenMarkOf returns a mark that changes with what a suggestion offers.
func BetweenMarkOf(s view.Suggestion) string {
	h := fnv.New32a()
	markFields(h, s.Form)
	for _, q := range s.Questions {
		fmt.Fprint(h, BetweenAskMark(q))
	}
	return strconv.FormatUint(uint64(h.Sum32()), 36)
}

// BetweenAskMark returns a mark of what a question asks and who answers it. It's the same
// wherever in its move the question is asked.
func BetweenAskMark(q view.Question) string {
	h := fnv.New32a()
	fmt.Fprint(h, q.Question, q.To, q.Text, q.AboutText)
	markFields(h, q.Form)
	return strconv.FormatUint(uint64(h.Sum32()), 36)
}

func markFields(h interface{ Write(p []byte) (int, error) }, f *form.Form) {
	for path, field := range f.All() {
		fmt.Fprint(h, path, field.Kind, field.Default)
		for _, o := range field.Options {
			fmt.Fprint(h, o.Value, o.Text, o.Word)
		}
	}
}

// BetweenOf returns the page with these suggestions; posted has what was typed, nil for nothing.
func BetweenOf(p Page, v *view.View, all []view.Suggestion, posted url.Values) Between {
	b := Between{Name: v.Name, Seat: v.Seat, Master: v.Role == game.Master}
	lines := map[string][]BetweenLine{}
	for _, s := range all {
		lines[s.Character] = append(lines[s.Character], newBetweenLine(p, s, posted, b.Master))
	}
	if len(lines[""]) > 0 {
		b.Parts = append(b.Parts, BetweenPart{Lines: lines[""]})
	}
	for _, c := range v.Characters {
		kind, _ := p.Voice.Game.Kind(c.Kind)
		if !kind.Player || kind.Thing || !c.Mine && !b.Master {
			continue
		}
		b.Parts = append(b.Parts, BetweenPart{
			Name: c.Name, Link: p.To(Selection{Character: c.ID, Tab: "sheet"}.Query()), Unseen: c.Hidden,
			Lines: lines[c.ID],
		})
	}
	return b
}

func newBetweenLine(p Page, s view.Suggestion, posted url.Values, master bool) BetweenLine {
	id := BetweenID(s)
	line := BetweenLine{
		ID: id, Name: s.Name, About: moveAbout(p, s.Move), On: s.Ticked, Mark: BetweenMarkOf(s), Made: s.Made,
		Fields: betweenFields(master, s.Form, BetweenFields(id), s.Values, posted),
	}
	if s.Made != nil {
		line.MadeLink = p.cardLink(seqOf(s.Made.Move), s.Made.Move)
	}
	if posted.Has(BetweenMark + id) {
		line.On = slices.Contains(posted[BetweenTick], id)
	}
	for i, q := range s.Questions {
		line.Asks = append(line.Asks, Question{
			Text: q.Text, About: q.AboutText, Asks: BetweenAskMark(q),
			Fields: betweenFields(master, q.Form, BetweenAnswer(id, i), q.Values, posted),
		})
	}
	return line
}

// betweenFields returns a part of a line's form, with its own names, as it begins or as it was
// posted.
func betweenFields(master bool, f *form.Form, under string, values, posted url.Values) fields.Form {
	if master { // a game master sees all sheets, so nothing is assumed
		f = f.WithoutAssumed()
	}
	if values == nil {
		values = f.DefaultInputs()
	}
	if of := under[:strings.Index(under, ".")]; posted.Has(BetweenMark + of) {
		values = fields.FormValues(fields.Part(posted, under))
	}
	id := "between-" + strings.NewReplacer(":", "-", ".", "-", Own, "").Replace(strings.TrimSuffix(under, "."))
	return fields.Form{Form: f, ID: id, Under: under, Values: values}
}

// Line returns a line by its id, or nil.
func (b *Between) Line(id string) *BetweenLine {
	for _, part := range b.Parts {
		if i := slices.IndexFunc(part.Lines, func(line BetweenLine) bool { return line.ID == id }); i >= 0 {
			return &part.Lines[i]
		}
	}
	return nil
}

// BetweenSaid names a line: the move, and who makes it.
func BetweenSaid(v fields.Voice, id string) string {
	character, move := BetweenLineOf(id)
	names := []string{v.Word("move", move)}
	if character != "" {
		names = append(names, v.Name(character))
	}
	return strings.Join(names, " · ")
}

// Suggests reports whether anything can be done.
func (b Between) Suggests() bool {
	return slices.ContainsFunc(b.Parts, func(p BetweenPart) bool { return len(p.Lines) > 0 })
}

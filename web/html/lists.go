package html

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"norn/form"
	"norn/game"
	"norn/internal/widget"
	"norn/table/act"
	"norn/table/refusal"
	"norn/table/view"
	"norn/web/fields"
)

// ListDraft is the form in which a game master brings a list.
type ListDraft struct {
	ID      string // of the list whose rows it replaces, "" for a new one
	Name    string
	Text    string
	Book    string          // a workbook in Base64, instead of Text
	Targets []fields.Option // what rows are for
	Problem string
	Seats   []fields.Option
	Whom    string       // "all", "some" or "none"
	Read    *ListPreview // nil before the text was read
}

// ListPreview shows the rows that were read from a text.
type ListPreview struct {
	Target   string         // what was read for
	Named    bool           // the first row names the columns
	Columns  []fields.Group // by their heads, with where each may go
	Heads    []string       // of the columns that are taken
	Rows     [][]string     // the first ones that fit
	Fit      int
	Unfit    int
	Problems []string
	Left     string          // heads of columns that are left out
	Title    string          // above the heads
	Sheet    string          // of a workbook
	Sheets   []fields.Option // if it has several
}

// ListPage is one list.
type ListPage struct {
	view.ListShown
	Query   string
	Whose   []fields.Option // characters that can take rows
	Taker   string          // the one that takes them
	Adds    bool            // each row is a character that the reader may add
	Found   []ListRow
	Count   int    // rows found
	Next    string // address of the next ones, "" for none
	Said    string // what was done
	Problem string
	Draft   ListDraft
}

// ListRow is a row of a list.
type ListRow struct {
	Number int // from 1
	Name   string
	Rest   []string // "Cost: scene"
	Long   []string // likewise, of texts that are shown a press away
}

// listShown bounds the rows of a list that a page shows.
const listShown = 50

// longText is the number of characters from which a text is shown a press away.
const longText = 160

// previewShown bounds the rows of a preview.
const previewShown = 8

// targetSign is between the kind and the field of a target.
const targetSign = " "

// ListTarget reads what rows are for, as a form posts it.
func ListTarget(text string) (kind, field string) {
	kind, field, _ = strings.Cut(text, targetSign)
	return kind, field
}

// targetName says what rows are for.
func targetName(v fields.Voice, kind, field string) string {
	if kind == "" {
		return v.Say("web.list.to-read")
	}
	whose := v.Word("kind", kind)
	if field == "" {
		return v.Say("web.list.as-character", "Kind", whose)
	}
	return whose + ": " + v.Field(lastName(field))
}

func lastName(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }

// targetOf returns what a list's rows are for, as a form posts it.
func targetOf(one view.ListShown) string { return one.Kind + targetSign + one.Field }

// listSeenBy says for a game master who else sees a list, after a dot; "" for all.
func listSeenBy(p Page, v *view.View, one view.ListShown) string {
	switch {
	case v.Role != game.Master:
		return ""
	case one.Hidden:
		return " · " + p.Say("web.clock.secret")
	case len(one.To) > 0:
		return " · " + seenBy(p.Speaker, v, false, one.To)
	}
	return ""
}

// NewListDraft returns the form that brings rows for a target, with the seats of a list that has some.
func NewListDraft(p Page, seats []view.SeatShown, kind, field string, of view.ListShown) ListDraft {
	d := ListDraft{ID: of.ID, Name: of.Name, Whom: "none"}
	switch {
	case len(of.To) > 0:
		d.Whom = "some"
	case of.ID != "" && !of.Hidden:
		d.Whom = "all"
	}
	for _, one := range act.ListTargets(p.Voice.Game) {
		d.Targets = append(d.Targets, Option(one.Kind+targetSign+one.Field, targetName(p.Voice, one.Kind, one.Field),
			one.Kind == kind && one.Field == field))
	}
	d.Targets = append(d.Targets, Option(targetSign, p.Say("web.list.to-read"), kind == ""))
	d.Seats = otherSeats(seats, of.To...)
	return d
}

// PreviewList returns what was read of a text.
func PreviewList(v fields.Voice, read act.ListRead) *ListPreview {
	columns := act.ListColumns(v.Game, read.ListTarget)
	p := &ListPreview{
		Target: read.Kind + targetSign + read.Field, Named: read.Named, Fit: len(read.Texts.Rows), Unfit: read.Unfit,
		Heads: game.Each(read.Texts.Columns, func(path string) string { return columnName(v, path) }),
	}
	p.Left, p.Title, p.Sheet = v.List(read.Left), read.Title, read.Sheet
	if len(read.Sheets) > 1 {
		for _, name := range read.Sheets {
			p.Sheets = append(p.Sheets, Option(name, name, name == read.Sheet))
		}
	}
	for i, head := range read.Heads {
		m := fields.Group{Label: head}
		switch {
		case head == "":
			m.Label = v.Say("web.list.column", "N", i+1)
		case slices.ContainsFunc(columns, func(c act.ListColumn) bool { return c.Path == head }): // of a pack or a file of norn
			m.Label = columnName(v, head)
		}
		m.Options = append(m.Options, Option("", v.Say("web.list.skip"), read.Columns[i] == ""))
		if read.Kind == "" {
			m.Options = append(m.Options, Option("x", v.Say("web.list.take"), read.Columns[i] != ""))
		}
		for _, c := range columns {
			m.Options = append(m.Options, Option(c.Path, columnName(v, c.Path), read.Columns[i] == c.Path))
		}
		p.Columns = append(p.Columns, m)
	}
	for _, cells := range read.Texts.Rows[:min(previewShown, len(read.Texts.Rows))] {
		p.Rows = append(p.Rows, act.CellsInWords(v.Game, v.Speaker, columns, read.Texts.Columns, cells))
	}
	for _, wrong := range read.Problems {
		p.Problems = append(p.Problems, rowProblem(v, columns, wrong))
	}
	return p
}

// rowProblem says why a row doesn't fit.
func rowProblem(v fields.Voice, columns []act.ListColumn, wrong act.RowProblem) string {
	if wrong.Refused != nil {
		return v.Say("web.list.wrong-row", "Row", wrong.Row, "Text", refusal.Say(v.Voice, wrong.Refused))
	}
	id, data := wrong.Problem.Word()
	data["Field"] = columnName(v, wrong.Column)
	if text, err := strconv.Unquote(wrong.Problem.Given); err == nil { // it's a JSON string
		data["Given"] = v.Say("web.form.quoted", "Text", text)
	}
	for _, c := range columns {
		if c.Path == wrong.Column && wrong.Problem.Code == form.NoChoice {
			data["Allowed"] = strings.Join(game.Each(c.Options, func(o form.Option) string {
				return v.Option(c.Field, o)
			}), ", ")
		}
	}
	return v.Say("web.list.wrong-row", "Row", wrong.Row, "Text", v.Say(id, data))
}

// columnName names a column: a field of a sheet, or what the list calls it.
func columnName(v fields.Voice, path string) string { return act.ColumnName(v.Game, v.Speaker, path) }

// OneList returns the page of a list: rows that have the words of a query, after the first skip.
func (l *Look) OneList(of view.List, query string, skip int) ListPage {
	p := ListPage{
		ListShown: of.ListShown, Query: query,
		Draft: NewListDraft(l.Page, l.View.Seats, of.Kind, of.Field, of.ListShown),
	}
	l.takers(&p, of)
	columns := act.ListColumns(l.Voice.Game, act.ListTarget{Kind: of.Kind, Field: of.Field})
	naming := 0
	for i, path := range of.Columns {
		if path == view.ListName || path == "name" {
			naming = i
		}
	}
	found := of.Find(query)
	p.Count = len(found)
	for _, at := range found[min(skip, len(found)):] {
		if len(p.Found) == listShown {
			next := url.Values{"_q": {query}, AtCharacter: {p.Taker}, "_from": {Itoa(skip + listShown)}}
			p.Next = l.To("/lists/" + of.ID + "?" + next.Encode())
			break
		}
		cells := act.CellsInWords(l.Voice.Game, l.Speaker, columns, of.Columns, of.Texts[at])
		row := ListRow{Number: at + 1, Name: cells[naming]}
		for i, cell := range cells {
			switch said := columnName(l.Voice, of.Columns[i]) + ": " + cell; {
			case i == naming || cell == "":
			case utf8.RuneCountInString(cell) >= longText:
				row.Long = append(row.Long, said)
			default:
				row.Rest = append(row.Rest, said)
			}
		}
		p.Found = append(p.Found, row)
	}
	return p
}

// takers adds who can take the rows of a list.
func (l *Look) takers(p *ListPage, of view.List) {
	if of.Kind == "" {
		return
	}
	if of.Field == "" {
		kind, known := l.Voice.Game.Kind(of.Kind)
		p.Adds = known && (l.Master() || kind.Player && l.View.Role != game.Spectator)
		return
	}
	own := ""
	for _, c := range l.View.Characters {
		kind, known := l.Voice.Game.Kind(c.Kind)
		if !c.Editable || !known || !act.TakesRows(kind, of.Field, of.Columns) {
			continue
		}
		if c.ID == l.At.Character || own == "" && c.Mine {
			own = c.ID
		}
		p.Whose = append(p.Whose, Option(c.ID, c.Name, false))
	}
	if own == "" && len(p.Whose) > 0 {
		own = p.Whose[0].Value
	}
	p.Taker = own
	for i := range p.Whose {
		p.Whose[i].On = p.Whose[i].Value == own
	}
}

// listsFor returns those of a table's lists whose rows a character can take.
func listsFor(p Page, lists []view.ListShown, c view.CharacterShown) (all []widget.Source) {
	kind, known := p.Voice.Game.Kind(c.Kind)
	for _, one := range lists {
		if known && one.Field != "" && act.TakesRows(kind, one.Field, nil) {
			all = append(all, widget.Source{
				List: one.Field, Name: one.Name, To: p.To("/lists/" + one.ID + "?" + AtCharacter + "=" + c.ID),
			})
		}
	}
	return all
}

package act

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"norn/foreign"
	"norn/form"
	"norn/game"
	"norn/internal/rows"
	"norn/lang"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/view"
)

// KeptTexts are the rows of a list as an attachment has them.
type KeptTexts struct {
	Columns []string   `json:"columns"`
	Rows    [][]string `json:"rows"`

	unpacked int // bytes of JSON that were read
}

// maxUnpacked bounds the bytes of a list's rows: the largest text in JSON, with escapes.
const maxUnpacked = 8 * rows.MaxText

// readKeptRows reads an attachment with rows.
func readKeptRows(media string, data []byte) (kept KeptTexts, err error) {
	if data, err = unpackRows(media, data); err != nil {
		return kept, err
	}
	read := json.NewDecoder(bytes.NewReader(data))
	read.DisallowUnknownFields()
	if err := read.Decode(&kept); err != nil {
		return kept, err
	}
	wrong := errors.New("rows that are no list")
	if n := len(kept.Rows); n == 0 || n > rows.MaxRows {
		return kept, wrong
	}
	if n := len(kept.Columns); n == 0 || n > rows.MaxColumns {
		return kept, wrong
	}
	for _, row := range append(kept.Rows, kept.Columns) {
		if len(row) != len(kept.Columns) {
			return kept, wrong
		}
		for _, cell := range row {
			if checkCell.hold(cell) != nil {
				return kept, wrong
			}
		}
	}
	return kept, nil
}

// AddKeptRows adds the rows of an attachment to those of a list's attachments before it.
func (k *KeptTexts) AddKeptRows(media string, data []byte) error {
	var more KeptTexts
	data, err := unpackRows(media, data)
	if err == nil {
		err = json.Unmarshal(data, &more)
	}
	k.unpacked += len(data)
	switch {
	case err != nil:
		return err
	case k.Columns != nil && !slices.Equal(k.Columns, more.Columns):
		return errors.New("rows with other columns than those before them")
	case k.unpacked > maxUnpacked:
		return errors.New("more rows than a list can have")
	}
	k.Columns, k.Rows = more.Columns, append(k.Rows, more.Rows...)
	return nil
}

var checkCell = checking("cell", func(sent struct {
	Cell string `json:"cell" form:"prose,max=10000"`
},
) string {
	return sent.Cell
})

// KeptRows are rows that were read, as they're attached.
type KeptRows struct {
	Parts []KeptPart // at least one
	Rows  int
	Heads map[string]string // paths of fields by heads that were assigned by hand
	Left  []string          // heads of columns that weren't taken
	Title string            // above the heads, which wasn't taken
}

// ListColumn is a field that a column of a list may have.
type ListColumn struct {
	Path string
	form.Field
}

// ListTarget names the use of a list's rows: items of a list of a sheet, or characters.
type ListTarget struct{ Kind, Field string }

// ListTargets returns what rows may be for in a game: the lists of its sheets whose items can be added
// by a name, and characters of each kind.
func ListTargets(g *game.Game) (all []ListTarget) {
	for _, kind := range g.Kinds {
		for path, f := range kind.Form.All() {
			top, _, _ := strings.Cut(path, ".")
			if f.Kind != form.KindList || kind.Player && slices.Contains(kind.Reserved, top) {
				continue
			}
			columns, err := listColumns(g, kind.ID, path)
			if err == nil && takesName(kind, path, columns) {
				all = append(all, ListTarget{kind.ID, path})
			}
		}
	}
	for _, kind := range g.Kinds {
		all = append(all, ListTarget{kind.ID, ""})
	}
	return all
}

// ListColumns returns the fields that columns of rows for a target may have, none for an unknown one.
func ListColumns(g *game.Game, of ListTarget) []ListColumn {
	columns, _ := listColumns(g, of.Kind, of.Field)
	return columns
}

// listColumns returns the fields that columns may have, none for a list that is only read.
func listColumns(g *game.Game, kindID, field string) ([]ListColumn, error) {
	if kindID == "" && field == "" {
		return nil, nil
	}
	kind, ok := g.Kind(kindID)
	if !ok {
		ids := game.Each(g.Kinds, func(k game.Kind) string { return k.ID })
		return nil, refusal.NoChoice("kind", kindID, ids)
	}
	group := ListColumn{view.ListGroup, form.Field{Name: view.ListGroup, Kind: form.KindText, Max: form.MaxText}}
	if field == "" {
		return append(characterColumns(kind), group), nil
	}
	list, ok := kind.Form.Field(field)
	if !ok || list.Kind != form.KindList || isInList(kind.Form, field) {
		return nil, refusal.NoChoice("field", field, nil)
	}
	return append(itemColumns(list), group), nil
}

// itemColumns returns the fields of a list's items that columns may have.
func itemColumns(list form.Field) (columns []ListColumn) {
	for _, f := range list.Fields {
		if fillsCell(f) {
			columns = append(columns, ListColumn{f.Name, f})
		}
	}
	return columns
}

// isInList reports whether a path leads into a list.
func isInList(f *form.Form, path string) bool {
	for at := strings.LastIndexByte(path, '.'); at >= 0; at = strings.LastIndexByte(path, '.') {
		path = path[:at]
		if above, ok := f.Field(path); !ok || above.Kind == form.KindList {
			return true
		}
	}
	return false
}

// takesName reports whether an item with no more than a name can be added to a list of a blank sheet.
func takesName(kind game.Kind, field string, columns []ListColumn) bool {
	naming := namingColumn(columns)
	if naming < 0 {
		return false
	}
	item := itemOf(kind.Form, field, []string{columns[naming].Path}, []string{"x"})
	_, err := kind.Patch(kind.Blank, sheetWith(field, item))
	return err == nil || errors.As(err, new(form.Problems)) // which more columns may solve
}

// sheetWith returns the JSON of a sheet that has only an item of a list.
func sheetWith(field string, item map[string]any) json.RawMessage {
	var sheet any = []any{item}
	for _, step := range slices.Backward(strings.Split(field, ".")) {
		sheet = map[string]any{step: sheet}
	}
	return state.JSON(sheet)
}

// characterColumns returns the name of a character, the fields of its sheet that are in no list, and the
// lists whose items a cell can name.
func characterColumns(kind game.Kind) []ListColumn {
	columns := []ListColumn{{view.ListName, form.Field{Name: "name", Kind: form.KindText, Required: true, Max: 200}}}
	var lists []string
	for path, f := range kind.Form.All() {
		if slices.ContainsFunc(lists, func(list string) bool { return strings.HasPrefix(path, list+".") }) {
			continue
		}
		if f.Kind == form.KindList {
			if _, ok := nameOfItems(f); ok && !strings.Contains(path, ".") && takesName(kind, path, itemColumns(f)) {
				columns = append(columns, ListColumn{path, f})
			}
			lists = append(lists, path)
		} else if fillsCell(f) {
			columns = append(columns, ListColumn{path, f})
		}
	}
	return columns
}

// fillsCell reports whether a cell can have a field's value.
func fillsCell(f form.Field) bool {
	return !f.Kind.IsRef() && !f.Kind.HasItems() && !f.Kind.HasFields()
}

// namingColumn returns the index of the column that names a row: one that must be given, or else the
// first text; -1 for none.
func namingColumn(columns []ListColumn) int {
	isText := func(c ListColumn) bool {
		return c.Path != view.ListGroup &&
			(c.Kind.IsText() || c.Kind == form.KindTrait)
	}
	if i := slices.IndexFunc(columns, func(c ListColumn) bool { return isText(c) && c.Required }); i >= 0 {
		return i
	}
	return slices.IndexFunc(columns, isText)
}

// ListRead holds a list that was read, before it's stored.
type ListRead struct {
	ListTarget
	Named    bool         // the first row names the columns
	Heads    []string     // of the columns of the file, "" without names
	Columns  []string     // where each of them goes, "" if it's left out
	Texts    KeptTexts    // the rows that fit, with the columns that are taken
	Total    int          // rows in the file
	Problems []RowProblem // at most maxRowProblems
	Unfit    int          // rows that don't fit
	Left     []string     // heads of columns that have texts and aren't taken
	Title    string       // above the heads, which isn't taken; "" for none
	Sheet    string       // of a workbook: the sheet that was read
	Sheets   []string     // all its sheets with rows

	assigned map[string]string // paths by the heads that were assigned by hand
}

// RowProblem says why a row doesn't fit.
type RowProblem struct {
	Row     int    // as a spreadsheet counts
	Column  string // path of a field, or the head of a column; "" for the row
	Problem form.Problem
	Refused error // by a rule of the game, instead of Problem
}

// maxRowProblems bounds the problems that are named.
const maxRowProblems = 50

// Err returns the error of rows that don't fit, nil if all do.
func (r ListRead) Err() error {
	var problems form.Problems
	for _, p := range r.Problems {
		if p.Refused != nil {
			if problems == nil {
				return refusal.Within("rows."+strconv.Itoa(p.Row), p.Refused)
			}
			continue
		}
		p.Problem.Path = strings.TrimSuffix("rows."+strconv.Itoa(p.Row)+"."+p.Column, ".")
		problems = append(problems, p.Problem)
	}
	if problems == nil {
		return nil
	}
	return &refusal.InvalidError{Problems: problems}
}

// Keep returns the rows that fit as they're attached. The error says that none fits, or that they are
// too large.
func (r ListRead) Keep() (KeptRows, error) {
	if len(r.Texts.Rows) == 0 || len(r.Texts.Columns) == 0 {
		return KeptRows{}, cmp.Or(r.Err(), refusal.Refuse("list-empty", nil))
	}
	parts, err := packTexts(r.Texts)
	if err != nil {
		return KeptRows{}, err
	}
	return KeptRows{
		Parts: parts, Rows: len(r.Texts.Rows), Heads: r.assigned, Left: r.Left, Title: r.Title,
	}, nil
}

// ReadList reads the rows of a request and matches their columns; tongues are the languages in which
// labels are understood, the reader's first. What doesn't fit is in the result; the error says that nothing can be read.
func ReadList(e *visibility.Eye, r ListRequest, tongues []lang.Speaker) (ListRead, error) {
	if err := requireGM(e); err != nil {
		return ListRead{}, err
	}
	data := r.File
	if len(data) == 0 {
		var text string
		if data = r.Rows; json.Unmarshal(r.Rows, &text) == nil {
			data = bytesIn(text)
		}
	}
	book, err := readBook(e, r, data, tongues)
	if err != nil {
		return ListRead{}, refuseRows(nil, err)
	}
	var read rows.Table
	var left []RowProblem
	if book != nil {
		read, left = book.Table, book.left
		// On a page a list that is only read is somebody's choice.
		if r.Guess || r.Kind == "" && r.Field == "" && len(r.File) == 0 {
			r.Kind, r.Field = book.of.Kind, book.of.Field
		}
		if r.Kind == "" { // people read the heads
			read.Rows[0].Cells = game.Each(read.Rows[0].Cells, func(path string) string {
				return ColumnName(e.Table.Game, tongues[0], path)
			})
		}
	} else if read, err = rows.Read(data, r.Sheet); err != nil {
		return ListRead{}, refuseRows(data, err)
	}
	if file, ok := ListIn(e.Table.Game, data); ok && r.Kind == "" && r.Field == "" {
		r.Kind, r.Field = file.Kind, file.Field
	}
	columns, err := listColumns(e.Table.Game, r.Kind, r.Field)
	if err != nil {
		return ListRead{}, err
	}
	l := listReader{e: e, tongues: tongues, columns: columns, of: ListTarget{r.Kind, r.Field}}
	made, err := l.read(read, r.Columns, r.Heads)
	made.Unfit += len(left)
	made.Problems = append(made.Problems, left[:min(len(left), maxRowProblems-len(made.Problems))]...)
	return made, err
}

// ListIn reads a list's file as far as it says what its rows are for; false for another file, or one
// of another game.
func ListIn(g *game.Game, data []byte) (file view.ListFile, ok bool) {
	if !bytes.Contains(data[:min(len(data), 200)], []byte(view.ListFormat)) || json.Unmarshal(data, &file) != nil {
		return view.ListFile{}, false
	}
	return file, file.Format == view.ListFormat && file.Game == g.ID
}

// refuseRows puts a problem of reading into words. Documents of another program are named.
func refuseRows(data []byte, err error) error {
	p, ok := errors.AsType[*rows.Problem](err)
	if !ok {
		return err
	}
	if p.Code == rows.Nested || p.Code == rows.BadJSON || p.Code == rows.Empty {
		switch what, hero := foreign.Name(data); {
		case hero:
			return refusal.Refuse("list-hero", view.Data{"What": what})
		case what != "":
			return refusal.Refuse("list-foundry", view.Data{"What": what})
		}
	}
	return refusal.Refuse("list-"+p.Code, view.Data{
		"Row": p.Row, "Column": p.Column, "N": p.Max, "KB": p.Max >> 10, "Names": p.What,
	})
}

// listReader matches and checks rows.
type listReader struct {
	e       *visibility.Eye
	tongues []lang.Speaker
	of      ListTarget
	columns []ListColumn
	options map[string]map[string]string // by path: values by the keys of their names
}

func (l *listReader) read(t rows.Table, chosen []string, heads string) (ListRead, error) {
	matched, some := l.match(t.Rows[0].Cells)
	title := ""
	if at := l.headsAt(t, heads); at > 0 {
		title = titleOf(t.Rows[:at])
		t.Rows = t.Rows[at:]
		matched, some = l.match(t.Rows[0].Cells)
	}
	first, width := t.Rows[0].Cells, len(t.Rows[0].Cells)
	made := ListRead{
		ListTarget: l.of, Named: t.Named || heads == "yes" || heads == "" && (some || l.of.Kind == "" && width > 1),
		Heads: make([]string, width), Sheet: t.Sheet, Sheets: t.Sheets, Title: title,
	}
	body := t.Rows
	if made.Named {
		copy(made.Heads, first)
		body = body[1:]
	}
	made.Total = len(body)
	switch {
	case made.Total == 0:
		return made, refusal.Refuse("list-empty", nil)
	case made.Total > rows.MaxRows:
		return made, refuseRows(nil, &rows.Problem{Code: rows.TooManyRows, Max: rows.MaxRows})
	}
	switch {
	case chosen != nil && l.of.Kind != "":
		made.Columns = make([]string, width)
		copy(made.Columns, chosen)
	case l.of.Kind == "":
		made.Columns = l.headings(made.Heads, chosen)
	case made.Named:
		made.Columns = matched
	default:
		made.Columns = make([]string, width)
		made.Columns[0] = l.columns[max(0, namingColumn(l.columns))].Path
	}
	if err := l.checkColumns(made.Columns); err != nil {
		return made, err
	}
	if l.of.Kind != "" && made.Named {
		made.assigned = assigned(made, matched)
	}
	l.take(&made, body)
	return made, nil
}

// maxTitles bounds the rows of a title.
const maxTitles = 3

// headsAt returns the index of the row with the heads, 0 unless there is a title above them: rows with
// one text each. It's none if fields are found by the first row's heads already.
func (l *listReader) headsAt(t rows.Table, heads string) int {
	at := 0
	for at < maxTitles && at < len(t.Rows)-2 && isTitle(t.Rows[at]) {
		at++
	}
	if at == 0 || t.Named || heads == "no" || isTitle(t.Rows[at]) {
		return 0
	}
	if _, found := l.match(t.Rows[0].Cells); found && l.of.Kind != "" {
		return 0
	}
	_, below := l.match(t.Rows[at].Cells)
	if below || heads == "yes" || l.of.Kind == "" {
		return at
	}
	return 0
}

// titleOf returns the texts of a title.
func titleOf(lines []rows.Row) string {
	text := strings.Join(game.Each(lines, func(row rows.Row) string { return row.Cells[0] }), " · ")
	text = strings.Join(strings.Fields(text), " ")
	runes := []rune(text)
	return string(runes[:min(len(runes), maxHead)])
}

// isTitle reports whether a row has no more than a name for the rows below it.
func isTitle(row rows.Row) bool {
	rest := row.Cells[1:]
	return len(rest) > 0 && row.Cells[0] != "" && !slices.ContainsFunc(rest, func(cell string) bool { return cell != "" })
}

// assigned returns the paths of columns by their heads where somebody chose others than matched.
func assigned(made ListRead, matched []string) map[string]string {
	var by map[string]string
	for i, path := range made.Columns {
		if path == "" || path == matched[i] || made.Heads[i] == "" || len([]rune(made.Heads[i])) > maxHead {
			continue
		}
		if by == nil {
			by = map[string]string{}
		}
		by[made.Heads[i]] = path
	}
	return by
}

// maxHead bounds the characters of a head that is remembered or named.
const maxHead = 80

// match finds the field of each column by its head. some says that a head was found.
func (l *listReader) match(heads []string) (paths []string, some bool) {
	byKey := l.names()
	paths = make([]string, len(heads))
	for i, head := range heads {
		path := byKey[lang.Key(head)]
		if path == "" {
			path = byKey[lang.Key(beside.ReplaceAllString(head, ""))]
		}
		if path != "" && !slices.Contains(paths, path) {
			paths[i], some = path, true
		}
	}
	if naming := namingColumn(l.columns); naming >= 0 && !slices.Contains(paths, l.columns[naming].Path) {
		if i := slices.Index(paths, ""); i >= 0 {
			paths[i] = l.columns[naming].Path
		}
	}
	return paths, some
}

// beside matches what people write next to the head itself: a unit or a note in brackets, a colon.
var beside = regexp.MustCompile(`\s*(\([^)]*\)|\[[^\]]*\]|[:*.])\s*$`)

// names returns the paths of columns by the keys of their names in all languages. A name that several
// fields have is none of theirs.
func (l *listReader) names() map[string]string {
	byKey, several := map[string]string{}, map[string]bool{}
	add := func(name, path string) {
		key := lang.Key(name)
		if of, known := byKey[key]; known && of != path {
			several[key] = true
		}
		byKey[key] = path
	}
	for _, c := range l.columns {
		if c.Path == view.ListGroup {
			continue
		}
		for _, name := range l.namesOf(c) {
			add(name, c.Path)
		}
	}
	for _, t := range l.tongues { // unless a field is called so
		if key := lang.Key(t.Say("table.list.group")); byKey[key] == "" && l.has(view.ListGroup) {
			byKey[key] = view.ListGroup
		}
	}
	for key := range several {
		delete(byKey, key)
	}
	for _, c := range l.columns { // as files of norn and those who know a sheet's form write them
		byKey[lang.Key(c.Path)] = c.Path
	}
	for _, kept := range l.e.Table.Lists { // the newest last
		for head, path := range kept.Heads {
			if kept.Kind == l.of.Kind && kept.Field == l.of.Field && l.has(path) {
				byKey[lang.Key(head)] = path
			}
		}
	}
	return byKey
}

// namesOf returns the names of a column: those of its field, alone and behind its group's, and that of
// a group of which it's the whole.
func (l *listReader) namesOf(c ListColumn) (names []string) {
	group, _, nested := strings.Cut(c.Path, ".")
	whole := nested && !slices.ContainsFunc(l.columns, func(another ListColumn) bool {
		return another.Path != c.Path && strings.HasPrefix(another.Path, group+".")
	})
	alone := c.Kind != form.KindBool || !slices.ContainsFunc(l.columns, func(another ListColumn) bool {
		return another.Kind == form.KindInt && another.Name == c.Name // a number of this name is meant
	})
	if alone {
		names = append(names, c.Also...)
		names = append(names, c.Name)
	}
	for _, t := range l.tongues {
		of := func(name string) []string {
			return append(t.Also(l.e.Table.Game.Word("field", name)), l.e.Table.Game.Label(t, name))
		}
		if alone {
			names = append(names, of(c.Name)...)
		}
		if nested {
			names = append(names, ColumnLabel(l.e.Table.Game, t, c.Path))
		}
		if whole {
			names = append(names, of(group)...)
		}
	}
	return names
}

func (l *listReader) has(path string) bool {
	return slices.ContainsFunc(l.columns, func(c ListColumn) bool { return c.Path == path })
}

// ColumnLabel names a column by its field, behind the names of the groups that it's in.
func ColumnLabel(g *game.Game, t lang.Speaker, path string) string {
	return strings.Join(game.Each(strings.Split(path, "."), func(step string) string { return g.Label(t, step) }), ": ")
}

// headings names the columns of a list that is only read: by their heads, or by numbers.
func (l *listReader) headings(heads, chosen []string) []string {
	names := make([]string, len(heads))
	for i, head := range heads {
		if chosen != nil && (i >= len(chosen) || chosen[i] == "") {
			continue
		}
		name := cmp.Or(strings.Join(strings.Fields(head), " "), strconv.Itoa(i+1))
		if runes := []rune(name); len(runes) > 80 {
			name = string(runes[:80])
		}
		for slices.Contains(names, name) {
			name += " " + strconv.Itoa(i+1)
		}
		names[i] = name
	}
	return names
}

// checkColumns refuses a field that there isn't, or that two columns have.
func (l *listReader) checkColumns(paths []string) error {
	for i, path := range paths {
		at := "columns." + strconv.Itoa(i)
		known := l.of.Kind == "" || l.has(path)
		switch {
		case path == "":
		case !known:
			return refusal.NoChoice(at, path, game.Each(l.columns, func(c ListColumn) string { return c.Path }))
		case slices.Contains(paths[:i], path):
			return refusal.Invalid(at, form.Duplicate, func(p *form.Problem) { p.Given = refusal.Brief(path) })
		}
	}
	return nil
}

// take adds the rows that fit, and the problems of the others.
func (l *listReader) take(made *ListRead, body []rows.Row) {
	var from []int
	for i, path := range made.Columns {
		if path != "" {
			from = append(from, i)
			made.Texts.Columns = append(made.Texts.Columns, path)
		}
	}
	made.left(body)
	for _, row := range body {
		cells, given := make([]string, len(from)), false
		for i, at := range from {
			cells[i] = l.value(made.Texts.Columns[i], row.Cells[at])
			given = given || row.Cells[at] != ""
		}
		if !given {
			continue // it has something only in columns that are left out
		}
		problems := append(l.dates(made.Texts.Columns, from, row), l.check(made.Texts.Columns, cells)...)
		if len(problems) == 0 {
			made.Texts.Rows = append(made.Texts.Rows, cells)
			continue
		}
		made.Unfit++
		for _, p := range problems {
			if p.Row = row.Number; len(made.Problems) < maxRowProblems {
				made.Problems = append(made.Problems, p)
			}
		}
	}
}

// left notes the heads of columns that have texts and aren't taken.
func (r *ListRead) left(body []rows.Row) {
	for i, path := range r.Columns {
		if path != "" || !slices.ContainsFunc(body, func(row rows.Row) bool { return row.Cells[i] != "" }) {
			continue
		}
		name := cmp.Or(strings.Join(strings.Fields(r.Heads[i]), " "), strconv.Itoa(i+1))
		if runes := []rune(name); len(runes) > maxHead {
			name = string(runes[:maxHead])
		}
		r.Left = append(r.Left, name)
	}
}

// dates refuses what a spreadsheet has made dates of, such as of 3-5: no field of a sheet takes dates.
func (l *listReader) dates(columns []string, from []int, row rows.Row) (found []RowProblem) {
	if l.of.Kind == "" {
		return nil
	}
	for i, at := range from {
		if slices.Contains(row.Dates, at) {
			found = append(found, RowProblem{
				Column: columns[i], Refused: refusal.Refuse("list-date", view.Data{"Text": row.Cells[at]}),
			})
		}
	}
	return found
}

// check returns why a row doesn't fit.
func (l *listReader) check(columns, cells []string) (found []RowProblem) {
	for i, cell := range cells {
		problems, _ := refusal.Split(checkCell.hold(cell), "cell")
		for _, p := range problems {
			found = append(found, RowProblem{Column: columns[i], Problem: p})
		}
	}
	if l.of.Kind == "" || found != nil {
		return found
	}
	kind, _ := l.e.Table.Game.Kind(l.of.Kind)
	item := itemOf(kind.Form, l.of.Field, columns, cells)
	var data json.RawMessage
	prefix := l.of.Field + ".0."
	if l.of.Field == "" {
		name, _ := item[view.ListName].(string)
		delete(item, view.ListName)
		if _, err := checkName(name); err != nil {
			problems, _ := refusal.Split(err, "name")
			for _, p := range problems {
				found = append(found, RowProblem{Column: view.ListName, Problem: p})
			}
		}
		data, prefix = state.JSON(item), ""
	} else {
		data = sheetWith(l.of.Field, item)
	}
	_, err := kind.Patch(kind.Blank, data)
	if problems, ok := errors.AsType[form.Problems](err); ok {
		for _, p := range problems {
			found = append(found, RowProblem{Column: columnOf(columns, strings.TrimPrefix(p.Path, prefix)), Problem: p})
		}
	} else if err != nil {
		found = append(found, RowProblem{Refused: err})
	}
	return found
}

// columnOf returns the column that a path is in: its own, or that of a list whose item it's in.
func columnOf(columns []string, path string) string {
	i := slices.IndexFunc(columns, func(column string) bool { return strings.HasPrefix(path, column+".") })
	if i < 0 {
		return path
	}
	return columns[i]
}

// value returns a cell as its field has it: options by their names, whatever the language.
func (l *listReader) value(path, cell string) string {
	i := slices.IndexFunc(l.columns, func(c ListColumn) bool { return c.Path == path })
	if i < 0 || cell == "" {
		return cell
	}
	f := l.columns[i].Field
	if !f.Kind.IsText() && strings.Trim(cell, "-–—−") == "" {
		return "" // nothing, as people write it in tables
	}
	if f.Kind == form.KindInt {
		return strings.TrimPrefix(wholeNumber.ReplaceAllString(plainNumber.Replace(cell), "$1"), "+")
	}
	for _, name := range []string{cell, oneDie.ReplaceAllString(cell, "$1")} {
		if value, ok := l.optionsOf(path, f)[lang.Key(name)]; ok {
			return value
		}
	}
	if f.Kind == form.KindText {
		return f.NormalizeText(strings.Join(strings.Fields(cell), " "))
	}
	return cell
}

// wholeNumber is a whole number as spreadsheets may write it: 12.0, or with a comma.
var wholeNumber = regexp.MustCompile(`^([+-]?[0-9]+)[.,]0+$`)

// oneDie is a die of which people write how many there are: a choice of dice has d6.
var oneDie = regexp.MustCompile(`^1([dDдДкК][0-9]+)$`)

// plainNumber writes a number as forms read it.
var plainNumber = strings.NewReplacer("−", "-", "–", "-", " ", "", "\u00a0", "", "\u202f", "")

// optionsOf returns the values of a field by the keys of their names in all languages.
func (l *listReader) optionsOf(path string, f form.Field) map[string]string {
	if known, ok := l.options[path]; ok {
		return known
	}
	all := map[string]string{}
	add := func(name, value string) {
		if key := lang.Key(name); key != "" {
			if _, taken := all[key]; !taken {
				all[key] = value
			}
		}
	}
	for _, o := range f.Options {
		add(o.Value, o.Value)
		add(o.Alias, o.Value)
	}
	for _, t := range l.tongues {
		if f.Kind == form.KindBool {
			for word := range strings.FieldsSeq(t.Say("table.list.yes")) {
				add(word, "on")
			}
			for word := range strings.FieldsSeq(t.Say("table.list.no")) {
				add(word, "")
			}
			continue
		}
		for _, o := range f.Options {
			add(l.e.Table.Game.Option(game.Voice{Speaker: t}, f, o), o.Value)
			for _, name := range t.Also(l.e.Table.Game.OptionWord(f, o)) {
				add(name, o.Value)
			}
		}
	}
	if l.options == nil {
		l.options = map[string]map[string]string{}
	}
	l.options[path] = all
	return all
}

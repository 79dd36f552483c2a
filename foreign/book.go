package foreign

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"norn/form"
	"norn/game"
	"norn/lang"
)

// Limits of a book. Values are counted before anything is made of them: a small archive may unpack to
// millions, and each takes up to some hundred bytes of memory.
const (
	MaxBook      = 16 << 20 // bytes of its documents, unpacked
	MaxDocuments = 10_000
	maxValues    = 300_000 // of JSON in all documents
)

// Book is a compendium: the documents of a pack of Foundry, as rows of lists that a game has.
type Book struct {
	Shelves []Shelf
	Left    []Leaf // documents that are no rows, in their order
}

// Shelf holds the rows for one use: items of a list of a sheet, or characters of a kind.
type Shelf struct {
	Kind, Field string
	Heads       []string // paths of fields, RowName first where rows are characters, RowGroup last if some have one
	Rows        []ShelfRow
}

// ShelfRow is a document as a row.
type ShelfRow struct {
	Number int // of the document, from 1
	Cells  []string

	group string // the folder that it lies in, behind those that hold that one
}

// Leaf is a document that is no row.
type Leaf struct {
	Number     int
	Name, Type string
}

// foes lists the readers of characters that game masters play.
var foes = []system{godboundNPC}

// blankActors are actors with nothing, by the titles of systems. A reader is given one with an item: an
// item alone doesn't say of which system it is.
var blankActors = map[string]string{
	godboundPC.title:      `{"type":"pc","system":{"attributes":{"str":{"score":10}}}}`,
	godboundCore.title:    `{"type":"character","system":{"coreStats":{}}}`,
	godboundDetails.title: `{"type":"character","system":{"details":{"level":{}},"attributes":{"str":{}}}}`,
	ep2e.title:            `{"type":"character","system":{"aptitudes":{},"skills":{}}}`,
	wod20PC.title:         `{"type":"PC","system":{"settings":{"splat":"mage"}}}`,
}

// IsBook reports whether a file looks like a pack: an archive of JSON files, a list of documents, or
// one document a line.
func IsBook(data []byte) bool {
	if z, err := zip.NewReader(bytes.NewReader(data), int64(len(data))); err == nil {
		return slices.ContainsFunc(z.File, func(f *zip.File) bool { return strings.HasSuffix(f.Name, ".json") })
	}
	text := bytes.TrimSpace(data)
	if len(text) > MaxBook || countValues(text) > maxValues {
		return false
	}
	what, hero := nameIn(text, MaxBook)
	if what == "" && bytes.HasPrefix(text, []byte("{")) {
		line, _, several := bytes.Cut(text, []byte("\n"))
		if what, _ = Name(line); several && what != "" {
			return true
		}
		one, err := decode(line)
		return several && err == nil && one.get("_id").text() != ""
	}
	return what != "" && (!hero || bytes.HasPrefix(text, []byte("[")))
}

// ReadBook reads a pack as rows of lists that a game has. The error is a *Problem.
func ReadBook(g *game.Game, data []byte, s lang.Speaker) (*Book, error) {
	documents, err := documentsIn(data)
	if err != nil {
		return nil, err
	}
	systems, err := allNames(g)
	if err != nil {
		return nil, err
	}
	b := &binder{g: g, s: s, systems: systems}
	folders := foldersIn(documents)
	for i, one := range documents {
		b.group = pathOf(folders, one.get("folder").text())
		if !b.bind(i+1, one) && !isFolder(one) {
			b.Left = append(b.Left, Leaf{i + 1, brief(one.get("name").text()), brief(one.get("type").text())})
		}
	}
	for i := range b.Shelves {
		b.Shelves[i].addGroups()
	}
	return &b.Book, nil
}

// folder holds documents together, and other folders.
type folder struct{ name, in string }

// foldersIn returns the folders among documents by their ids.
func foldersIn(documents []node) map[string]folder {
	all := map[string]folder{}
	for _, one := range documents {
		if id := one.get("_id").text(); id != "" && isFolder(one) {
			all[id] = folder{brief(strings.TrimSpace(one.get("name").text())), one.get("folder").text()}
		}
	}
	return all
}

// maxFolders bounds the folders that hold each other; Foundry has four at most.
const maxFolders = 5

// pathOf names a folder behind those that it's in, "" for none.
func pathOf(folders map[string]folder, id string) string {
	var names []string
	met := map[string]bool{}
	for f, there := folders[id]; there && !met[id] && len(met) < maxFolders; f, there = folders[id] {
		if f.name != "" {
			names = append([]string{f.name}, names...)
		}
		met[id], id = true, f.in
	}
	text := []rune(strings.Join(names, " / "))
	return string(text[:min(len(text), form.MaxText)])
}

// addGroups adds the column of groups if some rows have one.
func (s *Shelf) addGroups() {
	if !slices.ContainsFunc(s.Rows, func(row ShelfRow) bool { return row.group != "" }) {
		return
	}
	s.Heads = append(s.Heads, RowGroup)
	for i := range s.Rows {
		s.Rows[i].Cells = append(s.Rows[i].Cells, s.Rows[i].group)
	}
}

// countValues returns about how many values JSON has: its commas, colons and opening brackets outside of
// texts. It makes nothing of them.
func countValues(text []byte) int {
	n, quoted := 1, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case !quoted && (c == ',' || c == ':' || c == '[' || c == '{'):
			n++
		}
	}
	return n
}

// documentsIn returns the documents of a file, in their order.
func documentsIn(data []byte) (all []node, err error) {
	if z, err := zip.NewReader(bytes.NewReader(data), int64(len(data))); err == nil {
		return readArchive(z)
	}
	text := bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\ufeff")))
	if len(text) > MaxBook || countValues(text) > maxValues {
		return nil, &Problem{Code: Large, Max: MaxBook}
	}
	if json.Valid(text) {
		return withDocuments(nil, text)
	}
	for line := range bytes.Lines(text) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if all, err = withDocuments(all, line); err != nil {
			return nil, err
		}
	}
	return settle(all), nil
}

// settle returns the documents of a pack before Foundry 11 as they are now. Such a file is a journal of
// NeDB: a change is another line with the same id, and a removal or an index is a line of its own.
func settle(lines []node) (now []node) {
	last := map[string]int{}
	for i, line := range lines {
		last[line.get("_id").text()] = i
	}
	for i, line := range lines {
		id := line.get("_id").text()
		if line.get("$$deleted").there() || line.get("$$indexCreated").there() || id != "" && last[id] != i {
			continue
		}
		now = append(now, line)
	}
	return now
}

// readArchive returns the documents of the JSON files in an archive.
func readArchive(z *zip.Reader) (all []node, err error) {
	left, values := uint64(MaxBook), 0
	for _, f := range z.File {
		if !strings.HasSuffix(f.Name, ".json") {
			continue
		}
		if f.UncompressedSize64 > left || len(all) == MaxDocuments {
			return nil, &Problem{Code: Large, Max: MaxBook}
		}
		left -= f.UncompressedSize64
		r, err := f.Open()
		if err != nil {
			return nil, &Problem{Code: Broken}
		}
		text, err := io.ReadAll(io.LimitReader(r, int64(f.UncompressedSize64)+1)) //nolint:gosec // at most MaxBook
		if r.Close() != nil || err != nil {
			return nil, &Problem{Code: Broken}
		}
		if values += countValues(text); values > maxValues {
			return nil, &Problem{Code: Large, Max: MaxBook}
		}
		if all, err = withDocuments(all, bytes.TrimSpace(bytes.TrimPrefix(text, []byte("\ufeff")))); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// withDocuments appends the document of a text, or the documents of its list.
func withDocuments(all []node, text []byte) ([]node, error) {
	whole, err := decode(text)
	if err != nil {
		return nil, err
	}
	found := []node{whole}
	if _, is := whole.is.([]any); is {
		found = whole.items()
	}
	if len(all)+len(found) > MaxDocuments {
		return nil, &Problem{Code: Several}
	}
	return append(all, found...), nil
}

// binder makes a book of documents.
type binder struct {
	Book
	g       *game.Game
	s       lang.Speaker
	systems []Names
	group   string // of the document
}

// isFolder reports whether a document only holds others together.
func isFolder(of node) bool {
	_, err := open(of)
	problem, is := err.(*Problem) //nolint:errorlint // open returns it as it is
	return is && problem.What == "Folder"
}

// bind puts a document onto its shelf, and reports whether there is one.
func (b *binder) bind(number int, of node) bool {
	d, err := open(of)
	problem, _ := err.(*Problem) //nolint:errorlint // open returns it as it is
	switch {
	case err == nil:
		return b.bindFoe(number, d)
	case problem.Code == NoHero && problem.What != "Folder":
		return b.bindItem(number, of)
	}
	return false
}

func (b *binder) bindFoe(number int, d document) bool {
	for _, s := range foes {
		if i := slices.IndexFunc(b.systems, func(n Names) bool { return n.ID == s.id }); i >= 0 && s.fits(d) {
			p := b.fill(b.systems[i], s, d)
			p.addRest("notes")
			p.sheet[RowName] = brief(d.get("name").text())
			b.addRow(number, b.systems[i].Kind, "", p.kind.Form, p.sheet)
			return true
		}
	}
	return false
}

// addRest adds what has no field of its own to a text of the sheet, by the name that the reader gives it.
func (p *proposer) addRest(to string) {
	text, _ := p.Hero.Values["file rest"].Is.(string)
	parts := []string{text}
	for _, list := range p.Hero.lists {
		for _, item := range p.Hero.Lists[list] {
			if about, _ := item["about"].Is.(string); about != "" {
				parts = append(parts, "**"+nameOf(item)+"** "+about)
			}
		}
	}
	for path, name := range p.names.Fields {
		if value, _ := p.Hero.Values[name].Is.(string); name == to {
			put(p.sheet, path, strings.TrimSpace(value+"\n\n"+strings.TrimSpace(strings.Join(parts, "\n\n"))))
		}
	}
}

// bindItem puts an item where the reader that makes the most of it says; what none knows goes to the
// notes, by its name and description.
func (b *binder) bindItem(number int, of node) bool {
	var best map[string]any
	var kind, field, about string
	var kept []Kept // of a text that is too long for its field
	for _, names := range b.systems {
		for _, s := range systems {
			blank := blankActors[s.title]
			if s.id != names.ID || blank == "" {
				continue
			}
			actor, err := decode([]byte(blank))
			if err != nil {
				continue
			}
			actor.is.(map[string]any)["items"] = []any{of.is} // it's written above
			d, _ := open(actor)
			p := b.fill(names, s, d)
			if rest := p.Hero.Lists["rest"]; len(rest) == 1 && about == "" {
				about, _ = rest[0]["about"].Is.(string)
			}
			for _, list := range slices.Sorted(maps.Keys(names.Lists)) {
				value, _ := take(p.sheet, strings.Split(list, "."))
				items, _ := value.([]any)
				if len(items) == 1 && filled(items[0]) > len(best) {
					best, kind, field, kept = clean(items[0]), names.Kind, list, p.Kept
					p.tellRest(best, list)
				}
			}
			if best == nil && kind == "" {
				kind = names.Kind
			}
		}
	}
	i := slices.IndexFunc(b.systems, func(n Names) bool { return n.Kind == kind && n.Notes != "" })
	if best == nil {
		if i < 0 {
			return false
		}
		b.shelveNotes(number, b.systems[i], keptText(brief(first(of.get("name").text(), of.get("type").text())), about))
		return true
	}
	k, _ := b.g.Kind(kind)
	list, _ := fieldAt(k.Form, field)
	b.addRow(number, kind, field, &form.Form{Fields: list.Fields}, best)
	if i >= 0 {
		b.shelveNotes(number, b.systems[i], kept)
	}
	return true
}

// keptText returns a text under a name, in pieces that a field holds.
func keptText(name, about string) []Kept {
	var p proposer
	pieces := cut(about, maxText)
	if pieces == nil {
		pieces = []string{""}
	}
	p.keepText(name, pieces, 1)
	return p.Kept
}

// shelveNotes adds rows to the shelf of what has no place of its own.
func (b *binder) shelveNotes(number int, names Names, kept []Kept) {
	k, _ := b.g.Kind(names.Kind)
	list, _ := fieldAt(k.Form, names.Notes)
	for _, one := range kept {
		b.addRow(number, names.Kind, names.Notes, &form.Form{Fields: list.Fields},
			map[string]any{"name": one.Name, "detail": one.About})
	}
}

// tellRest adds what an item has and its list has no field for to the item's description.
func (p *proposer) tellRest(item map[string]any, list string) {
	if _, has := fieldAt(p.kind.Form, list+".detail"); !has || len(p.lines) == 0 {
		return
	}
	name, _ := item["name"].(string)
	about, _ := item["detail"].(string)
	var lines []string
	for _, line := range p.lines {
		lines = append(lines, strings.TrimPrefix(line, name+": "))
	}
	item["detail"] = strings.TrimSpace(about + "\n\n" + strings.Join(lines, "\n"))
}

// fill reads an actor and puts what is found where the game says.
func (b *binder) fill(names Names, s system, d document) *proposer {
	h := &Hero{System: s.id, Title: s.title}
	s.read(d, h)
	h.keepUnread(d, s)
	kind, _ := b.g.Kind(names.Kind)
	p := &proposer{
		Proposal: Proposal{Hero: h, Kind: kind.ID}, g: b.g, names: names, kind: kind, s: b.s,
		sheet: map[string]any{}, used: map[string]bool{}, from: map[string]Value{}, near: map[string]int{},
	}
	p.fill()
	return p
}

// clean returns the members of an item that say something.
func clean(item any) map[string]any {
	members, _ := item.(map[string]any)
	kept := maps.Clone(members)
	maps.DeleteFunc(kept, func(_ string, is any) bool { return is == nil || is == "" || is == false })
	return kept
}

func filled(item any) int { return len(clean(item)) }

// RowName is the head of the column with a character's name.
const RowName = "_name"

// RowGroup is the head of the column with a document's folder.
const RowGroup = "_group"

// addRow adds a row to the shelf for a use.
func (b *binder) addRow(number int, kind, field string, f *form.Form, sheet map[string]any) {
	i := slices.IndexFunc(b.Shelves, func(s Shelf) bool { return s.Kind == kind && s.Field == field })
	if i < 0 {
		i = len(b.Shelves)
		b.Shelves = append(b.Shelves, Shelf{Kind: kind, Field: field, Heads: headsOf(f, field == "")})
	}
	cells := make([]string, len(b.Shelves[i].Heads))
	for j, head := range b.Shelves[i].Heads {
		value, _ := take(sheet, strings.Split(head, "."))
		cells[j] = cellOf(value)
	}
	b.Shelves[i].Rows = append(b.Shelves[i].Rows, ShelfRow{number, cells, b.group})
}

// headsOf lists the fields that rows may have.
func headsOf(f *form.Form, character bool) (heads []string) {
	if character {
		heads = append(heads, RowName)
	}
	var lists []string
	for path, field := range f.All() {
		if slices.ContainsFunc(lists, func(list string) bool { return strings.HasPrefix(path, list+".") }) {
			continue
		}
		if field.Kind == form.KindList {
			lists = append(lists, path)
		}
		if field.Kind != form.KindGroup {
			heads = append(heads, path)
		}
	}
	return heads
}

// cellOf writes a value as a cell: items of a list by their names and dice, as people write them.
func cellOf(value any) string {
	switch is := value.(type) {
	case string:
		return is
	case int:
		return strconv.Itoa(is)
	case bool:
		if is {
			return "on"
		}
	case []any:
		var items []string
		for _, item := range is {
			members, _ := item.(map[string]any)
			name, _ := members["name"].(string)
			dice, _ := members["dice"].(string)
			text := strings.TrimSpace(strings.NewReplacer(";", ",", "\n", " ").Replace(name) + " " + dice)
			if n, is := members["times"].(int); is {
				text = strconv.Itoa(n) + " × " + text
			}
			items = append(items, text)
		}
		return strings.Join(items, "; ")
	}
	return ""
}

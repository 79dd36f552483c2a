package act

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"norn/form"
	"norn/game"
	"norn/table/internal/ledger"
	"norn/table/internal/state"
	"norn/table/refusal"
	"norn/table/view"
)

// PickRequest asks to take a row of a list.
type PickRequest struct {
	List      string `json:"-" address:"list"`
	Row       int    `json:"row" form:"min=1,max=5000,required" doc:"from 1"`
	Character string `json:"character" form:"text" doc:"who takes it; none where rows are characters"`
	Hash      string `json:"hash" form:"text" doc:"the list’s, to refuse a changed one"`
	Hidden    bool   `json:"hidden" doc:"of a character: only game masters see it"`

	from *pickedRow // once it was read
}

// pickedRow is a row with the hash of its list.
type pickedRow struct {
	hash           string
	columns, cells []string
}

// WithRow returns the request with the row that it names, of rows with a hash. Without such a row it
// stays as it is.
func (r PickRequest) WithRow(hash string, kept KeptTexts) PickRequest {
	if r.Row >= 1 && r.Row <= len(kept.Rows) {
		r.from = &pickedRow{hash, kept.Columns, kept.Rows[r.Row-1]}
	}
	return r
}

// PickFromList adds a row of a list to a character's sheet, as a change that its player may make, or
// adds the character that the row is.
var PickFromList = Define(Spec[PickRequest, view.Entry]{
	Name: "pick-from-list", Op: "pick",
	Route: Route{
		Method: "POST", Path: "/lists/{list}/pick", Tag: "characters", Body: "PickRequest",
		Missing: "list",
		Summary: "Take a row of a list",
		Text:    "A copy goes to the character's sheet, where it may be changed; a row of a list of characters becomes one. It can be undone.",
		Example: map[string]any{"row": 1, "key": "1159"},
	},
	Key:   func(r PickRequest) any { return []any{r.List, r.Row, r.Character, r.Hash, r.Hidden} },
	Build: pickFromList,
})

func pickFromList(c Call, r PickRequest) (ledger.Draft, error) {
	l, err := SeenList(c.Eye, r.List)
	if err != nil {
		return ledger.Draft{}, err
	}
	switch {
	case l.Kind == "":
		return ledger.Draft{}, refusal.Refuse("list-read", view.Data{"Name": l.Name})
	case r.Hash != "" && r.Hash != l.Version() || r.from != nil && r.from.hash != l.Version():
		return ledger.Draft{}, refusal.Refuse("list-changed", view.Data{"Name": l.Name})
	case r.from == nil:
		return ledger.Draft{}, refusal.Invalid("row", form.Range, func(p *form.Problem) { p.Min, p.Max = 1, l.Rows })
	}
	if l.Field == "" {
		return addListed(c, l, r)
	}
	who, err := ownCharacter(c.Eye, "character", r.Character)
	if err != nil {
		return ledger.Draft{}, err
	}
	kind, _ := c.Table.Game.Kind(who.Kind)
	if !TakesRows(kind, l.Field, r.from.columns) {
		return ledger.Draft{}, refusal.Refuse("list-unfit", view.Data{"Name": who.Name, "List": l.Name})
	}
	patch, ok := withItem(kind.Form, who.Sheet, l.Field, itemOf(kind.Form, l.Field, r.from.columns, r.from.cells))
	if !ok {
		return ledger.Draft{}, refusal.Refuse("list-unfit", view.Data{"Name": who.Name, "List": l.Name})
	}
	return changeCharacter(c.Eye, ChangeRequest{ID: who.ID, Sheet: patch})
}

// addListed adds the character that a row is.
func addListed(c Call, l state.List, r PickRequest) (ledger.Draft, error) {
	kind, known := c.Table.Game.Kind(l.Kind)
	if !known {
		return ledger.Draft{}, refusal.Refuse("list-read", view.Data{"Name": l.Name})
	}
	sheet := itemOf(kind.Form, "", r.from.columns, r.from.cells)
	name, _ := sheet[view.ListName].(string)
	delete(sheet, view.ListName)
	name, err := freeName(c.Eye, checkName.keep(name), r.Hidden)
	if err != nil {
		return ledger.Draft{}, err
	}
	return addCharacter(c.Eye, CharacterRequest{Name: name, Kind: kind.ID, Hidden: r.Hidden, Sheet: state.JSON(sheet)},
		c.Entropy)
}

// TakesRows reports whether a kind's sheet has a list with fields for all columns.
func TakesRows(kind game.Kind, field string, columns []string) bool {
	list, ok := kind.Form.Field(field)
	if !ok || list.Kind != form.KindList {
		return false
	}
	return !slices.ContainsFunc(columns, func(name string) bool {
		return name != view.ListGroup && !slices.ContainsFunc(list.Fields, func(f form.Field) bool { return f.Name == name })
	})
}

// itemOf returns the members of a row's JSON, by the form of a list's items or, without a field, of a
// whole sheet. Empty cells are left out.
func itemOf(f *form.Form, field string, columns, cells []string) map[string]any {
	item := map[string]any{}
	for i, path := range columns {
		if cells[i] == "" || path == view.ListGroup {
			continue
		}
		of, known := f.Field(path)
		if field != "" {
			of, known = f.Field(field + ".0." + path)
		}
		var value any = cells[i]
		if known && of.Kind == form.KindList {
			value = itemsIn(of, cells[i])
		} else if known && (of.Kind != form.KindBool || cells[i] == "on") { // the form reports another text
			value = of.ParseText(cells[i])
		}
		into := item
		steps := strings.Split(path, ".")
		for _, step := range steps[:len(steps)-1] {
			inner, _ := into[step].(map[string]any)
			if inner == nil {
				inner = map[string]any{}
				into[step] = inner
			}
			into = inner
		}
		into[steps[len(steps)-1]] = value
	}
	return item
}

// nameOfItems returns the field that names the items of a list, if it's a text.
func nameOfItems(list form.Field) (form.Field, bool) {
	i := slices.IndexFunc(list.Fields, func(f form.Field) bool { return f.Kind == form.KindText && f.Required })
	if i < 0 {
		return form.Field{}, false
	}
	return list.Fields[i], true
}

// itemsIn returns the items that a cell names, such as "2 × Claws 1d8; Bite 1d10+2": each between
// semicolons, on a line or, without those, between commas. Dice at the end of a name are the item's, if it
// has some, and so is how often it's there.
func itemsIn(list form.Field, cell string) []map[string]any {
	named, _ := nameOfItems(list)
	dice := slices.IndexFunc(list.Fields, func(f form.Field) bool { return f.Dice })
	often := slices.IndexFunc(list.Fields, func(f form.Field) bool {
		return f.Kind == form.KindInt && f.Min == 1 && f.Default == 1
	})
	pieces := strings.FieldsFunc(cell, func(r rune) bool { return r == ';' || r == '\n' })
	if len(pieces) == 1 {
		pieces = strings.Split(cell, ",")
	}
	items := []map[string]any{}
	for _, piece := range pieces {
		name := strings.Trim(piece, " \t•–—-*")
		if name == "" {
			continue
		}
		item := map[string]any{}
		if at := howOften.FindStringSubmatch(name); often >= 0 && at != nil {
			item[list.Fields[often].Name] = list.Fields[often].ParseText(at[1] + at[4])
			name = at[2] + at[3]
		}
		if dice >= 0 {
			item[list.Fields[dice].Name] = "" // instead of dice that nobody wrote
		}
		if at := diceAtEnd.FindStringSubmatchIndex(name); dice >= 0 && at != nil {
			item[list.Fields[dice].Name] = list.Fields[dice].ParseText(plainNumber.Replace(name[at[2]:at[3]]))
			if before := strings.TrimRight(name[:at[0]], " (:–—-,"); before != "" {
				name = before
			}
		}
		item[named.Name] = named.ParseText(strings.Join(strings.Fields(name), " "))
		items = append(items, item)
	}
	return items
}

// diceAtEnd matches one kind of dice at the end of a name, in brackets or not.
var diceAtEnd = regexp.MustCompile(`(?i)(?:^|[\s(:])([0-9]{0,3}[dkдк][0-9]{1,4}(?:\s*[+−-]\s*[0-9]{1,3})?)\)?$`)

// howOften matches a number before or behind a name: "2 × Claws 1d8", "Claws 1d8 x2".
var howOften = regexp.MustCompile(`^(?:([0-9]{1,2})\s*[×xх]\s+(.+)|(.+?)\s*[×xх]\s*([0-9]{1,2}))$`)

// withItem returns the merge patch that adds an item to a list of a sheet; false if there is no such
// list.
func withItem(f *form.Form, sheet any, field string, item map[string]any) (json.RawMessage, bool) {
	var value any = f.Fill(sheet)
	steps := strings.Split(field, ".")
	for _, step := range steps {
		group, ok := value.(map[string]any)
		if !ok {
			return nil, false
		}
		value = group[step]
	}
	items, ok := value.([]map[string]any)
	if !ok {
		return nil, false
	}
	var patch any = append(slices.Clone(items), item)
	for _, step := range slices.Backward(steps) {
		patch = map[string]any{step: patch}
	}
	return state.JSON(patch), true
}

package foreign

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"norn/form"
	"norn/game"
	"norn/lang"
)

// Proposal is a hero as a sheet of a game, before anybody takes it.
type Proposal struct {
	Hero    *Hero
	Kind    string
	Sheet   json.RawMessage // members that the file gives
	Derived []Derived
	Misfits []Misfit
	Kept    []Kept
	Ask     []string // fields that no file has
}

// Derived is a value that was computed.
type Derived struct {
	Path string // in the sheet: "skills.3.value"
	Item string // name of the item that it belongs to, "" for none
	N    int
	From string
	Sum  Sum
}

// Doubts returns what was odd in the file.
func (p Proposal) Doubts() []Doubt { return p.Hero.Doubts }

// Misfit is a value that the sheet refuses. The notes hold it.
type Misfit struct {
	Path    string // in the sheet
	Item    string // name of the item that it belongs to, "" for none
	From    string
	Given   string
	Problem form.Problem  // what is wrong with it, or else
	Refusal *game.Refusal // the rule that refuses it
}

// Kept names something that has no place on the sheet, as the notes keep it.
type Kept struct{ Name, About string }

// maxTries bounds how often a sheet is read again.
const maxTries = 200

// Propose makes a sheet of a game from a hero. locked are members that the reader may not set. s words
// the notes. The error is a *Problem.
func Propose(g *game.Game, h *Hero, locked []string, s lang.Speaker) (Proposal, error) {
	names, ok, err := NamesOf(g, h.System)
	if err != nil {
		return Proposal{}, err
	}
	if !ok {
		return Proposal{}, &Problem{Code: OtherGame, What: h.Title}
	}
	kind, _ := g.Kind(names.Kind)
	own := *h // doubts of this sheet are added to it
	own.Doubts = slices.Clone(h.Doubts)
	h = &own
	p := &proposer{
		Proposal: Proposal{Hero: h, Kind: kind.ID, Ask: names.Ask},
		g:        g, names: names, kind: kind, s: s,
		sheet: map[string]any{}, used: map[string]bool{}, from: map[string]Value{}, near: map[string]int{},
	}
	p.nameSkipped()
	p.fill()
	p.dropReadOnly(locked)
	p.fit()
	p.keepRest()
	p.keepNotes()
	p.shrink()
	p.derive()
	p.Sheet, err = json.Marshal(p.sheet)
	return p.Proposal, err
}

type proposer struct {
	Proposal
	g     *game.Game
	names Names
	kind  game.Kind
	s     lang.Speaker
	sheet map[string]any
	near  map[string]int   // place of a doubt about a value that was taken as another
	used  map[string]bool  // names of the hero's values and lists that have a place
	from  map[string]Value // by path in the sheet
	lines []string         // of the notes
	tries int
}

// nameSkipped names skills that were left out as the sheet names them.
func (p *proposer) nameSkipped() {
	for i, d := range p.Hero.Doubts {
		if d.Code != Untrained {
			continue
		}
		field, _ := fieldAt(p.kind.Form, d.Name+".name")
		names := strings.Split(d.Given, ", ")
		for j, name := range names {
			ours, _ := p.translate(d.Name+".name", name, "").(string)
			names[j] = p.option(field, ours)
		}
		p.Hero.Doubts[i].Given = strings.Join(names, ", ")
	}
}

// option returns what a choice of a field is called, or the value itself if there is no such choice.
func (p *proposer) option(field form.Field, value string) string {
	for _, o := range field.Options {
		if o.Value == value {
			return p.g.Option(game.Voice{Speaker: p.s, Game: p.g.ID}, field, o)
		}
	}
	return value
}

// fill puts each value where the game says.
func (p *proposer) fill() {
	for _, path := range slices.Sorted(maps.Keys(p.names.Fields)) {
		name := p.names.Fields[path]
		if v, there := p.Hero.Values[name]; there {
			p.used[name] = true
			put(p.sheet, path, p.translate(path, v.Is, ""))
			p.from[path] = v
		}
	}
	for _, list := range slices.Sorted(maps.Keys(p.names.Lists)) {
		p.fillList(list)
	}
}

func (p *proposer) fillList(list string) {
	of := p.names.Lists[list]
	p.used[of.From] = true
	field, _ := fieldAt(p.kind.Form, list)
	var items []any
	for _, theirs := range p.Hero.Lists[of.From] {
		if len(items) == field.Max {
			p.Misfits = append(p.Misfits, Misfit{
				Path: list, From: theirs["name"].From, Given: nameOf(theirs),
				Problem: form.Problem{
					Path: list, Code: form.TooMany, Max: field.Max, Given: strconv.Itoa(len(p.Hero.Lists[of.From])),
				},
			})
			p.keep(theirs)
			continue
		}
		at := list + "." + strconv.Itoa(len(items))
		ours, taken := map[string]any{}, map[string]bool{}
		for _, name := range slices.Sorted(maps.Keys(of.Fields)) {
			v, used, ok := p.pick(list+"."+name, theirs, strings.Split(of.Fields[name], "|"))
			for _, name := range used {
				taken[name] = true
			}
			if !ok {
				continue
			}
			if text, is := v.Is.(string); is && utf8.RuneCountInString(text) > maxText {
				pieces := cut(text, maxText)
				v.Is = pieces[0]
				p.keepText(nameOf(theirs), pieces[1:], 2)
			}
			ours[name] = v.Is
			p.from[at+"."+name] = v
		}
		for _, name := range slices.Sorted(maps.Keys(theirs)) {
			switch text := p.text(theirs[name].Is); {
			case taken[name]:
			case name == "about":
				p.keepText(nameOf(theirs), cut(text, maxText), 1)
			default:
				p.lines = append(p.lines, nameOf(theirs)+": "+p.label(name)+" "+text)
			}
		}
		items = append(items, ours)
	}
	if items != nil {
		put(p.sheet, list, items)
	}
}

// pick returns the first of some values for which the field has a choice, or else the last one that
// there is. used are all of their names.
func (p *proposer) pick(path string, item Item, names []string) (v Value, used []string, ok bool) {
	field, _ := fieldAt(p.kind.Form, path)
	for _, name := range names {
		used = append(used, name)
		is, there := item[name]
		if !there {
			continue
		}
		v, ok = is, true
		if text, named := v.Is.(string); named && v.Word != "" {
			is.Is = p.label(v.Word) + " " + text
		}
		v.Is = p.translate(path, is.Is, nameOf(item))
		if slices.ContainsFunc(field.Options, func(o form.Option) bool { return o.Value == v.Is }) {
			return v, names, true
		}
	}
	return v, used, ok
}

// translate returns a value as the sheet calls it. What has only a near value there begins with a
// tilde in the game's foreign.toml, and a doubt says so.
func (p *proposer) translate(path string, is any, item string) any {
	text, _ := is.(string)
	if ours, known := p.names.Names[path][text]; known {
		near, is := strings.CutPrefix(ours, "~")
		if is {
			p.doubtNear(path, text, near, item)
		}
		return near
	}
	field, _ := fieldAt(p.kind.Form, path)
	switch is := is.(type) {
	case int:
		if field.Kind.IsText() {
			return strconv.Itoa(is)
		}
	case string:
		if field.Kind == form.KindText {
			return brief(is)
		}
	}
	return is
}

// doubtNear notes that a value was taken as another, with the items that have it.
func (p *proposer) doubtNear(path, given, used, item string) {
	if at, there := p.near[path+" "+given]; there {
		p.Hero.Doubts[at].From += ", " + item
		return
	}
	field, _ := fieldAt(p.kind.Form, path)
	near := Doubt{
		Code: Near, Name: p.g.Label(p.s, field.Name), From: item, Given: p.label(given), Used: p.option(field, used),
	}
	if p.Hero.doubt(near) {
		p.near[path+" "+given] = len(p.Hero.Doubts) - 1
	}
}

// nameOf returns the name of an item.
func nameOf(item Item) string {
	for _, name := range []string{"name", "field", "id", "for"} {
		if text, is := item[name].Is.(string); is {
			return text
		}
	}
	return ""
}

// put sets a member at a dotted path.
func put(sheet map[string]any, path string, value any) {
	name, rest, deeper := strings.Cut(path, ".")
	if !deeper {
		sheet[name] = value
		return
	}
	inner, is := sheet[name].(map[string]any)
	if !is {
		inner = map[string]any{}
		sheet[name] = inner
	}
	put(inner, rest, value)
}

// dropReadOnly leaves out what the reader may not set.
func (p *proposer) dropReadOnly(locked []string) {
	for _, name := range locked {
		if value, there := p.sheet[name]; there {
			delete(p.sheet, name)
			p.misfit(name, value, form.Problem{Path: name, Code: form.Reserved}, nil)
		}
	}
}

func (p *proposer) decode() error {
	p.tries++
	data, err := json.Marshal(p.sheet)
	if err == nil {
		_, err = p.kind.Decode(data)
	}
	return err
}

// fit takes out what the sheet refuses, as little as possible.
func (p *proposer) fit() {
	for p.tries < maxTries {
		err := p.decode()
		if err == nil {
			return
		}
		var problems form.Problems
		if !errors.As(err, &problems) {
			break
		}
		if !p.dropProblems(problems) {
			break
		}
	}
	p.build()
}

// dropProblems takes out the values of problems, later ones first, since items move up.
func (p *proposer) dropProblems(problems form.Problems) bool {
	dropped := false
	slices.SortStableFunc(problems, func(a, b form.Problem) int { return comparePaths(b.Path, a.Path) })
	for _, problem := range problems {
		path := strings.Split(problem.Path, ".")
		if value, ok := take(p.sheet, path); ok {
			p.misfit(problem.Path, value, problem, nil)
			dropped = true
			continue
		}
		if len(path) < 3 {
			continue
		}
		if item, ok := take(p.sheet, path[:2]); ok { // a value of it that must be there isn't
			p.misfit(strings.Join(path[:2], "."), item, problem, nil)
			p.shift(path[0], path[1])
			dropped = true
		}
	}
	return dropped
}

// comparePaths compares paths, numbers of items by their value.
func comparePaths(a, b string) int {
	return slices.CompareFunc(strings.Split(a, "."), strings.Split(b, "."), byNumber)
}

// take removes the value at a path and returns it.
func take(at any, path []string) (any, bool) {
	switch at := at.(type) {
	case map[string]any:
		value, there := at[path[0]]
		if !there {
			return nil, false
		}
		if len(path) == 1 {
			delete(at, path[0])
			return value, true
		}
		if items, is := value.([]any); is && len(path) == 2 {
			i, err := strconv.Atoi(path[1])
			if err != nil || i < 0 || i >= len(items) {
				return nil, false
			}
			item := items[i]
			at[path[0]] = slices.Delete(items, i, i+1)
			return item, true
		}
		return take(value, path[1:])
	case []any:
		if i, err := strconv.Atoi(path[0]); err == nil && i >= 0 && i < len(at) && len(path) > 1 {
			return take(at[i], path[1:])
		}
	}
	return nil, false
}

// shift moves what is known of items after one that was removed.
func (p *proposer) shift(list, index string) {
	gone, _ := strconv.Atoi(index)
	moved := map[string]Value{}
	for path, v := range p.from {
		parts := strings.SplitN(path, ".", 3)
		if len(parts) == 3 && parts[0] == list {
			if i, err := strconv.Atoi(parts[1]); err == nil && i >= gone {
				if i > gone {
					moved[list+"."+strconv.Itoa(i-1)+"."+parts[2]] = v
				}
				delete(p.from, path)
			}
		}
	}
	maps.Copy(p.from, moved)
}

// misfit notes a value that the sheet doesn't take, and keeps it.
func (p *proposer) misfit(path string, value any, problem form.Problem, refused *game.Refusal) {
	m := Misfit{
		Path: path, Item: p.itemAt(path), From: p.from[path].From, Given: brief(p.text(value)), Problem: problem,
		Refusal: refused,
	}
	delete(p.from, path)
	p.Misfits = append(p.Misfits, m)
	parts := strings.Split(path, ".")
	label := p.g.Label(p.s, parts[len(parts)-1])
	if _, err := strconv.Atoi(parts[len(parts)-1]); err == nil {
		label = p.g.Label(p.s, parts[0])
	}
	if m.Item != "" {
		label = m.Item + ": " + label
	}
	p.keepMisfit(parts[0], label, value)
}

// keepMisfit keeps a value that the sheet doesn't take: items of lists with all that they have.
func (p *proposer) keepMisfit(list, label string, value any) {
	if items, is := value.([]any); is {
		for _, item := range items {
			p.keepMisfit(list, label, item)
		}
		return
	}
	item, is := value.(map[string]any)
	if !is {
		p.lines = append(p.lines, label+": "+p.text(value))
		return
	}
	name := first(p.nameIn(list, item), label)
	var lines []string
	for _, member := range slices.Sorted(maps.Keys(item)) {
		if is := item[member]; member != "name" && member != "detail" && is != "" && is != false {
			lines = append(lines, p.g.Label(p.s, member)+": "+p.text(is))
		}
	}
	detail, _ := item["detail"].(string)
	pieces := cut(strings.TrimSpace(strings.Join(lines, "\n")+"\n\n"+detail), maxText)
	if pieces == nil {
		pieces = []string{""}
	}
	p.keepText(name, pieces, 1)
}

// itemAt returns the name of the item that a path leads through.
func (p *proposer) itemAt(path string) string {
	parts := strings.Split(path, ".")
	items, _ := p.sheet[parts[0]].([]any)
	if len(parts) < 3 {
		return ""
	}
	i, err := strconv.Atoi(parts[1])
	if err != nil || i < 0 || i >= len(items) {
		return ""
	}
	return p.nameIn(parts[0], items[i])
}

func (p *proposer) nameIn(list string, item any) string {
	members, _ := item.(map[string]any)
	for _, name := range []string{"field", "name", "for"} {
		text, _ := members[name].(string)
		if text == "" {
			continue
		}
		field, _ := fieldAt(p.kind.Form, list+"."+name)
		return p.option(field, text)
	}
	return ""
}

// build puts the sheet together again, member by member, where a rule refuses it as a whole.
func (p *proposer) build() {
	whole := p.sheet
	p.sheet = map[string]any{}
	var waiting []string
	for _, f := range p.kind.Form.Fields {
		if _, there := whole[f.Name]; there {
			waiting = append(waiting, f.Name)
		}
	}
	refused := map[string]error{}
	for again := true; again && len(waiting) > 0; {
		again = false
		waiting = slices.DeleteFunc(waiting, func(name string) bool {
			p.sheet[name] = whole[name]
			err := p.decode()
			if err == nil {
				again = true
				return true
			}
			refused[name] = err
			delete(p.sheet, name)
			return false
		})
	}
	waiting = p.buildTogether(whole, waiting)
	for _, name := range waiting {
		p.rebuild(name, whole[name], func(part any) {
			if part == nil {
				delete(p.sheet, name)
			} else {
				p.sheet[name] = part
			}
		})
	}
}

// rebuild sets as much of a value that a rule refuses as it allows: members and items one by one.
func (p *proposer) rebuild(path string, value any, set func(any)) {
	set(value)
	err := p.decode()
	if err == nil {
		return
	}
	switch whole := value.(type) {
	case map[string]any:
		if p.tries > maxTries {
			break
		}
		fitting := map[string]any{}
		set(fitting)
		for _, name := range slices.Backward(slices.Sorted(maps.Keys(whole))) { // a total before what it bounds
			p.rebuild(path+"."+name, whole[name], func(part any) {
				if part == nil {
					delete(fitting, name)
				} else {
					fitting[name] = part
				}
			})
		}
		return
	case []any:
		var fitting []any
		for i, item := range whole {
			set(append(slices.Clone(fitting), item))
			err := p.decode()
			switch {
			case err == nil:
				fitting = append(fitting, item)
			case p.tries > maxTries:
				set(fitting)
				p.refuse(path, whole[i:], err)
				return
			default:
				if part, name := p.without(item, func(part any) { set(append(slices.Clone(fitting), part)) }); part != nil {
					p.refuse(path+"."+strconv.Itoa(len(fitting))+"."+name, item.(map[string]any)[name], err)
					fitting = append(fitting, part)
					continue
				}
				p.refuse(path+"."+strconv.Itoa(i), item, err)
				p.shift(path, strconv.Itoa(len(fitting)))
			}
		}
		if set(fitting); fitting == nil {
			set(nil)
		}
		return
	}
	set(nil)
	p.refuse(path, value, err)
}

// without returns an item of a list without the one member that a rule refuses, nil if that isn't enough.
func (p *proposer) without(item any, set func(any)) (part any, name string) {
	members, _ := item.(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if p.tries > maxTries {
			break
		}
		fitting := maps.Clone(members)
		delete(fitting, name)
		if set(fitting); p.decode() == nil {
			return fitting, name
		}
	}
	set(item)
	return nil, ""
}

// buildTogether tries pairs of members that a rule refuses one by one.
func (p *proposer) buildTogether(whole map[string]any, waiting []string) []string {
	for _, one := range waiting {
		for _, other := range waiting {
			if one >= other || p.sheet[one] != nil || p.sheet[other] != nil {
				continue
			}
			p.sheet[one], p.sheet[other] = whole[one], whole[other]
			if p.decode() != nil {
				delete(p.sheet, one)
				delete(p.sheet, other)
			}
		}
	}
	return slices.DeleteFunc(waiting, func(name string) bool { return p.sheet[name] != nil })
}

func (p *proposer) refuse(path string, value any, err error) {
	var problems form.Problems
	if errors.As(err, &problems) {
		p.misfit(path, value, problems[0], nil)
		return
	}
	refusal, _ := game.AsRefusal(err)
	p.misfit(path, value, form.Problem{}, refusal)
}

// keepRest keeps values and lists that the sheet has no place for.
func (p *proposer) keepRest() {
	for _, name := range p.Hero.order {
		v := p.Hero.Values[name]
		text, long := v.Is.(string)
		switch {
		case p.used[name] || v.Is == 0 || v.Is == false:
		case long && (strings.Contains(text, "\n") || strings.HasPrefix(text, "- ") || utf8.RuneCountInString(text) > 100):
			p.keepText(p.label(name), cut(text, maxText), 1)
		default:
			p.lines = append(p.lines, p.label(name)+": "+p.text(v.Is))
		}
	}
	for _, list := range p.Hero.lists {
		if !p.used[list] {
			for _, item := range p.Hero.Lists[list] {
				p.keep(item)
			}
		}
	}
}

// label returns what a value is called, part by part: "Sphere: Forces". A part has a word, or the
// name of a field; other parts before the last are left out.
func (p *proposer) label(name string) string {
	var said []string
	parts := strings.Split(name, ".")
	for i, part := range parts {
		id := "foreign.value." + strings.ReplaceAll(part, " ", "-")
		label := p.g.Label(p.s, part)
		switch {
		case part == "text" && i < len(parts)-1: // only says that it's one
		case p.s.Has(id):
			said = append(said, p.s.Say(id))
		case label != part, i == len(parts)-1:
			said = append(said, label)
		}
	}
	return strings.Join(said, ": ")
}

// text returns a value as people read it.
func (p *proposer) text(is any) string {
	switch is := is.(type) {
	case bool:
		if is {
			return p.s.Say("foreign.yes")
		}
		return p.s.Say("foreign.no")
	case string:
		return is
	case int:
		return strconv.Itoa(is)
	case []any:
		return strings.Join(game.Each(is, p.text), ", ")
	case map[string]any:
		if name, is := is["name"].(string); is {
			return name
		}
	}
	data, _ := json.Marshal(is)
	return string(data)
}

// keep keeps an item by its name and description.
func (p *proposer) keep(item Item) {
	about, _ := item["about"].Is.(string)
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(item)) {
		if v := item[name]; name != "about" && name != "name" && name != "kind" && v.Is != false {
			lines = append(lines, p.label(name)+": "+p.text(v.Is))
		}
	}
	if lines != nil {
		about = strings.TrimSpace(strings.Join(lines, "\n") + "\n\n" + about)
	}
	pieces := cut(about, maxText)
	if pieces == nil {
		pieces = []string{""}
	}
	p.keepText(nameOf(item), pieces, 1)
}

// keepText keeps pieces of a text under a name, numbered from a number where there are several.
func (p *proposer) keepText(name string, pieces []string, from int) {
	for i, piece := range pieces {
		named := name
		if from+i > 1 {
			named += " (" + strconv.Itoa(from+i) + ")"
		}
		p.Kept = append(p.Kept, Kept{named, piece})
	}
}

// keepNotes writes the notes into the sheet's list for them, and joins them where they're too many.
func (p *proposer) keepNotes() {
	if len(p.lines) > 0 {
		pieces := cut("- "+strings.Join(p.lines, "\n- "), maxText)
		kept := p.Kept
		p.Kept = nil
		p.keepText(p.s.Say("foreign.notes", "System", p.Hero.Title), pieces, 1)
		p.Kept = append(p.Kept, kept...)
	}
	list := p.names.Notes
	field, _ := fieldAt(p.kind.Form, list)
	p.join(field.Max)
	var items []any
	for _, k := range p.Kept {
		items = append(items, map[string]any{"name": first(k.Name, "—"), "detail": k.About})
	}
	if items == nil {
		return
	}
	p.sheet[list] = items
	if p.decode() == nil {
		return
	}
	delete(p.sheet, list)
	p.Misfits = append(p.Misfits, Misfit{Path: list, Problem: form.Problem{Path: list, Code: form.Control}})
}

// maxSheet bounds the bytes of a sheet as it's stored, a little below what a table takes.
const maxSheet = 120 << 10

// shrink leaves out texts from the end until the sheet isn't too large: first of the notes, then of other
// lists. The proposal says which.
func (p *proposer) shrink() {
	over := p.size() - maxSheet
	if over <= 0 {
		return
	}
	for _, list := range append([]string{p.names.Notes}, slices.Sorted(maps.Keys(p.names.Lists))...) {
		value, _ := take(p.sheet, strings.Split(list, "."))
		items, _ := value.([]any)
		for i, item := range slices.Backward(items) {
			members, _ := item.(map[string]any)
			text, long := members["detail"].(string)
			if over <= 0 || !long || text == "" {
				continue
			}
			name, _ := members["name"].(string)
			written, _ := json.Marshal(text)
			over -= len(written)
			delete(members, "detail")
			p.Misfits = append(p.Misfits, Misfit{
				Path: list + "." + strconv.Itoa(i) + ".detail", Item: name, From: p.from[list+"."+strconv.Itoa(i)+".name"].From,
				Given:   brief(text),
				Refusal: &game.Refusal{Word: "foreign.refusal.no-room", Data: map[string]any{"Max": maxSheet >> 10}},
			})
		}
		if items != nil {
			put(p.sheet, list, items)
		}
	}
}

// size returns the bytes of the sheet as it's stored.
func (p *proposer) size() int {
	data, err := json.Marshal(p.sheet)
	if err != nil {
		return 0
	}
	sheet, err := p.kind.Decode(data)
	if err != nil {
		return len(data)
	}
	stored, err := json.Marshal(sheet)
	if err != nil {
		return len(data)
	}
	return len(stored)
}

// join puts short texts together until there are at most so many.
func (p *proposer) join(most int) {
	for most > 0 && len(p.Kept) > most {
		var joined []Kept
		for _, k := range p.Kept {
			text := strings.TrimSpace("**" + k.Name + "**\n" + k.About)
			if n := len(joined) - 1; n >= 0 && len(joined)+1 > most*3/4 &&
				utf8.RuneCountInString(joined[n].About+text)+2 <= maxText {
				if !strings.HasSuffix(joined[n].Name, "…") {
					joined[n].About = strings.TrimSpace("**" + joined[n].Name + "**\n" + joined[n].About)
					joined[n].Name += " …"
				}
				joined[n].About += "\n\n" + text
				continue
			}
			joined = append(joined, k)
		}
		if len(joined) == len(p.Kept) {
			for _, k := range p.Kept[most:] {
				p.Misfits = append(p.Misfits, Misfit{
					Path: p.names.Notes, Given: k.Name,
					Problem: form.Problem{Path: p.names.Notes, Code: form.TooMany, Max: most, Given: strconv.Itoa(len(joined))},
				})
			}
			p.Kept = p.Kept[:most]
			return
		}
		p.Kept = joined
	}
}

// derive lists what was computed, in the order of the form.
func (p *proposer) derive() {
	order := map[string]int{}
	for i, f := range p.kind.Form.Fields {
		order[f.Name] = i
	}
	for path, v := range p.from {
		if v.Sum != nil {
			p.Derived = append(p.Derived, Derived{Path: path, Item: p.itemAt(path), N: v.Sum.Total(), From: v.From, Sum: v.Sum})
		}
	}
	slices.SortFunc(p.Derived, func(a, b Derived) int {
		one, _, _ := strings.Cut(a.Path, ".")
		other, _, _ := strings.Cut(b.Path, ".")
		if order[one] != order[other] {
			return order[one] - order[other]
		}
		return comparePaths(a.Path, b.Path)
	})
}

package foreign

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"slices"
	"strings"
)

// document is an actor of Foundry, whatever version wrote it.
type document struct {
	node
	system  node   // what the system keeps: "system", before version 10 "data"
	id      string // of the system, "" if the file doesn't say
	version string // of the system
	kind    string // type of the actor
	items   []node
}

// system reads the heroes of one system of Foundry.
type system struct {
	id      string
	foundry string // what Foundry calls it
	title   string
	fits    func(d document) bool
	read    func(d document, h *Hero)

	also   []string // places with values of a hero next to those that the system keeps
	silent []string // names of members that say nothing to people: of the program, or computed
}

// systems lists the readers. Where systems share an id, the shape of the actor decides.
var systems = []system{ep2e, wod20, wod20PC, godboundPC, godboundCore, godboundDetails}

// Read reads a hero from a file of another program. The error is a *Problem.
func Read(data []byte) (*Hero, error) {
	if len(data) > MaxBytes {
		return nil, &Problem{Code: Large, Max: MaxBytes}
	}
	text := bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\ufeff")))
	if len(text) == 0 || text[0] != '{' && text[0] != '[' {
		return readKeeper(data)
	}
	whole, err := readJSON(text)
	if err != nil {
		return nil, err
	}
	d, err := open(whole)
	if err != nil {
		return nil, err
	}
	for _, s := range systems {
		if s.fits(d) {
			h := &Hero{System: s.id, Title: s.title, Version: d.version, Name: brief(d.get("name").text())}
			s.read(d, h)
			h.readPicture(d)
			h.keepUnread(d, s)
			return h, nil
		}
	}
	if slices.ContainsFunc(systems, func(s system) bool { return s.foundry == d.id }) || d.kind == "npc" {
		return nil, &Problem{Code: WrongType, What: brief(d.kind)}
	}
	return nil, &Problem{Code: OtherSystem, What: brief(first(d.id, d.kind))}
}

// Name names a document of Foundry, or the first of a list of them: a hero by its system, anything
// else by its type. It's "" for other data.
func Name(data []byte) (what string, hero bool) { return nameIn(data, MaxBytes) }

func nameIn(data []byte, most int) (what string, hero bool) {
	if len(data) > most {
		return "", false
	}
	whole, err := decode(bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\ufeff"))))
	if err != nil {
		return "", false
	}
	if list, is := whole.is.([]any); is && len(list) > 0 {
		whole.is = list[0]
	}
	d, err := open(whole)
	problem, isProblem := errors.AsType[*Problem](err)
	switch {
	case isProblem && problem.Code == NoHero:
		return problem.What, false
	case err != nil:
		return "", false
	}
	for _, s := range systems {
		if s.fits(d) {
			return s.title, true
		}
	}
	return brief(d.kind), false
}

// readJSON reads JSON, or the one document of a file with one a line.
func readJSON(text []byte) (node, error) {
	if !json.Valid(text) {
		lines := bytes.SplitN(text, []byte("\n"), 3)
		if len(lines) > 1 && json.Valid(lines[0]) && checkDepth(lines[0]) == nil {
			return node{}, &Problem{Code: Several}
		}
		if err := checkDepth(text); err != nil {
			return node{}, err
		}
		return node{}, &Problem{Code: Broken}
	}
	whole, err := decode(text)
	if list, is := whole.is.([]any); err == nil && is {
		if len(list) != 1 {
			return node{}, &Problem{Code: Several}
		}
		whole.is = list[0]
	}
	return whole, err
}

// open finds the actor in a file.
func open(whole node) (document, error) {
	wrapped := document{}
	if whole.get("__godboundExport").on() {
		wrapped.id, wrapped.version = whole.get("system").text(), whole.get("systemVersion").text()
		whole = node{is: whole.get("actor").is, seen: whole.seen}
	}
	d := document{node: whole, id: wrapped.id, version: wrapped.version, kind: whole.get("type").text()}
	for _, name := range []string{"system", "data"} {
		if _, is := whole.get(name).is.(map[string]any); is && !d.system.there() {
			d.system = whole.get(name)
		}
	}
	for _, path := range []string{"_stats", "_stats.exportSource", "flags.exportSource"} {
		stats := whole.get(path)
		d.id = first(d.id, stats.get("systemId").text(), stats.get("system").text())
		d.version = first(d.version, stats.get("systemVersion").short())
	}
	if d.version == "null" {
		d.version = ""
	}
	d.items = whole.get("items").items()
	switch {
	case strings.HasPrefix(whole.get("_key").text(), "!folders!"), (d.kind == "Actor" || d.kind == "Item") && !d.system.there():
		return d, &Problem{Code: NoHero, What: "Folder"}
	case d.kind == "" || !d.system.there():
		return d, &Problem{Code: Unknown}
	case strings.HasPrefix(whole.get("_key").text(), "!items!"),
		!whole.get("items").there() && !whole.get("prototypeToken").there() && !whole.get("token").there():
		return d, &Problem{Code: NoHero, What: brief(d.kind)}
	}
	return d, nil
}

func first(texts ...string) string {
	for _, text := range texts {
		if text != "" && text != "null" {
			return text
		}
	}
	return ""
}

// itemSystem returns what the system keeps of an item.
func itemSystem(item node) node {
	if of := item.get("system"); of.there() {
		return of
	}
	return item.get("data")
}

// each calls f for the items of some types, all of them without types.
func (d document) each(h *Hero, f func(kind, name string, of, item node), kinds ...string) {
	for i, item := range d.items {
		if i == maxItems {
			h.doubt(Doubt{Code: TooMany, Name: "items"})
			return
		}
		if id, is := item.is.(string); is { // a document of a pack names its items
			if len(kinds) == 0 {
				h.doubt(Doubt{Code: NameOnly, From: item.at, Given: brief(id)})
			}
			continue
		}
		kind := item.get("type").text()
		if len(kinds) == 0 || slices.Contains(kinds, kind) {
			f(kind, first(brief(item.get("name").text()), kind), itemSystem(item), item)
		}
	}
}

// description returns the description of an item as Markdown.
func description(of node) Value {
	for _, path := range []string{"description.value", "description", "base.description", "details", "notes"} {
		if text := of.get(path).text(); text != "" {
			return Value{Is: plain(text), From: of.get(path).at}
		}
	}
	return Value{}
}

// maxPicture bounds the bytes of a picture.
const maxPicture = 512 << 10

// readPicture reads the portrait if the file has it inside. Nothing is ever fetched.
func (h *Hero) readPicture(d document) {
	for _, path := range []string{"img", "prototypeToken.texture.src", "prototypeToken.img", "token.img"} {
		n := d.get(path)
		text := n.text()
		head, data, inside := strings.Cut(text, ";base64,")
		if media, is := strings.CutPrefix(head, "data:"); inside && is {
			picture, err := base64.StdEncoding.DecodeString(data)
			if err == nil && len(picture) <= maxPicture && (media == "image/png" || media == "image/jpeg") {
				h.Picture = &Picture{Media: media, Data: picture}
				return
			}
			h.doubt(Doubt{Code: Outside, From: n.at, Given: brief(head)})
			return
		}
		if text != "" && !strings.HasPrefix(text, "icons/") && !strings.Contains(text, "mystery-man") {
			h.doubt(Doubt{Code: Outside, From: n.at, Given: brief(text)})
			return
		}
	}
}

// rest notes items that have no numbers for a sheet: gear, traits, spells.
func (d document) rest(h *Hero, known ...string) {
	d.each(h, func(kind, name string, of, item node) {
		if slices.Contains(known, kind) {
			return
		}
		h.add("rest", Item{
			"kind": {Is: kind}, "name": {Is: first(name, kind), From: item.at}, "about": description(of),
			"quantity": countOf(of.get("quantity")),
		})
	})
}

// countOf returns how many there are of an item, nothing for one.
func countOf(n node) Value {
	if m, ok := n.number(); ok && m != 1 {
		return Value{Is: m, From: n.at}
	}
	return Value{}
}

// prose notes texts of a hero.
func (h *Hero) prose(name string, n node) {
	if text := plain(n.text()); text != "" {
		h.set(name, Value{Is: text, From: n.at})
	}
}

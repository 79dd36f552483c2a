package foreign

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"

	"norn/form"
	"norn/game"
	"norn/lang"
)

// Names says which fields of a game's sheet are called how in a system. It's a table of the game's
// foreign.toml:
//
//	[[system]]
//	id = "ep2e"
//	kind = "character" # of sheet
//	notes = "more"     # the list that keeps what has no place, by name and description
//
//	[system.fields] # of the sheet = of the reader
//	"aptitudes.cog" = "cog"
//
//	[system.lists.skills] # of the sheet
//	from = "skills"
//	fields = { name = "id|name", value = "total" } # the first that the sheet has a choice for
//
//	[system.names."skills.name"] # values of the system = of the sheet
//	freeFall = "free-fall"
type Names struct {
	ID     string
	Kind   string
	Notes  string
	Fields map[string]string
	Lists  map[string]struct {
		From   string
		Fields map[string]string
	}
	Names map[string]map[string]string
	Ask   []string // fields that no file has: people decide them
}

// NamesOf returns what a game says of a system; ok is false if it says nothing. The error is that of a
// foreign.toml which doesn't fit its game.
func NamesOf(g *game.Game, system string) (names Names, ok bool, err error) {
	all, err := allNames(g)
	i := slices.IndexFunc(all, func(n Names) bool { return n.ID == system })
	if i < 0 {
		return Names{}, false, err
	}
	return all[i], true, err
}

// Takes reports whether a game takes heroes of other programs.
func Takes(g *game.Game) bool {
	all, err := allNames(g)
	return err == nil && len(all) > 0
}

// read caches what games say; a game never changes.
var read sync.Map // of *game.Game: named

type named struct {
	all []Names
	err error
}

func allNames(g *game.Game) ([]Names, error) {
	if g.Words == nil || g.Text != "" { // a text has no files
		return nil, nil
	}
	if known, ok := read.Load(g); ok {
		return known.(named).all, known.(named).err
	}
	all, err := readNames(g)
	read.Store(g, named{all, err})
	return all, err
}

func readNames(g *game.Game) ([]Names, error) {
	text, err := fs.ReadFile(g.Words, "foreign.toml")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var file struct{ System []Names }
	if err == nil {
		_, err = toml.Decode(lang.TextOf(text), &file)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: foreign.toml: %w", g.ID, err)
	}
	for _, n := range file.System {
		if err := n.check(g); err != nil {
			return nil, fmt.Errorf("%s: foreign.toml: %s: %w", g.ID, n.ID, err)
		}
	}
	return file.System, nil
}

// check refuses names of fields that the sheet lacks.
func (n Names) check(g *game.Game) error {
	kind, ok := g.Kind(n.Kind)
	if !ok {
		return fmt.Errorf("there is no kind %q", n.Kind)
	}
	paths := slices.Collect(maps.Keys(n.Fields))
	for list, of := range n.Lists {
		for name := range of.Fields {
			paths = append(paths, list+"."+name)
		}
	}
	if n.Notes != "" {
		paths = append(paths, n.Notes+".name", n.Notes+".detail")
	}
	paths = append(paths, n.Ask...)
	for path := range n.Names {
		paths = append(paths, path)
	}
	for _, path := range paths {
		if _, ok := fieldAt(kind.Form, path); !ok {
			return fmt.Errorf("there is no field %q", path)
		}
	}
	return nil
}

// fieldAt returns a field by its path without the numbers of items.
func fieldAt(f *form.Form, path string) (form.Field, bool) {
	fields := f.Fields
	names := strings.Split(path, ".")
	for i, name := range names {
		at := slices.IndexFunc(fields, func(f form.Field) bool { return f.Name == name })
		if at < 0 {
			return form.Field{}, false
		}
		if i == len(names)-1 {
			return fields[at], true
		}
		fields = fields[at].Fields
	}
	return form.Field{}, false
}

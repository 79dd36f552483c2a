package game

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"

	"norn/lang"
)

// ready is the content of a game's ready.toml: a table for trying the game, characters to put into
// play, heroes for players, and the fields that creators of characters fill in. Fields have their
// JSON names, missing ones have their default, and a text that is the id of one of the game's words
// is replaced by the word in the table's language.
//
//	[demo]
//	name = "spire.demo.table"
//
//	[[demo.cast]]
//	kind = "npc"
//	name = "spire.demo.guard"
//	sheet = { resistance = 5 }
//
//	[[demo.story]]
//	move = "check"
//	by = "c1"
//	args = { skill = "sneak" }
//	dice = [8, 3]
//	answers = [{ die = "d6" }]
//
//	[[stock]]
//	id = "thug"
//	kind = "npc"
//	name = "spire.stock.thug"
//
//	[[hero]]
//	id = "vess"
//	kind = "character"
//	name = "spire.hero.vess"
//
//	[[creation]]
//	kind = "character"
//	asked = [{ field = "skills", rule = "SP-01" }]
type ready struct {
	Demo struct {
		Name  string
		Cast  []readySample
		Story []struct {
			Move, By string
			Player   bool
			Args     map[string]any
			Dice     []int
			Answers  []any
		}
	}
	Stock    []readySample
	Hero     []readySample
	Creation []struct {
		Kind  string
		Asked []Asked
	}
}

type readySample struct {
	ID, Kind, Name string
	Player         bool
	Sheet          map[string]any
}

// Ready gives a game the demo and the stock of the ready.toml next to its words. Errors in that
// file make the game's tests fail.
func Ready(g *Game) *Game {
	all := sync.OnceValue(func() (all ready) {
		text, err := fs.ReadFile(g.Words, "ready.toml")
		if err == nil {
			_, err = toml.Decode(lang.TextOf(text), &all)
		}
		g.must("ready.toml", err)
		return all
	})
	g.Demo = func(s lang.Speaker) Demo {
		read := all().Demo
		demo := Demo{Name: g.sayIDs(s, read.Name).(string), Cast: g.samples(s, read.Cast)}
		for i, b := range read.Story {
			beat := Beat{Move: b.Move, By: b.By, Player: b.Player, Dice: b.Dice}
			m, ok := g.Move(b.Move)
			if !ok {
				panic(fmt.Sprintf("%s: ready.toml: there is no move %q", g.ID, b.Move))
			}
			var err error
			beat.Args, err = m.Restore(g.json(s, b.Args))
			g.must(fmt.Sprintf("ready.toml: story %d", i+1), err)
			for _, answer := range b.Answers {
				beat.Answers = append(beat.Answers, g.sayIDs(s, answer))
			}
			demo.Story = append(demo.Story, beat)
		}
		return demo
	}
	g.Heroes = func(s lang.Speaker) []Sample { return g.samples(s, all().Hero) }
	g.Creation = func(kind string) []Asked {
		for _, c := range all().Creation {
			if c.Kind == kind {
				return c.Asked
			}
		}
		return nil
	}
	g.Stock = func(s lang.Speaker) []Sample { return g.samples(s, all().Stock) }
	return g
}

func (g *Game) samples(s lang.Speaker, read []readySample) []Sample {
	samples := make([]Sample, len(read))
	for i, r := range read {
		kind, ok := g.Kind(r.Kind)
		if !ok {
			panic(fmt.Sprintf("%s: ready.toml: there is no kind %q", g.ID, r.Kind))
		}
		sheet, err := kind.Decode(g.json(s, r.Sheet))
		g.must("ready.toml: "+r.Name, err)
		samples[i] = Sample{ID: r.ID, Kind: r.Kind, Name: g.sayIDs(s, r.Name).(string), Player: r.Player, Sheet: sheet}
	}
	return samples
}

func (g *Game) must(what string, err error) {
	if err != nil {
		panic(fmt.Sprintf("%s: %s: %v", g.ID, what, err))
	}
}

func (g *Game) json(s lang.Speaker, members map[string]any) []byte {
	if members == nil {
		members = map[string]any{}
	}
	data, err := json.Marshal(g.sayIDs(s, members))
	g.must("ready.toml", err)
	return data
}

// sayIDs returns a value with its word ids replaced by words.
func (g *Game) sayIDs(s lang.Speaker, value any) any {
	switch value := value.(type) {
	case string:
		if strings.HasPrefix(value, g.ID+".") && s.Has(value) {
			return s.Say(value)
		}
	case map[string]any:
		said := make(map[string]any, len(value))
		for name, v := range value {
			said[name] = g.sayIDs(s, v)
		}
		return said
	case []any:
		said := make([]any, len(value))
		for i, v := range value {
			said[i] = g.sayIDs(s, v)
		}
		return said
	case []map[string]any: // the type that the TOML reader returns for tables
		said := make([]any, len(value))
		for i, v := range value {
			said[i] = g.sayIDs(s, v)
		}
		return said
	}
	return value
}

// Package demos creates each game's demo tables in the visitor's language and plays its story
// there.
package demos

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"

	"norn/form"
	"norn/game"
	"norn/lang"
	"norn/rule"
	"norn/table"
	"norn/table/act"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/view"
	"norn/web/html"
)

// File holds the links of the demo tables, so that they are reused after a restart.
const File = "demo.json"

// Table is a game's demo table with the secrets of its seats and the roll that is prepared there.
type Table struct {
	Table  string `json:"table"`
	GM     string `json:"gm"`
	Player string `json:"player"`
	Hero   string `json:"hero,omitempty"`  // the character that is free to roll
	Again  uint64 `json:"again,omitempty"` // the seq of the move that fills in the form
	Story  uint64 `json:"story,omitempty"` // the seq of the story's last entry
}

// secret returns the secret of a seat.
func (d Table) secret(role game.Role) string {
	if role == game.Player {
		return d.Player
	}
	return d.GM
}

// path returns the link of a seat with this secret. It leads to the form, filled in with a roll
// that can be made at once.
func (d Table) path(secret string) string {
	link := "/t/" + d.Table + "/" + secret
	if d.Again > 0 {
		link += "?" + url.Values{html.AtCharacter: {d.Hero}, html.AtAgain: {strconv.FormatUint(d.Again, 10)}}.Encode()
	}
	return link
}

// Demos remembers the newest demo table of each game and language. Visitors of older ones can keep
// using them.
type Demos struct {
	host *table.Host
	file string

	one    sync.Mutex // held while tables are created
	tables map[string]Table
}

// Open reads the links of a data folder's demo tables.
func Open(host *table.Host, dir string) *Demos {
	d := &Demos{host: host, file: filepath.Join(dir, File)}
	if data, err := os.ReadFile(d.file); err != nil || json.Unmarshal(data, &d.tables) != nil || d.tables == nil {
		d.tables = map[string]Table{}
	}
	return d
}

// Forget removes the links of a table that was deleted.
func (d *Demos) Forget(id string) error {
	d.one.Lock()
	defer d.one.Unlock()
	known := len(d.tables)
	maps.DeleteFunc(d.tables, func(_ string, t Table) bool { return t.Table == id })
	if len(d.tables) == known {
		return nil
	}
	return keep(d.file, d.tables)
}

// Forget removes the links of a table that was deleted from a data folder.
func Forget(dir, id string) error { return Open(nil, dir).Forget(id) }

// of returns the newest demo table of a game in the speaker's language. If that isn't ready for a
// visitor, it creates a new one, provided that admit allows it.
func (d *Demos) of(ctx context.Context, g *game.Game, s lang.Speaker, role game.Role, admit func() error) (Table,
	error,
) {
	d.one.Lock()
	defer d.one.Unlock()
	key := g.ID + "/" + string(s.Lang())
	newest, known := d.tables[key]
	if known {
		ready, err := d.ready(ctx, newest, role)
		if _, missing := errors.AsType[*refusal.NotFoundError](err); missing {
			known = false
		} else if ready || err != nil {
			return newest, err
		}
	}
	if err := admit(); err != nil {
		if known {
			return newest, nil
		}
		return Table{}, err
	}
	demo, err := Play(ctx, d.host, g, s)
	if err != nil {
		return Table{}, fmt.Errorf("demo of %s: %w", g.ID, err)
	}
	d.tables[key] = demo
	return demo, keep(d.file, d.tables)
}

// ready reports whether a demo table is ready for a visitor: its seat is free and its rules are
// current. Its story must be unchanged, or somebody must be there to play with and a character
// free.
func (d *Demos) ready(ctx context.Context, demo Table, role game.Role) (bool, error) {
	gm, err := d.view(ctx, demo.Table, demo.GM)
	if err != nil {
		return false, err
	}
	player, err := d.view(ctx, demo.Table, demo.Player)
	if err != nil || gm.Newer != "" {
		return false, err
	}
	mine, other := gm, player
	if role == game.Player {
		mine, other = player, gm
	}
	if slices.ContainsFunc(other.Seats, func(s view.SeatShown) bool { return s.ID == mine.Seat && s.Online }) {
		return false, nil
	}
	if gm.Seq == demo.Story {
		return true, nil
	}
	company := slices.ContainsFunc(mine.Seats, func(s view.SeatShown) bool { return s.ID != mine.Seat && s.Online })
	free := slices.ContainsFunc(gm.Characters, func(c view.CharacterShown) bool {
		return c.ID == demo.Hero && c.Busy == ""
	})
	return company && free, nil
}

// view returns what a seat of a table sees.
func (d *Demos) view(ctx context.Context, id, secret string) (*view.View, error) {
	seat, err := d.host.Enter(ctx, id, secret, lang.En)
	if err != nil {
		return nil, err
	}
	return seat.View(ctx)
}

// IsDemo reports whether a table began as its game's demo, in any of the languages: with the name,
// the player's seat and the first hero of the game's story.
func IsDemo(words *lang.Words, o table.Opening) bool {
	if o.Game.Demo == nil {
		return false
	}
	for _, l := range lang.All {
		s := o.Game.Speak(words.In(l))
		script := o.Game.Demo(s)
		if script.Name == o.Name && len(script.Cast) > 0 && slices.Contains(o.Seats, s.Say("norn.demo.player")) &&
			slices.Contains(o.Characters, script.Cast[0].Name) {
			return true
		}
	}
	return false
}

// Path returns a visitor's link to a seat of a demo table. Visitors don't find what another one
// left open: they get a new table. If admit refuses that, they share the newest one.
func (d *Demos) Path(ctx context.Context, g *game.Game, s lang.Speaker, role game.Role, admit func() error) (string,
	error,
) {
	// a visitor who leaves doesn't interrupt the story
	demo, err := d.of(table.Free(context.WithoutCancel(ctx)), g, s, role, admit)
	return demo.path(demo.secret(role)), err
}

// Play creates a table of a game with its seats and plays the game's story.
func Play(ctx context.Context, host *table.Host, g *game.Game, s lang.Speaker) (Table, error) {
	script := g.Demo(s)
	created, err := host.Create(ctx, request.NewTable{Game: g.ID, Name: script.Name, Lang: s.Lang()})
	if err != nil {
		return Table{}, err
	}
	gm, err := host.Enter(ctx, created.ID, created.Seat.Secret, s.Lang())
	if err != nil {
		return Table{}, err
	}
	player, err := table.Do(ctx, gm, act.AddSeat,
		act.SeatRequest{Name: s.Say("norn.demo.player"), Role: string(game.Player)}, "")
	if err != nil {
		return Table{}, err
	}
	for _, c := range script.Cast {
		kind, ok := g.Kind(c.Kind)
		if !ok {
			return Table{}, fmt.Errorf("%s is of no kind %q", c.Name, c.Kind)
		}
		n := act.CharacterRequest{Name: c.Name, Kind: c.Kind, Sheet: kind.Form.JSON(c.Sheet)}
		if c.Player {
			n.Owner = player.ID
		}
		if _, err := table.Do(ctx, gm, act.AddCharacter, n, ""); err != nil {
			return Table{}, fmt.Errorf("%s: %w", c.Name, err)
		}
	}
	opened := Table{Table: created.ID, GM: created.Seat.Secret, Player: player.Secret}
	theirs, err := host.Enter(ctx, created.ID, player.Secret, s.Lang())
	if err != nil {
		return Table{}, err
	}
	thrown := map[string]uint64{} // seqs of the newest rolls, by character
	for i, beat := range script.Story {
		made, err := play(ctx, gm, theirs, beat)
		if err != nil {
			return Table{}, fmt.Errorf("move %d, %s: %w", i+1, beat.Move, err)
		}
		if move, _ := g.Move(beat.Move); move.Throws {
			thrown[beat.By] = made.Entry.Seq
		}
	}
	shown, err := gm.View(ctx)
	if err != nil {
		return Table{}, err
	}
	opened.Story = shown.Seq
	for _, c := range shown.Characters { // the last that is free; the others are in the middle of something
		if thrown[c.ID] > 0 && c.Owner == player.ID && c.Busy == "" {
			opened.Hero, opened.Again = c.ID, thrown[c.ID]
		}
	}
	return opened, nil
}

// play makes one move of a story, enters its dice when they are asked for and answers its
// questions. It leaves a question open if the answers run out.
func play(ctx context.Context, gm, player *table.Seat, beat game.Beat) (opened view.Made, err error) {
	move, ok := gm.Game().Move(beat.Move)
	if !ok {
		return opened, errors.New("there is no such move")
	}
	by, asked := gm, move.Form.For(form.AtTable)
	if beat.Player {
		by = player
		for name, f := range asked.All() {
			if f.GM {
				asked = asked.Without(name)
			}
		}
	}
	faces := beat.Dice
	made, err := throwing(&faces, func(now []int) (view.Made, error) {
		return by.Make(ctx, request.Move{
			Move: beat.Move, Character: beat.By, Args: asked.JSON(beat.Args),
			Dice: now, ByHand: len(beat.Dice) > 0,
		})
	})
	opened = made
	for answers := beat.Answers; err == nil; {
		i := slices.IndexFunc(made.Open, func(q view.Question) bool { return q.Question == rule.DiceQuestion })
		switch {
		case i >= 0 && len(faces) > 0:
			made, err = throwing(&faces, func(now []int) (view.Made, error) {
				answer, err := json.Marshal(rule.Faces{Faces: now})
				if err != nil {
					return view.Made{}, err
				}
				return gm.Answer(ctx, request.Answer{Question: made.Open[i].ID, Answer: answer})
			})
		case len(answers) > 0 && len(made.Open) > 0:
			var answer []byte
			if answer, err = json.Marshal(answers[0]); err == nil {
				made, err = gm.Answer(ctx, request.Answer{Question: made.Open[0].ID, Answer: answer})
			}
			answers = answers[1:]
		case len(answers) > 0 || len(faces) > 0:
			return opened, errors.New("the story has more dice or answers than the move asks for")
		default:
			return opened, nil
		}
	}
	return opened, err
}

// throwing uses as many of the faces as are asked for and leaves the rest.
func throwing(faces *[]int, use func(now []int) (view.Made, error)) (view.Made, error) {
	made, err := use(*faces)
	invalid, ok := errors.AsType[*refusal.InvalidError](err)
	if ok && len(invalid.Problems) == 1 && invalid.Problems[0].Code == form.TooMany {
		n := invalid.Problems[0].Max
		if made, err = use((*faces)[:n]); err == nil {
			*faces = (*faces)[n:]
		}
		return made, err
	}
	if err == nil {
		*faces = nil
	}
	return made, err
}

// keep writes the links to a file that only its owner can read. It replaces the file atomically.
func keep(file string, tables map[string]Table) error {
	data, err := json.Marshal(tables)
	if err != nil {
		return err
	}
	// the folder doesn't exist if the tables are in PostgreSQL
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(file+".new", data, 0o600); err != nil {
		return err
	}
	return os.Rename(file+".new", file)
}

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"norn/form"
	"norn/game"
	"norn/games"
	"norn/table"
)

// demoFile keeps the demo table's links, so that the same one opens next time.
const demoFile = "demo.json"

// demoTable is the demo table and the secrets of its seats.
type demoTable struct {
	Table  string `json:"table"`
	GM     string `json:"gm"`
	Player string `json:"player"`
}

// gmPath is the game master's link, "" where there's no demo table.
func (d demoTable) gmPath() string {
	if d.Table == "" {
		return ""
	}
	return d.path(d.GM)
}

func (d demoTable) path(secret string) string { return "/t/" + d.Table + "/" + secret }

// openDemo gives the demo table. It is opened once for each data folder, in the
// language of who first asks for it.
func (p *program) openDemo(ctx context.Context, host *table.Host, dir string) (demoTable, error) {
	file := filepath.Join(dir, demoFile)
	var demo demoTable
	if data, err := os.ReadFile(file); err == nil && json.Unmarshal(data, &demo) == nil {
		_, err := host.Enter(ctx, demo.Table, demo.GM, p.Lang())
		if _, missing := errors.AsType[*table.NotFoundError](err); !missing {
			return demo, err
		}
	}
	for _, g := range games.All {
		if g.Demo == nil {
			continue
		}
		demo, err := p.playDemo(ctx, host, g)
		if err != nil {
			return demoTable{}, fmt.Errorf("demo of %s: %w", g.ID, err)
		}
		return demo, keep(file, demo)
	}
	return demoTable{}, errors.New("no game has a demo")
}

// playDemo opens a table of a game, brings its people there and plays its
// story.
func (p *program) playDemo(ctx context.Context, host *table.Host, g *game.Game) (demoTable, error) {
	script := g.Demo(p.Speaker)
	created, err := host.Create(ctx, table.NewTable{Game: g.ID, Name: script.Name, Lang: p.Lang()})
	if err != nil {
		return demoTable{}, err
	}
	gm, err := host.Enter(ctx, created.ID, created.Seat.Secret, p.Lang())
	if err != nil {
		return demoTable{}, err
	}
	player, err := gm.AddSeat(ctx, table.NewSeatRequest{Name: p.Say("norn.demo.player"), Role: game.Player})
	if err != nil {
		return demoTable{}, err
	}
	for _, c := range script.Cast {
		kind, ok := g.Kind(c.Kind)
		if !ok {
			return demoTable{}, fmt.Errorf("%s is of no kind %q", c.Name, c.Kind)
		}
		n := table.NewCharacter{Name: c.Name, Kind: c.Kind, Sheet: kind.Form.JSON(c.Sheet)}
		if c.Player {
			n.Owner = player.ID
		}
		if _, err := gm.AddCharacter(ctx, n); err != nil {
			return demoTable{}, fmt.Errorf("%s: %w", c.Name, err)
		}
	}
	for i, beat := range script.Story {
		if err := play(ctx, gm, beat); err != nil {
			return demoTable{}, fmt.Errorf("move %d, %s: %w", i+1, beat.Move, err)
		}
	}
	return demoTable{Table: created.ID, GM: created.Seat.Secret, Player: player.Secret}, nil
}

// play makes one move of a story and answers its questions.
func play(ctx context.Context, gm *table.Seat, beat game.Beat) error {
	move, ok := gm.Game().Move(beat.Move)
	if !ok {
		return errors.New("there is no such move")
	}
	made, err := gm.Make(ctx, table.Request{
		Move: beat.Move, Character: beat.By, Args: move.Form.For(form.AtTable).JSON(beat.Args),
		Dice: beat.Dice, ByHand: len(beat.Dice) > 0,
	})
	for _, answer := range beat.Answers {
		if err != nil {
			return err
		}
		if len(made.Open) == 0 {
			return errors.New("nothing is asked any more")
		}
		question := made.Open[0]
		made, err = gm.Answer(ctx, table.Reply{Question: question.ID, Answer: question.Form.JSON(answer)})
	}
	return err
}

// keep writes the links down for their owner alone, whole or not at all.
func keep(file string, demo demoTable) error {
	data, err := json.Marshal(demo)
	if err != nil {
		return err
	}
	if err := os.WriteFile(file+".new", data, 0o600); err != nil {
		return err
	}
	return os.Rename(file+".new", file)
}

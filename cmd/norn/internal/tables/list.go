package tables

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"norn/cmd/norn/internal/cli"
	"norn/cmd/norn/internal/storage"
	"norn/game"
	"norn/table"
)

// shelfNames completes the id of a table.
func shelfNames(p *cli.Program, k *storage.Kept) []cobra.Completion {
	var found []cobra.Completion
	if store, err := storage.Look(context.Background(), p, k); err == nil {
		defer store.Close()
		shelf, _ := shelf(context.Background(), p, store) // a damaged store completes nothing
		for _, t := range shelf {
			found = append(found, cobra.CompletionWithDesc(t.Table, t.Name))
		}
	}
	return found
}

// shelved is one table of a folder.
type shelved struct {
	Table   string    `json:"table"`
	Game    string    `json:"game"`
	Name    string    `json:"name"`
	Entries uint64    `json:"entries"`
	Last    time.Time `json:"last"` // time of the last entry
}

func shelf(ctx context.Context, p *cli.Program, store storage.Readable) ([]shelved, error) {
	heads, err := store.Tables(ctx)
	if err != nil {
		return nil, storage.StoreProblem(p, err)
	}
	shelf := []shelved{}
	for _, head := range heads {
		t := shelved{Table: head.Table, Entries: head.Seq, Last: head.Time}
		if t.Name, t.Game, err = table.ReadTitle(ctx, store, head.Table); err != nil {
			return nil, tableProblem(p, err)
		}
		shelf = append(shelf, t)
	}
	return shelf, nil
}

func listTables(ctx context.Context, p *cli.Program, store storage.Readable, asJSON bool) error {
	shelf, err := shelf(ctx, p, store)
	if err != nil {
		return err
	}
	if asJSON {
		return p.JSON(shelf)
	}
	for _, t := range shelf {
		fmt.Fprintln(p.Out, tableLine(p, t))
	}
	return nil
}

// tableLine describes a table in one line.
func tableLine(p *cli.Program, t shelved) string {
	name := ""
	if t.Name != "" {
		name = t.Name + " · "
	}
	by := p.Say("norn.export.unreadable")
	if g, known := game.Find(p.Games, t.Game); known {
		by = p.Say(g.Word("game", "name"))
	} else if t.Game != "" {
		by = t.Game
	}
	return cli.Strong.Render(t.Table) + "  " + name + by + " · " + p.Say("norn.export.entries", "N", int(t.Entries)) +
		" · " + p.Time(t.Last, time.Local)
}

// onlyTable returns the only table, for a command that names none.
func onlyTable(ctx context.Context, p *cli.Program, store storage.Readable) (string, error) {
	heads, err := store.Tables(ctx)
	if err != nil {
		return "", storage.StoreProblem(p, err)
	}
	if len(heads) == 0 {
		return "", p.Wrong("norn.error.none-yet").Hinting(p.Say("norn.hint.first-table"))
	}
	if len(heads) != 1 {
		return "", p.Wrong("norn.error.which-table", "N", len(heads)).Hinting(p.Say("norn.hint.list"))
	}
	return heads[0].Table, nil
}

package tables

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"norn/cmd/norn/internal/cli"
	"norn/cmd/norn/internal/owngames"
	"norn/cmd/norn/internal/storage"
	"norn/game"
	"norn/table/refusal"
	"norn/table/verify"
)

func ImportCommand(p *cli.Program) *cobra.Command {
	c := fileCommand(p, "import", "norn.about.import")
	c.Long = p.Say("norn.about.import") + "\n\n" + p.Say("norn.about.import-more")
	c.Example = "norn import tuesday.jsonl\nnorn import tuesday.jsonl --data ~/tables"
	unchecked := c.Flags().Bool("unchecked", false, p.Say("norn.flag.unchecked"))
	trust := c.Flags().Bool("trust", false, p.Say("norn.flag.trust-import"))
	most := timeFlag(p, c)
	asJSON := c.Flags().Bool("json", false, p.Say("norn.flag.json"))
	kept := storage.KeptFlags(p, c)
	c.RunE = func(c *cobra.Command, args []string) error {
		return withFile(p, args, func(file io.Reader) error {
			return bring(c.Context(), p, file, kept, !*unchecked, *trust, *most, *asJSON)
		})
	}
	return c
}

// bring imports a table. It checks the file before it opens a store, since that would create a
// missing one.
func bring(ctx context.Context, p *cli.Program, file io.Reader, k *storage.Kept, checked, trust bool,
	most time.Duration, asJSON bool,
) (err error) {
	if err := storage.Fill(p, k); err != nil {
		return err
	}
	dir, err := storage.Folder(p, k)
	if k.Journal.Address == "" && err != nil {
		return err
	}
	arriving, err := within(ctx, p, trust, most, func() (*verify.Importable, error) {
		games, file, err := owngames.WithTexts(p, file, trust, func(id, text string) error {
			return notInstalled(p, id, text)
		})
		if err != nil {
			return nil, err
		}
		return verify.ReadImport(games, p.Words, file, checked)
	})
	if misfit, ok := errors.AsType[*refusal.MisfitError](err); ok {
		failed := wontFit(p, misfit)
		if checked {
			failed = failed.Hinting(p.Say("norn.hint.unchecked"))
		}
		return failed
	}
	if err != nil {
		return tableProblem(p, err)
	}
	if l := arriving.Log.Ledger; l.Game.Text != "" && l.IsOutdated() && !trust { // its text isn't in the file either
		return notInstalled(p, l.Game.ID, l.Edition)
	}
	store, err := storage.OpenStore(ctx, p, k.Journal, p.Getenv("NORN_JOURNAL_PASSWORD"), dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	host, closeIt := storage.OpenHost(p, store, nil)
	defer closeIt()
	arriving.Trusted = trust
	found, err := host.Import(ctx, arriving)
	switch {
	case refusal.Unwritable(err):
		return storage.StoreProblem(p, err)
	case err != nil:
		return tableProblem(p, err)
	}
	if asJSON {
		return p.JSON(found)
	}
	fmt.Fprintln(p.Out, cli.Strong.Render(p.Say("norn.import.done", "Name", found.Name, "Table", found.Table)))
	links := "norn.import.links"
	if store.Shared {
		links = "norn.import.links-shared"
	}
	fmt.Fprintln(p.Out, p.Say(links))
	return nil
}

// notInstalled explains that the text of a table's game isn't installed here.
func notInstalled(p *cli.Program, id, text string) error {
	if g, known := game.Find(p.Games, id); known {
		return p.Fails("norn.error.text-other", "Game", id, "Text", text, "Here",
			g.Text).Hinting(p.Say("norn.hint.text-other", "Game", id))
	}
	return p.Fails("norn.error.text-missing", "Game", id, "Text",
		text).Hinting(p.Say("norn.hint.text-missing", "Game", id))
}

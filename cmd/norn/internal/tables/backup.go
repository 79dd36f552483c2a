package tables

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"norn/cmd/norn/internal/cli"
	"norn/cmd/norn/internal/storage"
	"norn/cmd/norn/internal/system"
	"norn/journal"
	"norn/journal/sqlite"
)

func BackupCommand(p *cli.Program) *cobra.Command {
	c := p.Command("backup "+p.Say("norn.metavar.folder")+" "+p.Say("norn.metavar.flags"), "norn.about.backup")
	c.Long = p.Say("norn.about.backup") + "\n\n" + p.Say("norn.about.backup-more")
	c.Example = "norn backup ~/backups/$(date +%F)\nnorn serve --data ~/backups/2026-03-01"
	asJSON := c.Flags().Bool("json", false, p.Say("norn.flag.json"))
	rotate := c.Flags().Bool("rotate", false, p.Say("norn.flag.rotate", "Days", keptDays, "Weeks", keptWeeks))
	kept := storage.KeptFlags(p, c)
	p.Argument(c, "norn.error.missing-folder")
	c.ValidArgsFunction = func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return nil, cobra.ShellCompDirectiveFilterDirs
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		if !*rotate {
			return backUp(c.Context(), p, args[0], kept, *asJSON)
		}
		dated := filepath.Join(args[0], time.Now().Format(dateLayout))
		if err := backUp(c.Context(), p, dated, kept, *asJSON); err != nil {
			return err // and nothing older is removed
		}
		if err := removeExpired(args[0]); err != nil {
			return p.FileProblem(args[0], err)
		}
		return nil
	}
	return c
}

// parentProblem explains that a folder can't be made because the one around it belongs to another
// user; nil if that isn't so.
func parentProblem(p *cli.Program, to string) *cli.Failure {
	parent, err := filepath.Abs(to)
	for err == nil && parent != filepath.Dir(parent) {
		parent = filepath.Dir(parent)
		if _, err := os.Stat(parent); err == nil {
			break
		}
	}
	path, owner, self := system.FindForeign(parent)
	if path == "" {
		return nil
	}
	return p.Fails("norn.error.foreign", "Path", path, "Owner", owner, "User",
		self).Hinting(p.Say("norn.hint.parent", "User", self, "Folder", to))
}

func backUp(ctx context.Context, p *cli.Program, to string, k *storage.Kept, asJSON bool) error {
	if err := storage.Fill(p, k); err != nil {
		return err
	}
	if k.Journal.Address != "" {
		return p.Fails("norn.error.backup-postgres", "Place",
			storage.Redact(k.Journal.Address)).Hinting(p.Say("norn.hint.backup-postgres", "Folder", to))
	}
	store, err := storage.LookIn(ctx, p, k)
	if err != nil {
		return err
	}
	defer store.Close()
	storage.WarnMissing(p, store)
	path, bytes, err := store.Backup(ctx, to)
	var lost []string
	if _, damaged := errors.AsType[*journal.CorruptError](err); damaged {
		var found sqlite.Salvaged
		found, err = store.Salvage(ctx, to)
		path, bytes, lost = found.Path, found.Bytes, found.Lost
	}
	var (
		taken *sqlite.TakenError
		wrong *os.PathError
	)
	switch {
	case errors.As(err, &taken):
		return p.Fails("norn.error.taken", "Path", taken.Path).Hinting(p.Say("norn.hint.taken"))
	case errors.As(err, &wrong):
		if f := parentProblem(p, to); f != nil {
			return f
		}
		return p.FileProblem(wrong.Path, err)
	case err != nil:
		return storage.StoreProblem(p, err)
	}
	if asJSON {
		err = p.JSON(map[string]any{"path": path, "bytes": bytes})
	} else {
		const kib = 1 << 10
		fmt.Fprintln(p.Out, p.Say("norn.backup.done", "Path", path, "Size", p.Number(int((bytes+kib-1)/kib))))
	}
	if len(lost) == 0 || err != nil {
		return err
	}
	incomplete := &cli.Failure{Status: cli.Failed}
	for _, id := range lost {
		incomplete.Texts = append(incomplete.Texts, p.Say("norn.loss.lost", "Table", id))
	}
	return incomplete
}

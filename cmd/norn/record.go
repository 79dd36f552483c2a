package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"norn/form"
	"norn/game"
	"norn/journal/archive"
	"norn/journal/sqlite"
	"norn/relay/local"
	"norn/table"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/verify"
)

// exporting is what export was asked for.
type exporting struct {
	kept     *kept
	table    textFlag
	out      textFlag
	session  textFlag
	list     bool
	asJSON   bool
	markdown bool
}

func (p *program) exportCommand() *cobra.Command {
	c := p.command("export "+p.Say("norn.metavar.flags"), "norn.about.export")
	c.Long = p.Say("norn.about.export") + "\n\n" + p.Say("norn.about.export-more")
	c.Example = "norn export --list\nnorn export --table abcdefghijklmnop --out tuesday.jsonl\nnorn export --table abcdefghijklmnop --markdown --session 2"
	e := exporting{
		table: textFlag{metavar: "ID"}, out: textFlag{metavar: p.Say("norn.metavar.file")},
		session: textFlag{metavar: p.Say("norn.metavar.number")},
	}
	c.Flags().BoolVar(&e.list, "list", false, p.Say("norn.flag.list"))
	c.Flags().Var(&e.table, "table", p.Say("norn.flag.which-table"))
	c.Flags().Var(&e.out, "out", p.Say("norn.flag.out"))
	c.Flags().BoolVar(&e.markdown, "markdown", false, p.Say("norn.flag.markdown"))
	c.Flags().Var(&e.session, "session", p.Say("norn.flag.session"))
	c.Flags().BoolVar(&e.asJSON, "json", false, p.Say("norn.flag.json"))
	e.kept = p.keptFlags(c)
	complete(c, "table", func() []cobra.Completion { return p.shelfNames(e.kept) })
	complete(c, "session", func() []cobra.Completion { return nil })
	c.RunE = func(c *cobra.Command, _ []string) error { return p.export(c.Context(), e) }
	return c
}

func (p *program) export(ctx context.Context, e exporting) error {
	session := 0
	switch n, err := strconv.Atoi(e.session.value); {
	case e.list && (e.table.given || e.out.given || e.markdown || e.session.given):
		return p.wrong("norn.error.list-alone")
	case e.asJSON && !e.list:
		return p.wrong("norn.error.needs", "Flag", "--json", "Needs", "--list")
	case e.session.given && !e.markdown:
		return p.wrong("norn.error.needs", "Flag", "--session", "Needs", "--markdown")
	case e.session.given && (err != nil || n < 1):
		return form.Problems{{Path: "session", Code: form.Type, Given: e.session.value, Allowed: []string{string(form.KindInt)}}}
	case e.session.given:
		session = n
	}
	store, err := p.look(ctx, e.kept)
	if err != nil {
		return err
	}
	defer store.Close()
	p.warnMissing(store)
	if e.list {
		return p.listTables(ctx, store, e.asJSON)
	}
	if !e.table.given {
		if e.table.value, err = p.onlyTable(ctx, store); err != nil {
			return err
		}
	}
	past, err := table.Recall(ctx, p.games, store, e.table.value, p.Speaker)
	if _, missing := errors.AsType[*refusal.NotFoundError](err); missing {
		return p.fails("norn.error.no-table", "Table", e.table.value).hinting(p.Say("norn.hint.list"))
	}
	if err != nil {
		return p.tableProblem(err)
	}
	return p.writeTo(e.out, func(w io.Writer) error {
		if e.markdown {
			return p.tableProblem(past.Story(ctx, w, request.Telling{Session: session, Zone: time.Local}))
		}
		return p.tableProblem(past.Export(ctx, w, time.Now(), built().Version))
	})
}

// shelfNames completes the id of a table.
func (p *program) shelfNames(k *kept) []cobra.Completion {
	var found []cobra.Completion
	if store, err := p.look(context.Background(), k); err == nil {
		defer store.Close()
		shelf, _ := p.shelf(context.Background(), store) // a damaged store completes nothing
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

func (p *program) shelf(ctx context.Context, store readable) ([]shelved, error) {
	heads, err := store.Tables(ctx)
	if err != nil {
		return nil, p.storeProblem(err)
	}
	shelf := []shelved{}
	for _, head := range heads {
		t := shelved{Table: head.Table, Entries: head.Seq, Last: head.Time}
		name, g, err := table.Title(ctx, p.games, store, head.Table)
		if _, unreadable := errors.AsType[*refusal.UnreadableError](err); err != nil && !unreadable {
			return nil, p.tableProblem(err)
		}
		if err == nil {
			t.Name, t.Game = name, g.ID
		}
		shelf = append(shelf, t)
	}
	return shelf, nil
}

func (p *program) listTables(ctx context.Context, store readable, asJSON bool) error {
	shelf, err := p.shelf(ctx, store)
	if err != nil {
		return err
	}
	if asJSON {
		return p.json(shelf)
	}
	for _, t := range shelf {
		about := p.Say("norn.export.unreadable")
		if t.Game != "" {
			about = t.Name + " · " + p.Say(t.Game+".game.name") + " · " + p.Say("norn.export.entries", "N", int(t.Entries)) + " · " + p.Time(t.Last, time.Local)
		}
		fmt.Fprintln(p.out, strong.Render(t.Table)+"  "+about)
	}
	return nil
}

// onlyTable is the table that is meant where none is named.
func (p *program) onlyTable(ctx context.Context, store readable) (string, error) {
	heads, err := store.Tables(ctx)
	if err != nil {
		return "", p.storeProblem(err)
	}
	if len(heads) == 0 {
		return "", p.wrong("norn.error.none-yet").hinting(p.Say("norn.hint.first-table"))
	}
	if len(heads) != 1 {
		return "", p.wrong("norn.error.which-table", "N", len(heads)).hinting(p.Say("norn.hint.list"))
	}
	return heads[0].Table, nil
}

// writeTo lets write fill a new file, or the output where none is named. A file
// that is there is left alone, and one that couldn't be written whole is removed.
func (p *program) writeTo(out textFlag, write func(io.Writer) error) (err error) {
	if !out.given {
		return write(p.out)
	}
	f, err := os.OpenFile(out.value, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return p.fileProblem(out.value, err)
	}
	defer func() {
		if err != nil {
			os.Remove(out.value)
		}
	}()
	defer f.Close()
	w := bufio.NewWriter(f)
	if err := write(w); err != nil {
		return err
	}
	if err := errors.Join(w.Flush(), f.Sync(), f.Close()); err != nil {
		return p.fileProblem(out.value, err)
	}
	return nil
}

// fileProblem words why a file can't be read or written.
func (p *program) fileProblem(path string, err error) error {
	if errors.Is(err, fs.ErrExist) {
		return p.fails("norn.error.file-exists", "Path", path).hinting(p.Say("norn.hint.file-exists"))
	}
	return p.fails("norn.error.file", "Path", path, "Text", cause(err))
}

func (p *program) importCommand() *cobra.Command {
	c := p.fileCommand("import", "norn.about.import")
	c.Long = p.Say("norn.about.import") + "\n\n" + p.Say("norn.about.import-more")
	c.Example = "norn import tuesday.jsonl\nnorn import tuesday.jsonl --data ~/tables"
	unchecked := c.Flags().Bool("unchecked", false, p.Say("norn.flag.unchecked"))
	trust := c.Flags().Bool("trust", false, p.Say("norn.flag.trust-import"))
	asJSON := c.Flags().Bool("json", false, p.Say("norn.flag.json"))
	kept := p.keptFlags(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		return p.withFile(args, func(file io.Reader) error { return p.bring(c.Context(), file, kept, !*unchecked, *trust, *asJSON) })
	}
	return c
}

// bring imports a table. The file is judged before a store is opened, for that
// makes one where none was.
func (p *program) bring(ctx context.Context, file io.Reader, k *kept, checked, trust, asJSON bool) (err error) {
	if err := p.fill(k); err != nil {
		return err
	}
	dir, err := p.folder(k)
	if k.journal.address == "" && err != nil {
		return err
	}
	games, file, err := p.withTexts(file, trust, p.notInstalled)
	if err != nil {
		return err
	}
	arriving, err := verify.Arrive(games, p.words, file, checked)
	if misfit, ok := errors.AsType[*refusal.MisfitError](err); ok {
		failed := p.misfit(misfit)
		if checked {
			failed = failed.hinting(p.Say("norn.hint.unchecked"))
		}
		return failed
	}
	if err != nil {
		return p.tableProblem(err)
	}
	if l := arriving.Log.Ledger; l.Game.Text != "" && l.Outdated() && !trust { // its text isn't in the file, either
		return p.notInstalled(l.Game.ID, l.Edition)
	}
	store, err := p.openStore(ctx, k.journal, p.getenv("NORN_JOURNAL_PASSWORD"), dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	wire := local.New()
	defer wire.Close()
	host := p.host(store, wire)
	defer host.Close()
	found, err := host.Import(ctx, arriving)
	switch {
	case refusal.Unwritable(err):
		return p.storeProblem(err)
	case err != nil:
		return p.tableProblem(err)
	}
	if asJSON {
		return p.json(found)
	}
	fmt.Fprintln(p.out, strong.Render(p.Say("norn.import.done", "Name", found.Name, "Table", found.Table)))
	links := "norn.import.links"
	if store.shared {
		links = "norn.import.links-shared"
	}
	fmt.Fprintln(p.out, p.Say(links))
	return nil
}

// notInstalled says that a table is played by a text that whoever runs this server hasn't put there.
func (p *program) notInstalled(id, text string) error {
	if g, known := game.Find(p.games, id); known {
		return p.fails("norn.error.text-other", "Game", id, "Text", text, "Here", g.Text).hinting(p.Say("norn.hint.text-other", "Game", id))
	}
	return p.fails("norn.error.text-missing", "Game", id, "Text", text).hinting(p.Say("norn.hint.text-missing", "Game", id))
}

func (p *program) verifyCommand() *cobra.Command {
	c := p.fileCommand("verify", "norn.about.verify")
	c.Long = p.Say("norn.about.verify") + "\n\n" + p.Say("norn.about.verify-more")
	c.Example = "norn verify tuesday.jsonl\nnorn verify - < tuesday.jsonl"
	asJSON := c.Flags().Bool("json", false, p.Say("norn.flag.json"))
	trust := c.Flags().Bool("trust", false, p.Say("norn.flag.trust"))
	c.RunE = func(_ *cobra.Command, args []string) error {
		return p.withFile(args, func(file io.Reader) error {
			games, file, err := p.withTexts(file, *trust, func(string, string) error {
				return p.fails("norn.error.untrusted").hinting(p.Say("norn.hint.trust"))
			})
			if err != nil {
				return err
			}
			found, err := verify.File(games, file)
			if misfit, ok := errors.AsType[*refusal.MisfitError](err); ok {
				return p.misfit(misfit)
			}
			if err != nil {
				return p.tableProblem(err)
			}
			if *asJSON {
				return p.json(found)
			}
			p.borneOut(found)
			return nil
		})
	}
	return c
}

// borneOut says what was checked and what nobody can check.
func (p *program) borneOut(found verify.Result) {
	fmt.Fprintln(p.out, strong.Render(p.Say("norn.verify.fits", "Name", plain(found.Name))))
	if found.Seat != "" {
		fmt.Fprintln(p.out, p.Say("norn.verify.seen", "Seat", plain(found.Seat)))
	}
	for _, line := range []struct {
		word string
		n    int
	}{
		{"norn.verify.entries", found.Entries},
		{"norn.verify.moves", found.Moves},
		{"norn.verify.unseen", found.Unseen},
		{"norn.verify.dice", found.Dice},
		{"norn.verify.hand", found.Hand},
		{"norn.verify.sealed", found.Sealed},
	} {
		if line.n > 0 {
			fmt.Fprintln(p.out, "  "+p.Say(line.word, "N", line.n))
		}
	}
	for _, older := range found.Older {
		fmt.Fprintln(p.out, "  "+p.Say("norn.verify.older", "N", older.Entries, "Edition", older.Edition))
	}
}

// misfit words the first entry that doesn't fit.
func (p *program) misfit(misfit *refusal.MisfitError) *failure {
	f := &failure{status: failed, texts: []string{refusal.Say(p.bareVoice(), misfit)}}
	if here := built().Version; misfit.Rules != "" && misfit.Rules != here {
		return f.hinting(p.Say("norn.hint.other-rules", "There", misfit.Rules, "Here", here))
	}
	return f
}

// bareVoice names characters by their ids.
func (p *program) bareVoice() game.Voice {
	return game.Voice{Speaker: p.Speaker, Name: func(id string) string { return id }}
}

// fileCommand is a command on one file, "-" for the input.
func (p *program) fileCommand(name, about string) *cobra.Command {
	c := p.command(name+" "+p.Say("norn.metavar.file")+" "+p.Say("norn.metavar.flags"), about)
	c.Args = func(c *cobra.Command, args []string) error {
		switch {
		case len(args) == 0:
			return p.wrong("norn.error.missing-file").hinting(p.Say("norn.hint.help", "Command", c.CommandPath()+" --help"))
		case len(args) > 1:
			return p.extra(c, args[1])
		}
		return nil
	}
	c.ValidArgsFunction = func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return nil, cobra.ShellCompDirectiveDefault
	}
	return c
}

func (p *program) withFile(args []string, use func(io.Reader) error) error {
	if args[0] == "-" {
		return use(p.in)
	}
	f, err := os.Open(args[0])
	if err != nil {
		return p.fileProblem(args[0], err)
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return p.fails("norn.error.folder", "Path", args[0])
	}
	return use(f)
}

// faults are the words for what is wrong with a file.
var faults = map[string]string{
	archive.Foreign:   "norn.fault.foreign",
	archive.Newer:     "norn.fault.newer",
	archive.Truncated: "norn.fault.truncated",
	archive.LongLine:  "norn.fault.long-line",
	archive.TooLarge:  "norn.fault.too-large",
	archive.TooMany:   "norn.fault.too-many",
	archive.UTF8:      "norn.fault.utf8",
	archive.Syntax:    "norn.fault.syntax",
	archive.Depth:     "norn.fault.depth",
	archive.Twice:     "norn.fault.twice",
	archive.Unknown:   "norn.fault.unknown",
	archive.Sum:       "norn.fault.sum",
	archive.Gap:       "norn.fault.gap",
	archive.KeyTwice:  "norn.fault.key",
	archive.Value:     "norn.fault.value",
	archive.Count:     "norn.fault.count",
	archive.Trailing:  "norn.fault.trailing",
	archive.OfSeat:    "norn.fault.seat",
}

// tableProblem words what package table refuses; nil stays nil.
func (p *program) tableProblem(err error) error {
	var (
		fault   *archive.FaultError
		exists  *table.ExistsError
		invalid *refusal.InvalidError
		refused refusal.Error
		path    *os.PathError
	)
	switch {
	case errors.As(err, &fault):
		return p.fails("norn.error.archive", "Line", fault.Line, "Text", p.Say(faults[fault.Code], "Detail", fault.Detail))
	case errors.As(err, &exists) && exists.Same:
		return p.fails("norn.error.same-table", "Table", exists.Table)
	case errors.As(err, &exists):
		return p.fails("norn.error.other-table", "Table", exists.Table).hinting(p.Say("norn.hint.other-table"))
	case errors.As(err, &invalid):
		return p.problems(invalid.Problems)
	case errors.As(err, &path):
		return p.fileProblem(path.Path, err)
	case errors.As(err, &refused):
		return &failure{status: failed, texts: []string{refusal.Say(p.bareVoice(), err)}}
	}
	return err
}

func (p *program) backupCommand() *cobra.Command {
	c := p.command("backup "+p.Say("norn.metavar.folder")+" "+p.Say("norn.metavar.flags"), "norn.about.backup")
	c.Long = p.Say("norn.about.backup") + "\n\n" + p.Say("norn.about.backup-more")
	c.Example = "norn backup ~/backups/$(date +%F)\nnorn serve --data ~/backups/2026-03-01"
	asJSON := c.Flags().Bool("json", false, p.Say("norn.flag.json"))
	kept := p.keptFlags(c)
	c.Args = func(c *cobra.Command, args []string) error {
		switch {
		case len(args) == 0:
			return p.wrong("norn.error.missing-folder").hinting(p.Say("norn.hint.help", "Command", c.CommandPath()+" --help"))
		case len(args) > 1:
			return p.extra(c, args[1])
		}
		return nil
	}
	c.ValidArgsFunction = func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return nil, cobra.ShellCompDirectiveFilterDirs
	}
	c.RunE = func(c *cobra.Command, args []string) error { return p.backUp(c.Context(), args[0], kept, *asJSON) }
	return c
}

func (p *program) backUp(ctx context.Context, to string, k *kept, asJSON bool) error {
	if err := p.fill(k); err != nil {
		return err
	}
	if k.journal.address != "" {
		return p.fails("norn.error.backup-postgres", "Place", redacted(k.journal.address)).hinting(p.Say("norn.hint.backup-postgres", "Folder", to))
	}
	store, err := p.lookIn(ctx, k)
	if err != nil {
		return err
	}
	defer store.Close()
	p.warnMissing(store)
	path, bytes, err := store.Backup(ctx, to)
	var (
		taken *sqlite.TakenError
		wrong *os.PathError
	)
	switch {
	case errors.As(err, &taken):
		return p.fails("norn.error.taken", "Path", taken.Path).hinting(p.Say("norn.hint.taken"))
	case errors.As(err, &wrong):
		return p.fileProblem(wrong.Path, err)
	case err != nil:
		return p.storeProblem(err)
	}
	if asJSON {
		return p.json(map[string]any{"path": path, "bytes": bytes})
	}
	const kib = 1 << 10
	fmt.Fprintln(p.out, p.Say("norn.backup.done", "Path", path, "Size", p.Number(int((bytes+kib-1)/kib))))
	return nil
}

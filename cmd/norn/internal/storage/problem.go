package storage

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"norn/cmd/norn/internal/cli"
	"norn/cmd/norn/internal/demos"
	"norn/cmd/norn/internal/system"
	"norn/journal"
	"norn/journal/sqlite"
)

// lacking explains what a database lacks.
func lacking(p *cli.Program, m *journal.MissingError) string {
	text := p.Say("norn.error.missing-log", "Path", m.Path, "Log", m.Log)
	if m.Want > 0 {
		text = p.Say("norn.error.missing", "Path", m.Path, "N", int(m.Want-m.Have),
			"Have", p.Number(int(m.Have)), "Want", p.Number(int(m.Want)), "Seq", p.Number(int(m.Seq)), "Table", m.Table)
	}
	return text
}

// WarnMissing warns that a store which is only read lacks entries.
func WarnMissing(p *cli.Program, store Readable) {
	if only, ok := store.(*sqlite.ReadOnly); ok && only.Missing() != nil {
		p.Warn(lacking(p, only.Missing()))
	}
}

// warnOpened warns the operator about a folder that was opened.
func warnOpened(p *cli.Program, j *sqlite.Journal, dir string) {
	switch past, entries := j.Past(); past {
	case sqlite.Whole:
	case sqlite.Another:
		p.Warn(p.Say("norn.warning.another", "Path", filepath.Join(dir, sqlite.File), "N", int(entries)))
	case sqlite.Unknown:
		p.Warn(p.Say("norn.warning.unknown", "Path", dir, "N", int(entries)))
	}
	switch restored, err := j.Restored(context.Background()); {
	case err != nil:
		p.Warn(p.Explain(StoreProblem(p, err)).Texts[0])
	case len(restored) > 0:
		var tables []string
		for _, d := range restored {
			tables = append(tables, d.Table+" ("+p.Time(d.Time, time.Local)+")")
		}
		p.Warn(p.Say("norn.warning.restored", "N", len(restored), "Tables", strings.Join(tables, ", ")))
	}
	if open := findExposed(dir); len(open) > 0 {
		p.Warn(p.Say("norn.warning.exposed", "Paths", strings.Join(open, " ")))
	}
}

// findExposed returns the folder of tables and the files in it that other users of this machine can
// access. norn creates them for its user only; other permissions may be intentional.
func findExposed(dir string) (open []string) {
	if runtime.GOOS == "windows" { // modes mean nothing there
		return nil
	}
	for _, name := range []string{"", sqlite.File, sqlite.File + "-wal", demos.File} {
		path := filepath.Join(dir, name)
		if info, err := os.Stat(path); err == nil && info.Mode().Perm()&0o077 != 0 {
			open = append(open, path)
		}
	}
	return open
}

// folderProblem explains why a folder of tables can't be opened. If a file in it belongs to another
// user, it names both and the command that helps.
func folderProblem(p *cli.Program, dir string, err error) error {
	paths := []string{dir}
	for _, name := range []string{"", "-wal", "-shm"} {
		paths = append(paths, filepath.Join(dir, sqlite.File+name))
	}
	paths = append(paths, sqlite.Companions(dir)...)
	path, owner, self := system.FindForeign(paths...)
	switch {
	case path == "":
		return StoreProblem(p, err)
	case path == dir: // then the rest of it is that user's, too
		return p.Fails("norn.error.foreign", "Path", path, "Owner", owner, "User",
			self).Hinting(p.Say("norn.hint.run-as", "Owner", owner))
	}
	return p.Fails("norn.error.foreign", "Path", path, "Owner", owner, "User",
		self).Hinting(p.Say("norn.hint.chown", "User", self, "Folder", dir))
}

// StoreProblem explains why the journal can't be opened.
func StoreProblem(p *cli.Program, err error) error {
	var (
		corrupt *journal.CorruptError
		missing *journal.MissingError
		newer   *journal.NewerError
		locked  *journal.LockedError
		gone    *journal.UnavailableError
		path    *os.PathError
	)
	switch {
	case errors.As(err, &corrupt):
		return p.Fails("norn.error.corrupt", "Path", corrupt.Path, "Text",
			corrupt.Err.Error()).Hinting(p.Say("norn.hint.corrupt"))
	case errors.As(err, &missing):
		return p.Fails("norn.error.unexpected", "Text",
			lacking(p, missing)).Hinting(p.Say("norn.hint.missing", "Folder", filepath.Dir(missing.Path)))
	case errors.As(err, &newer) && newer.Before != "":
		return p.Fails("norn.error.newer", "Path", newer.Path, "Have", newer.Have, "Know",
			newer.Know).Hinting(p.Say("norn.hint.newer-kept", "Folder", newer.Before))
	case errors.As(err, &newer):
		return p.Fails("norn.error.newer", "Path", newer.Path, "Have", newer.Have, "Know",
			newer.Know).Hinting(p.Say("norn.hint.newer"))
	case errors.As(err, &locked) && locked.Process > 0:
		return p.Fails("norn.error.locked-by", "Path", locked.Path, "Process",
			strconv.Itoa(locked.Process)).Hinting(p.Say("norn.hint.locked"))
	case errors.As(err, &locked):
		return p.Fails("norn.error.locked", "Path", locked.Path).Hinting(p.Say("norn.hint.locked"))
	case errors.As(err, &gone):
		return p.Fails("norn.error.unwritable", "Text", gone.Err.Error()).Hinting(p.Say("norn.hint.unwritable"))
	case errors.As(err, &path):
		f := p.Fails("norn.error.data", "Path", path.Path, "Text", path.Err.Error())
		if unwritable(err) {
			return f.Hinting(p.Say("norn.hint.unwritable"))
		}
		return f.Hinting(p.Say("norn.hint.data"))
	}
	return err
}

// unwritable reports whether an error means that the folder can't be written.
func unwritable(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EROFS)
}

// postgresProblem explains why PostgreSQL can't be used.
func postgresProblem(p *cli.Program, where JournalFlag, err error) error {
	var gone *journal.UnavailableError
	if errors.As(err, &gone) || errors.Is(err, context.DeadlineExceeded) {
		return p.Fails("norn.error.postgres", "Place", Redact(where.Address), "Text",
			ServerCause(err)).Hinting(p.Say("norn.hint.postgres"))
	}
	return StoreProblem(p, err)
}

// ServerCause returns the message of a database, or of the system if it couldn't be reached.
func ServerCause(err error) string {
	if said, ok := errors.AsType[*pgconn.PgError](err); ok {
		return said.Message
	}
	if gone, ok := errors.AsType[*journal.UnavailableError](err); ok {
		return cli.Cause(gone.Err)
	}
	return cli.Cause(err)
}

package server

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"norn/cmd/norn/internal/cli"
	"norn/cmd/norn/internal/owngames"
	"norn/cmd/norn/internal/storage"
)

func CheckCommand(p *cli.Program) *cobra.Command {
	c := p.Command("check-config ["+p.Say("norn.metavar.file")+"]", "norn.about.check-config")
	c.Long = p.Say("norn.about.check-config") + "\n\n" + p.Say("norn.about.check-config-more")
	c.Example = "norn check-config norn.toml\nNORN_LISTEN=:80 norn check-config"
	c.ValidArgsFunction = func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return []cobra.Completion{"toml"}, cobra.ShellCompDirectiveFilterFileExt
	}
	p.Argument(c, "")
	c.RunE = func(_ *cobra.Command, args []string) error {
		file := p.Getenv("NORN_CONFIG")
		if len(args) > 0 {
			file = args[0]
		}
		return checkConfig(p, file)
	}
	return c
}

// checkConfig reports what is wrong with a file and the environment. If nothing is, it prints the
// resulting settings in the form of a file, each with its source.
func checkConfig(p *cli.Program, file string) error {
	var s serving
	flags := servingFlags(p, &s)
	warnOfVariables(p, flags)
	from, problems := configure(p, flags, &s, file)
	if len(problems) > 0 {
		return &cli.Failure{Status: cli.Failed, Texts: problems, Hint: p.Say("norn.hint.config")}
	}
	warnOfRelay(p, &s, from)
	if readable := secretsForAll(flags, from, file); readable {
		p.Warn(p.Say("norn.warning.readable", "Path", file))
	}
	type row struct{ text, source string }
	var rows []row
	width := 0
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		text := strconv.Quote(effective(p, f, &s))
		if f.Value.Type() == "bool" {
			text = f.Value.String()
		}
		source := from[f.Name]
		if place, _, ok := strings.Cut(source, ": "); ok {
			source = place
		}
		if source == "" {
			source = p.Say("norn.config.default")
		}
		r := row{key(f) + " = " + text, source}
		width = max(width, len([]rune(r.text)))
		rows = append(rows, r)
	})
	if s, ok := p.Library.(interface{ Folder() string }); ok {
		rows = append(rows, row{gamesKey + " = " + strconv.Quote(s.Folder()), gamesSource(p, file)})
		width = max(width, len([]rune(rows[len(rows)-1].text)))
	}
	for _, r := range rows {
		fmt.Fprintf(p.Out, "%s%s  %s\n", r.text, strings.Repeat(" ", width-len([]rune(r.text))),
			cli.Quiet.Render("# "+r.source))
	}
	return nil
}

// secretsForAll reports whether a file that everybody on this machine can read contains a secret.
func secretsForAll(flags *pflag.FlagSet, from map[string]string, file string) (found bool) {
	info, err := os.Stat(file)
	if err != nil || runtime.GOOS == "windows" || info.Mode().Perm()&0o004 == 0 {
		return false
	}
	flags.VisitAll(func(f *pflag.Flag) {
		hidden := secret(f) || storage.Redact(f.Value.String()) != f.Value.String() // an address with a password
		found = found || hidden && f.Value.String() != "" && strings.HasPrefix(from[f.Name], file+":")
	})
	return found
}

// gamesSource names the flag, variable or file that sets the folder of games.
func gamesSource(p *cli.Program, file string) string {
	folder, given := owngames.FolderOf(p.Args, p.Getenv)
	switch {
	case given:
		return "--" + gamesKey
	case folder != "":
		return "NORN_GAMES"
	}
	c, _ := readConfig(p, file)
	place, _, _ := strings.Cut(c.place(gamesKey), ": ")
	return place
}

// effective returns a setting's value, with secrets masked.
func effective(p *cli.Program, f *pflag.Flag, s *serving) string {
	value := f.Value.String()
	switch {
	case secret(f) && value != "":
		return storage.Masked
	case f.Name == "data" && value == "":
		dir, err := storage.DataDir(p, s.data)
		if err != nil {
			return ""
		}
		return dir
	case f.Name == "data":
		if dir, err := filepath.Abs(value); err == nil {
			return dir
		}
	case f.Name == "journal" && value == "":
		return "sqlite"
	case (f.Name == "metrics" || f.Name == "behind-proxy") && value == "":
		return "no"
	}
	return storage.Redact(value)
}

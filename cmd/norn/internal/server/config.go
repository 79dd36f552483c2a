package server

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/spf13/pflag"

	"norn/cmd/norn/internal/cli"
	"norn/cmd/norn/internal/storage"
	"norn/form"
	"norn/lang"
)

// The settings of serve are in one flag set. Each of them is a flag (--journal), an environment
// variable (NORN_JOURNAL) and a line of the configuration file (journal = "…"); the first of these
// that is given applies, and the default after them. Secrets aren't flags, since any user of the
// machine can see a command line.

const (
	configFlag = "config"
	secretMark = "norn secret" // annotation of a setting that can't be a flag
)

const usualListen = "127.0.0.1:8080"

// serving holds the settings of serve.
type serving struct {
	listen               string
	base                 baseFlag
	lan                  bool
	data                 cli.TextFlag
	demo                 bool
	agents               bool // allows agents, which use the Model Context Protocol
	open                 bool // opens a browser, for users without a terminal to read a link in
	journal              storage.JournalFlag
	journalPassword      cli.TextFlag
	relay, relayPassword cli.TextFlag // of norns whose nodes had a NATS server between them: taken, and not used
	discord              discordSettings
	telegram             telegramSettings
	guarding
}

// servingFlags returns the flags of a serving, including secrets.
func servingFlags(p *cli.Program, s *serving) *pflag.FlagSet {
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	flags.SortFlags = false
	s.listen = usualListen
	flags.Var(&addressFlag{p: p, value: &s.listen, socket: true}, "listen",
		p.Say("norn.flag.listen", "Address", usualListen))
	s.base = baseFlag{p: p}
	flags.Var(&s.base, "base", p.Say("norn.flag.base"))
	flags.BoolVar(&s.lan, "lan", false, p.Say("norn.flag.lan"))
	s.data = cli.TextFlag{Metavar: p.Say("norn.metavar.folder")}
	flags.Var(&s.data, "data", p.Say("norn.flag.data"))
	flags.BoolVar(&s.demo, "demo", false, p.Say("norn.flag.demo"))
	flags.BoolVar(&s.agents, "agents", false, p.Say("norn.flag.agents"))
	s.journal = storage.JournalFlag{P: p}
	flags.Var(&s.journal, "journal", p.Say("norn.flag.journal"))
	flags.Var(&s.relay, "relay", "")
	guardingFlags(p, flags, &s.guarding)
	discordFlags(p, flags, &s.discord)
	telegramFlags(p, flags, &s.telegram)
	for _, secret := range []struct {
		name  string
		value *cli.TextFlag
	}{
		{"journal-password", &s.journalPassword},
		{"relay-password", &s.relayPassword},
		{"discord-token", &s.discord.token.given},
		{"telegram-token", &s.telegram.token.given},
	} {
		flags.Var(secret.value, secret.name, "")
		if err := flags.SetAnnotation(secret.name, secretMark, []string{"true"}); err != nil {
			panic(err) // can't happen: the flag was just added
		}
	}
	if err := errors.Join(flags.MarkHidden("relay"), flags.MarkHidden("relay-password")); err != nil {
		panic(err) // can't happen: the flags were just added
	}
	return flags
}

// warnOfRelay says that a NATS server isn't needed any more.
func warnOfRelay(p *cli.Program, s *serving, from map[string]string) {
	if s.relay.Value != "" && s.relay.Value != "local" {
		p.Warn(p.Say("norn.warning.relay", "Place", from["relay"]))
	}
}

// secret reports whether a setting must not be on a command line or be shown.
func secret(f *pflag.Flag) bool { return f.Annotations[secretMark] != nil }

// variable returns a setting's environment variable.
func variable(f *pflag.Flag) string {
	return "NORN_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
}

func key(f *pflag.Flag) string { return strings.ReplaceAll(f.Name, "-", "_") }

// configure fills in what the command line has left out, from the environment and from a file, ""
// for none. It returns the source of each setting, and explains everything that is wrong.
func configure(p *cli.Program, flags *pflag.FlagSet, s *serving, file string) (from map[string]string,
	problems []string,
) {
	from = map[string]string{}
	inFile := &configFile{}
	if file != "" {
		inFile, problems = readConfig(p, file)
	}
	if _, text := inFile.values[gamesKey].(string); text { // the games were installed earlier
		delete(inFile.values, gamesKey)
	} else if _, stands := inFile.values[gamesKey]; stands {
		problems = append(problems, p.Say("norn.error.config-text", "Place", inFile.place(gamesKey)))
		delete(inFile.values, gamesKey)
	}
	flags.VisitAll(func(f *pflag.Flag) {
		set := func(place, text string) {
			from[f.Name] = place
			if err := f.Value.Set(text); err != nil {
				if f.Value.Type() == "bool" {
					err = form.Problem{Code: form.Type, Given: text, Allowed: []string{string(form.KindBool)}}
				}
				problems = append(problems, p.Misfits(place, err))
			}
		}
		value, stands := inFile.values[key(f)]
		place := inFile.place(key(f))
		delete(inFile.values, key(f))
		switch {
		case f.Changed:
			from[f.Name] = "--" + f.Name
		case p.Getenv(variable(f)) != "":
			set(variable(f), p.Getenv(variable(f)))
		case !stands:
		default:
			switch value := value.(type) {
			case string:
				set(place, value)
			case bool:
				if f.Value.Type() != "bool" {
					problems = append(problems, p.Say("norn.error.config-text", "Place", place))
					break
				}
				set(place, strconv.FormatBool(value))
			default:
				if f.Value.Type() == "bool" {
					wrong := form.Problem{
						Code: form.Type, Given: fmt.Sprint(value),
						Allowed: []string{string(form.KindBool)},
					}
					problems = append(problems, p.Misfits(place, wrong))
					break
				}
				problems = append(problems, p.Say("norn.error.config-text", "Place", place))
			}
		}
	})
	names := []string{gamesKey}
	flags.VisitAll(func(f *pflag.Flag) { names = append(names, key(f)) })
	for _, unknown := range inFile.order(inFile.values) {
		text := p.Say("norn.error.config-unknown", "Place", inFile.place(unknown))
		if name := cli.Nearest(unknown, names); name != "" {
			text += "; " + p.Say("norn.hint.meant", "Name", name)
		}
		problems = append(problems, text)
	}
	readable := len(problems) == 0
	if cert, key := s.tlsCert.Value != "", s.tlsKey.Value != ""; readable && cert != key {
		problems = append(problems, p.Say("norn.error.tls-pair"))
	}
	if s.domain.name.text != "" {
		if readable && (s.tlsCert.Value != "" || s.lan) {
			problems = append(problems, p.Say("norn.error.domain-alone"))
		}
		if from["listen"] == "" {
			s.listen = domainListen
		}
	}
	if readable {
		problems = append(problems, socketProblem(p, s)...)
		problems = append(problems, discordProblems(p, &s.discord)...)
		problems = append(problems, telegramProblems(p, &s.telegram)...)
	}
	return from, problems
}

// configFile is the content of a configuration file.
type configFile struct {
	path   string
	values map[string]any
	lines  map[string]int // line numbers by key
}

// readConfig reads a file. If the file can't be read at all, that is the only problem.
func readConfig(p *cli.Program, path string) (*configFile, []string) {
	c := &configFile{path: path, values: map[string]any{}, lines: map[string]int{}}
	data, err := os.ReadFile(path)
	if err != nil {
		return c, []string{p.Say("norn.error.config-file", "Path", path, "Text", cli.Cause(err))}
	}
	text := lang.TextOf(data)
	if _, err := toml.Decode(text, &c.values); err != nil {
		c.values = nil
		if syntax, ok := errors.AsType[toml.ParseError](err); ok {
			return c, []string{p.Say("norn.error.config-syntax", "Place",
				fmt.Sprintf("%s:%d", path, syntax.Position.Line), "Text", syntax.Message)}
		}
		return c, []string{p.Say("norn.error.config-file", "Path", path, "Text", err.Error())}
	}
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimLeft(strings.TrimSpace(line), "[")
		name := strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t=].\"'", r) })
		if len(name) > 0 && c.lines[name[0]] == 0 {
			c.lines[name[0]] = i + 1
		}
	}
	return c, nil
}

// place returns the position of a key: file:line: key.
func (c *configFile) place(key string) string {
	return fmt.Sprintf("%s:%d: %s", c.path, c.lines[key], key)
}

// order returns keys in the order of the file.
func (c *configFile) order(values map[string]any) []string {
	var keys []string
	for k := range values {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b string) int { return c.lines[a] - c.lines[b] })
	return keys
}

// configPath returns the requested configuration file, "" for none.
func configPath(p *cli.Program, given cli.TextFlag) string {
	if given.Given {
		return given.Value
	}
	return p.Getenv("NORN_CONFIG")
}

// gamesKey is the setting for the folder of own games. It is a flag of every command, and it is
// read before all others.
const gamesKey = "games"

// GamesFolder returns the folder of games in the configuration file of a line that serves or checks
// one, "" for none. It ignores mistakes in the file: reading all of it reports them.
func GamesFolder(p *cli.Program, args []string) string {
	file := p.Getenv("NORN_CONFIG")
	checks := slices.Index(args, "check-config")
	for i, arg := range args {
		if value, is := strings.CutPrefix(arg, "--"+configFlag+"="); is {
			file = value
		} else if i > 0 && args[i-1] == "--"+configFlag || checks >= 0 && i > checks && !strings.HasPrefix(arg, "-") {
			file = arg
		}
	}
	if file == "" {
		return ""
	}
	c, _ := readConfig(p, file)
	folder, _ := c.values[gamesKey].(string)
	return folder
}

// warnOfVariables warns of variables that look like settings and aren't.
func warnOfVariables(p *cli.Program, flags *pflag.FlagSet) {
	known := []string{"NORN_CONFIG", "NORN_GAMES", "NORN_SEAT_LINK"}
	flags.VisitAll(func(f *pflag.Flag) { known = append(known, variable(f)) })
	for _, entry := range p.Env {
		name, _, _ := strings.Cut(entry, "=")
		// Kubernetes sets these for a service called norn
		orchestrated := strings.HasPrefix(name, "NORN_SERVICE_") || strings.HasPrefix(name, "NORN_PORT")
		if !strings.HasPrefix(name, "NORN_") || orchestrated || slices.Contains(known, name) {
			continue
		}
		text := p.Say("norn.error.config-unknown", "Place", name)
		if meant := cli.Nearest(name, known); meant != "" {
			text += "; " + p.Say("norn.hint.meant", "Name", meant)
		}
		p.Warn(text)
	}
}

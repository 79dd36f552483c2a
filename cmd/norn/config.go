package main

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"norn/form"
	"norn/journal/postgres"
	"norn/relay/nats"
)

// What serve can be told stands in one flag set. Each setting is a flag
// (--journal), an environment variable (NORN_JOURNAL) and a line of the
// configuration file (journal = "…"); the first of these that is given holds,
// and after them the default. Secrets are no flags, since any user of the machine
// sees a command line.

const (
	configFlag = "config"
	secretMark = "norn secret" // annotation of a flag that no command line may hold
	masked     = "***"
)

// servingFlags are the flags of a serving, secrets among them.
func (p *program) servingFlags(s *serving) *pflag.FlagSet {
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	flags.SortFlags = false
	s.listen = usualListen
	flags.Var(&addressFlag{p: p, value: &s.listen}, "listen", p.Say("norn.flag.listen", "Address", usualListen))
	flags.BoolVar(&s.lan, "lan", false, p.Say("norn.flag.lan"))
	s.data = textFlag{metavar: p.Say("norn.metavar.folder")}
	flags.Var(&s.data, "data", p.Say("norn.flag.data"))
	flags.BoolVar(&s.demo, "demo", false, p.Say("norn.flag.demo"))
	flags.BoolVar(&s.agents, "agents", false, p.Say("norn.flag.agents"))
	s.journal = journalFlag{p: p}
	flags.Var(&s.journal, "journal", p.Say("norn.flag.journal"))
	s.relay = relayFlag{p: p}
	flags.Var(&s.relay, "relay", p.Say("norn.flag.relay"))
	p.guardingFlags(flags, &s.guarding)
	p.discordFlags(flags, &s.discord)
	p.telegramFlags(flags, &s.telegram)
	for _, secret := range []struct {
		name  string
		value *textFlag
	}{{"journal-password", &s.journalPassword}, {"relay-password", &s.relayPassword}, {"discord-token", &s.discord.token}, {"telegram-token", &s.telegram.token}} {
		flags.Var(secret.value, secret.name, "")
		if err := flags.SetAnnotation(secret.name, secretMark, []string{"true"}); err != nil {
			panic(err) // the flag was just made
		}
	}
	return flags
}

// secret tells whether a setting may not stand on a command line or be shown.
func secret(f *pflag.Flag) bool { return f.Annotations[secretMark] != nil }

// variable and key name a setting in the environment and in the file.
func variable(f *pflag.Flag) string {
	return "NORN_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
}
func key(f *pflag.Flag) string { return strings.ReplaceAll(f.Name, "-", "_") }

// misfit is what is wrong with the value of a setting; who knows where it was
// given words it, with the Place.
type misfit struct {
	id   string
	data []any
}

func (m *misfit) Error() string { return m.id }

// misfits words what is wrong with a value, and with what stands at a place.
func (p *program) misfits(place string, err error) string {
	if m, ok := errors.AsType[*misfit](err); ok {
		return p.Say(m.id, append([]any{"Place", place}, m.data...)...)
	}
	if problem, ok := errors.AsType[form.Problem](err); ok {
		problem.Path = place
		id, data := problem.Word()
		return p.Say(id, data)
	}
	return place + ": " + err.Error()
}

// configured fills in what the command line has left out, from the environment
// and from a file, "" for none. It returns where each setting comes from and
// everything that is wrong, in words.
func (p *program) configured(flags *pflag.FlagSet, s *serving, file string) (from map[string]string, problems []string) {
	from = map[string]string{}
	inFile := &configFile{}
	if file != "" {
		inFile, problems = p.readConfig(file)
	}
	flags.VisitAll(func(f *pflag.Flag) {
		set := func(place, text string) {
			from[f.Name] = place
			if err := f.Value.Set(text); err != nil {
				if _, worded := errors.AsType[*misfit](err); !worded && f.Value.Type() == "bool" {
					err = form.Problem{Code: form.Type, Given: text, Allowed: []string{string(form.KindBool)}}
				}
				problems = append(problems, p.misfits(place, err))
			}
		}
		value, stands := inFile.values[key(f)]
		place := inFile.place(key(f))
		delete(inFile.values, key(f))
		switch {
		case f.Changed:
			from[f.Name] = "--" + f.Name
		case p.getenv(variable(f)) != "":
			set(variable(f), p.getenv(variable(f)))
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
					wrong := form.Problem{Code: form.Type, Given: fmt.Sprint(value), Allowed: []string{string(form.KindBool)}}
					problems = append(problems, p.misfits(place, wrong))
					break
				}
				problems = append(problems, p.Say("norn.error.config-text", "Place", place))
			}
		}
	})
	var names []string
	flags.VisitAll(func(f *pflag.Flag) { names = append(names, key(f)) })
	for _, unknown := range inFile.order(inFile.values) {
		text := p.Say("norn.error.config-unknown", "Place", inFile.place(unknown))
		if name := nearest(unknown, names); name != "" {
			text += "; " + p.Say("norn.hint.meant", "Name", name)
		}
		problems = append(problems, text)
	}
	readable := len(problems) == 0
	if readable && s.relay.address != "" && s.journal.address == "" {
		problems = append(problems, p.Say("norn.error.relay-alone", "Place", from["relay"]))
	}
	if cert, key := s.tlsCert.value != "", s.tlsKey.value != ""; readable && cert != key {
		problems = append(problems, p.Say("norn.error.tls-pair"))
	}
	if readable {
		problems = append(problems, p.discordProblems(&s.discord)...)
		problems = append(problems, p.telegramProblems(&s.telegram)...)
	}
	return from, problems
}

// configFile is what a configuration file holds.
type configFile struct {
	path   string
	values map[string]any
	lines  map[string]int // of each key
}

// readConfig reads a file. What is wrong with it as a whole is the one problem.
func (p *program) readConfig(path string) (*configFile, []string) {
	c := &configFile{path: path, values: map[string]any{}, lines: map[string]int{}}
	data, err := os.ReadFile(path)
	if err != nil {
		return c, []string{p.Say("norn.error.config-file", "Path", path, "Text", cause(err))}
	}
	if _, err := toml.Decode(string(data), &c.values); err != nil {
		c.values = nil
		if syntax, ok := errors.AsType[toml.ParseError](err); ok {
			return c, []string{p.Say("norn.error.config-syntax", "Place", fmt.Sprintf("%s:%d", path, syntax.Position.Line), "Text", syntax.Message)}
		}
		return c, []string{p.Say("norn.error.config-file", "Path", path, "Text", err.Error())}
	}
	for i, line := range strings.Split(string(data), "\n") {
		line = strings.TrimLeft(strings.TrimSpace(line), "[")
		name := strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t=].\"'", r) })
		if len(name) > 0 && c.lines[name[0]] == 0 {
			c.lines[name[0]] = i + 1
		}
	}
	return c, nil
}

// place is where a key stands: file:line: key.
func (c *configFile) place(key string) string {
	return fmt.Sprintf("%s:%d: %s", c.path, c.lines[key], key)
}

// order are keys as they stand in the file.
func (c *configFile) order(values map[string]any) []string {
	var keys []string
	for k := range values {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b string) int { return c.lines[a] - c.lines[b] })
	return keys
}

// journalFlag is where tables are kept: address for PostgreSQL, else a folder,
// "" for that of --data.
type journalFlag struct {
	p               *program
	text            string
	address, folder string
}

func (f *journalFlag) String() string { return f.text }
func (f *journalFlag) Type() string   { return f.p.Say("norn.metavar.journal") }
func (f *journalFlag) Set(text string) error {
	folder, isFolder := strings.CutPrefix(text, "sqlite:")
	switch {
	case text == "sqlite":
		f.address, f.folder = "", ""
	case isFolder && folder != "":
		f.address, f.folder = "", folder
	case strings.HasPrefix(text, "postgres://"), strings.HasPrefix(text, "postgresql://"):
		if postgres.Check(text) != nil { // whose words may hold a part of the address
			return &misfit{"norn.error.journal-address", []any{"Given", redacted(text)}}
		}
		f.address, f.folder = text, ""
	default:
		return &misfit{"norn.error.journal-syntax", []any{"Given", redacted(text)}}
	}
	f.text = text
	return nil
}

// relayFlag is how nodes tell each other to look again: address for NATS, ""
// for not at all.
type relayFlag struct {
	p       *program
	text    string
	address string
}

func (f *relayFlag) String() string { return f.text }
func (f *relayFlag) Type() string   { return f.p.Say("norn.metavar.relay") }
func (f *relayFlag) Set(text string) error {
	if text == "local" {
		f.text, f.address = text, ""
		return nil
	}
	if nats.Check(text) != nil {
		return &misfit{"norn.error.relay-syntax", []any{"Given", redacted(text)}}
	}
	f.text, f.address = text, text
	return nil
}

// redacted is an address as it may be shown: what could open it is masked.
func redacted(text string) string {
	var shown []string
	for one := range strings.SplitSeq(text, ",") {
		scheme, rest, ok := strings.Cut(one, "://")
		if !ok {
			scheme, rest = "", one
		} else {
			scheme += "://"
		}
		if at := strings.LastIndex(rest, "@"); at >= 0 {
			user, _, has := strings.Cut(rest[:at], ":")
			switch {
			case has:
				user += ":" + masked
			case strings.HasPrefix(scheme, "nats") || strings.HasPrefix(scheme, "tls"): // a token stands alone
				user = masked
			}
			rest = user + rest[at:]
		}
		if path, query, ok := strings.Cut(rest, "?"); ok {
			pairs := strings.Split(query, "&")
			for i, pair := range pairs {
				if name, _, _ := strings.Cut(pair, "="); strings.Contains(strings.ToLower(name), "pass") {
					pairs[i] = name + "=" + masked
				}
			}
			rest = path + "?" + strings.Join(pairs, "&")
		}
		shown = append(shown, scheme+rest)
	}
	return strings.Join(shown, ",")
}

// withPassword puts a password into an address, unless it has one. Of several
// addresses with commas between each gets it.
func withPassword(address, password string) string {
	if password == "" {
		return address
	}
	parts := []string{address}
	if !strings.HasPrefix(address, "postgres") { // whose commas stand between hosts
		parts = strings.Split(address, ",")
	}
	for i, part := range parts {
		u, err := url.Parse(strings.TrimSpace(part))
		if err != nil { // its flag has checked it
			continue
		}
		if _, has := u.User.Password(); !has {
			u.User = url.UserPassword(u.User.Username(), password)
			parts[i] = u.String()
		}
	}
	return strings.Join(parts, ",")
}

// configPath is the configuration file that was asked for, "" for none.
func (p *program) configPath(given textFlag) string {
	if given.given {
		return given.value
	}
	return p.getenv("NORN_CONFIG")
}

func (p *program) checkConfigCommand() *cobra.Command {
	c := p.command("check-config ["+p.Say("norn.metavar.file")+"]", "norn.about.check-config")
	c.Long = p.Say("norn.about.check-config") + "\n\n" + p.Say("norn.about.check-config-more")
	c.Example = "norn check-config norn.toml\nNORN_LISTEN=:80 norn check-config"
	c.ValidArgsFunction = func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return []cobra.Completion{"toml"}, cobra.ShellCompDirectiveFilterFileExt
	}
	c.Args = func(c *cobra.Command, args []string) error {
		if len(args) > 1 {
			return p.extra(c, args[1])
		}
		return nil
	}
	c.RunE = func(_ *cobra.Command, args []string) error {
		file := p.getenv("NORN_CONFIG")
		if len(args) > 0 {
			file = args[0]
		}
		return p.checkConfig(file)
	}
	return c
}

// checkConfig reports what is wrong with a file and the environment, or prints
// what serve would go by, as a file with each setting's source.
func (p *program) checkConfig(file string) error {
	var s serving
	flags := p.servingFlags(&s)
	from, problems := p.configured(flags, &s, file)
	if len(problems) > 0 {
		return &failure{status: failed, texts: problems, hint: p.Say("norn.hint.config")}
	}
	type row struct{ text, source string }
	var rows []row
	width := 0
	flags.VisitAll(func(f *pflag.Flag) {
		text := strconv.Quote(p.effective(f, &s))
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
	for _, r := range rows {
		fmt.Fprintf(p.out, "%s%s  %s\n", r.text, strings.Repeat(" ", width-len([]rune(r.text))), quiet.Render("# "+r.source))
	}
	return nil
}

// effective is a setting as it holds, with no secret in it.
func (p *program) effective(f *pflag.Flag, s *serving) string {
	value := f.Value.String()
	switch {
	case secret(f) && value != "":
		return masked
	case f.Name == "data" && value == "":
		dir, err := p.dataDir(s.data)
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
	case f.Name == "relay" && value == "":
		return "local"
	case (f.Name == "metrics" || f.Name == "behind-proxy") && value == "":
		return "no"
	}
	return redacted(value)
}

package cli

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"norn/lang"
)

// Language is what --lang says, before anything else is read, so that help and
// complaints about the rest of the line are in it; without it, or with one that
// isn't ours, that of the environment.
func Language(args []string, getenv func(string) string) lang.Lang {
	chosen := lang.FromEnv(getenv)
	for i, arg := range args {
		value, given := strings.CutPrefix(arg, "--lang=")
		switch {
		case arg == "--":
			return chosen
		case arg == "--lang" && i+1 < len(args):
			value, given = args[i+1], true
		}
		if l, ok := lang.Parse(value); given && ok {
			chosen = l
		}
	}
	return chosen
}

// Readable refuses a line that isn't UTF-8, naming the flag or the argument.
func (p *Program) Readable(args []string) error {
	for i, arg := range args {
		if utf8.ValidString(arg) {
			continue
		}
		name, _, flag := strings.Cut(arg, "=")
		switch {
		case flag && strings.HasPrefix(name, "--") && utf8.ValidString(name):
		case i > 0 && len(args[i-1]) > 2 && strings.HasPrefix(args[i-1], "--") && !strings.Contains(args[i-1], "="):
			name = args[i-1]
		default:
			return p.Wrong("norn.error.utf8", "N", i+1)
		}
		return p.Wrong("norn.error.utf8-flag", "Flag", name)
	}
	return nil
}

// Aliases are what a game, a move or plain dice are called in all languages, as names of commands.
func (p *Program) Aliases(id string) []string {
	var names []string
	for _, l := range lang.All {
		say := p.Words.In(l)
		for _, name := range append([]string{say.Say(id)}, say.Also(id)...) {
			names = append(names, strings.ReplaceAll(strings.ToLower(name), " ", "-"))
		}
	}
	return names
}

// Joined brings the words of a command's name together: "получить урон" is the one name "получить-урон".
func Joined(root *cobra.Command, args []string) []string {
	args = slices.Clone(args)
	on := root
	for i := 0; i < len(args) && args[i] != "--"; i++ {
		if strings.HasPrefix(args[i], "-") {
			if args[i] == "--lang" {
				i++
			}
			continue
		}
		next := (*cobra.Command)(nil)
		for end := len(args); end > i && next == nil; end-- {
			name := strings.ToLower(strings.TrimRight(strings.Join(args[i:end], "-"), ","))
			name = strings.ReplaceAll(name, " ", "-") // in quotes it's one argument
			if at := slices.IndexFunc(on.Commands(), func(c *cobra.Command) bool { return c.Name() == name || c.HasAlias(name) }); at >= 0 {
				next, args = on.Commands()[at], slices.Replace(args, i, end, name)
			}
		}
		if next == nil {
			return args
		}
		on = next
	}
	return args
}

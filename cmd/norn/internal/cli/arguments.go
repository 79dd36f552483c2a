package cli

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"norn/lang"
)

// Language returns the language that --lang names, before anything else is parsed, so that help and
// errors are in it. Without a known one it returns the environment's language.
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

// Readable refuses a line that isn't UTF-8 and names the flag or argument.
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

// wordKey is the annotation of a command with the id of the word that names it in each language.
const wordKey = "word"

// SetWord lets a command be called by the name of a game, a move or plain dice in all languages.
func SetWord(c *cobra.Command, id string) { c.Annotations = map[string]string{wordKey: id} }

// isNamed reports whether a command has this name in some language. It loads the words of all
// languages, so callers check the names in the program first.
func (p *Program) isNamed(c *cobra.Command, name string) bool {
	id := c.Annotations[wordKey]
	if id == "" {
		return false
	}
	for _, l := range lang.All {
		say := p.Words.In(l)
		for _, other := range append([]string{say.Say(id)}, say.Also(id)...) {
			if nameKey(other) == name {
				return true
			}
		}
	}
	return false
}

// JoinNames replaces the words of commands' names by the names: "получить урон" becomes
// "take-damage".
func (p *Program) JoinNames(root *cobra.Command, args []string) []string {
	if len(args) > 1 && (args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd) {
		last := len(args) - 1 // the argument that is being completed
		return slices.Concat(args[:1], p.JoinNames(root, args[1:last]), args[last:])
	}
	if isExact(root, args) {
		return args
	}
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
			name := nameKey(strings.TrimRight(strings.Join(args[i:end], "-"), ","))
			if next = p.child(on, name); next != nil {
				args = slices.Replace(args, i, end, next.Name())
			}
		}
		if next == nil {
			return args
		}
		on = next
	}
	return args
}

// nameKey returns the form of a command's name that is compared. Words in quotes are one argument.
func nameKey(name string) string { return strings.ReplaceAll(lang.Key(name), " ", "-") }

// child returns the subcommand of c with a name, nil for none.
func (p *Program) child(c *cobra.Command, name string) *cobra.Command {
	for _, sub := range c.Commands() {
		if sub.Name() == name || p.isNamed(sub, name) {
			return sub
		}
	}
	return nil
}

// isExact reports whether args name a command by the names in the program, as completion and
// scripts do.
func isExact(root *cobra.Command, args []string) bool {
	on := root
	for i := 0; i < len(args) && on.HasSubCommands(); i++ {
		switch {
		case args[i] == "--":
			return true
		case args[i] == "--lang":
			i++
		case strings.HasPrefix(args[i], "-"):
		default:
			at := slices.IndexFunc(on.Commands(), func(c *cobra.Command) bool { return c.Name() == args[i] })
			if at < 0 {
				return false
			}
			on = on.Commands()[at]
		}
	}
	return true
}

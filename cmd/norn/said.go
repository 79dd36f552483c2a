package main

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"norn/bare"
	"norn/chat"
	"norn/form"
	"norn/game"
	"norn/lang"
)

// aliases are what a game, a move or plain dice are called in all languages, as names of commands.
func (p *program) aliases(id string) []string {
	var names []string
	for _, l := range lang.All {
		say := p.words.In(l)
		for _, name := range append([]string{say.Say(id)}, say.Also(id)...) {
			names = append(names, strings.ReplaceAll(strings.ToLower(name), " ", "-"))
		}
	}
	return names
}

// joined brings the words of a command's name together: "получить урон" is the one name "получить-урон".
func joined(root *cobra.Command, args []string) []string {
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

// said reads a throw from words, as the line of a table takes them, and from flags, which go before.
func (p *program) said(c *cobra.Command, g *game.Game, m *game.Move, words []string, flags map[string]string) (bare.Throw, error) {
	if len(words) == 0 {
		return bare.Texts(g, m, flags)
	}
	if p.valued(c, words[0]) != "" {
		return bare.Throw{}, p.extra(c, words[0])
	}
	f := m.Form.For(form.Bare)
	book := &chat.Book{Words: p.words, Lang: p.Lang(), Game: g, Moves: []string{m.ID}, Form: func(chat.Spot) *form.Form { return f }}
	command, err := book.Read("/" + m.ID + " " + strings.Join(words, " "))
	if wrong, ok := errors.AsType[*chat.Error](err); ok {
		extra := p.extra(c, wrong.Given)
		if wrong.Code != chat.UnknownWord || wrong.Near != "" {
			extra.texts = []string{wrong.Say(p.Speaker)}
		}
		return bare.Throw{}, extra
	}
	if err != nil {
		return bare.Throw{}, err
	}
	if command.Move != m.ID { // plain dice, where a game calls a move "roll"
		return bare.Throw{}, p.extra(c, words[0])
	}
	b, err := bare.Decode(g, m, command.Args)
	if err != nil || len(flags) == 0 {
		return b, err
	}
	return b.Set(flags)
}

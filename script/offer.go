package script

import (
	"cmp"
	"slices"

	"go.starlark.net/starlark"

	"norn/game"
)

// offer offers another move of the game on the card, which one press makes: offer(mark, to = gm,
// whom = foe, n = 2). Without a table it does nothing.
func offer(s *session, d *given) (starlark.Value, error) {
	i := slices.IndexFunc(s.book.moves, func(m *move) bool { return m.rule == d.value("rule") })
	if i < 0 {
		return nil, wrong("offer-move")
	}
	m := s.book.moves[i]
	to, actor, err := m.offeredTo(d.value("to"), cmp.Or(d.value("by"), d.value("to")))
	if err != nil {
		return nil, err
	}
	args, err := m.offered(d.rest)
	if err != nil {
		return nil, err
	}
	if s.how != allowing && s.run.KeepsEvents() && to != "" && (actor != "" || len(m.by) == 0) {
		game.Offer(s.run, to, m.id, actor, args)
	}
	return starlark.None, nil
}

// offeredTo returns who may accept an offer of the move, and who makes it: by default the same sheet.
func (m *move) offeredTo(whom, by starlark.Value) (to, actor string, err error) {
	if whom == gm {
		to = game.GM
	} else if to, err = whose(whom); err != nil || m.gm {
		return "", "", wrong("offer-to", "Move", m.name)
	}
	if len(m.by) > 0 {
		if actor, err = whose(by); err != nil {
			return "", "", wrong("offer-by", "Move", m.name)
		}
	}
	return to, actor, nil
}

// offered returns the arguments of an offered move, as its form reads them.
func (m *move) offered(rest []starlark.Tuple) (map[string]any, error) {
	args := map[string]any{}
	for _, pair := range rest {
		name := string(pair[0].(starlark.String))
		i, ok := m.shape.at[name]
		if !ok || m.shape.fields[i].bare {
			atTable := slices.DeleteFunc(slices.Clone(m.shape.fields), func(f *field) bool { return f.bare })
			return nil, inside(m.name, noField(name, atTable))
		}
		f := m.shape.fields[i]
		var err error
		switch {
		case f.kind.IsRef() && f.kind.HasItems():
			args[f.id], err = allOf(pair[1])
		case f.kind.IsRef():
			args[f.id], err = whose(pair[1])
		default:
			args[f.id], _, err = f.jsonOf(pair[1], m.shape.typ.Field(i).Type)
		}
		if err != nil {
			return nil, err
		}
	}
	return args, nil
}

// allOf returns the ids of all in a list.
func allOf(list starlark.Value) ([]string, error) {
	ids := []string{}
	for who := range elements(list) {
		id, err := whose(who)
		if err != nil {
			return nil, err
		}
		if id != "" {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

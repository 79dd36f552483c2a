package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"norn/form"
	"norn/game"
	"norn/internal/bare"
	"norn/lang"
)

// Game has what a client needs to know of a game: its moves, sheets and settings, with the JSON
// Schema of each.
type Game struct {
	ID       string         `json:"id"`
	Name     string         `json:"name"`
	Tagline  string         `json:"tagline"`
	Moves    []Move         `json:"moves"`
	Kinds    []Kind         `json:"kinds"`
	Heroes   []Hero         `json:"heroes,omitempty" doc:"ready ones, for anybody who may add a character"`
	Settings map[string]any `json:"settings" doc:"JSON Schema of the table's settings"`
	Rules    []Rule         `json:"rules"`
}

// Move is a kind of move in a game.
type Move struct {
	ID       string         `json:"id"`
	Name     string         `json:"name"`
	GMOnly   bool           `json:"gmOnly" doc:"only a game master makes it"`
	AtTable  bool           `json:"atTable" doc:"it can be made at a table"`
	Odds     bool           `json:"odds" doc:"it has chances that can be asked for"`
	Kinds    []string       `json:"kinds" doc:"kinds of character that may make it; none: nobody in particular acts"`
	Args     map[string]any `json:"args" doc:"JSON Schema of its arguments at a table; a table may offer fewer choices"`
	Bare     map[string]any `json:"bare,omitempty" doc:"JSON Schema of its arguments without a table, where it can be priced there"`
	Outcomes []OutcomeKind  `json:"outcomes" doc:"how it can come out, best first"`
}

// OutcomeKind is a possible outcome of a move.
type OutcomeKind struct {
	ID     string    `json:"id"`
	Name   string    `json:"name"`
	Counts bool      `json:"counts" doc:"its n means something"`
	Tone   game.Tone `json:"tone" enum:"triumph,good,mixed,bad,disaster,neutral"`
}

// Kind is a kind of sheet.
type Kind struct {
	ID     string         `json:"id"`
	Name   string         `json:"name"`
	Player bool           `json:"player" doc:"a player may own one"`
	Sheet  map[string]any `json:"sheet" doc:"JSON Schema of the sheet"`
}

// Hero is a ready character of a game.
type Hero struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Kind string `json:"kind"`
}

// Rule is a rule of a game, by the id that refusals name.
type Rule struct {
	ID   string `json:"id"`
	Text string `json:"text"`
}

// Games lists all games, in the order in which they're offered.
type Games struct {
	Games []Game `json:"games"`
}

func registerGames(s *server, api huma.API) {
	huma.Register(api, operation(http.MethodGet, "/api/v1/games", "list-games", doc{
		summary: "The games, their moves, sheets and settings",
		text:    "Names and texts are in the reader's language. It needs no seat.",
		tag:     "games", open: true,
	}), func(ctx context.Context, _ *struct{}) (*answer[Games], error) {
		offered := game.CurrentGames(s.Games)
		all := make([]Game, len(offered))
		for i, g := range offered {
			all[i] = gameTold(g, callOf(ctx).speaker)
		}
		return answered(Games{all}, nil)
	})
}

// gameTold describes a game in a language.
func gameTold(g *game.Game, say lang.Speaker) Game {
	d := Game{
		ID: g.ID, Name: say.Say(g.Word("game", "name")), Tagline: say.Say(g.Word("game", "tagline")),
		Settings: labelledSchema(g, say, "setting", g.Settings.Form),
	}
	for _, h := range g.ReadyHeroes(say) {
		d.Heroes = append(d.Heroes, Hero{ID: h.ID, Name: h.Name, Kind: h.Kind})
	}
	for i := range g.Moves {
		m := &g.Moves[i]
		move := Move{
			ID: m.ID, Name: say.Say(g.Word("move", m.ID)), GMOnly: m.GMOnly, AtTable: m.AtTable, Odds: m.Price != nil,
			Kinds: append([]string{}, m.Kinds...), Args: labelledSchema(g, say, "field", argsForm(m)),
			Outcomes: []OutcomeKind{},
		}
		if _, ok := bare.Move(g, m.ID); ok {
			move.Bare = labelledSchema(g, say, "field", m.Form.For(form.Bare))
		}
		for _, o := range m.Outcomes {
			move.Outcomes = append(move.Outcomes, OutcomeKind{
				ID: o.ID, Name: say.Say(g.Word("outcome", o.ID)), Counts: o.Counts, Tone: o.Tone,
			})
		}
		d.Moves = append(d.Moves, move)
	}
	for _, k := range g.Kinds {
		d.Kinds = append(d.Kinds, Kind{
			ID: k.ID, Name: say.Say(g.Word("kind", k.ID)), Player: k.Player,
			Sheet: labelledSchema(g, say, "field", k.Form),
		})
	}
	for _, id := range g.Rules {
		d.Rules = append(d.Rules, Rule{ID: id, Text: say.Say(g.Word("rule", id))})
	}
	return d
}

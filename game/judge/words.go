package judge

import (
	"slices"
	"strings"

	"norn/form"
	"norn/game"
	"norn/lang"
	"norn/lang/lint"
)

// Need collects the ids of words that a game needs.
type Need struct {
	Game    *game.Game
	Speaker lang.Speaker
	IDs     []string
}

// NeededWords returns the words of everything that the game lists.
func NeededWords(g *game.Game, s lang.Speaker) *Need {
	n := &Need{Game: g, Speaker: s}
	n.registry()
	return n
}

// Word adds one of the game's words.
func (n *Need) Word(parts ...string) { n.IDs = append(n.IDs, n.Game.Word(parts...)) }

// registry adds the words of everything that the game lists.
func (n *Need) registry() {
	g := n.Game
	n.Word("game", "name")
	n.Word("game", "tagline")
	for _, rule := range g.Rules {
		n.Word("rule", rule)
		if len(g.Chapters) > 0 {
			n.Word("rule-title", rule)
		}
	}
	for _, chapter := range g.Chapters {
		n.Word("chapter", chapter.ID)
	}
	for _, kind := range g.Kinds {
		n.Word("kind", kind.ID)
		n.form(kind.Form)
	}
	for _, move := range g.Moves {
		n.Word("move", move.ID)
		n.Word("move-about", move.ID)
		if n.Speaker.Has(n.Game.Word("story", move.ID)) { // otherwise a story uses the move's name
			n.Word("story", move.ID)
		}
		if n.Speaker.Has(n.Game.Word("offer", move.ID)) { // otherwise its name and its choices are said
			n.Word("offer", move.ID)
		}
		n.form(move.Form)
		for _, outcome := range move.Outcomes {
			n.Word("outcome", outcome.ID)
			n.Word("outcome-short", outcome.ID)
			if outcome.Counts && slices.ContainsFunc(g.Moves, func(m game.Move) bool {
				return slices.ContainsFunc(
					m.Outcomes,
					func(o game.OutcomeKind) bool { return o.ID == outcome.ID && !o.Counts },
				)
			}) {
				n.Word("outcome-counted", outcome.ID)
			}
		}
		for _, headline := range move.Headlines {
			n.Word("headline", headline.ID)
		}
		for _, aim := range move.Aims {
			n.Word("aim", aim.ID)
		}
	}
	for _, k := range g.Kinds {
		for _, asked := range g.AskedOf(k) {
			if n.Speaker.Has(g.Word("guide", asked.Field)) {
				n.Word("guide", asked.Field)
			}
		}
	}
	n.form(g.Settings.Form)
	for _, setting := range g.Settings.Form.Fields {
		n.Word("setting-about", setting.Name)
	}
}

// Forms adds the words of forms.
func (n *Need) Forms(forms ...*form.Form) {
	for _, f := range forms {
		n.form(f)
	}
}

// form adds the words of a form's fields and choices.
func (n *Need) form(f *form.Form) {
	for _, field := range f.All() {
		n.Word("field", field.Name)
		if n.Speaker.Has(n.Game.Word("hint", field.Name)) { // a hint without a field would be unused
			n.Word("hint", field.Name)
		}
		if field.Kind == form.KindBool &&
			n.Speaker.Has(
				n.Game.Word("switch", field.Name),
			) { // describes the effect of switching it on, if the field's name doesn't
			n.Word("switch", field.Name)
		}
		for _, o := range field.Options {
			n.option(field, o)
		}
	}
}

func (n *Need) option(field form.Field, o form.Option) {
	switch {
	case o.Word != "":
		n.IDs = append(n.IDs, o.Word)
	case o.Text != "" || o.Value == "" && field.Required: // added at the table
	case o.Value == "":
		n.Word(field.Set, "none")
	default:
		n.Word(field.Set, o.Value)
	}
	if o.Group != "" {
		n.IDs = append(n.IDs, o.Group)
	}
}

// wordsThere checks that the game has the words of everything that it lists, and that its cases
// have asked and thrown, and that its texts are complete in each language.
func (b *battery) wordsThere(t *report) {
	own, err := lang.Load(b.game.Words)
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range lint.Texts(own) {
		t.faults = append(t.faults, ofText(fault))
	}
	need := NeededWords(b.game, own.In(lang.En))
	need.Word("question", "dice")
	for id := range b.asked {
		need.Word("question", strings.TrimPrefix(id, b.game.ID+"."))
	}
	for purpose := range b.fell {
		need.Word("throw", purpose)
	}
	slices.Sort(need.IDs)
	for _, id := range slices.Compact(need.IDs) {
		if !own.In(lang.En).Has(id) {
			t.Errorf("%s has no text", id)
		}
	}
}

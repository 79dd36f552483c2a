package eclipse

import (
	"strings"

	"norn/form"
	"norn/game"
)

// These functions return the parts of a target, and the effect of a point on the chances, which are
// shown before the throw.

// sources returns what a test uses, every modifier by its name, and the part of the sum that
// counts. EP-04, EP-06
func (t aim) sources(s game.Scene) []game.Source {
	d := data{"N": t.base}
	base := game.Source{Word: "eclipse.source.base", Data: d}
	what, name, _ := strings.Cut(t.on, ":")
	skill, field, _ := strings.Cut(name, "/")
	switch {
	case what != "skill":
		d["On"] = game.Word("eclipse." + strings.ReplaceAll(t.on, ":", "."))
	case isKnownSkill(form.Trait(skill)):
		d["On"] = game.Word("eclipse.skill." + skill)
	default:
		d["On"] = form.Trait(skill).Name()
	}
	if what == "skill" && field != "" {
		base.Word, d["Field"] = "eclipse.source.base-field", field
	}
	all := []game.Source{base}
	note := func(word string, d data) { all = append(all, game.Source{Word: word, Data: d}) }
	if t.whose != "" { // EP-08
		note("eclipse.source.whose", data{"Name": s.Cast[t.whose].Name})
	}
	if t.instead != "" { // EP-16
		skill := aim{footing: footing{on: t.instead}}.sources(s)[0]
		if t.missing != "" {
			skill.Data["On"] = form.Trait(t.missing).Name()
			if isKnownSkill(form.Trait(t.missing)) {
				skill.Data["On"] = game.Word("eclipse.skill." + t.missing)
			}
		}
		note("eclipse.source.instead", skill.Data)
		note("eclipse.source.lesser", nil)
	}
	if t.defaulted { // EP-15
		note("eclipse.source.defaulted", nil)
	}
	for _, p := range t.parts {
		if p.Why == "" {
			all = append(all, game.Source{Text: p.Name, N: p.N})
			continue
		}
		if p.About.Name() != "" { // EP-13
			d := data{"About": p.About.Name()}
			if isKnownSkill(p.About) {
				d["About"] = game.Word("eclipse.skill." + string(p.About))
			}
			all = append(all, game.Source{Word: "eclipse.source." + p.Why, Data: d, N: p.N})
			continue
		}
		all = append(all, game.Source{Word: "eclipse.modifier." + p.Why, N: p.N})
	}
	if t.overall { // EP-05
		note("eclipse.source.overall", nil)
	}
	switch {
	case t.ignored: // EP-20
		note("eclipse.source.ignored", nil)
	case t.sum != t.counts: // EP-06
		note("eclipse.source.capped", data{"Sum": game.SignedNumber(t.sum), "Counts": game.SignedNumber(t.counts)})
	}
	note("eclipse.source.target", data{"N": t.target})
	return all
}

// testSources returns the sources of a test by a sheet.
func testSources(s game.Scene, a Test) []game.Source {
	if s.Actor == "" {
		return nil
	}
	all := a.aim(s).sources(s)
	if a.Apart { // EP-08
		for _, who := range form.IDs(a.Group...) {
			word, d := "eclipse.source.apart-unseen", data{"Name": s.Cast[who].Name}
			if own, test, err := a.apart(s, who); err == nil {
				word, d["N"] = "eclipse.source.apart", test.aim(own).target
			}
			all = append(all, game.Source{Word: word, Data: d})
		}
	}
	return all
}

// opposedSources also returns what odds assume of the other side. EP-18
func opposedSources(s game.Scene, a Opposed) []game.Source {
	if s.Actor == "" {
		return nil
	}
	all := a.own(s).sources(s)
	if rival, there := s.Cast[string(a.Rival)]; there {
		return append(
			all,
			game.Source{Word: "eclipse.source.against", Data: data{"Name": rival.Name, "N": a.rival(s).target}},
		)
	}
	return append(all, game.Source{Word: "eclipse.source.against-number", Data: data{"N": a.AgainstTarget}})
}

// taskSources returns the sources of a test at a task.
func taskSources(s game.Scene, a Work) []game.Source {
	if s.Actor == "" {
		return nil
	}
	return a.aim(s).sources(s)
}

// points returns the ways in which a point before the roll would help, if none is spent yet. with
// returns the move with its roll changed, and its target. Ways that don't change the target are
// left out. EP-20
func points[A any](s game.Scene, a Roll, with func(Roll) (A, aim)) []game.VariantOf[A] {
	hero, ok := sheetOf(s, s.Actor)
	_, now := with(a)
	if !ok || s.Secret || a.Boost || a.Ignore || len(hero.purses(now.footing)) == 0 {
		return nil
	}
	var all []game.VariantOf[A]
	add := func(word string, changed Roll) {
		better, t := with(changed)
		if (t.target > now.target || changed.late) && allowRoll(s, changed) == nil {
			all = append(all, game.VariantOf[A]{Word: word, Args: better})
		}
	}
	boosted, ignoring, late := a, a, a
	boosted.Boost, ignoring.Ignore, late.late = true, true, true
	add("eclipse.variant.boost", boosted)
	add("eclipse.variant.ignore", ignoring)
	add("eclipse.variant.late", late)
	return all
}

func testVariants(s game.Scene, a Test) []game.VariantOf[Test] {
	return points(s, a.Roll, func(changed Roll) (Test, aim) {
		a.Roll = changed
		return a, a.aim(s)
	})
}

func opposedVariants(s game.Scene, a Opposed) []game.VariantOf[Opposed] {
	return points(s, a.Roll, func(changed Roll) (Opposed, aim) {
		a.Roll = changed
		return a, a.own(s)
	})
}

// bestWithPoint returns a roll after the best use of a point. EP-20
func (t attempt) bestWithPoint(done rolled, rules Settings) rolled {
	for _, turned := range t.turns(done, rules) {
		other := rolled{turned.Roll, turned.result}
		if t.contest && standing(other, 0, 0, rules) > standing(done, 0, 0, rules) ||
			!t.contest && other.result < done.result {
			done = other
		}
	}
	return done
}

// quiet reports whether a throw is hidden from the player of its character. Such a throw must not
// change the sheet, which the player sees: it spends no point, and neither uses nor adds lasting
// effects. EP-09
func quiet(s game.Scene, who string) bool {
	return s.Secret && s.Cast[who].Kind == "character"
}

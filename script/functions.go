package script

import (
	"slices"

	"go.starlark.net/starlark"

	"norn/dice"
	"norn/form"
	"norn/game"
)

// What an argument may be, with the mistakes of another value by its name, of none and of another at
// its place.
var (
	aText     = sort{"text", isA[starlark.String], "want-text", "text-missing", "text-first"}
	aNumber   = sort{"number", isSmall, "want-number", "", ""}
	anAmount  = sort{"amount", isAmount, "want-number", "", ""}
	aDie      = sort{"die", isDie, "want-number", "", ""}
	aPool     = sort{"pool", isPool, "want-number", "", ""} // of one kind of dice, or of several
	aFlag     = sort{"flag", isA[starlark.Bool], "want-flag", "", ""}
	aList     = sort{"list", isListing, "want-list", "", "usage"}
	aDict     = sort{"dict", isA[*starlark.Dict], "", "", "usage"}
	aFunction = sort{"function", isA[*starlark.Function], "want-function", "", ""}
	aRule     = sort{"rule", isNamed, "", "function-first", "function-first"}
	aGroup    = sort{"group", isA[*group], "", "", ""}
	aSheet    = sort{"sheet", isA[*kind], "", "", "usage"}
	aDeck     = sort{"deck", isA[*deck], "", "deck-first", "deck-first"}
	aQuestion = sort{"question", isA[*question], "", "question-first", "question-first"}
	somebody  = sort{"somebody", nil, "", "", ""}
	anything  = sort{"anything", nil, "", "", ""}

	someFields = sort{"fields", nil, "", "fields-missing", ""}
	someLabels = sort{"labels", nil, "", "choices-missing", ""}
	someValues = sort{"values", nil, "", "", ""}
)

func isA[T starlark.Value](value starlark.Value) bool { _, is := value.(T); return is }

func isSmall(value starlark.Value) bool {
	_, err := starlark.AsInt32(value)
	return err == nil
}

func isListing(value starlark.Value) bool {
	return isA[starlark.Indexable](value) && isA[starlark.Iterable](value)
}

func isNamed(value starlark.Value) bool {
	fn, is := value.(*starlark.Function)
	return is && fn.Name() != "lambda"
}

func isAmount(value starlark.Value) bool { return isSmall(value) || isA[starlark.Iterable](value) }

func isPool(value starlark.Value) bool { return isSmall(value) || isA[*starlark.Dict](value) }

func isDie(value starlark.Value) bool { return isSmall(value) || isA[*ownDie](value) }

// lead returns an argument that must be at its place.
func lead(name string, of sort, shown string) argument {
	return argument{name: name, sort: of, shown: shown, place: true, needed: true}
}

// each returns an argument for all that is left by place.
func each(name string, of sort, shown string) argument {
	return argument{name: name, sort: of, shown: shown + ", …", place: true, many: true}
}

// byName returns an argument that may be given by its name.
func byName(name string, of sort, shown string) argument {
	return argument{name: name, sort: of, shown: shown, named: true}
}

// rest returns an argument for all other names.
func rest(of sort, shown string) argument {
	return argument{name: of.id, sort: of, shown: shown + ", …", many: true}
}

// or returns the argument with a default, so that it needn't be given.
func (a argument) or(otherwise starlark.Value) argument {
	a.needed, a.otherwise = false, otherwise
	return a
}

// from returns the argument for numbers of a range.
func (a argument) from(low, high int) argument {
	a.low, a.high = low, high
	return a
}

// of returns the argument for some texts. The first is that which isn't given.
func (a argument) of(texts ...string) argument {
	a.among = texts
	return a
}

// as returns the argument with another text in the reference than that of its name.
func (a argument) as(about string) argument {
	a.about = about
	return a
}

// must returns the argument with a mistake of its own if it's missing, or something else.
func (a argument) must(lacks string) argument {
	a.lacks = lacks
	return a
}

// orNamed returns the argument to be given by its place or its name.
func (a argument) orNamed() argument {
	a.place, a.named = true, true
	return a
}

// looks are the ways to draw a number.
var looks = []string{"boxes", "dots", "bar", "clock"}

// callable lists all functions that a text can call, in the order of the reference.
var callable []*function

// chapters are the parts of the reference.
var chapters []chapter

type chapter struct {
	id        string
	functions []*function
}

func init() { // the functions name others in their mistakes
	chapters = []chapter{
		{"game", ofGame()},
		{"fields", ofFields()},
		{"moves", ofMoves()},
		{"chance", ofChance()},
		{"cards", ofCards()},
		{"rules", ofRules()},
	}
	for _, c := range chapters {
		callable = append(callable, c.functions...)
	}
}

// functionOf returns a function by its name.
func functionOf(name string) *function {
	return callable[slices.IndexFunc(callable, func(f *function) bool { return f.name == name })]
}

// label is what people read of something declared.
var label = lead("label", aText, `"Label"`)

func says(name string, declare declaring, args ...argument) *function {
	return &function{name: name, args: args, declare: declare}
}

func does(name string, run running, args ...argument) *function {
	return &function{name: name, args: args, run: run}
}

// throws returns a function that throws: args without who sees it.
func throws(name string, run running, args ...argument) *function {
	f := does(name, run, append(args, byName("secret", aFlag, "True").as("secret-throw"))...)
	f.throws = true
	return f
}

// ofGame lists what declares the game and its sheets.
func ofGame() []*function {
	aField := rest(someFields, "name = field")
	state := byName("state", aFunction, "f")
	check := byName("check", aFunction, "f").as("check-sheet")
	in := each("groups", aGroup, `group("Head", name = field, …)`)
	return []*function{
		says("game", declareGame, lead("name", aText, `"Name"`), byName("id", aText, `"name"`).as("id-game"),
			byName("about", aText, `"…"`).as("about-game"),
			byName("language", aText, `"en"`).of("en", "ru", "uk").or(starlark.String("en"))),
		says("rules", declareRules, lead("rules", aDict, `{"LA-01": "…"}`)),
		says("settings", declareSettings, aField),
		says("sheet", kindFor(true, false), label, in, aField, state, check),
		says("npc", kindFor(false, false), label, in, aField, state, check),
		says("thing", kindFor(false, true), label, in, aField, state, check, byName("scene", aFlag, "True")),
		says("group", declareGroup, lead("head", aText, `"Head"`), aField.needs()),
	}
}

// ofFields lists the fields of sheets, moves and questions, and what cards are on.
func ofFields() []*function {
	start := byName("start", aNumber, "2")
	change := func(name, shown string) argument { return byName(name, aText, shown).as("changed") }
	common := []argument{
		byName("secret", aFlag, "True"), byName("required", aFlag, "True"), byName("hint", aText, `"…"`),
		change("changed", `"{who}: {to}"`), change("more", `"{who}: {n}"`), change("less", `"{who}: {n}"`),
		byName("only", anything, `{"choice": ["one"]}`),
	}
	for i := range common {
		common[i].common = true
	}
	field := func(name string, declare declaring, args ...argument) *function {
		return says(name, declare, slices.Concat([]argument{label}, args, common)...)
	}
	least, most := byName("min", aNumber, "min").orNamed(), byName("max", aNumber, "max").orNamed()
	look := byName("look", aText, `"boxes"`).of(looks...).or(starlark.String(looks[0]))
	options := rest(someLabels, `one = "Label", other = "Label"`)
	cards := lead("deck", aDeck, "deck")
	upTo := func(n int) argument {
		return byName("max", aNumber, "max = "+starlark.MakeInt(n).String()).orNamed().from(1, form.MaxItems).
			or(starlark.MakeInt(n)).as("max-items")
	}
	return []*function{
		field("number", declareNumber, least.or(starlark.MakeInt(0)), most.or(starlark.MakeInt(0)), look, start),
		field("track", declareTrack, most.from(1, maxNumber).needs(), byName("of", aText, `"field"`), look, start),
		says("flag", ofKind(form.KindBool), append([]argument{
			label, byName("hides", aFlag, "True"), byName("start", aFlag, "True"),
		}, slices.DeleteFunc(slices.Clone(common), func(a argument) bool { return a.name == "required" })...)...),
		field("text", ofKind(form.KindText)),
		field("prose", ofKind(form.KindProse)),
		field("choice", declareChoice, options.needs(), byName("start", aText, `"one"`)),
		field("items", declareItems, rest(someFields, "name = field").needs(), upTo(20)),
		field("some", declareSome, byName("max", aNumber, "2").orNamed().needs().as("max-some"), options),
		field("pick", declarePick, each("sheets", aSheet, "sheet").must("pick-sheets").needs()),
		field("picks", declarePick, each("sheets", aSheet, "sheet").must("pick-sheets").needs(), upTo(6)),
		field("pick_item", declarePickItem, lead("list", aText, `"list"`).must("usage")),
		says("die", declareDie, label, each("faces", anything, `"★", ""`)),
		says("deck", declareDeck, label, options.as("cards"), byName("copies", aNumber, "2").or(starlark.MakeInt(1))),
		says("pile", declarePile, label, cards, byName("discard", aText, `"Label"`).needs().must("pile-discard")),
		says("hand", declareHand, label, cards, byName("max", aNumber, "10").as("max-hand")),
	}
}

// needs returns the argument as one that must be given.
func (a argument) needs() argument {
	a.needed = true
	return a
}

// ofMoves lists outcomes, questions, moves, and who is ready to play.
func ofMoves() []*function {
	var all []*function
	for _, o := range []struct {
		name string
		tone game.Tone
	}{
		{"triumph", game.Triumph},
		{"good", game.Good},
		{"mixed", game.Mixed},
		{"neutral", game.Neutral},
		{"bad", game.Bad},
		{"disaster", game.Disaster},
	} {
		all = append(all, says(o.name, ofTone(o.tone), label, byName("short", aText, `"Label"`),
			byName("counts", aFlag, "True"), byName("less", aFlag, "True").as("fewer")))
	}
	rule := lead("rule", aRule, "rule")
	who, name := lead("sheet", aSheet, "sheet"), lead("name", aText, `"Name"`).as("who-is-ready")
	values := rest(someValues, "field = 2")
	return append(
		all,
		says("question", declareQuestion, lead("label", aText, `"Question?"`), rest(someFields, "name = field").needs()),
		says("move", declareMove, rule, label, byName("by", anything, "sheet").as("by-move"),
			rest(someFields, "name = field"), byName("about", aText, `"…"`).as("about-move"),
			byName("outcomes", anything, "[done]"), byName("chances", anything, `{"to succeed": [done]}`),
			byName("bare", anything, `["field"]`), byName("odds", aFlag, "False").or(starlark.True),
			byName("mark", anything, `"highest"`), byName("pool", aFunction, "f"),
			byName("turn", aText, `"joins"`).of("joins", "ends", "over"), byName("offered", aFlag, "True"),
			byName("between", anything, "True")),
		says("stock", declareStock, who, name, byName("player", aFlag, "True"), values),
		says("ready", declareReady, who, name, byName("player", aFlag, "True"), values),
		says("made", declareMade, rule, byName("by", aText, `"Name"`).as("by-made"), rest(someValues, "argument = 2"),
			byName("dice", aList, "[5, 2]"), byName("answers", aList, `[{"field": 2}]`)),
		says("demo", declareDemo, lead("name", aText, `"Table"`).as("name-demo"), byName("cast", anything, "[ready(…)]"),
			byName("story", anything, "[made(…)]")),
	)
}

// ofChance lists what throws dice, or puts what throws together.
func ofChance() []*function {
	n := lead("n", aNumber, "n").orNamed()
	die := lead("sides", aDie, "d6").orNamed()
	called := byName("called", aText, `"…"`)
	shows := func(name, shown string) argument { return byName(name, aNumber, shown) }
	keeps := func(name, shown string) argument { return byName(name, aNumber, shown).from(1, dice.MaxDice) }
	parts := func(shown string) argument {
		return argument{name: "functions", sort: anything, shown: shown, place: true, many: true}
	}
	return []*function{
		throws("count", count, n, die, shows("at_least", "5"), shows("at_most", "2"), shows("exactly", "6"), called),
		throws("tally", tally, n, die, each("faces", anything, "6, (4, 5)").as("groups-of-faces"), called),
		throws("sum", sum, lead("n", anAmount, "n").orNamed(), die.or(nil), called),
		throws("roll", roll, lead("sides", aDie, "d20").orNamed(), called),
		throws("keep", keep, n, die, keeps("highest", "3"), keeps("lowest", "1"), called),
		throws("throw", throw, n, die, called),
		throws("fold", fold, n, die, lead("start", anything, "start").as("start-fold"),
			lead("step", aFunction, "f").must("fold-step"), called),
		throws("symbols", symbols, lead("n", aPool, "n").orNamed(), die.or(nil),
			each("symbols", anything, `"★", ("⚡", "☠")`)),
		{name: "against", run: against, throws: true, args: []argument{parts("f, f").as("sides-against")}},
		does("part", part, parts("f").as("part")),
		does("together", together, parts("f, f, …")),
	}
}

// ofCards lists what a rule does with cards.
func ofCards() []*function {
	cards := lead("deck", aDeck, "deck")
	on := byName("on", anything, "table")
	n := byName("n", aNumber, "n").orNamed().or(starlark.MakeInt(1)).from(0, maxDrawn).as("n-cards")
	draws := does("draw", draw, cards, n, on, byName("to", anything, "me").as("to-hand"))
	draws.throws = true
	return []*function{
		draws,
		does("discard", discard, cards, lead("cards", aList, `["sun"]`).as("cards-held"),
			byName("of", anything, "me").as("of-hand"), on),
		does("shuffle", shuffle, cards, on),
		does("cards_left", cardsLeft, cards),
		does("card", card, cards, lead("card", aText, `"sun"`)),
	}
}

// ofRules lists what else a rule does.
func ofRules() []*function {
	told := rest(someValues, "who = me").as("places")
	name := lead("name", aText, `"name"`)
	return []*function{
		does("ask", ask, lead("question", aQuestion, "question"), byName("to", anything, "me").as("to-ask"),
			byName("about", aText, `"…"`).as("about-ask"), byName("assume", anything, `{"field": 2}`),
			byName("check", aFunction, "f").as("check-answer"), byName("offer", anything, `{"field": ["one"]}`),
			byName("rival", aFlag, "True"), byName("sealed", aFlag, "True"), byName("free", aFlag, "True"), told),
		does("change", change, lead("who", somebody, "me"), rest(someValues, "field = 2")),
		does("tell", tell, lead("text", aText, `"{who} falls"`), told, byName("secret", aFlag, "True").as("secret-tell")),
		does("came", hasCome, lead("outcome", anything, "done")),
		does("refuse", refuse, lead("id", aText, `"LA-01"`).as("id-refuse"),
			lead("reason", aText, `"{who} can't."`).or(nil), told),
		does("setting", setting, name.as("name-setting")),
		does("throws", throwsNext, lead("who", somebody, "foe").as("who-throws")),
		does("let_go", letGo, each("who", somebody, "foe")),
		does("tick", tick, lead("clock", aText, `"The watch"`),
			byName("by", aNumber, "by = 2").orNamed().or(starlark.MakeInt(1)).as("by-tick")),
		does("offer", offer, lead("rule", anything, "rule"), byName("to", anything, "gm").as("to-offer"),
			byName("by", anything, "me").as("by-offer"), rest(someValues, "argument = 2")),
		{name: "out", plain: out, args: []argument{lead("text", aText, `"gone"`).as("text-out")}},
	}
}

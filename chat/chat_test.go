package chat_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"norn/chat"
	"norn/form"
	"norn/game"
	"norn/games"
	"norn/lang"
	"norn/lang/langtest"
	"norn/table"
)

// allWords includes the words of the games.
var allWords = func() *lang.Words {
	folders := []fs.FS{chat.Words, form.Words, table.Words}
	for _, g := range games.All() {
		folders = append(folders, g.Words)
	}
	w, err := lang.Load(folders...)
	if err != nil {
		panic(err)
	}
	return w
}()

func TestWordsAreComplete(t *testing.T) {
	w, err := lang.Load(chat.Words)
	if err != nil {
		t.Fatal(err)
	}
	faults, err := langtest.Check(w, langtest.Project{
		Roots:    []string{"."},
		Prefixes: []string{"chat.", "lang."},
		Same:     []string{"lang."},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range faults {
		// the packages below have words of their own and check them
		if file, _, _ := strings.Cut(fault, ":"); !strings.Contains(file, "/") {
			t.Error(fault)
		}
	}
}

// people have names that are hard to distinguish in a line.
var people = []form.Option{
	{Value: "c1", Text: "Vex"},
	{Value: "c2", Text: "Анна Ивановна"},
	{Value: "c3", Text: `Grey, "the: one"`},
	{Value: "c4", Text: "no"},
	{Value: "c5", Text: "vex"}, // differs from another only by case
	{Value: "c6", Text: "1 and 2"},
}

// peopled returns a form with characters in all fields for them, and options where the table adds
// them.
func peopled(f *form.Form) *form.Form {
	whole := f
	for path, field := range whole.All() {
		switch {
		case field.Kind == form.KindRef || field.Kind == form.KindRefs:
			f = f.With(path, people...)
		case field.Kind == form.KindChoice && len(field.Options) == 0:
			f = f.With(path, form.Option{Value: "0", Text: "Guns"},
				form.Option{Value: "skill:guns", Text: "Guns: big, heavy"}, form.Option{Value: "c2:0", Text: `a\b`})
		}
	}
	return f
}

func book(g *game.Game, l lang.Lang, f *form.Form) *chat.Book {
	b := &chat.Book{Words: allWords, Lang: l, Game: g, Lead: "/", Form: func(chat.Spot) *form.Form { return f }}
	for i := range g.Moves {
		b.Moves = append(b.Moves, g.Moves[i].ID)
	}
	for _, o := range people[:2] {
		b.Actors = append(b.Actors, chat.Person{ID: o.Value, Name: o.Text})
	}
	return b
}

// value draws a possible value of a field, as JSON has it.
func value(rt *rapid.T, f form.Field, depth int) any {
	text := rapid.StringMatching(`[a-zA-Zа-яё0-9 ,:;"'\\/=@·«».-]{1,12}x`)
	switch f.Kind {
	case form.KindInt:
		return rapid.IntRange(f.Min, f.Max).Draw(rt, f.Name)
	case form.KindBool:
		return rapid.Bool().Draw(rt, f.Name)
	case form.KindChoice, form.KindRef:
		values := []string{}
		for _, o := range f.Options {
			values = append(values, o.Value)
		}
		if !f.Required {
			if v, ok := f.Default.(string); ok {
				values = append(values, v)
			}
		}
		return rapid.SampledFrom(values).Draw(rt, f.Name)
	case form.KindTrait:
		values := []any{true}
		if !f.Required {
			values = append(values, false)
		}
		for _, o := range f.Options {
			values = append(values, o.Value)
		}
		if f.Open {
			values = append(values, text.Draw(rt, f.Name))
		}
		return rapid.SampledFrom(values).Draw(rt, f.Name)
	case form.KindRefs:
		n := rapid.IntRange(f.Min, min(f.Max, len(people))).Draw(rt, f.Name)
		ids := []string{}
		for _, o := range rapid.Permutation(people).Draw(rt, f.Name)[:n] {
			ids = append(ids, o.Value)
		}
		return ids
	case form.KindFaces:
		return rapid.SliceOfN(rapid.IntRange(1, 100), f.Min, max(f.Min, min(f.Max, 4))).Draw(rt, f.Name)
	case form.KindGroup:
		return values(rt, f.Fields, depth)
	case form.KindList:
		items := []any{}
		for range rapid.IntRange(f.Min, min(f.Max, f.Min+2)).Draw(rt, f.Name) {
			items = append(items, values(rt, f.Fields, depth+1))
		}
		return items
	case form.KindProse:
		return text.Draw(rt, f.Name) + rapid.SampledFrom([]string{"", "\nand more"}).Draw(rt, "more")
	}
	return text.Draw(rt, f.Name)
}

func values(rt *rapid.T, fields []form.Field, depth int) map[string]any {
	all := map[string]any{}
	for _, f := range fields {
		if f.Required || rapid.Bool().Draw(rt, f.Name+" is given") {
			all[f.Name] = value(rt, f, depth)
		}
	}
	return all
}

// Writing a move and reading the line gives the same move, in every game and language.
func TestWriteAndReadAreInverse(t *testing.T) {
	for _, g := range games.All() {
		rapid.Check(t, func(rt *rapid.T) {
			m := &g.Moves[rapid.IntRange(0, len(g.Moves)-1).Draw(rt, "move")]
			f := peopled(m.Form.For(rapid.SampledFrom([]form.Where{form.Bare, form.AtTable}).Draw(rt, "where")))
			l := rapid.SampledFrom(lang.All[:]).Draw(rt, "language")
			data, err := json.Marshal(values(rt, f.Fields, 0))
			if err != nil {
				rt.Fatal(err)
			}
			args, err := m.Decode(f, data)
			if err != nil {
				rt.Skip("the form refuses it") // such as a list with duplicates, or a text of spaces
			}
			b := book(g, l, f)
			line := b.Write(m.ID, f, args)
			c, err := b.Read(line)
			if err != nil {
				rt.Fatalf("%s %s %s: %s: %v", g.ID, m.ID, l, line, say(err, l))
			}
			if c.Verb != chat.Make || c.Move != m.ID {
				rt.Fatalf("%s: %s %s", line, c.Verb, c.Move)
			}
			again, err := m.Decode(f, c.Args)
			if err != nil || !reflect.DeepEqual(again, args) {
				rt.Fatalf("%s %s: %s\nis read as %s, %v\nnot           %s", g.ID, m.ID, line, c.Args, err, data)
			}
		})
	}
}

func say(err error, l lang.Lang) string {
	var wrong *chat.Error
	if errors.As(err, &wrong) {
		return wrong.Say(allWords.In(l))
	}
	return fmt.Sprint(err)
}

func spire(t *testing.T, l lang.Lang) *chat.Book {
	t.Helper()
	g, _ := game.Find(games.All(), "spire")
	b := book(g, l, nil)
	b.Form = func(s chat.Spot) *form.Form {
		m, ok := g.Move(s.Move)
		if !ok || s.Actor == "" && len(m.Kinds) > 0 {
			return nil
		}
		return peopled(m.Form.For(form.AtTable))
	}
	b.Actor = func(move string) string {
		if m, _ := g.Move(move); len(m.Kinds) > 0 {
			return "c1"
		}
		return ""
	}
	type yes struct {
		Pay bool `json:"mastery"`
	}
	b.Asked = []chat.Question{{ID: "m1:", Move: "check", Form: form.Of[yes]()}}
	return b
}

func TestALineIsReadAsTalkOrAsAMove(t *testing.T) {
	for _, each := range []struct {
		lang lang.Lang
		line string
		want string // verb, actor, move, args or text
	}{
		{lang.En, "Hello there", `say|||Hello there`},
		{lang.En, "//me", `say|||/me`},
		{lang.En, "@vex: I knock", `say|c1||I knock`},
		{lang.En, "@Anyone else?", `say|||@Anyone else?`},
		{lang.En, "/gm may I lie?", `tell|||may I lie?`},
		{lang.Ru, "/ведущему а можно?", `tell|||а можно?`},
		{lang.En, "/check skill domain d1", `make|c1|check|{"difficulty":1,"domain":true,"skill":true}`},
		{lang.En, "/check fight", `make|c1|check|{"skill":"fight"}`},
		{lang.En, "/check skill: Fencing, no domain", `make|c1|check|{"domain":false,"skill":"Fencing"}`},
		{lang.Ru, "/проверка навык сложность 1", `make|c1|check|{"difficulty":1,"skill":true}`},
		{lang.Uk, "/перевірка навичка складність 1", `make|c1|check|{"difficulty":1,"skill":true}`},
		{lang.Ru, "/check skill difficulty=2", `make|c1|check|{"difficulty":2,"skill":true}`},
		{lang.En, "/проверка навык сложность 1", `make|c1|check|{"difficulty":1,"skill":true}`},
		{
			lang.Ru, "/проверка умения, сложность 1",
			`make|c1|check|{"difficulty":1,"skill":true}`,
		}, // as the source writes it, too
		{lang.Ru, "/проверка навыка сложности 1", `make|c1|check|{"difficulty":1,"skill":true}`},
		{
			lang.Ru, "/проверку навыком и областью, со сложностью 1",
			`make|c1|check|{"difficulty":1,"domain":true,"skill":true}`,
		},
		{lang.Ru, "/шансы проверки боя", `odds|c1|check|{"skill":"fight"}`},
		{lang.Ru, "/проверка навык: боя, сопротивление крови", `make|c1|check|{"resistance":"blood","skill":"fight"}`},
		{lang.Uk, "/перевірку навичкою зі складністю 2", `make|c1|check|{"difficulty":2,"skill":true}`},
		{lang.En, "/check skill and domain", `make|c1|check|{"domain":true,"skill":true}`},
		{lang.En, "/r 3d6", `make||dice|{"notation":"3d6"}`},
		{lang.Ru, "/Проверка с1", `make|c1|check|{"difficulty":1}`},
		{lang.Ru, "/проверка @Анна Ивановна слож 2", `make|c2|check|{"difficulty":2}`},
		{lang.En, "/odds check mastery", `odds|c1|check|{"mastery":true}`},
		{lang.Ru, "/шансы проверка", `odds|c1|check|{}`},
		{
			lang.En, "/no roll They just walk in, all of them.",
			`make|c1|no-roll|{"text":"They just walk in, all of them."}`,
		},
		{lang.En, `/answer yes`, `answer|||{"mastery":true}`},
		{lang.Ru, `/ответ нет`, `answer|||{"mastery":false}`},
		{lang.En, `/answer #1 yes`, `answer|||{"mastery":true}`},
		{lang.En, `/roll 3d6+2`, `make||dice|{"notation":"3d6+2"}`},
		{lang.En, `/roll 3 д6 - 1`, `make||dice|{"notation":"3 д6 - 1"}`},
		{lang.Ru, `/бросок 3к6+2`, `make||dice|{"notation":"3к6+2"}`},
		{lang.Uk, `/кубики 4к6kh3`, `make||dice|{"notation":"4к6kh3"}`},
		{lang.En, `/roll 2d`, `make||dice|{"notation":"2d"}`},
		{lang.Uk, `/шанси 3к6`, `odds||dice|{"notation":"3к6"}`},
		{lang.En, `/odds roll 3d6`, `odds||dice|{"notation":"3d6"}`},
		{lang.En, `/undo`, `undo|||`},
		{lang.Uk, `/скасувати`, `undo|||`},
		{lang.En, `/help`, `help|||`},
	} {
		c, err := spire(t, each.lang).Read(each.line)
		if err != nil {
			t.Errorf("%s: %s", each.line, say(err, each.lang))
			continue
		}
		if got := fmt.Sprintf("%s|%s|%s|%s%s", c.Verb, c.Actor, c.Move, c.Args, c.Text); got != each.want {
			t.Errorf("%s:\n have %s\n want %s", each.line, got, each.want)
		}
	}
}

func TestUnclearLinesGetAnErrorAndASuggestion(t *testing.T) {
	for _, each := range []struct {
		lang lang.Lang
		line string
		code string
		near string
	}{
		{lang.En, "/chekc skill", chat.UnknownVerb, "check"},
		{lang.Ru, "/провека", chat.UnknownVerb, "проверка"},
		{lang.En, "/", chat.UnknownVerb, ""},
		{lang.En, "/check sklil", chat.UnknownWord, "Skill"},
		{lang.Ru, "/проверка навк", chat.UnknownWord, "Навык"},
		{lang.En, "/check difficulty", chat.NoValue, ""},
		{lang.En, "/check difficulty much", chat.NoNumber, ""},
		{lang.En, "/check skill skill", chat.Twice, ""},
		{lang.En, "/check resistance: blodo", chat.NoChoice, "Blood"},
		{lang.En, "/check with Nobody", chat.NoChoice, ""},
		{lang.En, "/check @nobody", chat.UnknownName, ""},
		{lang.En, `/check skill: "Fight`, chat.Unclosed, ""},
		{lang.En, "/odds", chat.Nothing, ""},
		{lang.En, "/odds chekc", chat.UnknownMove, "check"},
		{lang.En, "/gm", chat.Nothing, ""},
		{lang.En, "/roll", chat.Nothing, ""},
		{lang.En, "/answer #3 yes", chat.NoNumbered, ""},
	} {
		_, err := spire(t, each.lang).Read(each.line)
		var wrong *chat.Error
		if !errors.As(err, &wrong) || wrong.Code != each.code || wrong.Near != each.near {
			t.Errorf("%s: %+v, want %s near %q", each.line, err, each.code, each.near)
			continue
		}
		if text := say(err, each.lang); strings.ContainsAny(text, "⟨⟩") || wrong.At > wrong.End ||
			wrong.End > len(each.line) {
			t.Errorf("%s: %s, at %d to %d", each.line, text, wrong.At, wrong.End)
		}
	}
}

// FuzzRead checks that no line makes Read panic, and that places are inside of the line.
func FuzzRead(f *testing.F) {
	for _, line := range []string{
		"", "/", "/check skill: \"", "/проверка с1, навык: «Бой»", "@vex", "/mage a 1: b: =",
		"/group action members: c1 and c2", "/\xff", "/check with Vex and", "/check ::",
	} {
		f.Add(line)
	}
	b := spire(&testing.T{}, lang.En)
	f.Fuzz(func(t *testing.T, line string) {
		c, err := b.Read(line)
		var wrong *chat.Error
		switch {
		case err == nil && c.Args != nil && !json.Valid(c.Args):
			t.Errorf("%q gives %s", line, c.Args)
		case err != nil && (!errors.As(err, &wrong) || wrong.At < 0 || wrong.At > wrong.End || wrong.End > len(line)):
			t.Errorf("%q: %+v", line, err)
		}
		for _, at := range []int{0, len(line) / 2, len(line)} {
			for _, s := range b.Complete(line, at) {
				if s.From < 0 || s.From > s.To || s.To > len(line) || s.Text == "" {
					t.Errorf("%q at %d: %+v", line, at, s)
				}
			}
		}
	})
}

// An answer names one of several questions by its number or its move.
func TestAnswerNamesItsQuestionByNumberOrMove(t *testing.T) {
	type amount struct {
		N int `json:"difficulty" form:"max=9"`
	}
	b := spire(t, lang.Ru)
	b.Asked = append(b.Asked, chat.Question{ID: "m2:0", Move: "stress", Text: "Сколько?", Form: form.Of[amount]()},
		chat.Question{ID: "m3:", Move: "stress", Form: form.Of[amount]()})
	for line, want := range map[string]string{
		"/ответ да":                 `m1: {"mastery":true}`,
		"/ответ 1 да":               `m1: {"mastery":true}`,
		"/ответ 2 сложность 3":      `m2:0 {"difficulty":3}`,
		"/ответ #3 с4":              `m3: {"difficulty":4}`,
		"/ответ получить стресс с4": `m2:0 {"difficulty":4}`,
	} {
		c, err := b.Read(line)
		if err != nil {
			t.Errorf("%s: %s", line, say(err, lang.Ru))
			continue
		}
		if got := c.Asked + " " + string(c.Args); got != want {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
	}
	offered := func(line string) (texts []string) {
		for _, s := range b.Complete(line, len(line)) {
			texts = append(texts, strings.TrimSpace(s.Text))
		}
		return texts
	}
	if got := offered("/ответ "); len(got) < 3 || got[0] != "1" || got[2] != "3" {
		t.Errorf("offered %q", got)
	}
	if got := offered("/ответ 2 "); !reflect.DeepEqual(got, []string{"сложность:"}) {
		t.Errorf("of the second question %q is offered", got)
	}
	if got := offered("/ответ пол"); !reflect.DeepEqual(got, []string{"2", "3"}) {
		t.Errorf("of the move %q is offered", got)
	}
}

// An answer that takes some of a list names them one after another, with or without the field.
func TestAnswerChoosesSeveralOfAList(t *testing.T) {
	type one struct {
		Sign string `json:"sign" form:"choice,required"`
	}
	type signs struct {
		Signs []one `json:"skill" form:"max=3"`
		Quick bool  `json:"mastery"`
	}
	b := spire(t, lang.En)
	f := form.Of[signs]().With("skill.sign", form.Option{Value: "sun", Text: "The Sun"},
		form.Option{Value: "moon", Text: "The Moon"}, form.Option{Value: "star", Text: "The Star"})
	b.Asked = []chat.Question{{ID: "q", Move: "stress", Form: f}}
	for line, want := range map[string]string{
		"/answer the sun":                      `{"skill":[{"sign":"sun"}]}`,
		"/answer the sun, the star":            `{"skill":[{"sign":"sun"},{"sign":"star"}]}`,
		"/answer skill: moon and the sun":      `{"skill":[{"sign":"moon"},{"sign":"sun"}]}`,
		"/answer the moon, mastery, the star":  `{"mastery":true,"skill":[{"sign":"moon"},{"sign":"star"}]}`,
		"/answer skill The Sun The Moon, quik": "",
		"/answer skill: the tower":             "",
	} {
		c, err := b.Read(line)
		if got := string(c.Args); err == nil && got != want || (err != nil) != (want == "") {
			t.Errorf("%s: %s, %v", line, got, err)
		}
	}
	var wrong *chat.Error
	if _, err := b.Read("/answer skill: the mon"); !errors.As(err, &wrong) || wrong.Code != chat.NoChoice ||
		len(wrong.Among) != 3 {
		t.Errorf("of an unknown one: %v", err)
	}
	var offered []string
	for _, s := range b.Complete("/answer skill: the sun, th", len("/answer skill: the sun, th")) {
		offered = append(offered, strings.TrimSpace(s.Text))
	}
	if !reflect.DeepEqual(offered, []string{"The Sun", "The Moon", "The Star"}) {
		t.Errorf("offered %q", offered)
	}
}

// A clock is named in any case, and goes one further unless a number follows.
func TestClockIsTickedByItsNameInAnyCase(t *testing.T) {
	b := spire(t, lang.Ru)
	if _, err := b.Read("/часы Стража"); err == nil {
		t.Error("without clocks there is such a command")
	}
	b.Clocks = []chat.Person{{ID: "k4", Name: "Стража идёт"}, {ID: "k5", Name: "Ритуал"}, {ID: "k6", Name: "ритуал"}}
	for line, want := range map[string]string{
		"/часы стража идет": "k4 1", "/тик Стража идёт 2": "k4 2", "/tick k5: -1": "k5 -1",
		`/годинник "Стража идёт", −2`: "k4 -2", "/часы": "nothing", "/часы ритуал": "several",
		"/часы стра 3": "k4 3", "/часы Дракон 2": "clock", "/часы k5 много": "number", "/часы k5 0": "number",
	} {
		c, err := b.Read(line)
		got := fmt.Sprint(c.Clock, " ", c.By)
		if wrong, ok := errors.AsType[*chat.Error](err); ok {
			got = wrong.Code
			wrong.Say(b.Words.In(lang.Ru))
		}
		if got != want || err == nil && c.Verb != chat.Tick {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
	}
	if got := b.Complete("/часы ст", len("/часы ст")); len(got) != 1 || got[0].Text != "Стража идёт " {
		t.Errorf("completed by %v", got)
	}
}

// A scene is named by its title, or by as much of it as no other has.
func TestSceneIsShownByAnUnambiguousTitle(t *testing.T) {
	b := spire(t, lang.Ru)
	b.Scenes = []chat.Person{{ID: "sc4", Name: "Северный вокзал, полночь"}, {ID: "sc5", Name: "Северный мост"}}
	for line, want := range map[string]string{
		"/сцена северный вокзал": "sc4", "/scene Северный мост": "sc5", "/сцена северный": "several", "/сцена Северный вокзал, полночь": "sc4",
		"/сцена Юг": "scene", "/сцена": "nothing", "/сцена северный мост ночью": "word",
	} {
		c, err := b.Read(line)
		got := c.Scene
		if wrong, ok := errors.AsType[*chat.Error](err); ok {
			got = wrong.Code
			wrong.Say(b.Words.In(lang.Ru))
		}
		if got != want || err == nil && c.Verb != chat.Scene {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
	}
}

// A command takes an offer by its number, by default the newest.
func TestOfferIsTakenByItsNumber(t *testing.T) {
	b := spire(t, lang.Ru)
	b.Offers = []chat.Offer{{ID: "m1:#0", Text: "Первое"}, {ID: "m2:#0", Text: "Второе"}}
	for line, want := range map[string]string{
		"/взять": "m2:#0", "/взять 1": "m1:#0", "/принять #2": "m2:#0",
		"/take 1": "m1:#0",
	} {
		if c, err := b.Read(line); err != nil || c.Verb != chat.Take || c.Offer != want {
			t.Errorf("%s: %+v, %v", line, c, err)
		}
	}
	for line, want := range map[string]string{
		"/взять 3": chat.NoOffer, "/взять 0": chat.NoOffer,
		"/взять всё": chat.UnknownWord,
	} {
		var wrong *chat.Error
		if _, err := b.Read(line); !errors.As(err, &wrong) || wrong.Code != want {
			t.Errorf("%s: %v", line, err)
		}
	}
	var offered []string
	for _, s := range b.Complete("/взять ", len("/взять ")) {
		offered = append(offered, strings.TrimSpace(s.Text))
	}
	if !reflect.DeepEqual(offered, []string{"1", "2"}) {
		t.Errorf("offered %q", offered)
	}
	b.Offers = nil
	if _, err := b.Read("/take"); err == nil {
		t.Error("nothing is taken")
	}
}

// If a game has a move named like plain dice, text that the move can't read is read as plain dice.
func TestAGamesOwnRollMoveIsReadBeforePlainDice(t *testing.T) {
	for _, g := range games.All() {
		if g.ID != "mage" {
			continue
		}
		m, _ := g.Move("roll")
		b := book(g, lang.En, peopled(m.Form.For(form.Bare)))
		for line, want := range map[string]string{
			"/roll pool 7":           `roll {"pool":7}`,
			"/roll 3d6+2":            `dice {"notation":"3d6+2"}`,
			"/roll difficulty 6":     `roll {"difficulty":6}`,
			"/roll d6":               `dice {"notation":"d6"}`, // the field is ambiguous
			"/roll 2d10, difficulty": "",
		} {
			c, err := b.Read(line)
			got := ""
			if err == nil {
				got = c.Move + " " + string(c.Args)
			}
			if got != want {
				t.Errorf("%s: %s, want %s", line, got, want)
			}
		}
	}
}

package script_test

import (
	"net/url"
	"strings"
	"testing"

	"norn/script"
	"norn/table"
	"norn/table/act"
	"norn/table/refusal"
)

// keeper is a game with a field that only the game master sees, and a flag that hides the whole
// sheet.
const keeper = `game("Keeper")
hero = sheet("Hero", nerve = number("Nerve", 1, 4), past = prose("Past", secret = True), ` +
	`gone = flag("Gone", hides = True))
done = good("done")
ill = bad("ill")
def dare(me):
    return done if count(me.nerve, d6, at_least = 5) > 0 else ill
move(dare, "Dare", by = hero)
`

// For players a secret field doesn't exist, in every way of writing a sheet, and also while it's
// empty.
func TestPlayersCannotSetOrReadSecretFields(t *testing.T) {
	e := begin(t, script.Text{Game: keeper})
	ann := e.add(e.ann, act.CharacterRequest{Name: "Ann", Kind: "hero", Sheet: []byte(`{"nerve": 3}`)})
	made := func(sheet string) error {
		_, err := table.Do(t.Context(), e.ann, act.AddCharacter,
			act.CharacterRequest{Name: "Bo", Kind: "hero", Sheet: []byte(sheet)}, "")
		return err
	}
	changed := func(r act.ChangeRequest) error {
		r.ID = ann
		_, err := table.Do(t.Context(), e.ann, act.ChangeCharacter, r, "")
		return err
	}
	posted := func(values url.Values) error {
		_, err := table.Do(t.Context(), e.ann, act.AddCharacter,
			act.CharacterRequest{Name: "Bo", Kind: "hero", Values: values}, "")
		return err
	}
	voice, err := e.ann.Voice(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{
		"made with a secret":       made(`{"past": "A twin"}`),
		"made with it by label":    made(`{"Past": "A twin"}`),
		"made unseen":              made(`{"gone": true}`),
		"made with another":        made(`{"x": 1}`),
		"made by a form":           posted(url.Values{"nerve": {"2"}, "past": {"A twin"}}),
		"changed to a secret":      changed(act.ChangeRequest{Sheet: []byte(`{"past": "A twin"}`)}),
		"changed to be unseen":     changed(act.ChangeRequest{Sheet: []byte(`{"gone": true}`)}),
		"changed to what isn't so": changed(act.ChangeRequest{Sheet: []byte(`{"x": 1}`)}),
		"changed by a form":        changed(act.ChangeRequest{Values: url.Values{"nerve": {"2"}, "past": {"A twin"}}}),
	} {
		if err == nil {
			t.Errorf("%s: it's taken", name)
			continue
		}
		for _, said := range []string{err.Error(), refusal.Say(voice, err)} {
			if said = strings.NewReplacer(`"past"`, "", "sheet.past", "", `"Past"`, "", `"gone"`,
				"").Replace(said); strings.Contains(strings.ToLower(said), "past") || strings.Contains(said, "gone") {
				t.Errorf("%s: it's refused by %q, which names what is secret", name, said)
			}
		}
	}
	g, err := script.Compile(script.Text{Game: keeper})
	if err != nil {
		t.Fatal(err)
	}
	if got := g.Kinds[0].Reserved; len(got) != 2 {
		t.Errorf("who makes a hero isn't asked for %q", got)
	}
	shown, err := e.ann.SheetForm(t.Context(), ann)
	if err != nil {
		t.Fatal(err)
	}
	if _, there := shown.Form.Field("past"); there {
		t.Error("the form of a sheet asks its player for what is secret")
	}
	if _, err := table.Do(t.Context(), e.gm, act.ChangeCharacter,
		act.ChangeRequest{ID: ann, Sheet: []byte(`{"Past": "A twin"}`)}, ""); err != nil {
		t.Errorf("the game master can't set it: %v", err)
	}
}

// A rule that uses a secret field wrongly is a mistake for the player, too, who doesn't read its
// value there.
func TestMistakesOfARuleDontShowSecretValues(t *testing.T) {
	for _, line := range []string{
		"draw(fate, me.luck)", "draw(fate, 1, me.luck)", "me.luck.none", "tell(str(me.luck))",
		"roll(1, d6, called = str(me.luck))", "card(fate, str(me.luck))",
	} {
		e := begin(t, script.Text{Game: strings.NewReplacer(
			`nerve = number("Nerve", 1, 4)`, `luck = number("Luck", 0, 900, secret = True), nerve = number("Nerve", 1, 4)`,
			`done = good`, `fate = deck("Fate", sun = "The Sun", moon = "The Moon")`+"\ndone = good",
			"    return done if", "    "+line+"\n    return done if",
		).Replace(keeper)})
		ann := e.add(e.ann, act.CharacterRequest{Name: "Ann", Kind: "hero", Sheet: []byte(`{"nerve": 3}`)})
		if _, err := table.Do(t.Context(), e.gm, act.ChangeCharacter,
			act.ChangeRequest{ID: ann, Sheet: []byte(`{"luck": 773}`)}, ""); err != nil {
			t.Fatal(err)
		}
		voice, err := e.ann.Voice(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		err = e.move(e.ann, ann, "dare", `{}`)
		if err == nil {
			t.Fatalf("%s: it's taken", line)
		}
		if said := refusal.Say(voice, err); strings.Contains(said, "773") || !strings.Contains(said, "game.star:") {
			t.Errorf("%s: %s", line, said)
		}
	}
}

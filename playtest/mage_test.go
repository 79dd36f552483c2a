package playtest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// A GM, a player who leads a ritual and one who helps, each at a browser: the
// first roll gathers with a point of Willpower and a helper, the second one
// botches, the GM lets the altar be ruined, and nobody can roll for it again.
func TestMageRitualWhoseAltarIsRuined(t *testing.T) {
	t.Parallel()
	s := serve(t)
	made := s.must("POST", "/tables", "", map[string]any{"game": "mage", "name": "The cellar", "lang": "en"})
	path := "/tables/" + made["id"].(string)
	gmSecret := made["seat"].(map[string]any)["secret"].(string)
	invite := func(name string) (secret, id string) {
		seat := s.must("POST", path+"/seats", gmSecret, map[string]any{"name": name, "role": "player"})
		return seat["secret"].(string), seat["id"].(string)
	}
	character := func(name, owner string, sheet map[string]any) string {
		return s.must("POST", path+"/characters", gmSecret, map[string]any{"name": name, "kind": "character", "owner": owner, "sheet": sheet})["id"].(string)
	}
	annaSecret, annas := invite("Anna")
	borisSecret, boriss := invite("Boris")
	occult := func(dots int) []map[string]any { return []map[string]any{{"name": "Occult", "dots": dots}} }
	marta := character("Marta", annas, map[string]any{
		"attributes": map[string]any{"intelligence": 3}, "knowledges": occult(3),
		"willpower": map[string]any{"permanent": 6, "temporary": 5},
	})
	ilya := character("Ilya", boriss, map[string]any{"attributes": map[string]any{"intelligence": 2}, "knowledges": occult(1)})

	gm, anna, boris := sit(t, "gm", 1440, 900), sit(t, "anna", 390, 844), sit(t, "boris", 768, 1024)
	for one, secret := range map[*seat]string{gm: gmSecret, anna: annaSecret, boris: borisSecret} {
		one.visit(s.url("/t" + strings.TrimPrefix(path, "/tables") + "/" + secret))
		one.sees("header", "The cellar")
	}

	// Dots are set by the arrow keys.
	anna.click(".tabs [data-to-tab=cast]")
	anna.click(cast(marta))
	anna.click("[data-edit]")
	intelligence := "[data-form=sheet] [name='attributes.intelligence']"
	anna.sees(intelligence, "")
	anna.do("press the up key", chromedp.Focus(intelligence), chromedp.KeyEvent(kb.ArrowUp))
	anna.click("[data-form=sheet] .actions button[type=submit]")
	anna.sees("#sheet [data-rating=intelligence][data-now='4'] [aria-valuetext='4 of 5']", "")

	// The GM lays the ritual on the table.
	gm.click("#cast-add summary")
	gm.choose("#add-name", "The ward")
	gm.choose("[data-form=character] [name=_kind][value=extended]", "extended")
	gm.click("[data-form=character] button[type=submit]")
	for field, value := range map[string]string{"target": "10", "difficulty": "7", "limit": "5"} {
		gm.choose("[data-form=sheet] [name="+field+"]", value)
	}
	gm.click("[data-form=sheet] .actions button[type=submit]")
	gm.sees("#sheet [data-progress=gathered]", "0 of 10")
	gm.sees("#sheet .action-state[data-state=running]", "Under way")

	// Anna leads, Boris is asked to help: 3 net successes and the one that
	// Willpower buys, and 2 from the helper.
	anna.click(".tabs [data-to-tab=log]")
	anna.sees("#cast", "The ward")
	anna.compose("extended")
	anna.choose("[data-form=move] [name=attribute]", "intelligence")
	anna.choose("[data-form=move] [name=ability]", "Occult")
	anna.choose("[data-form=move] [name=willpower]", "on")
	anna.choose("[data-form=move] [name=with][value='"+ilya+"']", ilya)
	anna.sees("#odds", "Intelligence +4 · Occult +3 · difficulty 7 (challenging) · with Ilya: 3d10 · 10 of 10 still to gather")
	anna.picture("before")
	anna.byHand("7 9 2 8 5 1 10")
	anna.sees("[data-move]", "Willpower −1 → 4")
	boris.answers("mage.join")
	boris.answers("dice", "faces", "8 3 7")
	for _, one := range []*seat{gm, anna, boris} {
		one.sees("[data-move]", "The ward: +6 → 6 of 10")
		one.sees("[data-move] .throw", "Ilya · Difficulty 7")
	}
	gm.sees("#sheet [data-progress=gathered][data-now='6']", "6 of 10")
	gm.picture("gathered")
	anna.click(".tabs [data-to-tab=sheet]")
	anna.sees("#sheet [data-track=willpower][data-now='4']", "")
	anna.sees("#sheet", "Willpower has bought a success this turn")

	// Willpower buys one success a turn. The composer has kept the rest.
	anna.click(".tabs [data-to-tab=log]")
	anna.compose("extended")
	anna.choose("[data-form=move] [name=willpower]", "on")
	anna.byHand("1 3 2 5 1 4 6")
	anna.sees("#composer .problem", "MG-08")
	anna.picture("refused")

	// Without it the second roll is a botch, and Boris stays out of it.
	anna.choose("[data-form=move] [name=willpower]", "")
	anna.click("[data-by-hand]")
	boris.answers("mage.join", "pass", "on")
	gm.sees("[data-question-kind='mage.ruin']", "The ward")
	anna.sees("[data-move]", "Ilya stays out of it")
	anna.sees("[data-move]", "The ward: 6 successes lost, 0 of 10")
	anna.picture("waiting")
	if anna.ask("document.querySelector('[data-question]') === null") != "true" {
		t.Error("a player may answer the GM's question")
	}
	gm.picture("question")
	gm.answers("mage.ruin", "do", "destroy", "text", "The altar cracks from side to side.")
	for _, one := range []*seat{gm, anna, boris} {
		one.sees("[data-move] [data-outcome=botch]", "Botch")
		one.sees("[data-move]", "The altar cracks from side to side.")
		one.sees("[data-move]", "The ward: Ruined for good")
		one.gone("[data-question]")
	}
	gm.sees("#sheet .action-state[data-state=destroyed]", "Ruined for good")
	anna.picture("ruined")
	boris.picture("ruined")

	// What is over is over.
	anna.compose("extended")
	anna.click("#throw")
	anna.sees("#composer .problem", "MG-13")
	anna.sees("#composer .problem", "The ward is over: no more rolls for it")
	anna.picture("over")
	if moves := anna.ask("document.querySelectorAll('[data-move]').length"); moves != "2" {
		t.Errorf("the log has %s moves, not 2", moves)
	}
}

// A jump and two kicks in one turn: each action is added on the page and shows
// what is left of its pool; one too many is refused before any dice.
func TestMageTurnOfSeveralActions(t *testing.T) {
	t.Parallel()
	s := serve(t)
	made := s.must("POST", "/tables", "", map[string]any{"game": "mage", "name": "The yard", "lang": "en"})
	id, secret := made["id"].(string), made["seat"].(map[string]any)["secret"].(string)
	s.must("POST", "/tables/"+id+"/characters", secret, map[string]any{"name": "Mary", "kind": "character", "sheet": map[string]any{
		"attributes": map[string]any{"dexterity": 4, "wits": 2},
		"talents":    []map[string]any{{"name": "athletics", "dots": 2}, {"name": "brawl", "dots": 3}},
	}})
	gm := sit(t, "gm", 1440, 900)
	gm.visit(s.url("/t/" + id + "/" + secret))
	gm.click("#move-multi")
	gm.sees("#odds", "First choose: Actions")
	for i, ability := range []string{"athletics", "brawl", "brawl", "athletics"} {
		action := fmt.Sprintf("[data-form=move] [name='actions.%d.", i)
		gm.click("[data-form=move] button.add")
		gm.choose(action+"attribute']", "dexterity")
		gm.choose(action+"ability']", ability)
	}
	gm.choose("[data-form=move] [name='actions.3.attribute']", "wits") // 4 dice, of which 4 and 3 go
	gm.click("#throw")
	gm.sees("#composer-problem .problem", "MG-10: Action 4 is left with −3 dice")
	gm.click("[data-form=move] .drop[value='actions.3']")
	gm.sees("#odds", "Dexterity + Athletics: 6 → 3d10, difficulty 6 · Dexterity + Brawl: 7 → 3d10, difficulty 6 · Dexterity + Brawl: 7 → 2d10, difficulty 6")
	gm.picture("declared")

	// The Enter key throws; it presses none of the buttons that stand before.
	text := "[data-form=move] [name='actions.0.text']"
	gm.do("name an action", chromedp.Focus(text), chromedp.KeyEvent("Over the fence"), chromedp.KeyEvent(kb.Enter))
	gm.sees("[data-move]", "Over the fence: 6 → 3; Dexterity + Brawl: 7 → 3; Dexterity + Brawl: 7 → 2")
	if throws := gm.ask("document.querySelectorAll('[data-move] [data-throw-for], [data-move] .card-result .dice').length"); throws != "3" {
		t.Errorf("%s throws, not one for each action", throws)
	}
	if scrolled := gm.ask("document.body.scrollTop + document.documentElement.scrollTop"); scrolled != "0" {
		t.Errorf("the page itself has moved by %s", scrolled)
	}
	gm.picture("thrown")
}

// cast is where a character stands among the cast.
func cast(id string) string { return fmt.Sprintf("#cast a[data-character=%q]", id) }

// compose opens the composer of the narrow page for a move.
func (s *seat) compose(move string) {
	s.t.Helper()
	s.click(".compose-open")
	if s.ask("document.querySelector('#composer-form').dataset.composer") != move {
		s.click("#move-" + move)
	}
	s.sees("[data-composer="+move+"]", "")
}

// byHand types the faces that fell on a table of wood.
func (s *seat) byHand(faces string) {
	s.t.Helper()
	if s.ask("document.querySelector('.hand').open") != "true" {
		s.click(".hand summary")
	}
	s.choose("#hand-dice", faces)
	s.click("[data-by-hand]")
}

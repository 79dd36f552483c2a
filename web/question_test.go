//go:build !race

package web_test

import (
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"norn/game"
	"norn/lang"
	"norn/table"
	"norn/table/act"
	"norn/table/request"
	"norn/table/view"
)

// The default answer in a question's page, the one in the API, and the one for an empty answer are
// the same, also for lists of places on a sheet.
func TestPageAPIAndEmptyAnswerHaveTheSameDefault(t *testing.T) {
	h := open(t)
	created, err := h.host.Create(t.Context(), request.NewTable{Game: "edda", Name: "Yule", Lang: lang.En})
	must(t, err)
	h.table, h.links["gm"] = created.ID, "/t/"+created.ID+"/"+created.Seat.Secret
	h.master, err = h.host.Enter(t.Context(), created.ID, created.Seat.Secret, lang.En)
	must(t, err)
	for _, name := range []string{"Anna", "Bram", "Cilla", "Dag"} {
		_, err := table.Do(t.Context(), h.master, act.AddCharacter, act.CharacterRequest{Name: name, Kind: "hero", Sheet: []byte(`{
			"strengths": [{"name": "Kindness", "steps": 1}, {"name": "Song", "steps": 3}],
			"conditions": [{"name": "Cold", "kind": "body", "size": 1}],
			"difficulties": [{"name": "Ice", "size": 1, "lasts": "lasting"}, {"name": "Dark", "size": 1, "lasts": "once"}]
		}`)}, name)
		must(t, err)
	}
	gm := h.sits("gm")
	plan := map[string]any{}
	for how, who := range map[string][2]string{"the page as it's filled": {"c1", "c2"}, "nothing": {"c3", "c4"}} {
		made := h.make(request.Move{
			Move: "contest", Character: who[0],
			Args: fmt.Appendf(nil, `{"against": %q, "strengths": ["0"]}`, who[1]), Key: how,
		})
		var asked view.Question
		for _, q := range made.Open {
			if q.Question == "edda.plan" {
				asked = q
			}
		}
		if strengths := asked.Standard["strengths"]; !reflect.DeepEqual(strengths, []string{"1"}) {
			t.Errorf("assumed are the strengths %v, not the best one", strengths)
		}
		if how == "nothing" {
			answered, err := h.master.Answer(t.Context(), request.Answer{Question: asked.ID, Key: "a"})
			must(t, err)
			plan[how] = answered.Entry.Answer
			continue
		}
		filled := gm.get(gm.at("")).the(t, "data-question", asked.ID).the(t, "data-form", "answer")
		want(t, "status", gm.submit(filled, nil).status, http.StatusOK)
		last, err := h.master.Last(t.Context(), 1)
		must(t, err)
		plan[how] = last[0].Answer
	}
	if !reflect.DeepEqual(plan["nothing"], plan["the page as it's filled"]) {
		t.Errorf("answered is %s", plan)
	}
}

// While somebody can still plan, nobody else sees the actor's plan, nor odds that would reveal it;
// after all plans everybody does.
func TestPlanIsHiddenUntilEverybodyHasPlanned(t *testing.T) {
	h := open(t)
	created, err := h.host.Create(t.Context(), request.NewTable{Game: "edda", Name: "Yule", Lang: lang.En})
	must(t, err)
	h.table, h.links["gm"] = created.ID, "/t/"+created.ID+"/"+created.Seat.Secret
	h.master, err = h.host.Enter(t.Context(), created.ID, created.Seat.Secret, lang.En)
	must(t, err)
	seats := map[string]*table.Seat{}
	for _, name := range []string{"Anna", "Bram", "Carl"} {
		seat, err := table.Do(t.Context(), h.master, act.AddSeat,
			act.SeatRequest{Name: name, Role: string(game.Player)}, "seat "+name)
		must(t, err)
		h.links[name] = "/t/" + created.ID + "/" + seat.Secret
		seats[name], err = h.host.Enter(t.Context(), created.ID, seat.Secret, lang.En)
		must(t, err)
		_, err = table.Do(t.Context(), h.master, act.AddCharacter, act.CharacterRequest{
			Name: name, Kind: "hero", Owner: seat.ID,
			Sheet: []byte(`{"strengths": [{"name": "Kindness", "steps": 3}, {"name": "Song", "steps": 1}]}`),
		}, name)
		must(t, err)
	}
	joint := request.Move{
		Move: "joint", Character: "c1", Key: "m",
		Args: []byte(`{"with": ["c2", "c3"], "deed": "Pull", "strengths": ["0", "1"], "bonus": 7, "fade": ""}`),
	}
	made, err := seats["Anna"].Make(t.Context(), joint)
	must(t, err)
	planOf := func(name string) (any, bool) {
		entries, err := seats[name].Last(t.Context(), 20)
		must(t, err)
		for _, e := range entries {
			if e.Args != nil {
				want(t, name+" reads what is done", e.Args["deed"], any("Pull"))
				bonus, shown := e.Args["bonus"]
				return bonus, shown
			}
		}
		t.Fatalf("%s doesn't see the move", name)
		return nil, false
	}
	tells := func(name string) bool {
		seat := h.sits(name)
		for _, chosen := range seat.get(seat.at("")).the(t, "data-move", made.Entry.Move).with("class",
			"card-options") {
			if strings.Contains(chosen.says(), "Dice from Fate") {
				return true
			}
		}
		return false
	}
	for _, who := range []string{"Bram", "Carl"} {
		for _, name := range []string{"Bram", "Carl"} {
			if bonus, shown := planOf(name); shown || tells(name) {
				t.Errorf("%s reads Anna's plan, %v, before %s has planned", name, bonus, who)
			}
			now, err := seats[name].View(t.Context())
			must(t, err)
			for _, q := range now.Questions {
				if len(q.Advice) > 0 {
					t.Errorf("%s is told %+v", name, q.Advice)
				}
			}
		}
		if bonus, _ := planOf("Anna"); bonus != any(7) {
			t.Errorf("Anna reads %v of her own", bonus)
		}
		now, err := seats[who].View(t.Context())
		must(t, err)
		_, err = seats[who].Answer(t.Context(),
			request.Answer{Question: now.Questions[0].ID, Answer: []byte(`{"strengths": []}`), Key: "a"})
		must(t, err)
	}
	for _, name := range []string{"Bram", "Carl"} {
		if bonus, _ := planOf(name); bonus != any(7) || !tells(name) {
			t.Errorf("%s reads %v once all plans are closed", name, bonus)
		}
	}
}

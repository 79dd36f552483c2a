//go:build !race

package web_test

import (
	"net/http"
	"strings"
	"testing"

	"norn/table"
	"norn/table/act"
	"norn/table/request"
)

// ticked returns the steps that a page shows, with + for those that are done.
func ticked(p answer) string {
	var steps []string
	for _, n := range p.with("data-first-step", "*") {
		mark := "-"
		if n.attrs["data-done"] == "true" {
			mark = "+"
		}
		steps = append(steps, mark+n.attrs["data-first-step"])
	}
	return strings.Join(steps, " ")
}

// The first steps follow the state of the table, are only for game masters, and can be hidden.
func TestFirstStepsFollowTheTable(t *testing.T) {
	h := open(t)
	gm := h.sits("gm")
	want(t, "steps of a table with people", ticked(gm.get(gm.at(""))), "+invite +cast -move -session")
	h.make(request.Move{Move: "check", Character: "c1", ByHand: true, Dice: []int{3}, Key: "k"})
	page := gm.get(gm.at(""))
	want(t, "steps after a move", ticked(page), "+invite +cast +move -session")
	for _, who := range []string{"anna", "watcher"} {
		other := h.sits(who)
		want(t, "steps on the page of "+who, ticked(other.get(other.at(""))), "")
	}

	away := gm.submit(page.the(t, "data-form", "steps"), nil)
	want(t, "putting them away", away.status, http.StatusOK)
	want(t, "steps that were put away", ticked(away), "")
	want(t, "steps later", ticked(gm.get(gm.at(""))), "")
}

func TestFirstStepsDisappearAfterTheFirstSession(t *testing.T) {
	h := open(t)
	h.make(request.Move{Move: "no-roll", Character: "c1", Args: []byte(`{"text":"He waits."}`), Key: "k"})
	gm := h.sits("gm")
	if _, err := table.Do(t.Context(), h.master, act.EndSession, act.Nothing{}, "end"); err != nil {
		t.Fatal(err)
	}
	want(t, "steps after the first session", ticked(gm.get(gm.at(""))), "")
}

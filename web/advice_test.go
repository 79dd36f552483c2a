package web_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"norn/game"
	"norn/lang"
	"norn/table"
	"norn/table/act"
	"norn/table/request"
)

// contest is a table of a game where Anna's character acts against another, with what is needed to
// make the move.
type contest struct {
	*house
	gm, anna, boris *table.Seat
	own, other      string
}

// contestOf opens such a table. rival adds the other character; a player's is Boris's.
func contestOf(t *testing.T, h *house, id string, own, other act.CharacterRequest) contest {
	t.Helper()
	ctx := t.Context()
	created, err := h.host.Create(ctx, request.NewTable{Game: id, Name: "Contest", Lang: lang.En})
	must(t, err)
	enter := func(secret string) *table.Seat {
		seat, err := h.host.Enter(ctx, created.ID, secret, lang.En)
		must(t, err)
		return seat
	}
	c := contest{house: h, gm: enter(created.Seat.Secret)}
	invite := func(name string) (*table.Seat, string) {
		i, err := table.Do(ctx, c.gm, act.AddSeat, act.SeatRequest{Name: name, Role: string(game.Player)}, "")
		must(t, err)
		return enter(i.Secret), i.ID
	}
	add := func(n act.CharacterRequest) string {
		entry, err := table.Do(ctx, c.gm, act.AddCharacter, n, "")
		must(t, err)
		var added struct {
			ID string `json:"id"`
		}
		must(t, json.Unmarshal(entry.Lines[0].Data, &added))
		return added.ID
	}
	c.anna, own.Owner = invite("Anna")
	seat, boris := invite("Boris")
	if c.boris = seat; other.Owner != "" {
		other.Owner = boris
	}
	c.own, c.other = add(own), add(other)
	return c
}

// play answers questions until only other kinds are open: dice by who rolls them, the rest by kind.
func (c contest) play(faces map[string][]int, answers map[string]string) {
	c.t.Helper()
	for range 20 {
		view, err := c.gm.View(c.t.Context())
		must(c.t, err)
		reply := request.Answer{}
		for _, q := range view.Questions {
			answer := answers[q.Question]
			if q.Dice != nil {
				answer = strings.ReplaceAll(fmt.Sprintf(`{"faces":%v}`, faces[q.To]), " ", ",")
			}
			if answer != "" {
				reply = request.Answer{Question: q.ID, Answer: json.RawMessage(answer)}
			}
		}
		if reply.Question == "" {
			return
		}
		_, err = c.gm.Answer(c.t.Context(), reply)
		must(c.t, err)
	}
	c.t.Fatal("no end of questions")
}

// advised returns the advice that a seat sees on a question to somebody.
func (c contest) advised(seat *table.Seat, question, to string) string {
	c.t.Helper()
	view, err := seat.View(c.t.Context())
	must(c.t, err)
	for _, q := range view.Questions {
		if q.Question == question && q.To == to {
			var texts []string
			for _, a := range q.Advice {
				texts = append(texts, a.Text)
			}
			return strings.Join(texts, " | ")
		}
	}
	c.t.Fatalf("%s isn't asked of %s: %+v", question, to, view.Questions)
	return ""
}

// The odds next to a question never contradict the dice on the card, for any reader.
func TestAdviceCountsTheDiceOnTheCard(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: does the same thing many times")
	}
	t.Parallel()
	h := open(t)
	t.Run("edda", func(t *testing.T) {
		strengths := json.RawMessage(`{"strengths":[{"name":"Ice","steps":2},{"name":"Song","steps":2}],"weakness":{"text":"Pride","marks":1}}`)
		c := contestOf(t, h, "edda", act.CharacterRequest{Name: "Asta", Kind: "hero", Sheet: strengths},
			act.CharacterRequest{Name: "Frost", Kind: "fated", Sheet: json.RawMessage(`{"dice":3}`)})
		_, err := c.anna.Make(t.Context(), request.Move{
			Move: "contest", Character: c.own, ByHand: true,
			Args: json.RawMessage(fmt.Sprintf(`{"against":%q,"strengths":["0","1"]}`, c.other)),
		})
		must(t, err)
		c.play(map[string][]int{c.own: {5, 1, 1, 1}, c.other: {6, 5, 1}, game.GM: {6, 5, 1}}, nil)
		// One success against two: three dice are rolled again, and two must succeed: 7/27. A seat
		// that doesn't see Frost's sheet sees three dice, whatever was assumed about it.
		for name, seat := range map[string]*table.Seat{"the game master": c.gm, "Anna": c.anna} {
			want(t, name, c.advised(seat, "edda.effort", c.own),
				"no special effort: 0% to win | special effort for a condition: 26% to win")
		}
	})
	for _, each := range []struct {
		name   string
		theirs int
		want   string
	}{
		{"eclipse, against a critical success", 22, ""}, // no point makes a difference
		{"eclipse, against a success", 15, "Keep the roll: 0% to win | Flip the digits: 100% to win"},
	} {
		t.Run(each.name, func(t *testing.T) {
			sheet := json.RawMessage(`{"skills":[{"name":"persuade","aptitude":"sav","kind":"social","value":60}],"pools":{"moxie":{"now":2,"max":2}}}`)
			theirs := json.RawMessage(`{"skills":[{"name":"kinesics","aptitude":"sav","kind":"social","value":60}]}`)
			c := contestOf(t, h, "eclipse", act.CharacterRequest{Name: "Lira", Kind: "character", Sheet: sheet},
				act.CharacterRequest{Name: "Tam", Kind: "character", Owner: "boris", Sheet: theirs})
			_, err := table.Do(t.Context(), c.gm, act.Configure,
				act.ConfigureRequest{Settings: json.RawMessage(`{"points-after":"ask"}`)}, "")
			must(t, err)
			_, err = c.anna.Make(t.Context(), request.Move{
				Move: "opposed", Character: c.own, ByHand: true,
				Args: json.RawMessage(fmt.Sprintf(`{"against":%q,"on":"skill:persuade"}`, c.other)),
			})
			must(t, err)
			c.play(map[string][]int{c.own: {71}, c.other: {each.theirs}},
				map[string]string{"eclipse.defence": `{"on":"skill:kinesics"}`})
			want(t, "Anna", c.advised(c.anna, "eclipse.point", c.own), each.want)
		})
	}
}

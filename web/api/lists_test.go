package api_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"norn/form"
	"norn/games"
	"norn/lang"
	"norn/web/api"
)

// nulls returns the places in a response with null, and those where a word should be a text.
func nulls(value any, at string) (found []string) {
	switch value := value.(type) {
	case nil:
		return []string{at}
	case map[string]any:
		for name, member := range value {
			found = append(found, nulls(member, at+"."+name)...)
		}
	case []any:
		for i, item := range value {
			found = append(found, nulls(item, fmt.Sprintf("%s.%d", at, i))...)
		}
	}
	return found
}

// No list is null at any table of any game, including blank sheets and open questions; tracks have
// names in words next to their ids.
func TestListsAreNeverNull(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: does the same thing many times")
	}
	for _, g := range games.All() {
		t.Run(g.ID, func(t *testing.T) {
			c := serve(t)
			c.lang, c.loose = "uk", true
			var opened struct {
				ID   string
				Seat struct{ Secret string }
			}
			read := func(a answer, into any) {
				t.Helper()
				if a.status >= 300 {
					t.Fatalf("%d %s", a.status, a.body)
				}
				if err := json.Unmarshal(a.body, into); err != nil {
					t.Fatal(err)
				}
				var whole any
				if err := json.Unmarshal(a.body, &whole); err != nil {
					t.Fatal(err)
				}
				for _, at := range nulls(whole, "") {
					t.Errorf("%s is null", at)
				}
			}
			read(c.send("POST", "/api/v1/tables", "", map[string]any{"game": g.ID, "name": "Lists", "lang": "uk"}),
				&opened)
			at, gm := "/api/v1/tables/"+opened.ID, opened.Seat.Secret
			var player struct{ Secret string }
			read(c.send("POST", at+"/seats", gm, map[string]any{"name": "Anna", "role": "player"}), &player)
			demo := g.Demo(spoken().In(lang.Uk))
			for _, who := range demo.Cast {
				kind, _ := g.Kind(who.Kind)
				read(c.send("POST", at+"/characters", gm,
					map[string]any{"name": who.Name, "kind": who.Kind, "sheet": kind.Form.Fill(who.Sheet)}),
					&struct{}{})
			}
			for _, kind := range g.Kinds {
				read(c.send("POST", at+"/characters", gm, map[string]any{"name": "Blank", "kind": kind.ID}),
					&struct{}{})
			}
			for _, beat := range demo.Story {
				m, _ := g.Move(beat.Move)
				if a := c.send("POST", at+"/moves", gm,
					map[string]any{
						"move": beat.Move, "character": beat.By,
						"args": m.Form.For(form.AtTable).Fill(beat.Args),
					}); a.status < 300 {
					read(a, &struct{}{})
				}
			}
			for _, path := range []string{"", "/log", "/log?find=a&part=throws", "/luck"} {
				for _, secret := range []string{gm, player.Secret} {
					var view struct {
						Characters []struct {
							Tracks []struct{ ID, Name, Words string }
						}
					}
					read(c.send("GET", at+path, secret, nil), &view)
					for _, who := range view.Characters {
						for _, track := range who.Tracks {
							if track.ID == "" || track.Name == "" ||
								strings.Contains(track.Name+track.Words, g.ID+".") {
								t.Errorf("a track is %+v", track)
							}
						}
					}
				}
			}
			read(c.send("GET", "/api/v1/games", "", nil), &struct{}{})
		})
	}
}

// A list holds a book, with its letters escaped, too; what is larger, or doesn't fit into an entry of the
// journal, is refused by what is allowed.
func TestListOfABookIsTakenWithItsLettersEscaped(t *testing.T) {
	c := serve(t)
	opened := c.send("POST", "/api/v1/tables", "", map[string]any{"game": "godbound", "name": "Gifts"}).want(201)
	at, gm := "/api/v1/tables/"+opened["id"].(string), opened["seat"].(map[string]any)["secret"].(string)
	book := func(rows, chars int, word string) string {
		var text strings.Builder
		text.WriteString("Название\tОписание\n")
		for i := range rows {
			fmt.Fprintf(&text, "Дар %d\t%s\n", i, strings.Repeat(word, chars/len([]rune(word))))
		}
		return strconv.QuoteToASCII(text.String())
	}
	list := func(rows string) answer {
		return c.send("POST", at+"/lists", gm, `{"name":"Gifts","kind":"hero","field":"gifts","rows":`+rows+`}`)
	}
	list(book(1000, 1400, "снег и лёд ")).want(200)
	for rows, part := range map[string]string{
		book(4500, 990, "snow and ice "): "4,194,304 characters", book(5001, 20, "снег "): "5000",
		`"` + strings.Repeat("a", api.MaxListBody) + `"`: "9,453,568",
	} {
		if text := string(list(rows).body); !strings.Contains(text, part) {
			t.Errorf("%.40s: %s lacks %s", rows, text, part)
		}
	}
}

// The log is searched as on the page, and an invalid search gets an error.
func TestTheLogIsSearched(t *testing.T) {
	c := serve(t)
	opened := c.send("POST", "/api/v1/tables", "",
		map[string]any{"game": "spire", "name": "Search", "lang": "en"}).want(201)
	at, gm := "/api/v1/tables/"+opened["id"].(string), opened["seat"].(map[string]any)["secret"].(string)
	c.send("POST", at+"/talk", gm, map[string]any{"text": "An owl in the snow"}).want(200)
	thrown := c.send("POST", at+"/moves", gm,
		map[string]any{"move": "dice", "args": map[string]any{"notation": "2d6+1"}}).want(200)
	if _, ok := thrown["check"]; !ok {
		t.Errorf("plain dice can't be checked: %v", thrown)
	}
	for query, want := range map[string]int{
		"?find=OWL+snow": 1, "?find=owl&part=throws": 0, "?part=throws": 1, "?part=talk": 1, "?find=2d6": 1,
		"?limit=1&part=mine": 1, "": 3,
	} {
		if found := c.send("GET", at+"/log"+query, gm, nil).want(200)["entries"].([]any); len(found) != want {
			t.Errorf("%s finds %d", query, len(found))
		}
	}
	c.loose = true
	for args, want := range map[string]string{
		`{"notation":"2d"}`:     "number of sides",
		`{"notation":"2000d6"}`: "1 to 1000",
	} {
		problem := c.send("POST", at+"/moves", gm, `{"move":"dice","args":`+args+`}`).want(422)
		if text := fmt.Sprint(problem); !strings.Contains(text, want) || !strings.Contains(text, "body.args.notation") {
			t.Errorf("%s: %s", args, text)
		}
	}
	for query, want := range map[string]string{
		"?after=-1":       "0",
		"?part=odd":       "mine",
		"?find=a&after=2": "after",
		"?limit=0":        "1",
	} {
		problem := c.send("GET", at+"/log"+query, gm, nil).want(422)
		if text := fmt.Sprint(problem["errors"]); !strings.Contains(text, want) || !strings.Contains(text, "query.") {
			t.Errorf("%s: %s", query, text)
		}
	}
}

// A response has a maximum size, however much is requested; the rest comes with the next.
func TestLongLogIsSentInParts(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: does the same thing many times")
	}
	c := serve(t)
	opened := c.send("POST", "/api/v1/tables", "",
		map[string]any{"game": "spire", "name": "Words", "lang": "en"}).want(201)
	at, gm := "/api/v1/tables/"+opened["id"].(string), opened["seat"].(map[string]any)["secret"].(string)
	const notes, most = 50, 1<<20 + 1<<17 // in bytes, including what surrounds the entries
	for i := range notes {
		// six bytes each in JSON
		c.send("POST", at+"/notes", gm,
			map[string]any{"text": strings.Repeat("<", 9_990) + fmt.Sprint(" n", i)}).want(200)
	}
	var seqs []float64
	after, answers := 0.0, 0
	for {
		answer := c.send("GET", fmt.Sprint(at, "/log?limit=1000&after=", after), gm, nil)
		if len(answer.body) > most {
			t.Errorf("an answer has %d bytes", len(answer.body))
		}
		entries := answer.want(200)["entries"].([]any)
		if len(entries) == 0 {
			break
		}
		for _, e := range entries {
			after = e.(map[string]any)["seq"].(float64)
			seqs = append(seqs, after)
		}
		answers++
	}
	if len(seqs) != notes+1 || answers < 3 || !slices.IsSorted(seqs) {
		t.Errorf("%d answers tell %v", answers, seqs)
	}
	answer := c.send("GET", at+"/log?limit=1000&part=mine", gm, nil)
	found := answer.want(200)
	entries := found["entries"].([]any)
	if newest := entries[len(entries)-1].(map[string]any)["seq"].(float64); len(answer.body) > most ||
		len(entries) < 5 || found["more"] != true || newest != notes+1 {
		t.Errorf("a search finds %d entries in %d bytes, more %v, the newest %v", len(entries), len(answer.body),
			found["more"], newest)
	}
}

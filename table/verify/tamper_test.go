package verify_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"norn/game"
	"norn/journal"
	"norn/journal/archive"
	"norn/table/act"
	"norn/table/internal/state"
	"norn/table/internal/tabletest"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/verify"
)

// checkFile verifies entries as a file of a table, numbered anew.
func checkFile(t *testing.T, tb *tabletest.Table, entries []journal.Entry) (verify.Result, error) {
	t.Helper()
	var b bytes.Buffer
	w, err := archive.NewWriter(&b, archive.Header{
		Table: tb.ID, Game: "toy", Name: "Tuesday", Entries: len(entries), Exported: time.Unix(0, 0),
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range entries {
		e.Table, e.Seq = tb.ID, uint64(i+1)
		if err := w.Write(e); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return verify.File([]*game.Game{tabletest.Toy}, tabletest.Words(t), &b)
}

func targeting(who string, bonus int) json.RawMessage {
	return json.RawMessage(`{"target":"` + who + `","bonus":` + strconv.Itoa(bonus) + `}`)
}

// answerAll answers open questions by their ids until none is left.
func answerAll(t *testing.T, tb *tabletest.Table, answers map[string]string) {
	t.Helper()
	for len(tb.OpenMoves) > 0 {
		open := tb.OpenMoves[0].Pending[0]
		tb.Answer(t, tabletest.GM, open.To, answers[open.ID])
	}
}

// played returns a table where a bit of everything has happened, in two sessions of which the first
// is opened: a share, strikes with norn's dice up to one that hits and its answers, a strike with
// typed dice that misses, a secret omen, a change and its undo, the end of the session and a swap
// in the second.
func played(t *testing.T) *tabletest.Table {
	tb := tabletest.New(t)
	tabletest.Do(t, tb, tabletest.Anna, act.AddShare, act.ShareRequest{Share: "a share"})
	for nonce := 0; ; nonce++ {
		made := tb.Roll(t, tabletest.Anna, request.Move{
			Move: "strike", Character: tabletest.Lira, Args: targeting(tabletest.Orm, 3), Nonce: "nonce " + strconv.Itoa(nonce),
		})
		if len(made.Asks) > 0 {
			break
		}
	}
	answerAll(t, tb, map[string]string{"toy.dodge": `{"dodge":false}`, "toy.weight": `{"n":2,"note":"SECRET note"}`})
	tb.Make(t, tabletest.Boris, request.Move{
		Move: "strike", Character: tabletest.Orm, Args: targeting(tabletest.Lira, 0), Dice: []int{1, 2},
	})
	tb.Roll(t, tabletest.GM, request.Move{Move: "omen", Secret: true})
	e := tabletest.Do(t, tb, tabletest.Anna, act.ChangeCharacter,
		act.ChangeRequest{ID: tabletest.Lira, Sheet: json.RawMessage(`{"luck":1}`)})
	tabletest.Do(t, tb, tabletest.GM, act.Undo, act.UndoRequest{Seq: int(e.Seq)})
	tabletest.Do(t, tb, tabletest.GM, act.EndSession, act.Nothing{})
	tb.Roll(t, tabletest.Anna, request.Move{Move: "swap", Character: tabletest.Lira, Nonce: "n"})
	return tb
}

// A log may lack events that older rules didn't record, and no others.
func TestLogMayLackOnlyEventsThatOlderRulesLacked(t *testing.T) {
	tb := tabletest.New(t)
	tb.Make(t, tabletest.Anna, request.Move{
		Move: "duel", Character: tabletest.Lira, Args: json.RawMessage(`{"target":"` + tabletest.Orm + `"}`), Dice: []int{1, 1, 6, 1},
	})
	answerAll(t, tb, map[string]string{"toy.press": `{"press":false}`, "toy.weight": `{"n":1}`})
	for lacks, fits := range map[string]bool{"": true, "toy.held": true, "toy.drawn": false, "game.resolved": false} {
		entries := slices.Clone(tb.Entries)
		dropped := 0
		for i, e := range entries {
			var body map[string]any
			if err := json.Unmarshal(e.Body, &body); err != nil {
				t.Fatal(err)
			}
			events, told := body["events"].([]any)
			if !told {
				continue
			}
			left := slices.DeleteFunc(slices.Clone(events), func(e any) bool {
				return e.(map[string]any)["type"] == lacks
			})
			dropped += len(events) - len(left)
			if body["events"] = left; len(left) == 0 {
				delete(body, "events")
			}
			entries[i].Body = state.JSON(body)
		}
		if _, err := checkFile(t, tb, entries); (err == nil) != fits ||
			(dropped == 0) != (lacks == "") {
			t.Errorf("%d of %q left out: %v", dropped, lacks, err)
		}
	}
}

// tamper changes the entries of a log.
type tamper func([]journal.Entry) []journal.Entry

// tampering is a log whose dice are all opened, with the entries to tamper with.
type tampering struct {
	*tabletest.Table
	t                                                *testing.T
	entries                                          []journal.Entry
	blow                                             uint64 // the strike that hit
	byHand, omen, swap, change, undone, share, ended uint64
}

func newTampering(t *testing.T) *tampering {
	l := &tampering{Table: played(t), t: t}
	tabletest.Do(t, l.Table, tabletest.GM, act.EndSession, act.Nothing{})
	l.entries = l.Table.Entries
	kinds := map[string]uint64{}
	for _, e := range l.entries {
		var b struct {
			Kind    string
			Asks    []any
			Opening struct{ Move string }
		}
		if err := json.Unmarshal(e.Body, &b); err != nil {
			t.Fatal(err)
		}
		if b.Opening.Move == "strike" && len(b.Asks) > 0 {
			l.blow = e.Seq
		}
		kinds[b.Kind+" "+b.Opening.Move] = e.Seq // the last of a kind
	}
	l.omen, l.swap, l.change = kinds["move omen"], kinds["move swap"], kinds["character "]
	l.byHand = kinds["move strike"]
	l.undone, l.share = kinds["undone "], kinds["share "]
	l.ended = kinds["session "]
	return l
}

// set returns a change of one value in a body, at a path of members and indices.
func (l *tampering) set(seq uint64, value any, path ...any) tamper {
	return func(entries []journal.Entry) []journal.Entry {
		e := &entries[seq-1]
		var body any
		if err := json.Unmarshal(e.Body, &body); err != nil {
			l.t.Fatal(err)
		}
		at := body
		for _, step := range path[:len(path)-1] {
			switch step := step.(type) {
			case string:
				at = at.(map[string]any)[step]
			case int:
				at = at.([]any)[step]
			}
		}
		switch last := path[len(path)-1].(type) {
		case string:
			at.(map[string]any)[last] = value
		case int:
			at.([]any)[last] = value
		}
		data, err := json.Marshal(body)
		if err != nil {
			l.t.Fatal(err)
		}
		e.Body = data
		return entries
	}
}

func (l *tampering) drop(seq uint64) tamper {
	return func(entries []journal.Entry) []journal.Entry { return slices.Delete(entries, int(seq-1), int(seq)) }
}

// face returns a face of a throw in one of an entry's steps.
func (l *tampering) face(seq uint64, step, i int) int {
	var body struct {
		Steps []struct{ Dice struct{ Faces []int } }
	}
	if err := json.Unmarshal(l.entries[seq-1].Body, &body); err != nil {
		l.t.Fatal(err)
	}
	return body.Steps[step].Dice.Faces[i]
}

// another returns another face of a die of six sides.
func another(face int) int { return face%6 + 1 }

// tamperCase is a log that was tampered with, and the entry and code with which that is found.
type tamperCase struct {
	name   string
	change tamper
	seq    uint64
	code   string
}

// withDice lists changes of dice, shares and secrets.
func (l *tampering) withDice() []tamperCase {
	set, drop, blow, omen, share, ended := l.set, l.drop, l.blow, l.omen, l.share, l.ended
	return []tamperCase{
		{"a face", set(blow, another(l.face(blow, 0, 0)), "steps", 0, "dice", "faces", 0), blow, refusal.MisfitFace},
		{"a face that isn't on the die", set(blow, 7, "steps", 0, "dice", "faces", 0), blow, refusal.MisfitFace},
		{
			"a face of a secret move", set(omen, 1+l.face(omen, 0, 0)%100, "steps", 0, "dice", "faces", 0), omen,
			refusal.MisfitFace,
		},
		{"a die too many", set(blow, []int{1, 2, 3, 4, 5, 6}, "steps", 0, "dice", "faces"), blow, refusal.MisfitFace},
		{"other sides", set(blow, 8, "steps", 0, "dice", "sides"), blow, refusal.MisfitFace},
		{"dice called thrown by hand", set(blow, true, "steps", 0, "dice", "hand"), blow, refusal.MisfitHand},
		{"a move called made by hand", set(blow, true, "opening", "byHand"), blow, refusal.MisfitHand},
		{"the nonce", set(blow, "another", "opening", "nonce"), blow, refusal.MisfitFace},
		{"the share", set(share, "another", "events", 0, "data", "share"), share + 1, refusal.MisfitFace},
		{"the share left out", drop(share), share, refusal.MisfitID},
		{"the secret", set(1, strings.Repeat("ab", 32), "events", 1, "data", "secret"), 1, refusal.MisfitUnreadable},
		{
			"the commitment", set(1, strings.Repeat("ab", 32), "events", 1, "data", "commitment"), 1,
			refusal.MisfitUnreadable,
		},
		{
			"the opened secret", set(ended, strings.Repeat("ab", 32), "events", 0, "data", "secret"), ended,
			refusal.MisfitUnreadable,
		},
		{"the opened shares", set(ended, []any{map[string]any{"seat": "s2", "share": "x"}}, "events", 0, "data",
			"shares"), ended, refusal.MisfitShares},
	}
}

// withMoves lists changes of moves, questions and answers.
func (l *tampering) withMoves() []tamperCase {
	set, drop, blow, byHand, swap := l.set, l.drop, l.blow, l.byHand, l.swap
	return []tamperCase{
		{"an argument", set(blow, 2, "opening", "args", "bonus"), blow, refusal.MisfitRule},
		{"an argument that isn't allowed", set(blow, 99, "opening", "args", "bonus"), blow, refusal.MisfitRefused},
		{"a target that isn't there", set(blow, "c9", "opening", "args", "target"), blow, refusal.MisfitRefused},
		{"the cast", set(blow, []string{tabletest.Lira}, "opening", "cast"), blow, refusal.MisfitCast},
		{"who acts", set(blow, tabletest.Orm, "opening", "actor"), blow, refusal.MisfitRefused},
		{"the move", set(blow, "rest", "opening", "move"), blow, refusal.MisfitCast},
		{"an event's number", set(blow, 9, "events", 0, "data", "outcome", "n"), blow, refusal.MisfitEvents},
		{"an event left out", set(blow, []any{}, "events"), blow, refusal.MisfitEvents},
		{"an event's type", set(blow, "toy.rested", "events", 0, "type"), blow, refusal.MisfitEvents},
		{"an event's place", set(blow, "0.0", "events", 0, "part"), blow, refusal.MisfitEvents},
		{"a question left out", set(blow, []any{}, "asks"), blow, refusal.MisfitQuestions},
		{"whom it asks", set(blow, tabletest.Lira, "asks", 0, "to"), blow, refusal.MisfitQuestions},
		{"that it's over", set(blow, true, "done"), blow, refusal.MisfitEnd},
		// where it shows first
		{"an answer", set(blow+1, 3, "steps", 0, "answer", "value", "n"), blow + 3, refusal.MisfitEvents},
		{
			"an answer that isn't taken", set(blow+1, 9, "steps", 0, "answer", "value", "n"), blow + 1,
			refusal.MisfitRefused,
		},
		{
			"another question answered", set(blow+1, "toy.dodge", "steps", 0, "answer", "question"), blow + 1,
			refusal.MisfitRefused,
		},
		{"which question is answered", set(blow+1, ":7", "answers"), blow + 1, refusal.MisfitMissing},
		{
			"an answer's event", set(blow+1, "something else", "events", 0, "data", "text"), blow + 1,
			refusal.MisfitEvents,
		},
		{"an answer dropped", drop(blow + 1), blow + 1, refusal.MisfitMissing},
		{"the outcome", set(byHand, "hit", "outcome", "outcome"), byHand, refusal.MisfitOutcome},
		{"what the outcome counts", set(swap, 5, "outcome", "n"), swap, refusal.MisfitOutcome},
	}
}

// withChanges lists changes of sheets and of undos, and dropped entries.
func (l *tampering) withChanges() []tamperCase {
	set, drop, omen, undone, swap, change := l.set, l.drop, l.omen, l.undone, l.swap, l.change
	return []tamperCase{
		{"a move dropped", drop(omen), omen + 1, ""},
		{"an undoing dropped", drop(undone), undone + 1, refusal.MisfitID}, // the next move has its number now
		{"what is undone", set(undone, swap, "events", 0, "data", "seq"), undone, refusal.MisfitUnreadable},
		{"a change by somebody else", set(change, "s3", "events", 0, "data", "owner"), change, refusal.MisfitSeat},
		{
			"a sheet past its bounds", set(change, map[string]any{"luck": 1e9}, "events", 0, "data", "sheet"), change,
			refusal.MisfitRefused,
		},
		{"a change called secret", set(change, true, "secret"), change, refusal.MisfitUnreadable},
		{
			"what a change is said to change", set(change, "purse", "events", 0, "data", "changed", 0), change,
			refusal.MisfitID,
		},
		{"from what to what", set(change, 3, "events", 0, "data", "edits", 0, "is"), change, refusal.MisfitID},
		{
			"a name past its bounds", set(change, strings.Repeat("x", 5000), "events", 0, "data", "name"), change,
			refusal.MisfitRefused,
		},
		{"who opened the table", func(entries []journal.Entry) []journal.Entry {
			entries[0].Seat = "s2"
			return entries
		}, 1, refusal.MisfitID},
		{"a change said to be of a move", func(entries []journal.Entry) []journal.Entry {
			entries[change-1].Move = entries[swap-1].Move
			return entries
		}, change, refusal.MisfitID},
	}
}

// withForm lists bodies that norn doesn't write, and entries in the wrong place.
func (l *tampering) withForm() []tamperCase {
	set, blow, byHand, omen, swap := l.set, l.blow, l.byHand, l.omen, l.swap
	return []tamperCase{
		{"a member that others read otherwise", set(swap, false, "Done"), swap, refusal.MisfitUnreadable},
		{"a member that isn't norn's", set(swap, 1, "colour"), swap, refusal.MisfitUnreadable},
		{"a version that it doesn't need", set(swap, 2, "v"), swap, refusal.MisfitUnreadable},
		{"a seat twice", set(3, "s2", "events", 0, "data", "id"), 3, refusal.MisfitID},
		{"a character twice", set(6, "c1", "events", 0, "data", "id"), 6, refusal.MisfitID},
		{"an unknown kind", set(swap, "dance", "kind"), swap, refusal.MisfitUnreadable},
		{"an unknown event", set(blow, "toy.danced", "events", 0, "type"), blow, refusal.MisfitUnreadable},
		{"an unknown game", set(1, "chess", "events", 0, "data", "game"), 1, refusal.MisfitUnreadable},
		{"a newer body", set(swap, 3, "v"), swap, refusal.MisfitUnreadable},
		{"a newer event", set(blow, 2, "events", 0, "v"), blow, refusal.MisfitUnreadable},
		{"a seat that isn't there", func(entries []journal.Entry) []journal.Entry {
			entries[swap-1].Seat = "s9"
			return entries
		}, swap, refusal.MisfitSeat},
		{"a spectator's move", func(entries []journal.Entry) []journal.Entry {
			entries[swap-1].Seat = tabletest.Guest
			return entries
		}, swap, refusal.MisfitRefused},
		{"two moves swapped", func(entries []journal.Entry) []journal.Entry {
			entries[omen-1], entries[byHand-1] = entries[byHand-1], entries[omen-1]
			return entries
		}, byHand, refusal.MisfitID},
		{"the table opened twice", func(entries []journal.Entry) []journal.Entry {
			return append(entries, entries[0])
		}, uint64(len(l.entries) + 1), refusal.MisfitUnreadable},
		{"the end of a session twice", func(entries []journal.Entry) []journal.Entry {
			return append(entries, entries[len(entries)-1])
		}, uint64(len(l.entries) + 1), refusal.MisfitUnreadable},
	}
}

// Any change in a log with new checksums is found at the right entry.
func TestAnyTamperingIsFoundAtItsEntry(t *testing.T) {
	l := newTampering(t)
	for _, c := range slices.Concat(l.withDice(), l.withMoves(), l.withChanges(), l.withForm()) {
		t.Run(c.name, func(t *testing.T) {
			_, err := checkFile(t, l.Table, c.change(slices.Clone(l.entries)))
			var misfit *refusal.MisfitError
			if !errors.As(err, &misfit) {
				t.Fatalf("got %v, want a *MisfitError", err)
			}
			if misfit.Seq != c.seq || c.code != "" && misfit.Code != c.code {
				t.Errorf("got %v, want entry %d and %s", misfit, c.seq, c.code)
			}
			said := refusal.Say(game.Voice{Speaker: tabletest.Words(t).In("en")}, err)
			if !strings.HasPrefix(said, "Entry "+strconv.FormatUint(c.seq, 10)+" doesn’t fit: ") ||
				strings.Contains(said, "<no value>") || strings.Contains(said, "table.") {
				t.Errorf("said %q", said)
			}
		})
	}
}

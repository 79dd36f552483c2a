package editions

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"io/fs"
	"log/slog"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"norn/form"
	"norn/game"
	"norn/game/gametest"
	"norn/games"
	"norn/internal/relay/local"
	"norn/internal/widget"
	"norn/journal"
	"norn/journal/sqlite"
	"norn/lang"
	"norn/rule"
	"norn/table"
	"norn/table/act"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/verify"
	"norn/table/view"
)

var record = flag.String("record", "", "record the evenings of this game by its present edition")

// spoken returns all words.
var spoken = sync.OnceValue(func() *lang.Words {
	folders := []fs.FS{form.Words, widget.Words, table.Words}
	for _, g := range games.All() {
		folders = append(folders, g.Words)
	}
	words, err := lang.Load(folders...)
	if err != nil {
		panic(err)
	}
	return words
})

// TestRecord records the current edition of a game. The recording depends only on the rules and
// their cases: time and randomness are the same at each run.
func TestRecord(t *testing.T) {
	if *record == "" {
		t.Skip("nothing is to be recorded")
	}
	g, ok := game.Find(games.All(), *record)
	if !ok {
		t.Fatalf("there is no game %q", *record)
	}
	f := fixture{Norn: recorded, Game: g.ID, Edition: g.EditionID()}
	names, cases := scenes(t, g)
	for _, name := range names {
		p := gather(t, g, name)
		p.plays(cases[name])
		f.Evenings = append(f.Evenings, p.ends())
	}
	left := map[string]bool{}
	for n := range 3 { // some moves need everybody
		p := gather(t, g, fmt.Sprintf("open questions %d", n+1))
		some := false
		for _, name := range names {
			some = p.leaves(cases[name], left) || some
		}
		if some {
			f.Evenings = append(f.Evenings, p.ends())
		}
	}

	p := gather(t, g, "a whole evening")
	p.evening(cases)
	f.Evenings = append(f.Evenings, p.ends())
	there := p.moves()
	there.asks(scene{move: game.PlainDice, settings: "{}", args: `{"notation":"2d6+1"}`}, there.gm, chosen{})
	f.Evenings = append(f.Evenings, there.ends())
	write(t, f)
	read(t, path(f.Game, f.Edition))
}

// recorded is norn's version in recorded entries.
const recorded = "recorded"

// party is a table with people, with the same times and dice at each run.
type party struct {
	t       testing.TB
	game    *game.Game
	name    string
	journal journal.Journal
	host    *table.Host
	id      string
	chairs  []chair

	gm, anna, bohdan, watcher *table.Seat

	cast []string // characters of cases that are still there, oldest first
	n    int      // number of played cases
}

// newHost returns a host of its own, whose randomness depends only on its name.
func newHost(t testing.TB, j journal.Journal, name string, played ...*game.Game) *table.Host {
	t.Helper()
	hash := fnv.New64()
	hash.Write([]byte(name))
	var mu sync.Mutex
	now := time.Date(2026, 11, 20, 20, 0, 0, 0, time.UTC)
	host := table.New(table.Config{
		Games: game.Fixed(played), Words: spoken(), Journal: j, Relay: local.New(), Log: slog.New(slog.DiscardHandler),
		Version: recorded,
		Entropy: &entropy{r: rand.NewChaCha8([32]byte(bytes.Repeat(hash.Sum(nil), 4)))},
		Now: func() time.Time {
			mu.Lock()
			defer mu.Unlock()
			now = now.Add(time.Second)
			return now
		},
	})
	t.Cleanup(func() { host.Close() })
	return host
}

type entropy struct {
	mu sync.Mutex
	r  *rand.ChaCha8
}

func (e *entropy) Read(b []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.r.Read(b)
}

func newJournal(t testing.TB) journal.Journal {
	t.Helper()
	j, err := sqlite.Open(t.Context(), t.TempDir())
	must(t, err)
	t.Cleanup(func() { j.Close() })
	return j
}

func gather(t testing.TB, g *game.Game, name string) *party {
	t.Helper()
	p := &party{t: t, game: g, name: name, journal: newJournal(t)}
	p.host = newHost(t, p.journal, g.ID+"/"+name, games.All()...)
	created, err := p.host.Create(t.Context(), request.NewTable{Game: g.ID, Name: g.ID + ", " + name, Lang: lang.En})
	must(t, err)
	p.id = created.ID
	p.chairs = []chair{{created.Seat.ID, created.Seat.Role, created.Seat.Name, created.Seat.Secret}}
	p.gm = p.enter(created.Seat.Secret)
	p.anna, p.bohdan, p.watcher = p.invite("Anna", game.Player), p.invite("Bohdan", game.Player),
		p.invite("Watcher", game.Spectator)
	return p
}

func (p *party) enter(secret string) *table.Seat {
	p.t.Helper()
	s, err := p.host.Enter(p.t.Context(), p.id, secret, lang.En)
	must(p.t, err)
	return s
}

func (p *party) invite(name string, role game.Role) *table.Seat {
	p.t.Helper()
	i, err := table.Do(p.t.Context(), p.gm, act.AddSeat, act.SeatRequest{Name: name, Role: string(role)}, "")
	must(p.t, err)
	p.chairs = append(p.chairs, chair{i.ID, i.Role, i.Name, i.Secret})
	return p.enter(i.Secret)
}

// chosen configures how a case is played.
type chosen struct {
	secret, ourDice, typed bool
	stop                   func(view.Question) bool // leaves the move open there
}

// comes adds a case's characters to the table, every other one as a player's, and returns their ids
// by their names in the case.
func (p *party) comes(s scene) map[string]string {
	p.t.Helper()
	settings, err := p.game.Settings.Decode([]byte(s.settings))
	must(p.t, err)
	data, err := json.Marshal(settings)
	must(p.t, err)
	looked, err := p.gm.View(p.t.Context())
	must(p.t, err)
	if now, err := json.Marshal(looked.Settings); err != nil || !bytes.Equal(now, data) {
		_, err = table.Do(p.t.Context(), p.gm, act.Configure, act.ConfigureRequest{Settings: data}, "")
		must(p.t, err)
	}
	ids, seq := map[string]string{}, p.characters()
	for i, c := range s.cast {
		ids[c.id] = fmt.Sprintf("c%d", seq+i+1)
	}
	for i, c := range s.cast {
		n := act.CharacterRequest{Name: c.id, Kind: c.kind, Sheet: gametest.RenameIDs(p.t, c.sheet, ids)}
		if kind, _ := p.game.Kind(c.kind); kind.Player {
			n.Owner = []string{p.anna.ID(), p.bohdan.ID()}[i%2]
		}
		_, err := table.Do(p.t.Context(), p.gm, act.AddCharacter, n, "")
		must(p.t, err)
		p.cast = append(p.cast, ids[c.id])
	}
	return ids
}

// characters counts all characters that ever were at the table.
func (p *party) characters() int {
	n := 0
	for _, e := range whole(p.t, p.gm) {
		for _, line := range e.Lines {
			if line.Type == "table.character-added" {
				n++
			}
		}
	}
	return n
}

// asks makes a case's move and plays it as far as the case describes, or as how says. It returns ""
// if the table refuses it.
func (p *party) asks(s scene, by *table.Seat, how chosen) string {
	p.t.Helper()
	ctx, ids := p.t.Context(), p.comes(s)
	faces, answers := slices.Clone(s.dice), s.answers
	actor := ids[s.by]
	if move, _ := p.game.Move(s.move); len(move.Kinds) == 0 {
		actor = ""
	}
	r := request.Move{Move: s.move, Character: actor, Args: gametest.RenameIDs(p.t, s.args, ids), Secret: how.secret}
	if !how.ourDice && len(faces) > 0 {
		r.ByHand = true
		if !how.typed {
			r.Dice = faces
		}
	}
	made, err := by.Make(ctx, r)
	if invalid := asInvalid(err); invalid != nil && invalid.Problems[0].Code == form.TooMany && len(r.Dice) > 0 {
		r.Dice = faces[:invalid.Problems[0].Max]
		made, err = by.Make(ctx, r)
	}
	if err != nil {
		p.t.Logf("%s, %s %s: %v", p.name, s.move, r.Args, err)
		return ""
	}
	faces = faces[len(r.Dice):]
	for range 200 {
		looked, err := p.gm.View(ctx)
		must(p.t, err)
		open := slices.DeleteFunc(slices.Clone(looked.Questions), func(q view.Question) bool {
			return q.Move != made.Entry.Move
		})
		if len(open) == 0 {
			break
		}
		if how.stop != nil && slices.ContainsFunc(open, how.stop) {
			return made.Entry.Move
		}
		i, answer, told := 0, standard(p.t, open[0]), false
		if len(answers) > 0 {
			at := slices.IndexFunc(open, func(q view.Question) bool {
				return q.Question == answers[0].question &&
					(answers[0].part == "" || strings.Contains(q.ID, ":"+answers[0].part+":"))
			})
			dice := slices.IndexFunc(open, func(q view.Question) bool { return q.Dice != nil })
			switch {
			case at >= 0:
				i, answer, answers, told = at, gametest.RenameIDs(p.t, answers[0].value, ids), answers[1:], true
			case dice >= 0:
				i = dice
			}
		}
		if q := open[i]; q.Dice != nil {
			thrown := rule.Faces{}
			for range q.Dice.N {
				face := 1 + len(thrown.Faces)%q.Dice.Sides
				if len(faces) > 0 {
					face, faces = min(faces[0], q.Dice.Sides), faces[1:]
				}
				thrown.Faces = append(thrown.Faces, face)
			}
			answer, err = json.Marshal(thrown)
			must(p.t, err)
		}
		if p.answers(by, open[i], answer) || told && len(answers) > 0 { // a case's answer may be refused
			continue
		}
		if !p.answers(by, open[i], standard(p.t, open[i])) {
			_, err := table.Do(ctx, p.gm, act.Cancel, act.CancelRequest{Move: made.Entry.Move}, "")
			must(p.t, err)
			break
		}
	}
	return made.Entry.Move
}

// answers answers a question as the seat that made the move, or else as the game master.
func (p *party) answers(by *table.Seat, q view.Question, answer json.RawMessage) bool {
	for _, s := range []*table.Seat{by, p.gm} {
		if _, err := s.Answer(p.t.Context(), request.Answer{Question: q.ID, Answer: answer}); err == nil {
			return true
		}
	}
	return false
}

func standard(t testing.TB, q view.Question) json.RawMessage {
	t.Helper()
	if q.Standard == nil { // people must choose
		first := map[string]any{}
		for name, f := range q.Form.All() {
			if f.Kind == form.KindChoice && f.Required && !strings.Contains(name, ".") {
				first[name] = f.Options[0].Value
			}
		}
		data, err := json.Marshal(first)
		must(t, err)
		return data
	}
	data, err := json.Marshal(q.Standard)
	must(t, err)
	return data
}

func asInvalid(err error) *refusal.InvalidError {
	invalid, _ := err.(*refusal.InvalidError)
	return invalid
}

// plays plays cases one after the other, alternating between public and secret, game master and
// players, real dice and norn's, and undoes some of them.
func (p *party) plays(cases []scene) {
	p.t.Helper()
	ctx := p.t.Context()
	for _, s := range cases {
		p.n++
		by := p.gm
		if i := slices.IndexFunc(s.cast, func(m member) bool { return m.id == s.by }); i >= 0 && p.n%3 == 0 {
			kind, _ := p.game.Kind(s.cast[i].kind)
			if move, _ := p.game.Move(s.move); kind.Player && !move.GMOnly {
				by = []*table.Seat{p.anna, p.bohdan}[i%2]
			}
		}
		move := p.asks(s, by, chosen{secret: by == p.gm && p.n%7 == 0, ourDice: p.n%4 == 2, typed: p.n%2 == 1})
		if move == "" {
			continue
		}
		if p.n%6 == 5 {
			entries, err := p.gm.EntriesOfMove(ctx, move)
			must(p.t, err)
			if entries[0].MayUndo {
				_, err := table.Do(ctx, p.gm, act.Undo, act.UndoRequest{Seq: int(entries[0].Seq)}, "")
				must(p.t, err)
			}
		}
		if p.n%14 == 0 { // a secret one
			if _, err := table.Do(ctx, p.gm, act.ShowMove, act.MoveNamed{Move: move}, ""); err != nil {
				p.t.Logf("%s: show %s: %v", p.name, s.move, err)
			}
		}
		if p.n%10 == 0 {
			_, err := table.Do(ctx, p.gm, act.EndSession, act.Nothing{}, "")
			must(p.t, err)
			_, err = table.Do(ctx, p.anna, act.AddShare, act.ShareRequest{Share: "a share"}, "")
			must(p.t, err)
		}
		const most = 12
		for len(p.cast) > most {
			p.goes(p.cast[0])
			p.cast = p.cast[1:]
		}
	}
}

// goes removes a character, unless the game holds it.
func (p *party) goes(id string) {
	p.t.Helper()
	_, err := table.Do(p.t.Context(), p.gm, act.RemoveCharacter, act.CharacterNamed{Character: id}, "")
	if _, held := errors.AsType[*refusal.RefusedError](err); !held {
		must(p.t, err)
	}
}

// leaves plays cases with questions of kinds that weren't left open yet, leaves those open and
// reports whether there were any.
func (p *party) leaves(cases []scene, left map[string]bool) (some bool) {
	p.t.Helper()
	for _, s := range cases {
		waits := s.answers
		if len(s.dice) > 0 && !left[rule.DiceQuestion] {
			waits = []answer{{question: rule.DiceQuestion}}
		}
		if !slices.ContainsFunc(waits, func(a answer) bool { return !left[a.question] }) {
			continue
		}
		stop := func(q view.Question) bool {
			if left[q.Question] {
				return false
			}
			left[q.Question], some = true, true
			return true
		}
		p.asks(s, p.gm, chosen{secret: len(left)%3 == 1, typed: waits[0].question == rule.DiceQuestion, stop: stop})
		for _, c := range p.cast { // removes characters that aren't held
			if looked, err := p.gm.View(p.t.Context()); err == nil {
				at := slices.IndexFunc(looked.Characters, func(shown view.CharacterShown) bool { return shown.ID == c })
				if at >= 0 && looked.Characters[at].Busy == "" {
					p.goes(c)
				}
			}
		}
		p.cast = nil
	}
	return some
}

// evening plays the demo's story and everything else that people do at a table.
func (p *party) evening(cases map[string][]scene) {
	p.t.Helper()
	ctx := p.t.Context()
	demo := p.game.Demo(spoken().In(lang.En))
	var told scene
	for i, c := range demo.Cast {
		kind, _ := p.game.Kind(c.Kind)
		told.cast = append(told.cast, member{fmt.Sprintf("c%d", i+1), c.Kind, string(kind.Form.JSON(c.Sheet))})
	}
	told.settings = "{}"
	ids := p.comes(told)
	p.entry(table.Do(ctx, p.anna, act.AddShare, act.ShareRequest{Share: "anna's share"}, "k1"))
	p.entry(table.Do(ctx, p.watcher, act.AddShare, act.ShareRequest{Share: "зерно"}, ""))
	p.entry(table.Do(ctx, p.gm, act.Configure, act.ConfigureRequest{Settings: blank(p.t, p.game)}, ""))

	mine := ""
	for i, c := range told.cast {
		if kind, _ := p.game.Kind(c.kind); kind.Player && i%2 == 0 {
			mine = ids[c.id]
			break
		}
	}
	p.talk(mine)

	for _, beat := range demo.Story {
		move, _ := p.game.Move(beat.Move)
		s := scene{
			settings: "{}", move: beat.Move, by: beat.By,
			args: string(move.Form.For(form.AtTable).JSON(beat.Args)), dice: beat.Dice,
		}
		p.beat(s, ids)
	}
	p.throwEachMove(cases)
	p.entry(table.Do(ctx, p.gm, act.EndSession, act.Nothing{}, "k4"))
	p.changeSeats(mine)
	p.asks(scene{move: game.PlainDice, settings: "{}", args: `{"notation":"3d6"}`}, p.anna, chosen{})
	p.asks(scene{move: game.PlainDice, settings: "{}", args: `{"notation":"1d20"}`}, p.gm, chosen{secret: true})
	p.entry(table.Do(ctx, p.bohdan, act.AddShare, act.ShareRequest{Share: "another"}, ""))
	p.plays(cases[slices.Sorted(maps.Keys(cases))[0]])
}

// entry returns an entry that must have been written.
func (p *party) entry(e view.Entry, err error) view.Entry {
	p.t.Helper()
	must(p.t, err)
	return e
}

// talk keeps notes, talks, and calls and stars the first move that a character can make.
func (p *party) talk(mine string) {
	ctx := p.t.Context()
	p.entry(table.Do(ctx, p.gm, act.KeepNote, act.NoteRequest{ID: "", Text: "The duke lies"}, "k2"))
	kept := p.entry(table.Do(ctx, p.gm, act.KeepNote, act.NoteRequest{ID: "", Text: "Another note"}, ""))
	p.entry(table.Do(ctx, p.gm, act.KeepNote, act.NoteRequest{ID: fmt.Sprintf("n%d", kept.Seq), Text: ""}, ""))
	p.entry(table.Do(ctx, p.anna, act.Talk, act.TalkRequest{Text: "Good evening"}, "k3"))
	p.entry(table.Do(ctx, p.anna, act.Talk, act.TalkRequest{Text: "In her own voice", Character: form.Ref(mine)}, ""))
	p.entry(table.Do(ctx, p.bohdan, act.Talk, act.TalkRequest{Text: "Only for you", ToGM: true}, ""))
	for _, m := range p.game.Moves {
		if !m.GMOnly && m.AtTable && len(m.Kinds) > 0 {
			if called, err := table.Do(ctx, p.gm, act.CallMove,
				act.CallRequest{Move: m.ID, Character: form.Ref(mine), Text: "on the roof"}, ""); err == nil {
				p.entry(called, nil)
				p.entry(table.Do(ctx, p.anna, act.StarMove,
					act.StarRequest{Character: form.Ref(mine), Move: m.ID, On: true}, ""))
				break
			}
		}
	}
}

// throwEachMove makes each move once with norn's dice.
func (p *party) throwEachMove(cases map[string][]scene) {
	p.n = 0
	for _, m := range p.game.Moves {
		for _, name := range slices.Sorted(maps.Keys(cases)) {
			i := slices.IndexFunc(cases[name], func(s scene) bool { return s.move == m.ID })
			if i < 0 {
				continue
			}
			p.n++
			s := cases[name][i]
			s.settings = "{}"
			p.asks(s, p.gm, chosen{ourDice: true, secret: p.n%4 == 0})
			break
		}
	}
}

// changeSeats renames and gives away a character, undoes it, and renames, revokes and renews seats.
func (p *party) changeSeats(mine string) {
	ctx := p.t.Context()
	p.entry(table.Do(ctx, p.anna, act.ChangeCharacter, act.ChangeRequest{ID: mine, Name: new("Somebody else")}, ""))
	p.entry(table.Do(ctx, p.gm, act.ChangeCharacter, act.ChangeRequest{ID: mine, Owner: new(p.bohdan.ID())}, ""))
	renamedBack := p.entry(table.Do(ctx, p.bohdan, act.ChangeCharacter,
		act.ChangeRequest{ID: mine, Name: new("And another")}, ""))
	p.entry(table.Do(ctx, p.bohdan, act.Undo, act.UndoRequest{Seq: int(renamedBack.Seq)}, "k5"))
	p.entry(table.Do(ctx, p.gm, act.RenameSeat, act.RenameRequest{Seat: p.bohdan.ID(), Name: "Bohdana"}, ""))
	gone := p.invite("Gone", game.Player)
	p.chairs = p.chairs[:len(p.chairs)-1]
	p.entry(table.Do(ctx, p.gm, act.RevokeSeat, act.SeatNamed{Seat: gone.ID()}, ""))
	renewed, err := table.Do(ctx, p.gm, act.RenewSeat, act.SeatNamed{Seat: p.anna.ID()}, "")
	must(p.t, err)
	p.chairs[1].Secret, p.anna = renewed.Secret, p.enter(renewed.Secret)
}

// beat plays one move of the demo with the characters that are there.
func (p *party) beat(s scene, ids map[string]string) {
	p.t.Helper()
	s.by = ids[s.by]
	here := scene{settings: s.settings, move: s.move, args: s.args, dice: s.dice}
	made, err := p.gm.Make(p.t.Context(),
		request.Move{Move: here.move, Character: s.by, Args: json.RawMessage(here.args), ByHand: len(here.dice) > 0})
	must(p.t, err)
	faces := here.dice
	for range 50 {
		looked, err := p.gm.View(p.t.Context())
		must(p.t, err)
		i := slices.IndexFunc(looked.Questions, func(q view.Question) bool { return q.Move == made.Entry.Move })
		if i < 0 {
			return
		}
		q, answer := looked.Questions[i], standard(p.t, looked.Questions[i])
		if q.Dice != nil {
			thrown := rule.Faces{}
			for range q.Dice.N {
				face := 1
				if len(faces) > 0 {
					face, faces = min(faces[0], q.Dice.Sides), faces[1:]
				}
				thrown.Faces = append(thrown.Faces, face)
			}
			answer, err = json.Marshal(thrown)
			must(p.t, err)
		}
		if !p.answers(p.gm, q, answer) {
			_, err := table.Do(p.t.Context(), p.gm, act.Cancel, act.CancelRequest{Move: made.Entry.Move}, "")
			must(p.t, err)
			return
		}
	}
}

// moves transfers the table to another norn by its export.
func (p *party) moves() *party {
	p.t.Helper()
	var file bytes.Buffer
	must(p.t, p.gm.Export(p.t.Context(), &file))
	arriving, err := verify.ReadImport(games.All(), spoken(), &file, true)
	must(p.t, err)
	there := *p
	there.name, there.journal = p.name+", imported", newJournal(p.t)
	there.host = newHost(p.t, there.journal, p.game.ID+"/"+there.name, games.All()...)
	_, err = there.host.Import(p.t.Context(), arriving)
	must(p.t, err)
	for i, s := range []**table.Seat{&there.gm, &there.anna, &there.bohdan, &there.watcher} {
		*s = there.enter(there.chairs[i].Secret)
	}
	return &there
}

// ends returns the table as it is stored.
func (p *party) ends() evening {
	p.t.Helper()
	ev := evening{Name: p.name, Table: p.id, Seats: p.chairs, Shown: map[string]shown{}}
	entries, err := p.journal.Read(p.t.Context(), p.id, 0, 0)
	must(p.t, err)
	for _, e := range entries {
		ev.Entries = append(ev.Entries, stored{Time: e.Time, Seat: e.Seat, Move: e.Move, Key: e.Key, Body: e.Body})
	}
	for _, c := range ev.Seats {
		ev.Shown[c.ID] = look(p.t, p.host, p.id, c.Secret)
	}
	var file bytes.Buffer
	if p.gm.MayExport(p.t.Context()) == nil {
		must(p.t, p.gm.Export(p.t.Context(), &file))
		ev.Export = file.String()
		file.Reset()
	}
	must(p.t, p.anna.ExportSeen(p.t.Context(), &file))
	ev.Seen = file.String()
	p.t.Logf("%s: %d entries, %d open", p.name, len(entries), len(ev.Shown["s1"].View["questions"].([]any)))
	return ev
}

// Package dispatch makes a seat do what a line says, for pages and chats. Package chat has read the
// line, and the table validates the act. It stores nothing.
package dispatch

import (
	"context"
	"errors"
	"slices"
	"strings"

	"norn/chat"
	"norn/form"
	"norn/game"
	"norn/internal/bare"
	"norn/lang"
	"norn/table"
	"norn/table/act"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/view"
)

// Book returns what a seat can write at its table, of which v is a view. first is the actor if
// several are possible and the line names none, "" for the first one.
func Book(ctx context.Context, words *lang.Words, l lang.Lang, at *table.Reader, v *view.View,
	first string,
) *chat.Book {
	b := &chat.Book{
		Words: words, Lang: l, Game: at.Game(), As: v.Values.Notation, Master: v.Role == game.Master, Lead: "/",
	}
	makers := map[string][]string{} // actors of moves
	for _, m := range v.Moves {
		b.Moves = append(b.Moves, m.ID)
		makers[m.ID] = m.Characters
	}
	if voice, err := at.Voice(ctx); err == nil && v.Role == game.Player {
		b.Barred = map[string]string{}
		for _, m := range at.Game().Moves {
			_, err := at.MoveForm(ctx, m.ID, "")
			if why, ok := errors.AsType[*refusal.ForbiddenError](err); ok && len(why.Makers) > 0 {
				b.Barred[m.ID] = refusal.Say(voice, why)
			}
		}
	}
	for _, c := range Voices(at.Game(), v) {
		b.Actors = append(b.Actors, chat.Person{ID: c.ID, Name: c.Name})
	}
	b.Actor = func(move string) string {
		switch all := makers[move]; {
		case len(all) == 0:
			return ""
		case slices.Contains(all, first):
			return first
		default:
			return all[0]
		}
	}
	b.Form = func(spot chat.Spot) *form.Form {
		f, err := at.MoveForm(ctx, spot.Move, spot.Actor)
		if err != nil {
			return nil
		}
		return f
	}
	for _, s := range v.WhisperTargets() {
		b.Seats = append(b.Seats, chat.Person{ID: s.ID, Name: s.Name})
	}
	for _, c := range v.Characters {
		if !c.Mine && slices.ContainsFunc(b.Seats, func(s chat.Person) bool { return s.ID == c.Owner }) {
			b.Played = append(b.Played, chat.Played{Person: chat.Person{ID: c.ID, Name: c.Name}, Seat: c.Owner})
		}
	}
	for _, q := range v.Questions {
		if q.Mine {
			b.Asked = append(b.Asked, chat.Question{
				ID: q.ID, Move: q.Name,
				Text: strings.TrimSpace(q.Text + " " + q.AboutText), Form: q.Form,
			})
		}
	}
	for _, d := range act.All {
		if d.Now != nil && v.Role == game.Master {
			b.Acts = append(b.Acts, chat.Verb(d.Name))
		}
	}
	if v.Role == game.Master {
		for _, c := range v.Clocks {
			b.Clocks = append(b.Clocks, chat.Person{ID: c.ID, Name: c.Name})
		}
		for _, s := range v.Scenes {
			b.Scenes = append(b.Scenes, chat.Person{ID: s.ID, Name: s.Title})
		}
	}
	for _, o := range v.Offers {
		b.Offers = append(b.Offers, chat.Offer{ID: o.ID, Text: o.Text})
	}
	return b
}

// Voices returns the characters that a seat may speak for, by kind, in the game's order.
func Voices(g *game.Game, v *view.View) []view.CharacterShown {
	if v.Role == game.Spectator {
		return nil
	}
	var all []view.CharacterShown
	for _, c := range v.Characters {
		if v.Role == game.Master || c.Mine {
			all = append(all, c)
		}
	}
	place := func(c view.CharacterShown) int {
		return slices.IndexFunc(g.Kinds, func(k game.Kind) bool { return k.ID == c.Kind })
	}
	slices.SortStableFunc(all, func(a, b view.CharacterShown) int { return place(a) - place(b) })
	return all
}

// How has the options of a line.
type How struct {
	As     string // the character that speaks if the line names none; "" for the seat itself
	ToGM   bool   // messages are only for game masters
	To     string // the seat to whisper to if the line names none
	Secret bool   // only game masters see the move
	Key    string
	Nonce  string
}

// Done is the result of a line.
type Done struct {
	Entry  view.Entry // that was written
	Undoes view.Entry // that was undone, for chat.Undo
	Open   []view.Question
}

// Do makes a seat talk, make a move, take an offer, answer, tick a clock or undo, as a
// command says; other commands do nothing. Errors are the seat's, and ErrNothing.
func Do(ctx context.Context, s *table.Seat, c chat.Command, how How) (Done, error) {
	switch c.Verb {
	case chat.Say, chat.Tell, chat.Whisper:
		said := act.TalkRequest{
			Text: c.Text, Character: form.Ref(c.Actor), ToGM: c.Verb == chat.Tell || how.ToGM,
			To: c.To,
		}
		switch {
		case how.To != "" && c.Verb == chat.Say:
			said.To = how.To
		case said.Character == "" && !how.ToGM && how.To == "":
			said.Character = form.Ref(how.As)
		}
		e, err := table.Do(ctx, s, act.Talk, said, how.Key)
		return Done{Entry: e}, err
	case chat.Make:
		made, err := s.Make(ctx, request.Move{
			Move: c.Move, Character: c.Actor, Args: c.Args, Key: how.Key,
			Nonce: how.Nonce, Secret: how.Secret || c.Secret,
		})
		return Done{Entry: made.Entry, Open: made.Open}, err
	case chat.Take:
		made, err := s.Make(ctx, request.Move{Offer: c.Offer, Key: how.Key, Nonce: how.Nonce})
		return Done{Entry: made.Entry, Open: made.Open}, err
	case chat.Answer:
		made, err := s.Answer(ctx, request.Answer{Question: c.Asked, Answer: c.Args, Key: how.Key})
		return Done{Entry: made.Entry, Open: made.Open}, err
	case chat.Tick:
		e, err := table.Do(ctx, s, act.TickClock, act.TickRequest{Clock: c.Clock, By: c.By}, how.Key)
		return Done{Entry: e}, err
	case chat.Scene:
		e, err := table.Do(ctx, s, act.SetScene, act.SetSceneRequest{Scene: c.Scene}, how.Key)
		return Done{Entry: e}, err
	case chat.Undo:
		return undo(ctx, s, how.Key)
	}
	d := act.Find(string(c.Verb))
	if d == nil {
		return Done{}, nil
	}
	in, said := d.New(), map[string][]string{d.Form.Fields[0].Name: {c.Text}, "key": {how.Key}}
	in.Typed(func(name string) []string { return said[name] })
	made, err := table.DoAny(ctx, s, d, in)
	e, _ := made.(view.Entry)
	return Done{Entry: e}, err
}

// newest is the number of entries among which undo searches.
const newest = 100

// ErrNothing says that there's nothing to undo.
var ErrNothing = errors.New("nothing can be undone")

// undo undoes the newest entry that the seat may undo.
func undo(ctx context.Context, s *table.Seat, key string) (Done, error) {
	entries, err := s.Last(ctx, newest)
	if err != nil {
		return Done{}, err
	}
	for _, e := range slices.Backward(entries) {
		if e.MayUndo {
			undone, err := table.Do(ctx, s, act.Undo, act.UndoRequest{Seq: int(e.Seq)}, key)
			return Done{Entry: undone, Undoes: e}, err
		}
	}
	return Done{}, ErrNothing
}

// Problem says why a line couldn't be read or done; field puts an error of a form's field into
// words. It returns "" for norn's own failures.
func Problem(v game.Voice, c chat.Command, err error, field func(*form.Form, form.Problem) string) string {
	wrong, unread := errors.AsType[*chat.Error](err)
	notation, unwritten := errors.AsType[*game.NotationError](err)
	of := "args"
	if c.Verb == chat.Answer {
		of = "answer"
	}
	problems, rest := refusal.Split(err, of)
	switch {
	case unread:
		return wrong.Say(v.Speaker)
	case unwritten:
		return bare.Say(v.Speaker, notation)
	case errors.Is(err, ErrNothing):
		return v.Say("chat.nothing-to-undo")
	case len(problems) > 0 && c.Form != nil:
		return field(c.Form, problems[0])
	case len(rest) > 0 && rest[0].Path == "text":
		id, data := rest[0].Word()
		data["Field"] = v.Say("chat.line")
		return v.Say(id, data)
	case refusal.IsRefusal(err):
		return refusal.Say(v, err)
	}
	return ""
}

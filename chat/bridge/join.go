package bridge

import (
	"context"
	"crypto/rand"
	"errors"
	"strings"
	"time"

	"norn/game"
	"norn/internal/rescue"
	"norn/lang"
	"norn/table"
	"norn/table/act"
	"norn/table/refusal"
)

// ErrMany says that a table is tied to too many places.
var ErrMany = errors.New("bridge: too many chats")

// maxTies limits the ties of one table.
const maxTies = 64

// Code makes a code for a seat: for its person or, for a game master, for a place where the table
// is shown. link is the address of the table's page.
func (b *Bridge) Code(ctx context.Context, tableID, secret string, whole bool, l lang.Lang, link string) (string,
	error,
) {
	if len(b.Of(tableID)) >= maxTies {
		return "", ErrMany
	}
	return b.codes.give(ctx, grant{Table: tableID, Secret: secret, Whole: whole, Lang: l, Link: link})
}

// join ties a place to a table, or a person to a seat.
func (b *Bridge) join(ctx context.Context, u Update, text string, whole bool) (Answer, error) {
	say := b.speaker(u)
	// a repeated update
	if t := b.ties.newest(func(t Tie) bool { return t.Update == keyOf(u) && t.By == u.By.ID }); t != nil {
		return b.welcome(ctx, t, u.Place)
	}
	if text == "" {
		return aloneAnswer(say.Say("bridge.code-needed")), nil
	}
	c, often, err := b.codes.take(ctx, u.By.ID, u.Place, text)
	switch {
	case err != nil:
		return Answer{}, err
	case often:
		return aloneAnswer(say.Say("bridge.too-often", "N", int(codeLasts.Minutes()))), nil
	case c == nil:
		b.count(platformOf(u.By.ID), "guess")
		return aloneAnswer(say.Say("bridge.no-code")), nil
	case c.Whole && !whole:
		return aloneAnswer(say.Say("bridge.code-for-table", "Lead", b.lead(u.Place))), nil
	case whole && !c.Whole:
		return aloneAnswer(say.Say("bridge.code-for-seat", "Lead", b.lead(u.Place))), nil
	}
	seat, err := b.Host.Enter(ctx, c.Table, c.Secret, c.Lang)
	if refusal.IsGone(err) {
		return aloneAnswer(say.Say("bridge.no-code")), nil
	}
	if err != nil {
		return Answer{}, err
	}
	t := Tie{
		ID: strings.ToLower(rand.Text())[:12], Platform: platformOf(u.By.ID), Name: u.By.Name, By: u.By.ID,
		Table: c.Table, Seat: seat.ID(), Secret: c.Secret, Lang: c.Lang, Link: c.Link,
		Since: b.Now(), Update: keyOf(u),
	}
	if whole {
		made, err := table.Do(ctx, seat, act.AddSeat,
			act.SeatRequest{Name: PlatformName(t.Platform), Role: string(game.Spectator)}, keyOf(u))
		if refusal.IsRefusal(err) {
			voice, _ := seat.Voice(ctx) // without it the texts have no names
			return aloneAnswer(refusal.Say(voice, err)), nil
		}
		if err != nil {
			return Answer{}, err
		}
		t.Place, t.Seat, t.Secret = u.Place, made.ID, made.Secret
	} else {
		t.Person = u.By.ID
	}
	v, err := seat.View(ctx) // posts begin here
	if err != nil {
		return Answer{}, err
	}
	switch {
	case whole:
		t.Lang = v.Lang
	case u.By.Lang != "":
		t.Lang = u.By.Lang
	}
	before := b.ties.filter(func(other Tie) bool {
		return other.Platform == t.Platform && other.Place == t.Place && other.Person == t.Person &&
			(t.Place != "" || other.Table == t.Table)
	})
	if err := saveDelivery(ctx, b.Store, t.ID, &delivery{At: v.Told}); err != nil {
		return Answer{}, err
	}
	if err := b.ties.put(ctx, t); err != nil {
		return Answer{}, err
	}
	for _, other := range before {
		if err := b.ties.drop(ctx, other); err != nil {
			return Answer{}, err
		}
	}
	return b.welcome(ctx, &t, u.Place)
}

// welcome says in a place what was tied, and what waits there.
func (b *Bridge) welcome(ctx context.Context, t *Tie, place string) (Answer, error) {
	at, err := b.viewOfTie(ctx, t, place)
	if err != nil || at == nil {
		return Answer{}, err
	}
	m := Message{
		Head: at.view.Name + " · " + at.word("game", "name"), Link: t.Link,
		LinkText: at.say.Say("bridge.open"),
	}
	if t.Place != "" {
		m.Lines = []Line{
			{Text: at.say.Say("bridge.tied-place")},
			{Text: at.say.Say("bridge.tied-place-how", "Lead", at.lead), Weight: Small},
		}
		return Answer{Message: m}, nil
	}
	m.Lines = []Line{
		{Text: at.say.Say("bridge.tied-person", "Name", at.me())},
		{Text: at.say.Say("bridge.tied-person-how", "Lead", at.lead), Weight: Small},
	}
	if q := at.myQuestion(""); q != nil {
		asked := at.question(*q)
		m.Lines, m.Controls = append(append(m.Lines, Line{Text: asked.Head, Weight: Strong}), asked.Lines...),
			asked.Controls
	}
	return Answer{Message: m, Alone: true}, nil
}

// Moved moves ties to another place: a platform may give a place another id.
func (b *Bridge) Moved(ctx context.Context, from, to string) error {
	return rescue.Run(b.Log, "chat move", func() error { return b.moveTies(ctx, from, to) })
}

func (b *Bridge) moveTies(ctx context.Context, from, to string) error {
	for _, t := range b.ties.filter(func(t Tie) bool { return t.Place == from }) {
		t.Place = to
		if err := b.ties.put(ctx, t); err != nil {
			return err
		}
	}
	return nil
}

// TieShown is a tie as pages show it.
type TieShown struct {
	ID, Platform, Name string
	Seat               string // the person's; for a place the one whose view it gets
	Whole              bool
	Since              time.Time
	Ended              string
}

// Of returns a table's ties, the oldest first.
func (b *Bridge) Of(tableID string) []TieShown {
	var all []TieShown
	for _, t := range b.ties.filter(func(t Tie) bool { return t.Table == tableID }) {
		all = append(all, TieShown{
			ID: t.ID, Platform: t.Platform, Name: t.Name, Seat: t.Seat, Whole: t.Place != "",
			Since: t.Since, Ended: t.Ended,
		})
	}
	return all
}

// End ends a tie of a table on behalf of a seat: its own, or any for a game master, which also
// revokes a place's seat. An unknown tie is no error.
func (b *Bridge) End(ctx context.Context, seat *table.Seat, id string) error {
	master := seat.Role() == game.Master
	for _, t := range b.ties.filter(func(t Tie) bool {
		return t.ID == id && t.Table == seat.Table() && (master || t.Seat == seat.ID())
	}) {
		if err := b.ties.drop(ctx, t); err != nil {
			return err
		}
		if t.Place == "" || !master {
			continue
		}
		if _, err := table.Do(ctx, seat, act.RevokeSeat, act.SeatNamed{Seat: t.Seat}, "chat-end-"+t.ID); err != nil &&
			!refusal.IsRefusal(err) {
			return err
		}
	}
	return nil
}

// leave ends the tie of the place, for those who may, or the person's own.
func (b *Bridge) leave(ctx context.Context, u Update) (Answer, error) {
	say := b.speaker(u)
	own, here := b.ties.ofPerson(u.By.ID, u.Place), b.ties.ofPlace(u.Place)
	if here != nil && own == nil && here.By == u.By.ID { // the person who tied it may untie it
		own = here
	}
	if own == nil {
		return aloneAnswer(say.Say("bridge.no-tie")), nil
	}
	if here != nil && own.Person != "" {
		if seat, err := b.Host.Enter(ctx, own.Table, own.Secret, own.Lang); err == nil && seat.Role() == game.Master {
			return Answer{Message: textMessage(say.Say("bridge.untied-place"))}, b.End(ctx, seat, here.ID)
		}
	}
	if err := b.ties.drop(ctx, *own); err != nil {
		return Answer{}, err
	}
	if own.Place != "" {
		return Answer{Message: textMessage(say.Say("bridge.untied-place"))}, nil
	}
	return aloneAnswer(say.Say("bridge.untied-person")), nil
}

package bridge

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"norn/game"
	"norn/herald/keep"
	"norn/lang"
	"norn/table"
	"norn/table/refusal"
	"norn/table/request"
)

// Scopes of what is kept.
const (
	ofTies   = "chat"
	ofCodes  = "chat.codes"
	ofTold   = "chat.told"
	ofLeases = "chat.leases"
)

// Tie is a place in a chat that hears of a table, or a person in a chat who sits there. It holds the seat's secret, since nothing else opens a
// seat: it's kept where what calls people is kept, and never shown.
type Tie struct {
	ID       string    `json:"id"`
	Platform string    `json:"platform"`
	Place    string    `json:"place,omitempty"`  // of a place's
	Person   string    `json:"person,omitempty"` // of a person's
	Name     string    `json:"name"`             // of the person, or of who tied the place
	By       string    `json:"by"`               // the person who did it
	Table    string    `json:"table"`
	Seat     string    `json:"seat"`
	Secret   string    `json:"secret"`
	Lang     lang.Lang `json:"lang"`
	Link     string    `json:"link"` // of the table's page
	Since    time.Time `json:"since"`
	Update   string    `json:"update"`          // that made it
	Ended    string    `json:"ended,omitempty"` // why it's over, in a word: what stays to be read
}

// code is what a code opens.
type code struct {
	Table  string    `json:"table"`
	Secret string    `json:"secret"` // of the seat that it's for, or of the game master who gives it
	Whole  bool      `json:"whole"`  // it brings the table to a place
	Lang   lang.Lang `json:"lang"`
	Link   string    `json:"link"`
	Until  time.Time `json:"until"`
}

const (
	codeLasts   = 10 * time.Minute
	mostGuesses = 5 // wrong codes of a person, and in a place, in that time
	mostInAll   = 200
	signs       = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
)

// ErrMany says that a table is tied to too many places.
var ErrMany = errors.New("bridge: too many chats")

// mostTies are of one table.
const mostTies = 64

// Code makes a code for a seat: for its person, or, of a game master's, for a place in which the whole table shall be heard of. link is of the
// table's page.
func (b *Bridge) Code(ctx context.Context, tableID, secret string, whole bool, l lang.Lang, link string) (string, error) {
	if len(b.Of(tableID)) >= mostTies {
		return "", ErrMany
	}
	if err := b.sweep(ctx); err != nil {
		return "", err
	}
	drawn := make([]byte, 8)
	rand.Read(drawn) // never fails
	for i := range drawn {
		drawn[i] = signs[int(drawn[i])%len(signs)]
	}
	shown := string(drawn[:4]) + "-" + string(drawn[4:])
	c := code{Table: tableID, Secret: secret, Whole: whole, Lang: l, Link: link, Until: b.Now().Add(codeLasts)}
	return shown, b.Store.Put(ctx, keep.Thing{Scope: ofCodes, ID: short(32, plainCode(shown)), Data: encoded(c)})
}

// plainCode is a code as it's compared.
func plainCode(text string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(signs, r) {
			return r
		}
		return -1
	}, strings.ToUpper(text))
}

// sweep forgets codes that are over.
func (b *Bridge) sweep(ctx context.Context) error {
	all, err := b.Store.All(ctx, ofCodes)
	for _, t := range all {
		var c code
		if json.Unmarshal([]byte(t.Data), &c) != nil || b.Now().After(c.Until) {
			err = errors.Join(err, b.Store.Drop(ctx, ofCodes, t.ID))
		}
	}
	return err
}

// taken gives what a code opens, once; guessed wrong it's counted, and who guesses too often isn't heard for a while.
func (b *Bridge) taken(ctx context.Context, u Update, text string) (c code, ok, often bool, err error) {
	now := b.Now()
	asks := []struct {
		of   string
		most int
	}{{"by " + u.By.ID, mostGuesses}, {"in " + u.Place, mostGuesses}, {"all", mostInAll}}
	b.mu.Lock()
	for of, at := range b.guesses {
		at = slices.DeleteFunc(at, func(t time.Time) bool { return now.Sub(t) > codeLasts })
		if b.guesses[of] = at; len(at) == 0 {
			delete(b.guesses, of)
		}
	}
	for _, a := range asks {
		often = often || len(b.guesses[a.of]) >= a.most
	}
	b.mu.Unlock()
	if often {
		return code{}, false, true, nil
	}
	t, there, err := b.Store.Take(ctx, ofCodes, short(32, plainCode(text)))
	if err != nil {
		return code{}, false, false, err
	}
	if there && json.Unmarshal([]byte(t.Data), &c) == nil && now.Before(c.Until) {
		return c, true, false, nil
	}
	b.count(platformOf(u.By.ID), "guess")
	b.mu.Lock()
	for _, a := range asks {
		b.guesses[a.of] = append(b.guesses[a.of], now)
	}
	b.mu.Unlock()
	return code{}, false, false, nil
}

// PlatformName is a platform as people write it: "Discord".
func PlatformName(platform string) string {
	if platform == "" {
		return ""
	}
	return strings.ToUpper(platform[:1]) + platform[1:]
}

// platformOf is the platform of an id.
func platformOf(id string) string {
	name, _, _ := strings.Cut(id, ":")
	return name
}

// join ties a place to a table, or a person to a seat.
func (b *Bridge) join(ctx context.Context, u Update, text string, whole bool) (Answer, error) {
	say := b.speaker(b.langOf(u))
	if t := b.madeBy(u); t != nil { // told twice
		return b.joined(ctx, t)
	}
	if text == "" {
		return alone(say.Say("bridge.code-needed")), nil
	}
	c, ok, often, err := b.taken(ctx, u, text)
	switch {
	case err != nil:
		return Answer{}, err
	case often:
		return alone(say.Say("bridge.too-often", "N", int(codeLasts.Minutes()))), nil
	case !ok:
		return alone(say.Say("bridge.no-code")), nil
	case c.Whole != whole:
		word := "bridge.code-for-seat"
		if c.Whole {
			word = "bridge.code-for-table"
		}
		return alone(say.Say(word)), nil
	}
	t := &Tie{
		ID: strings.ToLower(rand.Text())[:12], Platform: platformOf(u.By.ID), Name: u.By.Name, By: u.By.ID, Table: c.Table, Secret: c.Secret, Lang: c.Lang, Link: c.Link, Since: b.Now(), Update: keyOf(u),
	}
	seat, err := b.Host.Enter(ctx, c.Table, c.Secret, c.Lang)
	if refusal.IsGone(err) {
		return alone(say.Say("bridge.no-code")), nil
	}
	if err != nil {
		return Answer{}, err
	}
	v, err := seat.View(ctx)
	if err != nil {
		return Answer{}, err
	}
	t.Seat = seat.ID()
	if whole {
		t.Place, t.Lang = u.Place, v.Lang
		made, err := seat.AddSeat(ctx, request.NewSeat{Name: PlatformName(t.Platform), Role: game.Spectator, Key: keyOf(u)})
		if err != nil {
			if refusal.IsRefusal(err) {
				return alone(b.refused(ctx, &seat.Reader, err)), nil
			}
			return Answer{}, err
		}
		t.Seat, t.Secret = made.ID, made.Secret
		if v, err = seat.View(ctx); err != nil { // from there on the place is told
			return Answer{}, err
		}
	} else {
		t.Person = u.By.ID
		if u.By.Lang != "" {
			t.Lang = u.By.Lang
		}
	}
	if err := b.tie(ctx, t, v.Told); err != nil {
		return Answer{}, err
	}
	return b.joined(ctx, t)
}

// joined says what was tied, and what waits there.
func (b *Bridge) joined(ctx context.Context, t *Tie) (Answer, error) {
	seat, err := b.Host.Enter(ctx, t.Table, t.Secret, t.Lang)
	if err != nil {
		return Answer{}, err
	}
	at, err := b.looking(ctx, t, seat)
	if err != nil {
		return Answer{}, err
	}
	gameName := at.say.Say(seat.Game().Word("game", "name"))
	m := Message{Head: at.view.Name + " · " + gameName, Link: t.Link, LinkText: at.say.Say("bridge.open")}
	if t.Place != "" {
		m.Lines = []Line{{Text: at.say.Say("bridge.tied-place")}, {Text: at.say.Say("bridge.tied-place-how"), Weight: Small}}
		return Answer{Message: m}, nil
	}
	m.Lines = []Line{{Text: at.say.Say("bridge.tied-person", "Name", at.me())}, {Text: at.say.Say("bridge.tied-person-how"), Weight: Small}}
	for _, q := range at.view.Questions {
		if q.Mine {
			asked := at.question(q)
			m.Lines, m.Controls = append(m.Lines, append([]Line{{Text: asked.Head, Weight: Strong}}, asked.Lines...)...), asked.Controls
			break
		}
	}
	return Answer{Message: m, Alone: true}, nil
}

// tie keeps a tie in place of the one that the place, or the person at the table, had.
func (b *Bridge) tie(ctx context.Context, t *Tie, at uint64) error {
	if err := b.keepTold(ctx, t.ID, &told{At: at}); err != nil {
		return err
	}
	if err := b.Store.Put(ctx, keep.Thing{Scope: ofTies, ID: t.ID, Data: encoded(t)}); err != nil {
		return err
	}
	var before []*Tie
	b.mu.Lock()
	for _, other := range b.ties {
		if other.Platform == t.Platform && other.Place == t.Place && other.Person == t.Person && (t.Place != "" || other.Table == t.Table) {
			before = append(before, other)
		}
	}
	b.ties[t.ID] = t
	b.mu.Unlock()
	for _, other := range before {
		if err := b.drop(ctx, other); err != nil {
			return err
		}
	}
	b.settle()
	return nil
}

// drop forgets a tie.
func (b *Bridge) drop(ctx context.Context, t *Tie) error {
	if err := errors.Join(b.Store.Drop(ctx, ofTies, t.ID), b.Store.Drop(ctx, ofTold, t.ID)); err != nil {
		return err
	}
	b.mu.Lock()
	delete(b.ties, t.ID)
	b.mu.Unlock()
	b.settle()
	return nil
}

// over ends a tie by itself; of a place's it stays to be read on the game master's page.
func (b *Bridge) over(ctx context.Context, t *Tie, why string) {
	b.count(t.Platform, "gone")
	if t.Place == "" || why == endedSeat {
		if err := b.drop(ctx, t); err != nil {
			b.failed("a tie can't be ended", err)
		}
		return
	}
	ended := *t
	ended.Ended = why
	if err := b.Store.Put(ctx, keep.Thing{Scope: ofTies, ID: t.ID, Data: encoded(ended)}); err != nil {
		b.failed("a tie can't be ended", err)
		return
	}
	b.mu.Lock()
	b.ties[t.ID] = &ended
	b.mu.Unlock()
	b.settle()
}

// Moved has what is tied to a place follow it to another: a platform may give a place another id.
func (b *Bridge) Moved(ctx context.Context, from, to string) error {
	b.mu.Lock()
	var moved []*Tie
	for _, t := range b.ties {
		if t.Place == from {
			m := *t
			m.Place = to
			moved = append(moved, &m)
		}
	}
	b.mu.Unlock()
	for _, t := range moved {
		if err := b.Store.Put(ctx, keep.Thing{Scope: ofTies, ID: t.ID, Data: encoded(t)}); err != nil {
			return err
		}
		b.mu.Lock()
		b.ties[t.ID] = t
		b.mu.Unlock()
	}
	return nil
}

// endedSeat is why a tie is over whose seat is gone, or has a new link.
const endedSeat = "seat"

// Tied is a tie as pages show it.
type Tied struct {
	ID, Platform, Name string
	Seat               string // the person's; "" for a place
	Whole              bool
	Since              time.Time
	Ended              string
}

// Of are a table's ties, the oldest first.
func (b *Bridge) Of(tableID string) []Tied {
	b.mu.Lock()
	defer b.mu.Unlock()
	var all []Tied
	for _, t := range b.ties {
		if t.Table == tableID {
			all = append(all, Tied{ID: t.ID, Platform: t.Platform, Name: t.Name, Seat: t.Seat, Whole: t.Place != "", Since: t.Since, Ended: t.Ended})
		}
	}
	slices.SortFunc(all, func(x, y Tied) int { return x.Since.Compare(y.Since) })
	return all
}

// End ends a tie of a table for a seat: its own, or any for a game master, who takes the place's seat away with it. One that isn't there is
// no error.
func (b *Bridge) End(ctx context.Context, seat *table.Seat, id string) error {
	b.mu.Lock()
	t := b.ties[id]
	b.mu.Unlock()
	if t == nil || t.Table != seat.Table() || seat.Role() != game.Master && t.Seat != seat.ID() {
		return nil
	}
	if err := b.drop(ctx, t); err != nil {
		return err
	}
	if t.Place != "" && seat.Role() == game.Master {
		if _, err := seat.RevokeSeat(ctx, t.Seat, "chat-end-"+t.ID); err != nil && !refusal.IsRefusal(err) {
			return err
		}
	}
	return nil
}

// Join is how a person gives a code on a platform: a link, or "" for the usual line.
func (b *Bridge) Join(name, code string) string {
	b.mu.Lock()
	p := b.platforms[name]
	b.mu.Unlock()
	if p == nil {
		return ""
	}
	return p.Join(code)
}

// reread finds what is tied, by other nodes too.
func (b *Bridge) reread(ctx context.Context) error {
	all, err := b.Store.All(ctx, ofTies)
	if err != nil {
		return err
	}
	ties := map[string]*Tie{}
	for _, kept := range all {
		var t Tie
		if json.Unmarshal([]byte(kept.Data), &t) == nil {
			ties[t.ID] = &t
		}
	}
	b.mu.Lock()
	b.ties = ties
	b.mu.Unlock()
	return nil
}

// madeBy is the tie that an update has made.
func (b *Bridge) madeBy(u Update) *Tie {
	return b.find(func(t *Tie) bool { return t.Update == keyOf(u) && t.By == u.By.ID })
}

// find is the newest tie of its kind that isn't over.
func (b *Bridge) find(is func(*Tie) bool) *Tie {
	b.mu.Lock()
	defer b.mu.Unlock()
	var found *Tie
	for _, t := range b.ties {
		if t.Ended == "" && is(t) && (found == nil || t.Since.After(found.Since)) {
			found = t
		}
	}
	return found
}

// at is the tie of a place.
func (b *Bridge) at(place string) *Tie { return b.find(func(t *Tie) bool { return t.Place == place }) }

// of is a person's tie: to the table of the place where they are, and where none is tied there the newest.
func (b *Bridge) of(person, place string) *Tie {
	if here := b.at(place); here != nil {
		return b.find(func(t *Tie) bool { return t.Person == person && t.Table == here.Table })
	}
	return b.find(func(t *Tie) bool { return t.Person == person })
}

// langOf is the language in which somebody is answered.
func (b *Bridge) langOf(u Update) lang.Lang {
	if t := b.of(u.By.ID, u.Place); t != nil {
		return t.Lang
	}
	if u.By.Lang != "" {
		return u.By.Lang
	}
	if t := b.at(u.Place); t != nil {
		return t.Lang
	}
	return lang.En
}

// leave ends the tie of the place, for who may, or the person's own.
func (b *Bridge) leave(ctx context.Context, u Update) (Answer, error) {
	say := b.speaker(b.langOf(u))
	own := b.of(u.By.ID, u.Place)
	here := b.at(u.Place)
	if here != nil && own == nil && here.By == u.By.ID { // who brought it takes it away
		own = here
	}
	if own == nil {
		return alone(say.Say("bridge.no-tie")), nil
	}
	if here != nil && own.Person != "" {
		if seat, err := b.Host.Enter(ctx, own.Table, own.Secret, own.Lang); err == nil && seat.Role() == game.Master {
			if err := b.End(ctx, seat, here.ID); err != nil {
				return Answer{}, err
			}
			return Answer{Message: said(say.Say("bridge.untied-place"))}, nil
		}
	}
	if err := b.drop(ctx, own); err != nil {
		return Answer{}, err
	}
	if own.Place != "" {
		return Answer{Message: said(say.Say("bridge.untied-place"))}, nil
	}
	return alone(say.Say("bridge.untied-person")), nil
}

func said(text string) Message { return Message{Lines: []Line{{Text: text}}} }

func alone(text string) Answer { return Answer{Message: said(text), Alone: true} }

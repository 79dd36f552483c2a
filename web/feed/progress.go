package feed

import (
	"bytes"
	"context"
	"maps"
	"reflect"
	"slices"
	"strings"

	"norn/table/view"
	"norn/web/html"
	"norn/web/present"
)

// Progress is how far pages were told. It changes no more once it's reached.
type Progress struct {
	view    *view.View
	at      present.Selection
	told    latest
	own     bool                // told isn't that of the progress before
	whole   bool                // nothing of what it shows was never told
	asked   map[string][]string // by moves: their open questions, whom the others wait for, and their offers
	here    map[string]bool     // seats that were told to be here
	secrets []present.Card
	tallies []view.Tally
	waiting html.Waiting
}

// Start is the progress of a page of which nothing is known but what it shows.
func Start(at present.Selection) *Progress { return &Progress{at: at, told: latest{}, own: true} }

// Drawn notes all pieces as drawn with the page, the cards that ask or offer something too, but for who is here, which is in no journal.
func (p *Progress) Drawn(l *present.Look) {
	p.Reach(l)
	p.Asked(l, p)
	p.told.know(l, pieces(l))
	delete(p.told, "#online")
	delete(p.told, ".online-menu")
}

// DrawnBeside notes those of a page beside the table's own.
func (p *Progress) DrawnBeside(l *present.Look) {
	p.Reach(l)
	p.told.know(l, besides)
}

// Next is the progress of pages that are told more, until they reach it.
func (p *Progress) Next() *Progress { return &Progress{told: p.told, whole: true} }

// Reach notes what was told from.
func (p *Progress) Reach(l *present.Look) {
	p.view, p.at, p.secrets, p.tallies, p.waiting = l.View, l.At, l.Secrets, l.Tallies, l.Waiting()
}

// Resume has a look show what pages show that stand here.
func (p *Progress) Resume(l *present.Look) { l.At, l.Secrets, l.Tallies = p.at, p.secrets, p.tallies }

// Tallied tells whether pages know what the session came to.
func (p *Progress) Tallied() bool {
	_, known := p.told[gmTally]
	return known
}

// Tell writes what has changed of a piece.
func (p *Progress) Tell(ctx context.Context, b *bytes.Buffer, l *present.Look, one Piece) error {
	if !p.own {
		p.told, p.own = maps.Clone(p.told), true
	}
	return p.told.tell(ctx, b, l, one)
}

// Asked notes the open questions and the offers, and names the moves of which other ones were open.
func (p *Progress) Asked(l *present.Look, from *Progress) (moves []string) {
	p.asked = map[string][]string{}
	for _, q := range l.View.Questions {
		p.asked[q.Move] = append(p.asked[q.Move], present.Asks(l, q))
	}
	for _, w := range l.View.Waiting {
		p.asked[w.Move] = append(p.asked[w.Move], l.Whom(w.To))
	}
	for _, o := range l.View.Offers {
		p.asked[o.From] = append(p.asked[o.From], o.ID+" "+o.Text)
	}
	for move, questions := range p.asked {
		if !slices.Equal(questions, from.asked[move]) {
			moves = append(moves, move)
		}
	}
	for move, before := range from.asked { // an offer ends by what is done elsewhere
		if p.asked[move] == nil && slices.ContainsFunc(before, func(asked string) bool { return strings.HasPrefix(asked, move+":") }) {
			moves = append(moves, move)
		}
	}
	slices.Sort(moves)
	return moves
}

// Came notes the seats that are here, and gives a game master those that weren't: those of a seat whose link was made anew have
// gone before anybody comes by the new one.
func (p *Progress) Came(l *present.Look, from *Progress) (seats []html.Seat) {
	p.here = map[string]bool{}
	for _, seat := range l.View.Seats {
		p.here[seat.ID] = seat.Online
		if l.Master() && seat.Online && !seat.You && !from.here[seat.ID] {
			seats = append(seats, present.Seat(l, seat))
		}
	}
	return seats
}

// equals tells whether pages of the same audience that stand here and there are told the same from now on.
func (p *Progress) equals(other *Progress) bool {
	return other != nil && p.view == other.view && p.at == other.at &&
		reflect.DeepEqual(p.tallies, other.tallies) && reflect.DeepEqual(p.secrets, other.secrets)
}

package html

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"

	"github.com/a-h/templ"
)

// Marks of what a page shows of the composer, which it sends back: what stays as it is isn't drawn again.
const (
	MarkOffer = Own + "offer" // of what it offers
	MarkOdds  = Own + "odds"
)

// ComposerBox is the composer with the mark of what it offers.
func ComposerBox(p Page, c Composer) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		if err := composerBody(p, c).Render(ctx, w); err != nil {
			return err
		}
		mark, err := OfferMark(ctx, p, c)
		if err == nil {
			_, err = io.WriteString(w, `<input type="hidden" name="`+MarkOffer+`" form="composer-form" value="`+mark+`"/>`)
		}
		return err
	})
}

// oddsMarked are the odds with their mark.
func oddsMarked(p Page, c Chances) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		var b bytes.Buffer
		if err := Odds(p.Speaker, c).Render(ctx, &b); err != nil {
			return err
		}
		b.WriteString(`<input type="hidden" name="` + MarkOdds + `" value="` + marked(b.Bytes()) + `"/>`)
		_, err := b.WriteTo(w)
		return err
	})
}

// OfferMark is the same for all composers that offer the same, whatever is filled in, and whatever the reader has chosen
// beside, which stands in their links.
func OfferMark(ctx context.Context, p Page, c Composer) (string, error) {
	moves := make([]MoveLink, len(c.Moves))
	for i, m := range c.Moves {
		m.Link, m.Pick = "", ""
		moves[i] = m
	}
	c = Composer{
		Moves: moves, Nobody: c.Nobody, Master: c.Master, Who: c.Who, Actors: c.Actors, Actor: c.Actor, Shown: c.Shown, Move: c.Move,
		Star: c.Star, Plain: c.Plain, Call: c.Call, Player: c.Player, Fields: c.Fields,
	}
	c.Fields.Values, c.Fields.Problems = nil, nil
	if c.Fields.Form != nil {
		c.Fields.Values = Offered(c.Fields.Form)
	}
	return markOf(ctx, composerBody(p, c))
}

// OddsMark is the same for all odds that look the same.
func OddsMark(ctx context.Context, p Page, c Chances) (string, error) {
	return markOf(ctx, Odds(p.Speaker, c))
}

func markOf(ctx context.Context, c templ.Component) (string, error) {
	var b bytes.Buffer
	err := c.Render(ctx, &b)
	return marked(b.Bytes()), err
}

// marked is the same for texts that are alike but for keys.
func marked(text []byte) string {
	h := sha256.New()
	for {
		before, after, more := bytes.Cut(text, keyed)
		_, _ = h.Write(before) // a hash takes everything
		if !more {
			return hex.EncodeToString(h.Sum(nil)[:12])
		}
		_, text, _ = bytes.Cut(after, []byte{'>'})
	}
}

// keyed begins what is drawn anew each time.
var keyed = []byte(`name="_key"`)

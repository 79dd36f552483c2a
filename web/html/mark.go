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

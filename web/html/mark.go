package html

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/url"
	"slices"

	"github.com/a-h/templ"
)

// Marks of what a page shows of the composer, which it sends back: what stays as it is isn't drawn again.
const (
	MarkOffer = Own + "offer" // of what it offers
	MarkOdds  = Own + "odds"
)

// Drawn are odds with their mark in them, which is the same for all that look the same and are of the same values.
type Drawn struct{ Text, Mark string }

// Draw draws odds.
func Draw(ctx context.Context, p Page, c Chances, of url.Values) (Drawn, error) {
	var b bytes.Buffer
	if err := Odds(p.Speaker, c).Render(ctx, &b); err != nil {
		return Drawn{}, err
	}
	mark := marked(append(b.Bytes(), filled(of)...))
	b.WriteString(`<input type="hidden" name="` + MarkOdds + `" value="` + mark + `"/>`)
	return Drawn{b.String(), mark}, nil
}

// filled are the values that somebody has filled in.
func filled(values url.Values) string {
	some := url.Values{}
	for name, texts := range values {
		if slices.ContainsFunc(texts, func(text string) bool { return text != "" }) {
			some[name] = texts
		}
	}
	return some.Encode()
}

// oddsMarked are a composer's odds with their mark.
func oddsMarked(p Page, c Composer) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		drawn, err := Draw(ctx, p, c.Odds, c.Fields.Values)
		if err == nil {
			_, err = io.WriteString(w, drawn.Text)
		}
		return err
	})
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

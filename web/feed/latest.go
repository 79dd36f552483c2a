package feed

import (
	"bytes"
	"context"
	stdhtml "html"

	"norn/web/diff"
	"norn/web/present"
)

// latest is what a page shows, by places: hashes of what it was told there last, nil for what was drawn with the page, so
// that of a piece that has changed only the elements are told in which it has.
type latest map[string]*diff.Tree

// know notes pieces that were drawn with the page.
func (t latest) know(l *present.Look, all []Piece) {
	for _, p := range all {
		if p.where == nil || p.where(l) {
			t[p.to] = nil
		}
	}
}

// tell writes what has changed of a piece.
func (t latest) tell(ctx context.Context, b *bytes.Buffer, l *present.Look, p Piece) error {
	from := b.Len()
	b.WriteString(`<hx-partial hx-target="` + stdhtml.EscapeString(p.to) + `"`)
	if p.swap != "" {
		b.WriteString(` hx-swap="` + p.swap + `"`)
	}
	b.WriteByte('>')
	body := b.Len()
	if err := p.draw(l).Render(ctx, b); err != nil {
		return err
	}
	if p.in != "" { // what is around it is told whole when that has changed
		t[p.in] = nil
		b.WriteString("</hx-partial>")
		return nil
	}
	text := b.Bytes()[body:]
	last := t[p.to]
	var now *diff.Tree
	if p.swap != "" {
		now = diff.Read(text)
	}
	t[p.to] = now
	if now != nil && last != nil {
		parts, whole := now.Since(last, p.to, p.swap == inner)
		var told bytes.Buffer
		for _, part := range parts {
			told.WriteString(`<hx-partial hx-target="` + part.At + `" hx-swap="` + outer + `">`)
			told.Write(text[part.From:part.To])
			told.WriteString("</hx-partial>")
		}
		if !whole && told.Len() < len(text) {
			b.Truncate(from)
			b.Write(told.Bytes())
			return nil
		}
	}
	b.WriteString("</hx-partial>")
	return nil
}

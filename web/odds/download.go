package odds

import (
	"bytes"
	"context"
	"net/http"
	"slices"
	"strings"

	"norn/internal/bare"
	"norn/internal/widget"
	"norn/odds"
	"norn/web/html"
)

// rounded reports whether any of the odds have rounded chances.
func (p *asked) rounded() bool {
	return slices.ContainsFunc(p.sides.Sides, func(o *odds.Odds) bool { return o.Rounded })
}

// csv makes the table as a file, in a format that doesn't depend on the language.
func (p *asked) csv() error {
	var b bytes.Buffer
	var err error
	if len(p.settings) == 1 {
		err = p.sides.Sides[0].CSV(&b)
	} else {
		names := make([]string, len(p.settings))
		for i, s := range p.settings {
			if names[i] = s.String(); !bare.OneMove(p.throws()) {
				names[i] = strings.TrimPrefix(withText(nil, s.Throw), "dice,")
			}
		}
		err = p.sides.CSV(&b, names)
	}
	p.file = b.Bytes()
	return err
}

// svg makes the plots as a file.
func (p *asked) svg(ctx context.Context) error {
	sheet := widget.Sheet{Title: p.name(), Plots: p.Plots}
	if len(p.settings) == 1 {
		sheet.Lines = append(sheet.Lines, p.throw.Name(p.Speaker))
	}
	if p.aim != "" {
		sheet.Lines = append(sheet.Lines, p.Say("web.odds.best", "Aim", p.aimWord(p.aim)))
	}
	if head := html.JoinTexts(append(slices.Clone(p.Shown.Heads), p.Shown.Mean)); len(p.settings) == 1 && head != "" {
		sheet.Lines = append(sheet.Lines, strings.Trim(head, " ·"))
	}
	if p.Shown.Simulated != "" {
		sheet.Lines = append(sheet.Lines, p.Shown.Simulated)
	}
	var b bytes.Buffer
	err := widget.File(sheet).Render(ctx, &b)
	p.file = b.Bytes()
	return err
}

// send responds with the file.
func (p *asked) send(w http.ResponseWriter, media, ending string) {
	h := w.Header()
	h.Set("Content-Type", media)
	h.Set("Content-Disposition", `attachment; filename="`+p.fileName()+"."+ending+`"`)
	h.Set("Cache-Control", "no-store")
	_, _ = w.Write(p.file) // the client may have disconnected
}

// fileName returns the name of the files, without extension.
func (p *asked) fileName() string { return "norn-" + p.Game.ID + "-" + p.move.ID }

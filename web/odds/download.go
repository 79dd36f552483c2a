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
	var b bytes.Buffer
	err := widget.File(p.sheet()).Render(ctx, &b)
	p.file = b.Bytes()
	return err
}

// sheet returns the plots as a drawing, with what they show in words.
func (p *asked) sheet() widget.Sheet {
	sheet := widget.Sheet{Title: p.name(), Plots: p.Plots}
	if len(p.settings) == 1 {
		sheet.Lines = append(sheet.Lines, p.throw.Name(p.Speaker))
	}
	if p.aim != "" {
		sheet.Lines = append(sheet.Lines, p.Say("web.odds.best", "Aim", p.aimWord(p.aim)))
	}
	if head := brief(p.Shown); len(p.settings) == 1 && head != "" {
		sheet.Lines = append(sheet.Lines, head)
	}
	if p.Shown.Simulated != "" {
		sheet.Lines = append(sheet.Lines, p.Shown.Simulated)
	}
	if len(p.settings) > 1 {
		sheet.Lines = append(sheet.Lines, p.differences()...)
	}
	sheet.Alt = p.described()
	return sheet
}

// described says in words what the plots show, for people who don't see them.
func (p *asked) described() string {
	parts := make([]string, len(p.settings))
	for i, s := range p.settings {
		words := p.wordsOf(s.Throw)
		shown := words.Chances(s.Move, p.sides.Sides[i])
		bars := shown.Rows
		if len(bars) > maxDescribed {
			bars = words.Parts(s.Move, p.sides.Sides[i])
		}
		texts := make([]string, len(bars))
		for j, bar := range bars {
			texts[j] = bar.Label + " " + bar.Shown
		}
		head := brief(shown)
		parts[i] = strings.Trim(s.Name+": "+head+"; "+strings.Join(texts, ", "), "; ")
	}
	return p.name() + ". " + strings.Join(parts, ". ")
}

// maxDescribed limits the counts that a description lists.
const maxDescribed = 12

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

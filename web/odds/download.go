package odds

import (
	"bytes"
	"context"
	"net/http"
	"strings"

	"norn/game"
	"norn/internal/lab"
	"norn/internal/widget"
	"norn/odds"
)

// csv makes the table as a file, in a format that doesn't depend on the language.
func (p *asked) csv() error {
	var b bytes.Buffer
	err := p.report.CSV(&b)
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
	one := len(p.report.Sides) == 1
	if one {
		sheet.Lines = append(sheet.Lines, p.throw.Name(p.Speaker))
	}
	if p.aim != "" {
		sheet.Lines = append(sheet.Lines, p.Say("web.odds.best", "Aim", p.aimWord(p.aim)))
	}
	if head := brief(p.now()); one && head != "" {
		sheet.Lines = append(sheet.Lines, head)
	}
	if p.report.Simulated != "" {
		sheet.Lines = append(sheet.Lines, p.report.Simulated)
	}
	sheet.Lines = append(sheet.Lines, p.report.Differences...)
	sheet.Alt = p.described()
	return sheet
}

// described says in words what the plots show, for people who don't see them.
func (p *asked) described() string {
	parts := game.Each(p.report.Sides, func(s lab.Side) string {
		bars := s.Rows
		if len(bars) > maxDescribed {
			bars = s.Parts
		}
		texts := game.Each(bars, func(b odds.Bar) string { return b.Label + " " + b.Shown })
		return strings.Trim(s.Name+": "+brief(&s)+"; "+strings.Join(texts, ", "), "; ")
	})
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

package odds

import (
	"norn/game"
	"norn/internal/lab"
	"norn/odds"
	"norn/web/html"
)

// maxShown limits the counts that are drawn or listed; the file has the rarer ones, too.
const maxShown = 400

// likeliest returns the bars that are shown, without the rarest.
func likeliest(bars []odds.Bar) []odds.Bar {
	return odds.Likeliest(bars, maxShown, func(b odds.Bar) float64 { return b.P })
}

// visible returns counts without those at the ends that are too rare to be seen.
func visible(bars []odds.Bar) []odds.Bar {
	rare := func(b odds.Bar) bool { return b.P < 1e-5 }
	for len(bars) > 60 && rare(bars[0]) {
		bars = bars[1:]
	}
	for len(bars) > 60 && rare(bars[len(bars)-1]) {
		bars = bars[:len(bars)-1]
	}
	return likeliest(bars)
}

// fine returns bars that show a decimal, and a fraction unless it's longer than that.
func fine(bars []odds.Bar, longest int) []odds.Bar {
	return game.Each(bars, func(b odds.Bar) odds.Bar {
		if b.Shown = b.Fine; len(b.Exact) > longest {
			b.Exact = "…"
		}
		return b
	})
}

// brief returns what matters most of a side, in one line.
func brief(s *lab.Side) string { return html.JoinTexts(s.Texts()) }

// examplesIn returns questions to begin with, as people write them in the reader's language.
func examplesIn(read html.Reader) []string {
	return []string{
		read.Say("web.odds.first"), read.Say("web.odds.second"), read.Say("web.odds.third"), read.Say("web.odds.fourth"),
		read.Say("web.odds.fifth"), read.Say("web.odds.sixth"),
	}
}

package page

import (
	"context"
	"net/http"
	"slices"
	"strconv"

	"norn/internal/widget"
	"norn/odds"
	"norn/table/request"
	"norn/table/view"
	"norn/web/html"
	"norn/web/middleware"
)

// getCheck shows the panel that explains and verifies a move's dice; without script it's a page.
func getCheck(w http.ResponseWriter, r *http.Request, v *visit) error {
	c, ok, err := v.card(r.Context(), r.PathValue("move"))
	if err != nil {
		return err
	}
	if !ok || c.Check == nil {
		return notFound(w, r, v)
	}
	if middleware.HX(r) {
		return show(w, r, v, http.StatusOK, html.CheckPanel(&v.Look, c, true))
	}
	f := sideFrame(r, v, v.Say("web.check.head")+" · "+v.View.Name)
	return show(w, r, v, http.StatusOK, html.CheckPage(f, &v.Look, c))
}

// getSession shows the page of a session: its seal and all its verified throws.
func getSession(w http.ResponseWriter, r *http.Request, v *visit) error {
	n, err := strconv.Atoi(r.PathValue("n"))
	if err != nil || n < 1 || n > v.View.Session.N {
		return notFound(w, r, v)
	}
	var here html.Report
	err = v.dear(r.Context(), func() (err error) { // it reads the whole session twice, for luck and recap
		here, err = report(r.Context(), v, v.View.AllSessions()[n-1])
		return err
	})
	if err != nil {
		return err
	}
	f := sideFrame(r, v, v.Say("web.seal.session", "N", n)+" · "+v.View.Name)
	return show(w, r, v, http.StatusOK, html.ReportPage(f, &v.Look, here))
}

// report returns a session of dice with the moves that began in it.
func report(ctx context.Context, v *visit, of view.Session) (html.Report, error) {
	here := html.Report{Session: of}
	var whole []view.Entry
	for after := of.From; of.To == 0 || after < of.To; {
		entries, err := v.now.Log(ctx, after, request.MostEntries)
		if err != nil {
			return here, err
		}
		for _, e := range entries {
			if e.Move != "" && (of.To == 0 || e.Seq < of.To) {
				whole = append(whole, e)
			}
		}
		if len(entries) < request.MostEntries {
			break
		}
		after = entries[len(entries)-1].Seq
	}
	if i := slices.IndexFunc(whole, func(e view.Entry) bool { return e.Kind == view.KindMove }); i >= 0 {
		here.Began = whole[i].Time // its dice were sealed as the one before ended
	}
	lucks, err := v.now.Luck(ctx, of.N)
	if err != nil {
		return here, err
	}
	luck, bars := map[string]*view.Luck{}, []odds.Bar{}
	for _, seat := range lucks {
		bars = append(bars, odds.Bar{
			Label: v.Say("web.luck.of", "Name", seat.Name, "N", seat.Throws), P: seat.Probability,
			Shown: html.LuckText(v.Speaker, seat),
		})
		for i := range seat.Moves {
			luck[seat.Moves[i].Move] = &seat.Moves[i].Luck
		}
	}
	if here.Recap, err = v.now.Recap(ctx, of.N); err != nil {
		return here, err
	}
	here.Lucks, here.Luck = lucks, widget.Horizontal(v.Say("web.luck.head"), bars)
	for _, c := range html.GatherMoves(whole) {
		c.Luck = luck[c.Move]
		if len(c.Throws) > 0 {
			here.Moves = append(here.Moves, c)
		}
		if c.Check != nil {
			here.Dice += html.DiceOf(c)
		}
	}
	return here, nil
}

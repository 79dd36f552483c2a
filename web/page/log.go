package page

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"norn/table/request"
	"norn/table/view"
	"norn/web/html"
)

// secretsShown limits the secret moves that the screen lists, newest first.
const secretsShown = 10

// loadScreen loads what the screen shows in addition to the view: secret moves, and the recap of
// the current session.
func (v *visit) loadScreen(ctx context.Context) error {
	if !v.Master() {
		return nil
	}
	entries, err := v.now.SecretEntries(ctx, secretsShown)
	if err != nil {
		return err
	}
	v.Secrets = html.GatherMoves(entries)
	slices.Reverse(v.Secrets)
	v.Tallies, err = v.now.Tally(ctx)
	return err
}

// card reads a whole move and returns its card.
func (v *visit) card(ctx context.Context, move string) (view.Entry, bool, error) {
	whole, err := v.now.EntriesOfMove(ctx, move)
	if err != nil {
		return view.Entry{}, false, err
	}
	cards := html.GatherMoves(whole)
	if len(cards) == 0 {
		return view.Entry{}, false, nil
	}
	return cards[0], true, nil
}

// cardOf returns the card of a move or of another entry.
func (v *visit) cardOf(ctx context.Context, id string) (view.Entry, bool, error) {
	number, own := strings.CutPrefix(id, "e")
	if !own {
		return v.card(ctx, id)
	}
	seq, err := strconv.ParseUint(number, 10, 64)
	if err != nil {
		return view.Entry{}, false, err
	}
	entries, err := v.now.Log(ctx, seq-1, 1)
	if err != nil {
		return view.Entry{}, false, err
	}
	cards := html.GatherMoves(entries)
	if len(cards) == 0 || html.CardID(cards[0]) != id {
		return view.Entry{}, false, nil
	}
	return cards[0], true, nil
}

// recent returns the newest part of the log as cards, with all moves that have an open question,
// however old. before selects the next older part, nil for none.
func (v *visit) recent(ctx context.Context) (cards []view.Entry, before *html.Selection, err error) {
	if v.At.Entry > 0 && v.At.Entry <= v.View.Seq { // and some entries before it
		pages := int((v.View.Seq-v.At.Entry+html.ShownEntries/2)/html.ShownEntries) + 1
		if pages > html.MostPages {
			pages, v.At.Before = html.MostPages, v.At.Entry+html.ShownEntries*html.MostPages/2
		}
		v.At.Pages = max(v.At.Pages, pages)
	}
	n := html.ShownEntries * max(v.At.Pages, 1)
	earlier := v.At.Earlier()
	if v.At.Part != request.All || v.At.Find != "" {
		var found view.Found
		err := v.dear(ctx, func() (err error) {
			found, err = v.now.Find(ctx, request.Search{Part: v.At.Part, Text: v.At.Find, Most: n, Before: v.At.Before})
			return err
		})
		if err != nil {
			return nil, nil, err
		}
		if found.N < n || earlier.Pages > html.MostPages {
			earlier = v.At.Further(found.Looked)
		}
		if found.More {
			before = &earlier
		}
		cards, err = v.withHeads(ctx, html.GatherMoves(found.Entries))
		return cards, before, err
	}
	entries, err := v.now.Earlier(ctx, v.At.Before, n)
	if err != nil {
		return nil, nil, err
	}
	if len(entries) == n {
		if earlier.Pages > html.MostPages {
			earlier = v.At.Further(entries[0].Seq)
		}
		before = &earlier
	}
	cards = html.GatherMoves(entries)
	open := html.OpenMoves(v.View)
	// a move that began before this part is read separately as a whole
	cards = slices.DeleteFunc(cards, func(e view.Entry) bool {
		move := html.MoveOf(e)
		begunBefore := move != "" && move != "m"+strconv.FormatUint(e.Seq, 10)
		if begunBefore {
			open = append(open, move)
		}
		return begunBefore
	})
	for _, move := range open {
		if slices.ContainsFunc(cards, func(e view.Entry) bool { return html.MoveOf(e) == move }) {
			continue
		}
		c, ok, err := v.card(ctx, move)
		if err != nil {
			return nil, nil, err
		}
		if ok {
			cards = append(cards, c)
		}
	}
	cards, err = v.withHeads(ctx, cards)
	return cards, before, err
}

// withHeads sorts cards and adds the beginning of each of their sessions, even if it's older than
// this part or not among the results of a search.
func (v *visit) withHeads(ctx context.Context, cards []view.Entry) ([]view.Entry, error) {
	for _, s := range v.View.AllSessions() {
		begins := func(c view.Entry) bool { return c.Seq == s.From }
		within := func(c view.Entry) bool { return c.Seq > s.From && (s.To == 0 || c.Seq < s.To) }
		if slices.ContainsFunc(cards, begins) || !slices.ContainsFunc(cards, within) {
			continue
		}
		c, ok, err := v.cardOf(ctx, "e"+html.SeqText(s.From))
		if err != nil {
			return nil, err
		}
		if ok {
			cards = append(cards, c)
		}
	}
	slices.SortFunc(cards, func(a, b view.Entry) int { return cmp.Compare(a.Seq, b.Seq) })
	return cards, nil
}

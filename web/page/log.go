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

// secretsShown is how many of the newest secret moves the screen lists.
const secretsShown = 10

// loadScreen reads what the screen shows besides the view: what was done in secret, and what this session came to.
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

// card reads all of a move again and gives its card.
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

// cardOf is the card of a move, or of an entry of the table's own.
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

// recent is the newest part of the log as cards, with the moves in which a
// question is open, however old they are. before is where there's more, nil for nowhere.
func (v *visit) recent(ctx context.Context) (cards []view.Entry, before *html.Selection, err error) {
	if v.At.Entry > 0 && v.At.Entry <= v.View.Seq { // and some before it
		pages := int((v.View.Seq-v.At.Entry+html.ShownEntries/2)/html.ShownEntries) + 1
		if pages > html.MostPages {
			pages, v.At.Before = 1, v.At.Entry+html.ShownEntries/2
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
	open := v.Look.OpenMoves()
	cards = slices.DeleteFunc(cards, func(e view.Entry) bool { // what began before the part that was read is read whole
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

// withHeads puts cards in order, with the beginning of each session that some of
// them are from, though it's older than all that is shown, or isn't what was
// sought.
func (v *visit) withHeads(ctx context.Context, cards []view.Entry) ([]view.Entry, error) {
	for _, s := range v.Sessions() {
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

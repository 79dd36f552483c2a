package play

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"norn/form"
	"norn/table/request"
	"norn/table/view"
	"norn/web/html"
)

// shownEntries is how much of the log a page begins with; a reader may ask for
// more, as much at a time.
const (
	shownEntries = 20
	mostPages    = 150
)

// parts are those of the log that a reader may choose.
var parts = []request.Part{request.All, request.Mine, request.Throws, request.Talks}

// mostSought is how many bytes a search may have.
const mostSought = 200

// cards gathers entries into cards, oldest first.
func cardsOf(l *look, entries []view.Entry) []card {
	var cards []card
	at := map[string]int{}
	for _, e := range entries {
		if slices.Contains([]string{view.KindShare, view.KindNote, view.KindStar}, e.Kind) { // these are told elsewhere
			continue
		}
		if e.Kind == view.KindTalk {
			cards = append(cards, talkCard(l, e))
			continue
		}
		if e.Move == "" || e.Kind == view.KindShown {
			cards = append(cards, card{
				ID: "e" + html.SeqText(e.Seq), Seq: e.Seq, When: e.Time, Who: e.Seat.Name, Lines: e.Lines, Undone: e.Undone, MayUndo: e.MayUndo, TooOld: e.TooOld,
				Mine: did(l, e), Session: sessionBegun(l, e.Seq), Shows: e.Move,
			})
			continue
		}
		i, known := at[e.Move]
		if !known {
			i = len(cards)
			at[e.Move] = i
			cards = append(cards, moveCard(l, e))
		}
		c := &cards[i]
		if e.Undoes > 0 { // the card says that it was taken back
			continue
		}
		c.Undone, c.MayUndo, c.TooOld, c.MayCancel = e.Undone, e.MayUndo, e.TooOld, e.MayCancel
		c.Throws = append(c.Throws, e.Throws...)
		c.Lines = append(c.Lines, e.Lines...)
		c.Secret = c.Secret || e.Secret
		if e.Check != nil {
			c.Check = e.Check
		}
		if e.Outcome != nil {
			c.Outcome = e.Outcome
		}
		if e.Luck != nil {
			c.Luck = e.Luck
		}
	}
	for i := range cards {
		putQuestions(l, &cards[i])
	}
	return cards
}

// seqOf is the seq of the entry that opened a move.
func seqOf(move string) uint64 {
	seq, _ := strconv.ParseUint(strings.TrimPrefix(move, "m"), 10, 64) // ids are made of it
	return seq
}

// did tells whether the seat, or a character of its own, did something.
func did(l *look, e view.Entry) bool { return e.Seat.ID == l.view.Seat || l.owns(e.Character) }

// talkCard is the card of something that was said.
func talkCard(l *look, e view.Entry) card {
	c := card{ID: "e" + strconv.FormatUint(e.Seq, 10), Seq: e.Seq, When: e.Time, Who: e.Seat.Name, Lines: e.Lines, Secret: e.Secret, Talk: true, Mine: did(l, e)}
	if e.To != nil {
		c.To = e.To.Name
	}
	if e.Character != "" {
		c.Who, c.By = l.voice.Name(e.Character), e.Seat.Name
	}
	return c
}

// moveCard is the card of a move by its first entry.
func moveCard(l *look, e view.Entry) card {
	c := card{ID: e.Move, Move: e.Move, Seq: e.Seq, When: e.Time, Who: e.Seat.Name, Name: l.voice.Word("move", e.Name), Mine: did(l, e)}
	if e.Args != nil {
		c.Repeat, c.Actor = e.Name, e.Character
	}
	if e.Character != "" {
		c.Who, c.By = l.voice.Name(e.Character), e.Seat.Name
	}
	if m, ok := l.voice.Game.Move(e.Name); ok {
		c.Options = l.voice.ChoicesOf(m.Form.For(form.AtTable), e.Args)
	}
	return c
}

// putQuestions puts a move's open questions on its card.
func putQuestions(l *look, c *card) {
	if c.Move == "" {
		return
	}
	for _, q := range l.view.Questions {
		if q.Move == c.Move {
			c.Questions = append(c.Questions, q)
		}
	}
	for _, w := range l.view.Waiting {
		if name := l.whom(w.To); w.Move == c.Move && !slices.Contains(c.Waiting, name) {
			c.Waiting = append(c.Waiting, name)
		}
	}
}

// card reads all of a move again and gives its card.
func (v *visit) card(ctx context.Context, move string) (card, bool, error) {
	whole, err := v.now.Whole(ctx, move)
	if err != nil {
		return card{}, false, err
	}
	cards := cardsOf(&v.look, whole)
	if len(cards) == 0 {
		return card{}, false, nil
	}
	return cards[0], true, nil
}

// happened is the card of a move, or of an entry of the table's own.
func (v *visit) happened(ctx context.Context, id string) (card, bool, error) {
	number, own := strings.CutPrefix(id, "e")
	if !own {
		return v.card(ctx, id)
	}
	seq, err := strconv.ParseUint(number, 10, 64)
	if err != nil {
		return card{}, false, err
	}
	entries, err := v.now.Log(ctx, seq-1, 1)
	if err != nil {
		return card{}, false, err
	}
	cards := cardsOf(&v.look, entries)
	if len(cards) == 0 || cards[0].ID != id {
		return card{}, false, nil
	}
	return cards[0], true, nil
}

// recent is the newest part of the log as cards, with the moves in which a
// question is open, however old they are. before is where there's more, nil for nowhere.
func (v *visit) recent(ctx context.Context) (cards []card, before *choice, err error) {
	if v.at.Entry > 0 && v.at.Entry <= v.view.Seq { // and some before it
		pages := int((v.view.Seq-v.at.Entry+shownEntries/2)/shownEntries) + 1
		if pages > mostPages {
			pages, v.at.Before = 1, v.at.Entry+shownEntries/2
		}
		v.at.Pages = max(v.at.Pages, pages)
	}
	n := shownEntries * max(v.at.Pages, 1)
	earlier := v.at.earlier()
	if v.at.Part != request.All || v.at.Find != "" {
		found, err := v.now.Find(ctx, request.Search{Part: v.at.Part, Text: v.at.Find, Most: n, Before: v.at.Before})
		if err != nil {
			return nil, nil, err
		}
		if found.N < n || earlier.Pages > mostPages {
			earlier = v.at.further(found.Looked)
		}
		if found.More {
			before = &earlier
		}
		cards, err = v.headed(ctx, cardsOf(&v.look, found.Entries))
		return cards, before, err
	}
	entries, err := v.now.Earlier(ctx, v.at.Before, n)
	if err != nil {
		return nil, nil, err
	}
	if len(entries) == n {
		if earlier.Pages > mostPages {
			earlier = v.at.further(entries[0].Seq)
		}
		before = &earlier
	}
	cards = cardsOf(&v.look, entries)
	open := openMoves(&v.look)
	for i, c := range cards { // what began before the part that was read is read whole
		if c.Move == "" || c.Move == "m"+strconv.FormatUint(c.Seq, 10) {
			continue
		}
		open = append(open, c.Move)
		cards[i].ID = ""
	}
	cards = slices.DeleteFunc(cards, func(c card) bool { return c.ID == "" })
	for _, move := range open {
		if slices.ContainsFunc(cards, func(c card) bool { return c.Move == move }) {
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
	cards, err = v.headed(ctx, cards)
	return cards, before, err
}

// openMoves are the moves in which a question is open.
func openMoves(l *look) []string {
	var moves []string
	add := func(move string) {
		if move != "" && !slices.Contains(moves, move) {
			moves = append(moves, move)
		}
	}
	for _, q := range l.view.Questions {
		add(q.Move)
	}
	for _, w := range l.view.Waiting {
		add(w.Move)
	}
	return moves
}

// sessionBegun is the session that began with an entry, 0 for none.
func sessionBegun(l *look, seq uint64) int {
	for _, s := range l.sessions() {
		if s.From == seq {
			return s.N
		}
	}
	return 0
}

// headed puts cards in order, with the beginning of each session that some of
// them are from, though it's older than all that is shown, or isn't what was
// sought.
func (v *visit) headed(ctx context.Context, cards []card) ([]card, error) {
	for _, s := range v.sessions() {
		begins := func(c card) bool { return c.Seq == s.From }
		within := func(c card) bool { return c.Seq > s.From && (s.To == 0 || c.Seq < s.To) }
		if slices.ContainsFunc(cards, begins) || !slices.ContainsFunc(cards, within) {
			continue
		}
		c, ok, err := v.happened(ctx, "e"+html.SeqText(s.From))
		if err != nil {
			return nil, err
		}
		if ok {
			cards = append(cards, c)
		}
	}
	slices.SortFunc(cards, func(a, b card) int { return cmp.Compare(a.Seq, b.Seq) })
	return cards, nil
}

// showMove opens a secret move to everybody.
func showMove(w http.ResponseWriter, r *http.Request, v *visit) error {
	id := r.PostForm.Get(html.Own + "move")
	entry, err := v.seat.Show(r.Context(), id, r.PostForm.Get(html.Own+"key"))
	if err != nil {
		return err
	}
	done(w, r, v, entry.Seq, v.link(v.at.tab("log"))+"#"+id)
	return nil
}

// postUndo takes a move or a change back.
func postUndo(w http.ResponseWriter, r *http.Request, v *visit) error {
	seq, err := strconv.ParseUint(r.PostForm.Get(html.Own+"seq"), 10, 64)
	if err != nil {
		seq = 0 // there is no such entry, and the table says so
	}
	entry, err := v.seat.Undo(r.Context(), seq, r.PostForm.Get(html.Own+"key"))
	return tookBack(w, r, v, entry, err)
}

// postCancel ends an open move.
func postCancel(w http.ResponseWriter, r *http.Request, v *visit) error {
	entry, err := v.seat.Cancel(r.Context(), r.PostForm.Get(html.Own+"move"), r.PostForm.Get(html.Own+"key"))
	return tookBack(w, r, v, entry, err)
}

func tookBack(w http.ResponseWriter, r *http.Request, v *visit, entry view.Entry, err error) error {
	if err != nil {
		return err
	}
	done(w, r, v, entry.Seq, v.link(v.at.tab("log"))+"#"+cardIDs(entry)[0])
	return nil
}

// cardIDs are the cards that an entry changes, its own first. Moves are named
// by their id, entries of the table's own as "e" and their seq.
func cardIDs(e view.Entry) []string {
	ids := []string{"e" + strconv.FormatUint(e.Seq, 10)}
	switch {
	case e.Kind == view.KindShown:
		return []string{e.Move, ids[0]}
	case e.Move != "":
		return append([]string{e.Move}, e.Yields...)
	}
	if e.Undoes > 0 {
		ids = append(ids, "e"+strconv.FormatUint(e.Undoes, 10))
	}
	return append(ids, e.Yields...)
}

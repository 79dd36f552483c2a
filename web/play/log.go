package play

import (
	"cmp"
	"context"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"norn/form"
	"norn/game"
	"norn/page"
	"norn/table"
	"norn/web/html"
)

// shownEntries is how much of the log a page begins with; a reader may ask for
// more, as much at a time.
const (
	shownEntries = 20
	mostPages    = 150
)

// parts are those of the log that a reader may choose.
var parts = []table.Part{table.All, table.Mine, table.Throws, table.Talks}

// mostSought is how many bytes a search may have.
const mostSought = 200

// card is one thing that happened, as the log shows it: a move with all that
// came of it, or an entry of the table's own.
type card struct {
	ID        string // of the element
	Move      string // id of the move, "" for the table's own
	Seq       uint64
	When      time.Time
	Who       string // the character that acts, or the seat
	By        string // the seat, where a character acts
	Name      string // the move's name in words
	Options   []string
	Throws    []table.Throw
	Outcome   *table.Outcome
	Lines     []table.Line
	Questions []table.Question
	Waiting   []string // whom other questions wait for
	Secret    bool
	Talk      bool // something that was said
	Mine      bool // the seat did it, or its character
	Undone    *table.Undone
	MayUndo   bool   // by an entry of it
	Repeat    string // the move's name in the rules, where all of it is there to be made again
	Actor     string // the id of who acted
	TooOld    bool   // to be undone
	MayCancel bool
	Check     *table.Check // where norn threw dice
	Luck      *table.Luck  // of the outcome, for who may know the odds
	Session   int          // that began with it; 0 for none
	Since     string       // of an edit that goes on others: what stood there before the first of them
	Gone      bool         // an edit that a later one tells too
	Shows     string       // id of the move, secret until then, that it opens to all: its card may stand far above
}

// rarest is the chance of three in a thousand: what comes out so well is worth a word.
const rarest = 0.003

func (c card) rare() bool { return c.Luck != nil && c.Luck.Probability <= rarest }

// cards gathers entries into cards, oldest first.
func (v *visit) cards(entries []table.Entry) []card {
	var cards []card
	at := map[string]int{}
	for _, e := range entries {
		if slices.Contains([]string{table.KindShare, table.KindNote, table.KindStar}, e.Kind) { // these are told elsewhere
			continue
		}
		if e.Kind == table.KindTalk {
			cards = append(cards, v.speech(e))
			continue
		}
		if e.Move == "" || e.Kind == table.KindShown {
			cards = append(cards, card{
				ID: "e" + html.SeqText(e.Seq), Seq: e.Seq, When: e.Time, Who: e.Seat.Name, Lines: e.Lines, Undone: e.Undone, MayUndo: e.MayUndo, TooOld: e.TooOld,
				Mine: v.did(e), Session: v.begun(e.Seq), Shows: e.Move,
			})
			continue
		}
		i, known := at[e.Move]
		if !known {
			i = len(cards)
			at[e.Move] = i
			cards = append(cards, v.opened(e))
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
		v.ask(&cards[i])
	}
	return cards
}

// seqOf is the seq of the entry that opened a move.
func seqOf(move string) uint64 {
	seq, _ := strconv.ParseUint(strings.TrimPrefix(move, "m"), 10, 64) // ids are made of it
	return seq
}

// did tells whether the seat, or a character of its own, did something.
func (v *visit) did(e table.Entry) bool { return e.Seat.ID == v.seat.ID() || v.owns(e.Character) }

// speech is the card of something that was said.
func (v *visit) speech(e table.Entry) card {
	c := card{ID: "e" + strconv.FormatUint(e.Seq, 10), Seq: e.Seq, When: e.Time, Who: e.Seat.Name, Lines: e.Lines, Secret: e.Secret, Talk: true, Mine: v.did(e)}
	if e.Character != "" {
		c.Who, c.By = v.voice.Name(e.Character), e.Seat.Name
	}
	return c
}

// linked takes a text apart at the addresses of pages in it: every second part is one.
func linked(text string) []string {
	var parts []string
	last := 0
	for _, at := range address.FindAllStringIndex(text, -1) {
		end := at[0] + len(strings.TrimRight(text[at[0]:at[1]], ".,;:!?)»”\"'"))
		parts = append(parts, text[last:at[0]], text[at[0]:end])
		last = end
	}
	return append(parts, text[last:])
}

var address = regexp.MustCompile(`https?://[^\s<>"]+`)

// opened is the card of a move by its first entry.
func (v *visit) opened(e table.Entry) card {
	c := card{ID: e.Move, Move: e.Move, Seq: e.Seq, When: e.Time, Who: e.Seat.Name, Name: v.voice.Word("move", e.Name), Mine: v.did(e)}
	if e.Args != nil {
		c.Repeat, c.Actor = e.Name, e.Character
	}
	if e.Character != "" {
		c.Who, c.By = v.voice.Name(e.Character), e.Seat.Name
	}
	if m, ok := v.voice.Game.Move(e.Name); ok {
		c.Options = v.voice.ChoicesOf(m.Form.For(form.AtTable), e.Args)
	}
	return c
}

// ask puts a move's open questions on its card.
func (v *visit) ask(c *card) {
	if c.Move == "" {
		return
	}
	for _, q := range v.view.Questions {
		if q.Move == c.Move {
			c.Questions = append(c.Questions, q)
		}
	}
	for _, w := range v.view.Waiting {
		if name := v.whom(w.To); w.Move == c.Move && !slices.Contains(c.Waiting, name) {
			c.Waiting = append(c.Waiting, name)
		}
	}
}

// card reads all of a move again and gives its card.
func (v *visit) card(ctx context.Context, move string) (card, bool, error) {
	whole, err := v.seat.Whole(ctx, move)
	if err != nil {
		return card{}, false, err
	}
	cards := v.cards(whole)
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
	entries, err := v.seat.Log(ctx, seq-1, 1)
	if err != nil {
		return card{}, false, err
	}
	cards := v.cards(entries)
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
	if v.at.Part != table.All || v.at.Find != "" {
		found, err := v.seat.Find(ctx, table.Search{Part: v.at.Part, Text: v.at.Find, Most: n, Before: v.at.Before})
		if err != nil {
			return nil, nil, err
		}
		if found.N < n || earlier.Pages > mostPages {
			earlier = v.at.further(found.Looked)
		}
		if found.More {
			before = &earlier
		}
		cards, err = v.headed(ctx, v.cards(found.Entries))
		return cards, before, err
	}
	entries, err := v.seat.Earlier(ctx, v.at.Before, n)
	if err != nil {
		return nil, nil, err
	}
	if len(entries) == n {
		if earlier.Pages > mostPages {
			earlier = v.at.further(entries[0].Seq)
		}
		before = &earlier
	}
	cards = v.cards(entries)
	open := v.openMoves()
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
func (v *visit) openMoves() []string {
	var moves []string
	add := func(move string) {
		if move != "" && !slices.Contains(moves, move) {
			moves = append(moves, move)
		}
	}
	for _, q := range v.view.Questions {
		add(q.Move)
	}
	for _, w := range v.view.Waiting {
		add(w.Move)
	}
	return moves
}

// main is the throw that made the outcome: the first one, where who acts made it.
func (c card) main() (table.Throw, bool) {
	if c.Outcome == nil || len(c.Throws) == 0 || c.Throws[0].N > 0 || c.Throws[0].Whose != "" { // the first throw may be hidden
		return table.Throw{}, false
	}
	return c.Throws[0], true
}

// rest are the other throws.
func (c card) rest() []table.Throw {
	if _, ok := c.main(); ok {
		return c.Throws[1:]
	}
	return c.Throws
}

// byHand says whether people threw all of a card's dice, so that it's said once.
func (c card) byHand() bool {
	return len(c.Throws) > 0 && !slices.ContainsFunc(c.Throws, func(t table.Throw) bool { return !t.Hand })
}

// about is what was chosen for a card's move, and that people threw all of it where they did.
func (v *visit) about(c card) []string {
	if c.byHand() {
		return append(slices.Clip(c.Options), v.Say("web.log.by-hand"))
	}
	return c.Options
}

// diceOf are a throw's dice as they are drawn, with what was made of them later.
func (c card) diceOf(t table.Throw) []page.Die {
	dice := make([]page.Die, len(t.Faces))
	for i, face := range t.Faces {
		dice[i] = page.Die{Sides: t.Sides, Face: face}
		if i < len(t.Marks) {
			dice[i].Deciding = t.Marks[i] == game.Deciding
			dice[i].Cancelled = t.Marks[i] == game.Cancelled
		}
		for _, l := range c.Lines {
			if l.Turned != nil && l.Turned.Part == t.Part && l.Turned.Was == face {
				dice[i].Turned = l.Turned.Is
			}
		}
	}
	return dice
}

// throwName says what one of a card's throws is for, and whose it is where not all are of who acts.
func (v *visit) throwName(c card, t table.Throw) string {
	var parts []string
	if table.Several(c.Throws) {
		parts = append(parts, cmp.Or(t.Whose, c.Who))
	}
	if id := v.voice.Game.Word("throw", t.For); v.Has(id) {
		parts = append(parts, v.Say(id))
	}
	return html.Joined(parts)
}

// said are the lines that say something.
func said(lines []table.Line) []table.Line {
	return slices.DeleteFunc(slices.Clone(lines), func(l table.Line) bool { return l.Text == "" && l.Outcome == nil })
}

// showMove opens a secret move to everybody.
func (s *Server) showMove(w http.ResponseWriter, r *http.Request, v *visit) error {
	id := r.PostForm.Get(html.Own + "move")
	entry, err := v.seat.Show(r.Context(), id, r.PostForm.Get(html.Own+"key"))
	if err != nil {
		return err
	}
	s.done(w, r, entry.Seq, v.link(v.at.tab("log"))+"#"+id)
	return nil
}

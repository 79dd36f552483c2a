package play

import (
	"cmp"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"norn/game"
	"norn/page"
	"norn/table/view"
	"norn/web/html"
)

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
	Throws    []view.Throw
	Outcome   *view.Outcome
	Lines     []view.Line
	Questions []view.Question
	Waiting   []string // whom other questions wait for
	Secret    bool
	Talk      bool   // something that was said
	To        string // the seat that it was whispered to
	Mine      bool   // the seat did it, or its character
	Undone    *view.Undone
	MayUndo   bool   // by an entry of it
	Repeat    string // the move's name in the rules, where all of it is there to be made again
	Actor     string // the id of who acted
	TooOld    bool   // to be undone
	MayCancel bool
	Check     *view.Check // where norn threw dice
	Luck      *view.Luck  // of the outcome, for who may know the odds
	Session   int         // that began with it; 0 for none
	Since     string      // of an edit that goes on others: what stood there before the first of them
	Gone      bool        // an edit that a later one tells too
	Shows     string      // id of the move, secret until then, that it opens to all: its card may stand far above
}

// rarest is the chance of three in a thousand: what comes out so well is worth a word.
const rarest = 0.003

// drawn is a card as it's drawn; wrong is an answer to be mended.
func drawn(l *look, c card, wrong *reply) html.Card {
	d := html.Card{
		ID: c.ID, Seq: c.Seq, When: c.When, Link: cardLink(l, c), Who: c.Who, By: c.By, Mine: c.Mine, Secret: c.Secret,
		Take: html.TakeBack{Do: takingBack(l, c), Step: c.step(), Most: view.MostTouches},
	}
	if c.Undone != nil {
		d.Undone = undoneBy(l, c.Undone)
	}
	switch {
	case c.Session > 0:
		d.Kind, d.Lines, d.Session = html.SessionCard, linesOf(l, c.besides()), &html.SessionHead{N: c.Session, Past: sessionBefore(l, c)}
	case c.Talk:
		d.Kind, d.To, d.Lines = html.TalkCard, c.To, linesOf(l, c.Lines)
	case c.Move == "":
		d.Lines, d.Edit = linesOf(l, said(c.Lines)), c.edit()
		if c.Since != "" && len(d.Lines) == 1 {
			d.Lines[0].Text = c.told()
		}
		if c.Shows != "" {
			d.Shows = cardLink(l, card{ID: c.Shows, Seq: seqOf(c.Shows)})
		}
	default:
		drawnMove(l, &d, c, wrong)
	}
	return d
}

// drawnMove is a move's card.
func drawnMove(l *look, d *html.Card, c card, wrong *reply) {
	d.Kind, d.Move, d.Name, d.About, d.Waits = html.MoveCard, c.Move, c.Name, c.Options, c.Waiting
	d.Thrown, d.Checks, d.Lines = len(c.Throws) > 0, c.Check != nil, linesOf(l, said(c.Lines))
	d.MayShow = l.master() && c.Undone == nil && len(c.Questions)+len(c.Waiting) == 0
	hand := d.Thrown && !slices.ContainsFunc(c.Throws, func(t view.Throw) bool { return !t.Hand })
	if hand { // all of it, so that it's said once
		d.About = append(slices.Clip(d.About), l.Say("web.log.by-hand"))
	}
	if mayRepeat(l, c) {
		d.Again = again(l, c)
	}
	rest := c.Throws
	if c.Outcome != nil {
		d.Outcome = outcome(c.Outcome)
		if c.Luck != nil && c.Luck.Probability <= rarest {
			d.Rare = luckOf(l, c)
		}
		if d.Thrown && rest[0].N == 0 && rest[0].Whose == "" { // the first one, where who acts made it; it may be hidden
			d.Dice = &html.Dice{Dice: c.diceOf(rest[0]), Hand: rest[0].Hand && !hand}
			rest = rest[1:]
		}
	}
	for _, t := range rest {
		d.Throws = append(d.Throws, html.Throw{Dice: html.Dice{Dice: c.diceOf(t), Hand: t.Hand && !hand}, For: t.For, Name: throwName(l, c, t)})
	}
	for _, q := range c.Questions {
		d.Asks = append(d.Asks, questionOf(l, q, wrong))
	}
}

func outcome(o *view.Outcome) *html.Outcome {
	return &html.Outcome{ID: o.ID, Tone: string(o.Tone), Text: o.Text}
}

// lines are what came of something, in words.
func linesOf(l *look, all []view.Line) []html.Line {
	lines := make([]html.Line, len(all))
	for i, line := range all {
		lines[i] = html.Line{Type: line.Type, Text: line.Text}
		if line.Outcome != nil {
			lines[i].Outcome = outcome(line.Outcome)
			if line.Outcome.Character != "" {
				lines[i].Who = l.voice.Name(line.Outcome.Character)
			}
		}
	}
	return lines
}

// drawnAll are cards as they're drawn.
func drawnAll(l *look, cards []card) []html.Card {
	all := make([]html.Card, len(cards))
	for i, c := range cards {
		all[i] = drawn(l, c, nil)
	}
	return all
}

// entryLink is the address of the log at a card, for everybody at the table.
func cardLink(l *look, c card) string { return l.To(choice{Entry: c.Seq}.query()) + "#" + c.ID }

// diceOf are a throw's dice as they are drawn, with what was made of them later.
func (c card) diceOf(t view.Throw) []page.Die {
	dice := make([]page.Die, len(t.Faces))
	for i, face := range t.Faces {
		dice[i] = page.Die{Sides: t.Sides, Face: face}
		if i < len(t.Marks) {
			dice[i].Deciding = t.Marks[i] == game.Deciding
			dice[i].Cancelled = t.Marks[i] == game.Cancelled
		}
		for _, line := range c.Lines {
			if line.Turned != nil && line.Turned.Part == t.Part && line.Turned.Was == face {
				dice[i].Turned = line.Turned.Is
			}
		}
	}
	return dice
}

// throwName says what one of a card's throws is for, and whose it is where not all are of who acts.
func throwName(l *look, c card, t view.Throw) string {
	var parts []string
	if view.Several(c.Throws) {
		parts = append(parts, cmp.Or(t.Whose, c.Who))
	}
	if id := l.voice.Game.Word("throw", t.For); l.Has(id) {
		parts = append(parts, l.Say(id))
	}
	return html.Joined(parts)
}

// said are the lines that say something.
func said(lines []view.Line) []view.Line {
	return slices.DeleteFunc(slices.Clone(lines), func(l view.Line) bool { return l.Text == "" && l.Outcome == nil })
}

// before is the session that a card ended, if its dice are open; else 0.
func sessionBefore(l *look, c card) int {
	if i := c.Session - 2; i >= 0 && i < len(l.view.Sessions) && l.view.Sessions[i].Secret != "" {
		return l.view.Sessions[i].N
	}
	return 0
}

// besides are the lines of a session's beginning that its heading doesn't say.
func (c card) besides() []view.Line {
	return slices.DeleteFunc(said(c.Lines), func(l view.Line) bool { return l.Type == "table.session-ended" })
}

// takingBack is what the reader may do about a card: "undo", "cancel", "old" for what is too old to be undone, or
// nothing. A game master is offered to undo any move: what stands on it comes
// and goes, and the refusal names it.
func takingBack(l *look, c card) string {
	switch {
	case c.Undone != nil:
		return ""
	case c.MayCancel:
		return "cancel"
	case c.TooOld:
		return "old"
	case c.MayUndo || l.master() && c.Move != "":
		return "undo"
	}
	return ""
}

// undone says who took a card back, and when.
func undoneBy(l *look, u *view.Undone) string {
	word := "web.undo.undone"
	switch {
	case u.Yielded:
		word = "web.undo.yielded"
	case u.Cancelled:
		word = "web.undo.cancelled"
	}
	return l.Say(word, "Name", u.Seat.Name, "Time", l.TimeOf(u.Time))
}

// mayRepeat tells whether the reader could make a card's move again.
func mayRepeat(l *look, c card) bool {
	m, ok := l.move(c.Repeat)
	return ok && (c.Actor == "" && len(m.Characters) == 0 || slices.Contains(m.Characters, c.Actor))
}

// again is the address of the composer with a card's move in it.
func again(l *look, c card) string {
	query := url.Values{atAgain: {strconv.FormatUint(c.Seq, 10)}, atCharacter: {l.at.Character}}
	if c.Secret {
		query.Set(html.Own+"secret", "on")
	}
	return "?" + query.Encode()
}

// edited is what a note tells of a sheet's change, as table gives it.
type edited struct {
	ID    string `json:"id"`
	Edits []struct {
		Path, Was, Is string
	} `json:"edits"`
}

// edited tells whether a card is about a changed sheet.
func (c card) edited() (edited, bool) {
	for _, line := range c.Lines {
		var e edited
		if line.Type == "table.character-changed" && json.Unmarshal(line.Data, &e) == nil && len(e.Edits) > 0 {
			return e, true
		}
	}
	return edited{}, false
}

// quick is the longest time from one edit to the next that goes on it.
const quick = 2 * time.Minute

// mergeEdits makes one line of what one seat did to one value in quick turn: the last
// edit tells it from the first one's value. Script does the same as edits come.
func mergeEdits(cards []card) {
	var first, last *card
	for i := range cards {
		c := &cards[i]
		key, _, ok := c.editKey()
		if !ok {
			first, last = nil, nil
			continue
		}
		before := ""
		if last != nil {
			before, _, _ = last.editKey()
		}
		if key == before && c.When.Sub(last.When) <= quick {
			last.Gone = true
			_, c.Since, _ = first.editKey()
		} else {
			first = c
		}
		last = c
	}
}

// editKey names the seat and the value that a card's edit is about, and what stood
// there; false for what isn't one edit.
func (c card) editKey() (key, was string, ok bool) {
	e, edited := c.edited()
	if !edited || len(e.Edits) != 1 || len(c.Lines) != 1 || c.Undone != nil || e.Edits[0].Was == "" {
		return "", "", false
	}
	return strings.Join([]string{c.Who, e.ID, e.Edits[0].Path}, " "), e.Edits[0].Was, true
}

// told is an edit that goes on others as it's read: with what stood there first.
func (c card) told() string {
	e, _ := c.edited()
	return strings.Replace(c.Lines[0].Text, e.Edits[0].Was+" → "+e.Edits[0].Is, c.Since+" → "+e.Edits[0].Is, 1)
}

// step is what taking back an edit takes back: its own step, not those that it goes on.
func (c card) step() string {
	if _, _, ok := c.editKey(); !ok {
		return ""
	}
	return c.Lines[0].Text
}

// edit is what a card tells of a changed sheet, nil for nothing.
func (c card) edit() *html.Edit {
	e, ok := c.edited()
	if !ok {
		return nil
	}
	edit := html.Edit{Gone: c.Gone}
	if key, was, ok := c.editKey(); ok {
		edit.Key, edit.Was, edit.Is = key, was, e.Edits[0].Is
	}
	if c.Since != "" {
		edit.Whole = c.Lines[0].Text
	}
	return &edit
}

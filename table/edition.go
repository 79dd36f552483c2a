package table

import (
	"errors"
	"slices"
)

// A norn has the rules of one edition of a game, the newest that it knows. A table is played by the edition by which it was
// opened until a GM takes the newer one: till then nothing is done by rules that nobody there has agreed to. What was done
// by an older edition is folded from what it told.

// firstEdition is that of entries that name none, and is never named.
const firstEdition = "1"

// edition is that by which an entry was made.
func (b *body) edition() string {
	if b.Edition == "" {
		return firstEdition
	}
	return b.Edition
}

// made says in a body by which edition it's made.
func (b *body) made(edition string) {
	b.Edition = edition
	if edition == firstEdition {
		b.Edition = ""
	}
}

// editionTaken begins a newer edition of the rules.
type editionTaken struct {
	Was string `json:"was"`
	Is  string `json:"is"`
}

func (editionTaken) Type() string { return "table.edition-taken" }

// outdated tells whether the table is still played by an older edition than this norn's.
func (st *state) outdated() bool { return st.edition != st.game.EditionID() }

// stranded are the open moves that these rules can't go on with, oldest first.
func (st *state) stranded() []*underway {
	return slices.DeleteFunc(slices.Clone(st.open), func(m *underway) bool { return m.fault == nil })
}

func takeEdition(e eye) (draft, error) {
	d, err := draftActs(e, KindEdition, editionTaken{Was: e.st.edition, Is: e.st.game.EditionID()})
	for _, m := range e.st.stranded() {
		d.body.Yields = append(d.body.Yields, m.id)
	}
	return d, err
}

func (ev editionTaken) find(_ ledger, r *record) error {
	if ev.Is != r.Edition {
		return errors.New("it takes another edition than it's made by")
	}
	return nil
}

// judge holds to a newer edition, and to nothing being cancelled with it that could go on.
func (ev editionTaken) judge(p *proposal) error {
	if err := byGM(p.eye); err != nil {
		return err
	}
	if err := same(ev.Was, p.st.edition); err != nil {
		return err
	}
	known := p.st.game.Editions()
	if slices.Index(known, ev.Is) <= slices.Index(known, ev.Was) {
		return refused("no-newer-edition", nil)
	}
	if p.log != nil && !p.log.replays() || ev.Is != p.st.game.EditionID() { // what an older one could go on with, only it can tell
		return nil
	}
	for _, m := range p.st.open {
		if gaveWay(p.r, m.id) != (m.fault != nil) {
			return misfit(MisfitRefused, data{"Problem": m.id})
		}
	}
	return nil
}

func (ev editionTaken) fold(st *state, _ *record) { st.edition = ev.Is }

func (ev editionTaken) lines(e eye) []Line {
	return e.line(ev, "edition-taken", data{"Game": e.word("game", "name"), "Is": ev.Is}, data{"was": ev.Was, "is": ev.Is})
}

// current is a refusal of what only the newest rules could judge, at a table that isn't played by them yet.
func currentEdition(e eye) error {
	if !e.st.outdated() {
		return nil
	}
	return refused("older-edition", data{"Game": e.word("game", "name"), "Was": e.st.edition, "Is": e.st.game.EditionID()})
}

// Stranded is an open move that these rules can't go on with: they have changed since it began.
type Stranded struct {
	Move string `json:"move"`
	Seq  uint64 `json:"seq"`  // of the entry that opened it
	Text string `json:"text"` // what it is, in the reader's language
}

// newer is the edition that a GM may take, "" for none.
func newerEdition(e eye) string {
	if !e.st.outdated() {
		return ""
	}
	return e.st.game.EditionID()
}

// stranded are the moves that a GM may cancel since nobody can end them. Nobody else is told.
func strandedSeen(e eye) []Stranded {
	if !e.viewer.IsGM() {
		return nil
	}
	var shown []Stranded
	for _, m := range e.st.stranded() {
		shown = append(shown, Stranded{Move: m.id, Seq: m.seq, Text: e.moveText(m.move)})
	}
	return shown
}

// yieldsSeen are the moves that gave way to a record as far as the seat may know of them.
func yieldsSeen(e eye, r *record) []*move {
	return slices.DeleteFunc(slices.Clone(r.yields), func(m *move) bool { return !e.seesMove(m) })
}

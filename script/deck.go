package script

import (
	"slices"

	"go.starlark.net/starlark"

	"norn/dice"
	"norn/form"
	"norn/game"
)

// deck is a kind of cards. The cards drawn are listed in a pile on a sheet; the rest of the deck
// has no order, so drawing is random.
type deck struct {
	thing
	id     string
	label  string
	cards  []option
	copies int
}

const (
	maxDecks  = 10
	maxInDeck = form.MaxItems // cards of a deck, including copies
	maxDrawn  = 20            // cards at once
)

func declareDeck(b *book, d *given) (_ starlark.Value, err error) {
	k := &deck{thing: thing{what: "deck", pos: d.pos}}
	if k.label, err = d.text(); err != nil {
		return nil, err
	}
	if k.copies, err = d.takeNamedInt("copies", 1); err != nil {
		return nil, err
	}
	for _, pair := range d.kwargs {
		id := string(pair[0].(starlark.String))
		if !goodID.MatchString(id) {
			return nil, wrong("card-name", "Name", id)
		}
		label, ok := starlark.AsString(pair[1])
		if !ok {
			return nil, d.wrong("want-label", "Name", id, "Got", typeOf(pair[1]))
		}
		k.cards = append(k.cards, option{id, label})
	}
	d.kwargs = nil
	if k.copies < 1 || len(k.cards) < 2 || len(k.cards)*k.copies > maxInDeck {
		return nil, d.wrong("deck-size", "Max", maxInDeck)
	}
	if len(b.decks) == maxDecks {
		return nil, wrong("too-many", "Max", maxDecks)
	}
	b.decks = append(b.decks, k)
	return k, d.checkEmpty()
}

// takeNamedInt takes a number by its name only.
func (d *given) takeNamedInt(name string, otherwise int) (int, error) {
	v, ok := d.take(name)
	if !ok {
		return otherwise, nil
	}
	n, err := starlark.AsInt32(v)
	if err != nil {
		return 0, wantNumber(name, v)
	}
	return n, nil
}

// size returns the number of cards.
func (k *deck) size() int { return len(k.cards) * k.copies }

// throwName returns the purpose of its draws as throws.
func (k *deck) throwName() string { return "deck-" + k.id }

// pile is the state of a deck on a sheet: the cards drawn, which only the game master sees, and the
// open ones.
type pile struct {
	thing
	drawn, discard *field
}

// declarePile returns the two lists of a deck's pile.
func declarePile(b *book, d *given) (starlark.Value, error) {
	drawn, err := cardsField(d)
	if err != nil {
		return nil, err
	}
	label, err := d.word("discard")
	if err != nil {
		return nil, err
	}
	if label == "" {
		return nil, d.wrong("pile-discard")
	}
	drawn.secret, drawn.max, drawn.place = true, drawn.cards.size(), placeDrawn
	open := *drawn
	open.label, open.secret, open.place = label, false, placeDiscard
	return &pile{thing{what: "pile", pos: d.pos}, drawn, &open}, d.checkEmpty()
}

// declareHand returns a list of cards that only the sheet's player and the game master see.
func declareHand(b *book, d *given) (starlark.Value, error) {
	f, err := cardsField(d)
	if err != nil {
		return nil, err
	}
	if f.max, err = d.takeNamedInt("max", min(10, f.cards.size())); err != nil {
		return nil, err
	}
	if f.max < 1 || f.max > f.cards.size() {
		return nil, between("max", 1, f.cards.size(), f.max)
	}
	f.own, f.place = true, placeHand
	return f, d.checkEmpty()
}

func cardsField(d *given) (*field, error) {
	f := &field{thing: thing{what: "field", pos: d.pos}, kind: form.KindList}
	var err error
	if f.label, err = d.text(); err != nil {
		return nil, err
	}
	if len(d.args) > 0 {
		f.cards, _ = d.args[0].(*deck)
	}
	if f.cards == nil {
		return nil, d.wrong("deck-second")
	}
	d.args = d.args[1:]
	f.plain = true
	return f, nil
}

// declareSome returns a list of choices, each at most once.
func declareSome(_ *book, d *given) (starlark.Value, error) {
	f, err := d.begin(form.KindList)
	if err != nil {
		return nil, err
	}
	if f.max, err = d.number("max", 0); err != nil {
		return nil, err
	}
	item := &field{thing: f.thing, kind: form.KindChoice, label: f.label, required: true}
	for _, pair := range d.kwargs {
		label, ok := starlark.AsString(pair[1])
		if !ok {
			return nil, d.wrong("want-label", "Name", string(pair[0].(starlark.String)), "Got", typeOf(pair[1]))
		}
		item.options = append(item.options, option{string(pair[0].(starlark.String)), label})
	}
	d.kwargs = nil
	if f.max < 1 || f.max > len(item.options) {
		return nil, d.wrong("some-count", "Max", len(item.options))
	}
	f.plain, f.once, f.fields = true, true, []*field{item}
	return f, d.checkEmpty()
}

// placeItem sets the item of a list of plain values, once the list has a name.
func (f *field) placeItem() {
	switch {
	case f.cards != nil:
		item := &field{
			thing: f.thing, kind: form.KindChoice, label: f.cards.label, options: f.cards.cards,
			required: true, id: f.cards.id + "-card",
		}
		item.name = f.cards.name
		f.fields = []*field{item}
	case f.once:
		item := *f.fields[0]
		item.name, item.id = f.name, f.id+"-one"
		f.fields = []*field{&item}
	}
}

// spot is a place for cards on a sheet.
type spot byte

const (
	placeHand spot = iota + 1
	placeDrawn
	placeDiscard
)

// at returns the index of the field with the cards of a deck in a place of a sheet, or -1.
func (k *deck) at(on *slot, where spot) int {
	return slices.IndexFunc(on.kind.shape.fields, func(f *field) bool { return f.cards == k && f.place == where })
}

// stringsIn returns the texts in a list.
func stringsIn(list starlark.Value) (all []string) {
	for value := range elements(list) {
		text, _ := starlark.AsString(value)
		all = append(all, text)
	}
	return all
}

func listOf(texts []string) *starlark.List {
	all := make([]starlark.Value, len(texts))
	for i, text := range texts {
		all[i] = starlark.String(text)
	}
	return frozen(all)
}

// remainingCards returns the cards that aren't known to be elsewhere. Somebody who doesn't see the
// pile knows only the open cards and their own: for them every other card is equally likely to be
// next.
func (s *session) remainingCards(k *deck) []string {
	drawn, seen := map[string]int{}, map[string]int{}
	for _, on := range s.slots {
		if on.now == nil {
			continue
		}
		for i, f := range on.kind.shape.fields {
			if f.cards != k {
				continue
			}
			into := seen
			if f.place == placeDrawn {
				into = drawn
			}
			for _, card := range stringsIn(on.now[i]) {
				into[card]++
			}
		}
	}
	var left []string
	for _, card := range k.cards {
		for range k.copies - max(drawn[card.id], seen[card.id]) {
			left = append(left, card.id)
		}
	}
	return left
}

// pileOf returns the sheet with a deck's pile, or nil if the deck has none and all cards are in it.
func (s *session) pileOf(d *given, k *deck) (*sheet, error) {
	value, ok := d.take("on")
	if !ok || value == starlark.None {
		return nil, nil
	}
	on, ok := value.(*sheet)
	if !ok || k.at(on.slot, placeDrawn) < 0 {
		return nil, d.wrong("pile-on", "Deck", k.name)
	}
	if on.now == nil {
		return nil, wrong("sheet-unseen", "Who", on.member.Name)
	}
	return on, nil
}

func deckOf(d *given) (*deck, error) {
	if len(d.args) > 0 {
		if k, ok := d.args[0].(*deck); ok {
			d.args = d.args[1:]
			return k, nil
		}
	}
	return nil, d.wrong("deck-first")
}

// draw draws cards from a deck, each remaining one equally likely, into a hand or open. If fewer
// remain, it draws fewer.
func draw(s *session, d *given) (starlark.Value, error) {
	k, err := deckOf(d)
	if err != nil {
		return nil, err
	}
	n, err := d.number("n", 1)
	if err != nil {
		return nil, err
	}
	if n < 0 || n > maxDrawn {
		return nil, d.wrong("draw-count", "Max", maxDrawn) // n may be secret
	}
	if err := s.begins(); err != nil {
		return nil, err
	}
	on, err := s.pileOf(d, k)
	if err != nil {
		return nil, err
	}
	to, hand := (*sheet)(nil), -1
	if value, ok := d.take("to"); ok {
		to, ok = value.(*sheet)
		if ok {
			hand = k.at(to.slot, placeHand)
		}
		if hand < 0 {
			return nil, d.wrong("hand-of", "Name", "to", "Deck", k.name)
		}
	}
	if err := d.checkEmpty(); err != nil {
		return nil, err
	}
	p := dice.Pool{N: 1, For: k.throwName()}
	if to != nil {
		p.For = secretThrow + p.For
	}
	left := s.remainingCards(k)
	var came []string
	for range min(n, len(left)) {
		p.Sides = len(left)
		i := s.run.Sum(p) - 1
		came = append(came, left[i])
		left = slices.Delete(left, i, i+1)
	}
	if len(came) == 0 {
		return listOf(nil), nil
	}
	if on != nil {
		if err := s.add(on, k.at(on.slot, placeDrawn), came); err != nil {
			return nil, err
		}
	}
	if to != nil {
		err = s.add(to, hand, came)
	} else if on != nil {
		err = s.add(on, k.at(on.slot, placeDiscard), came)
	}
	return listOf(came), err
}

// add adds cards to a list of a sheet.
func (s *session) add(on *sheet, at int, cards []string) error {
	f := on.kind.shape.fields[at]
	now := append(stringsIn(on.now[at]), cards...)
	return s.set(on.person(), on.slot, f.name, listOf(now))
}

// discard moves cards from a hand to the open ones.
func discard(s *session, d *given) (starlark.Value, error) {
	k, err := deckOf(d)
	if err != nil {
		return nil, err
	}
	if len(d.args) != 1 {
		return nil, d.wrong("usage")
	}
	cards := stringsIn(d.args[0])
	d.args = nil
	if s.check {
		return nil, wrong("check-only")
	}
	on, err := s.pileOf(d, k)
	if err != nil {
		return nil, err
	}
	of, _ := d.take("of")
	from, ok := of.(*sheet)
	hand := -1
	if ok {
		hand = k.at(from.slot, placeHand)
	}
	if hand < 0 {
		return nil, d.wrong("hand-of", "Name", "of", "Deck", k.name)
	}
	if err := d.checkEmpty(); err != nil {
		return nil, err
	}
	now := stringsIn(from.now[hand])
	for _, card := range cards {
		i := slices.Index(now, card)
		if i < 0 {
			return nil, wrong("card-not-held", "Who", from.member.Name, "Card", card)
		}
		now = slices.Delete(now, i, i+1)
	}
	if err := s.set(from.person(), from.slot, from.kind.shape.fields[hand].name, listOf(now)); err != nil || on == nil {
		return starlark.None, err
	}
	return starlark.None, s.add(on, k.at(on.slot, placeDiscard), cards)
}

// shuffle returns the open cards to the deck. Cards in hands stay there.
func shuffle(s *session, d *given) (starlark.Value, error) {
	k, err := deckOf(d)
	if err != nil {
		return nil, err
	}
	if s.check {
		return nil, wrong("check-only")
	}
	on, err := s.pileOf(d, k)
	if err != nil {
		return nil, err
	}
	if err := d.checkEmpty(); err != nil || on == nil {
		return starlark.None, err
	}
	drawn, open := k.at(on.slot, placeDrawn), k.at(on.slot, placeDiscard)
	now := stringsIn(on.now[drawn])
	for _, card := range stringsIn(on.now[open]) {
		if i := slices.Index(now, card); i >= 0 {
			now = slices.Delete(now, i, i+1)
		}
	}
	if err := s.set(on.person(), on.slot, on.kind.shape.fields[drawn].name, listOf(now)); err != nil {
		return nil, err
	}
	return starlark.None, s.set(on.person(), on.slot, on.kind.shape.fields[open].name, listOf(nil))
}

// cardsLeft returns the number of cards that can still be drawn.
func cardsLeft(s *session, d *given) (starlark.Value, error) {
	k, err := deckOf(d)
	if err != nil {
		return nil, err
	}
	return starlark.MakeInt(len(s.remainingCards(k))), d.checkEmpty()
}

// cardNamed is a card's name as data of a text.
type cardNamed struct {
	thing
	word string
}

func card(s *session, d *given) (starlark.Value, error) {
	k, err := deckOf(d)
	if err != nil {
		return nil, err
	}
	id, err := d.text()
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(k.cards, func(o option) bool { return o.id == id }) {
		return nil, oneOf(k.name, game.Each(k.cards, func(o option) string { return o.id }))
	}
	word := s.program.book.id + "." + k.id + "-card." + id
	return &cardNamed{thing{what: "card", name: id}, word}, d.checkEmpty()
}

// chosenOnce returns an error for a list with a repeated choice, where each is allowed once.
func (s *shape) chosenOnce(values []starlark.Value) error {
	for i, f := range s.fields {
		if !f.once {
			continue
		}
		chosen := stringsIn(values[i])
		several := slices.Clone(chosen)
		slices.Sort(several)
		if len(slices.Compact(several)) < len(chosen) {
			return game.Refuse("", "script.refusal.twice")
		}
		if f.required && len(chosen) != f.max {
			return game.Refuse("", "script.refusal.so-many", "N", f.max)
		}
	}
	return nil
}

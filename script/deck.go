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

func declareDeck(b *book, d *given) (starlark.Value, error) {
	k := &deck{thing: d.thing("deck"), label: d.text("label"), cards: d.options(), copies: d.number("copies")}
	for _, card := range k.cards {
		if !goodID.MatchString(card.id) {
			return nil, wrong("card-name", "Name", card.id)
		}
	}
	if k.copies < 1 || len(k.cards) < 2 || len(k.cards)*k.copies > maxInDeck {
		return nil, d.wrong("deck-size", "Max", maxInDeck)
	}
	if len(b.decks) == maxDecks {
		return nil, wrong("too-many", "Max", maxDecks)
	}
	b.decks = append(b.decks, k)
	return k, nil
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
func declarePile(_ *book, d *given) (starlark.Value, error) {
	drawn := d.cardsField()
	if d.text("discard") == "" {
		return nil, d.wrong("pile-discard")
	}
	drawn.secret, drawn.max, drawn.place = true, drawn.cards.size(), placeDrawn
	open := *drawn
	open.label, open.secret, open.place = d.text("discard"), false, placeDiscard
	return &pile{d.thing("pile"), drawn, &open}, nil
}

// declareHand returns a list of cards that only the sheet's player and the game master see.
func declareHand(_ *book, d *given) (starlark.Value, error) {
	f := d.cardsField()
	if f.max = min(10, f.cards.size()); d.value("max") != nil {
		f.max = d.number("max")
	}
	if f.max < 1 || f.max > f.cards.size() {
		return nil, between("max", 1, f.cards.size(), f.max)
	}
	f.own, f.place = true, placeHand
	return f, nil
}

func (d *given) cardsField() *field {
	return &field{
		thing: d.thing("field"), kind: form.KindList, label: d.text("label"), cards: d.value("deck").(*deck), plain: true,
	}
}

// declareSome returns a list of choices, each at most once.
func declareSome(_ *book, d *given) (starlark.Value, error) {
	f, err := d.begin(form.KindList)
	if err != nil {
		return nil, err
	}
	item := &field{thing: f.thing, kind: form.KindChoice, label: f.label, required: true, options: f.options}
	switch {
	case item.has("start"):
		return nil, wrong("start-empty")
	case f.max < 1 || f.max > len(item.options):
		return nil, d.wrong("some-count", "Max", len(item.options))
	}
	f.options, f.plain, f.once, f.fields = nil, true, true, []*field{item}
	return f, nil
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
	value := d.value("on")
	if value == nil || value == starlark.None {
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

func (d *given) deck() *deck { return d.value("deck").(*deck) }

// draw draws cards from a deck, each remaining one equally likely, into a hand or open. If fewer
// remain, it draws fewer.
func draw(s *session, d *given) (starlark.Value, error) {
	k := d.deck()
	if err := s.begins(); err != nil {
		return nil, err
	}
	on, err := s.pileOf(d, k)
	if err != nil {
		return nil, err
	}
	to, hand := (*sheet)(nil), -1
	if value := d.value("to"); value != nil {
		if to, hand, err = k.handOf(d, "to", value); err != nil {
			return nil, err
		}
	}
	p := dice.Pool{N: 1, For: k.throwName()}
	if to != nil {
		p.For = secretThrow + p.For
	}
	left := s.remainingCards(k)
	var came []string
	for range min(d.number("n"), len(left)) {
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

// handOf returns the sheet with a hand of the deck, and where it is on the sheet.
func (k *deck) handOf(d *given, name string, value starlark.Value) (*sheet, int, error) {
	if of, ok := value.(*sheet); ok {
		if hand := k.at(of.slot, placeHand); hand >= 0 {
			return of, hand, nil
		}
	}
	return nil, -1, d.wrong("hand-of", "Name", name, "Deck", k.name)
}

// discard moves cards from a hand to the open ones.
func discard(s *session, d *given) (starlark.Value, error) {
	k, cards := d.deck(), stringsIn(d.value("cards"))
	if s.check {
		return nil, wrong("check-only")
	}
	on, err := s.pileOf(d, k)
	if err != nil {
		return nil, err
	}
	from, hand, err := k.handOf(d, "of", d.value("of"))
	if err != nil {
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
	k := d.deck()
	if s.check {
		return nil, wrong("check-only")
	}
	on, err := s.pileOf(d, k)
	if err != nil || on == nil {
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
	return starlark.MakeInt(len(s.remainingCards(d.deck()))), nil
}

// cardNamed is a card's name as data of a text.
type cardNamed struct {
	thing
	word string
}

func card(s *session, d *given) (starlark.Value, error) {
	k, id := d.deck(), d.text("card")
	if !slices.ContainsFunc(k.cards, func(o option) bool { return o.id == id }) {
		return nil, oneOf(k.name, game.Each(k.cards, func(o option) string { return o.id }))
	}
	word := s.program.book.id + "." + k.id + "-card." + id
	return &cardNamed{thing{what: "card", name: id}, word}, nil
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

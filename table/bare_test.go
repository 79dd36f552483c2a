package table

import (
	"context"
	"fmt"
)

// Bare is the whole log as the seat sees it where nothing is packed, and how many records are packed at its host.
func (s *Seat) Bare(ctx context.Context) (log []Entry, packed int, err error) {
	entries, err := s.host.Journal.Read(ctx, s.table, 0, 0)
	if err != nil {
		return nil, 0, err
	}
	st, err := readBack(s.host.Games, s.table, entries)
	if err != nil {
		return nil, 0, err
	}
	st.settle()
	e, err := s.eye(st)
	if err != nil {
		return nil, 0, err
	}
	for _, r := range st.records {
		if shown, ok := e.entry(r); ok {
			log = append(log, shown)
		}
	}
	return log, packed, s.look(ctx, func(e eye) error {
		for _, r := range e.st.records {
			if r.said == nil {
				packed++
			}
		}
		return nil
	})
}

// Steady tells whether each state that the table has had is still what it was when all later ones are made.
func (s *Seat) Steady(ctx context.Context) (states int, err error) {
	entries, err := s.host.Journal.Read(ctx, s.table, 0, 0)
	if err != nil {
		return 0, err
	}
	b := newLedger(s.table, s.host.Games)
	looks := func(b ledger) string {
		text := fmt.Sprintf("%+v", b.picture())
		for _, c := range b.characters {
			text += fmt.Sprintf("\n%+v", *c)
		}
		for _, s := range b.seats {
			text += fmt.Sprintf("\n%+v", *s)
		}
		for _, u := range b.open {
			text += fmt.Sprintf("\n%v %v %v %v %v %v %v %v", u.trail, u.told, u.said, u.asked, u.throws, u.gone, u.whose, u.touched)
		}
		return text + fmt.Sprint(b.configured)
	}
	var had []ledger
	var looked []string
	for _, e := range entries {
		r, err := b.decode(e, nil)
		if err != nil {
			return 0, err
		}
		b.follow(r)
		b.settle()
		had, looked = append(had, ledger{b.state, &log{}}), append(looked, looks(ledger{b.state, &log{}}))
	}
	for i, b := range had {
		if now := looks(b); now != looked[i] {
			return i, fmt.Errorf("after entry %d it was\n%s\nand is\n%s", i+1, looked[i], now)
		}
	}
	return len(had), nil
}

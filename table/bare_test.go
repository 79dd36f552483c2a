package table

import "context"

// Bare is the whole log as the seat sees it where nothing is packed, and how many records are packed at its host.
func (s *Seat) Bare(ctx context.Context) (log []Entry, packed int, err error) {
	entries, err := s.host.Journal.Read(ctx, s.table, 0, 0)
	if err != nil {
		return nil, 0, err
	}
	st := newState(s.table, s.host.games)
	for _, e := range entries {
		r, err := st.decode(e, nil)
		if err != nil {
			return nil, 0, err
		}
		st.apply(r)
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

package table

import (
	"fmt"
	"slices"

	"norn/rule"
)

// An open move holds its cast. Whom its rule says it won't change again it lets
// go of: the entry with which that comes names them, and others may act with them
// while its questions are open. What does so stands on the move, which then can
// be neither cancelled nor undone before it. A secret move lets go of nobody: it
// gives way instead, see yield.go.

// holds tells whether nobody else may act with a character as long as the move is open.
func (m *underway) holds(id string) bool {
	return slices.Contains(m.cast, id) && !slices.Contains(m.gone, id)
}

// letsGo is whom a run of an open move has let go of, and hadn't before.
func (m *underway) letsGo(result rule.Result[rule.Outcome]) []string {
	if result.Done || m.secret {
		return nil
	}
	var gone []string
	for _, id := range result.LetGo {
		if m.holds(id) {
			gone = append(gone, id)
		}
	}
	return gone
}

// decodeLetGo holds whom a record's move lets go of to those whom it holds.
func (st *state) decodeLetGo(r *record) error {
	if len(r.LetGo) == 0 {
		return nil
	}
	u := &underway{move: r.move}
	if r.Kind == KindAnswer {
		u = st.open.going(r.Move)
	}
	for i, id := range r.LetGo {
		if r.move == nil || r.Done || r.move.secret || !u.holds(id) || slices.Contains(r.LetGo[:i], id) {
			return fmt.Errorf("it can't let go of %q", id)
		}
	}
	return nil
}

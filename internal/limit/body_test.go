package limit

import (
	"testing"
)

// The total size of bodies is limited, and an address may use a quarter of it. The beginning of
// each body isn't counted.
func TestTotalSizeOfRequestBodiesIsLimited(t *testing.T) {
	l, _, turned := newLimiter(Limits{Bodies: 4})
	const mega = 1 << 20
	first := l.Body("x")
	allowed(t, first.Grow(mega/2))
	allowed(t, first.Grow(mega/2+freely))
	second := l.Body("x")
	allowed(t, second.Grow(freely))
	refused(t, second.Grow(1), "bodies", soon)
	var others []*Body
	for _, from := range []string{"a", "b", "c"} {
		others = append(others, l.Body(from))
		allowed(t, others[len(others)-1].Grow(mega+freely))
	}
	late := l.Body("late")
	allowed(t, late.Grow(freely))
	refused(t, late.Grow(1), "bodies", soon)
	if turned["bodies"] != 2 {
		t.Errorf("told of %v", turned)
	}
	first.Leave()
	third := l.Body("x")
	allowed(t, third.Grow(mega+freely))
	for _, b := range append(others, first, second, third, late) {
		b.Leave()
	}
	if len(l.held) > 0 {
		t.Errorf("%v is held", l.held)
	}
}

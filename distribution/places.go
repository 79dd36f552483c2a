package distribution

// places are distinct values, each at the place where it was first met. They
// are found by looking through them while they're few; whole numbers close
// together by a table.
type places[T comparable] struct {
	values []T
	last   int // where a value was found last: the next often lies beside it
	many   bool
	index  map[T]int // once they are

	table []int32 // of whole numbers: their places, from 1
	from  int     // the number at the table's beginning
}

// few is how many values are looked through.
const few = 64

// wide is how far apart the numbers in a table may lie.
const wide = 1 << 12

// far is how far from 0 they may lie.
const far = 1 << 30

// of returns the place of a value, the next one if it's new.
func (p *places[T]) of(value T) int {
	if at := p.last; at < len(p.values) {
		switch {
		case p.values[at] == value:
			return at
		case at+1 < len(p.values) && p.values[at+1] == value:
			p.last = at + 1
			return p.last
		case at > 0 && p.values[at-1] == value:
			p.last = at - 1
			return p.last
		}
	}
	if n, ok := any(value).(int); ok && !p.many {
		if at, ok := findInt(any(p).(*places[int]), n); ok {
			return at
		}
	}
	if p.last = p.find(value); p.last < 0 {
		p.last = p.add(value)
	}
	return p.last
}

// add puts a new value at the end.
func (p *places[T]) add(value T) int {
	at := len(p.values)
	p.values = append(p.values, value)
	switch {
	case p.many:
		p.index[value] = at
	case at >= few || p.table != nil: // with a table it's the first number too far off
		if p.many = true; p.index == nil {
			p.index = make(map[T]int, 4*few)
		}
		for i, v := range p.values {
			p.index[v] = i
		}
	}
	return at
}

func (p *places[T]) find(value T) int {
	if p.many {
		if at, ok := p.index[value]; ok {
			return at
		}
		return -1
	}
	for at, v := range p.values {
		if v == value {
			return at
		}
	}
	return -1
}

// clear forgets all values and keeps the room.
func (p *places[T]) clear() {
	clear(p.values)
	clear(p.index)
	clear(p.table)
	p.values, p.last, p.many = p.values[:0], 0, false
}

// findInt is of for a whole number that isn't too far from the others.
func findInt(p *places[int], n int) (at int, ok bool) {
	if uint(n-p.from) >= uint(len(p.table)) && !reach(p, n) {
		return 0, false
	}
	at = int(p.table[n-p.from]) - 1
	if at < 0 {
		at = len(p.values)
		p.values = append(p.values, n)
		p.table[n-p.from] = int32(at + 1)
	}
	p.last = at
	return at, true
}

// reach widens the table to a number; not if it would be too wide.
func reach(p *places[int], n int) bool {
	size := len(p.table)
	from, to := n-few, n+few
	switch {
	case n < -far || n > far || size == 0 && len(p.values) > 0:
		return false
	case size > 0 && len(p.values) == 0: // nothing lies in it
		p.from = n - size/2
		return true
	case size > 0:
		from, to = min(p.from, n-size), max(p.from+size, n+size)
	}
	if to-from > wide {
		return false
	}
	p.from, p.table = from, make([]int32, to-from)
	for at, v := range p.values {
		p.table[v-from] = int32(at + 1)
	}
	return true
}

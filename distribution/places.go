package distribution

// places is a set of distinct values, numbered in the order in which they were added. While there
// are few it searches them one by one; whole numbers close together are found by a table.
type places[T comparable] struct {
	values []T
	last   int // where the last value was found: the next is often a neighbour
	many   bool
	index  map[T]int // once there are more than few

	table []int32 // places of whole numbers, counted from 1
	from  int     // the first number in the table
}

// few is the number of values up to which they are searched one by one.
const few = 64

// wide bounds the length of the table.
const wide = 1 << 12

// far bounds the absolute value of the numbers in the table.
const far = 1 << 30

// of returns the place of a value, which it adds if it's new.
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

// add adds a new value at the end and returns its place.
func (p *places[T]) add(value T) int {
	at := len(p.values)
	p.values = append(p.values, value)
	switch {
	case p.many:
		p.index[value] = at
	case at >= few || p.table != nil: // a number that is too far from those in the table ends it
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

// clear removes all values and keeps the memory.
func (p *places[T]) clear() {
	clear(p.values)
	clear(p.index)
	clear(p.table)
	p.values, p.last, p.many = p.values[:0], 0, false
}

// findInt is of for a whole number. It returns false if the number is too far from the others.
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

// reach extends the table to include a number. It returns false if the table would be too wide.
func reach(p *places[int], n int) bool {
	size := len(p.table)
	from, to := n-few, n+few
	switch {
	case n < -far || n > far || size == 0 && len(p.values) > 0:
		return false
	case size > 0 && len(p.values) == 0: // the table is empty
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

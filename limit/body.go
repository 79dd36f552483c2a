package limit

// freely is how much of each body needs no room: what a connection takes anyway. So moves, words and the like come in
// however much others send.
const freely = 16 << 10

// Body is the room of a request's body, taken as it comes and kept until the request is answered.
type Body struct {
	limiter *Limiter
	from    string
	came    int
	taken   int
}

// Body begins one that comes from an address. Leave must be called when it isn't needed any more, once.
func (l *Limiter) Body(address string) *Body { return &Body{limiter: l, from: address} }

// Grow takes room for so many bytes more: among those of its address, which may have a quarter of all, and among all.
func (b *Body) Grow(bytes int) error {
	b.came += bytes
	l := b.limiter
	most, more := l.limits.Bodies<<20, b.came-freely-b.taken
	if more <= 0 || most == 0 {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	own := b.own()
	if l.held[own]+more > most/4 || l.held[bodies]+more > most {
		l.turned(own.limit)
		return &Error{own.limit, soon}
	}
	l.held[own] += more
	l.held[bodies] += more
	b.taken += more
	return nil
}

// Leave gives the room back.
func (b *Body) Leave() {
	if b.taken == 0 {
		return
	}
	b.limiter.mu.Lock()
	defer b.limiter.mu.Unlock()
	b.limiter.release(b.own(), b.taken)
	b.limiter.release(bodies, b.taken)
	b.taken = 0
}

func (b *Body) own() visitor { return visitor{"bodies", b.from} }

// bodies holds the bytes of all bodies.
var bodies = visitor{limit: "bodies"}

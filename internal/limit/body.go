package limit

// freely is the number of bytes of each body that aren't limited, about what a connection uses
// anyway. So small requests such as moves always succeed, whatever others send.
const freely = 16 << 10

// Body tracks the memory of a request's body, reserved as it arrives and held until the request is
// answered.
type Body struct {
	limiter *Limiter
	from    string
	came    int
	taken   int
}

// Body starts the accounting of a body from an address. Leave must be called once when the body
// isn't needed any more.
func (l *Limiter) Body(address string) *Body { return &Body{limiter: l, from: address} }

// Grow reserves more bytes. An address may have a quarter of the total.
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

// Leave releases the memory.
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

// bodies counts the bytes of all bodies.
var bodies = visitor{limit: "bodies"}

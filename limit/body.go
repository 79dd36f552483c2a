package limit

// freely is how much of each body needs no room: what a connection takes anyway. So moves, words and the like come in
// however much others send.
const freely = 16 << 10

// Body is the room of a request's body, taken as it comes and kept until the request is answered.
type Body struct {
	door  *Door
	from  string
	came  int
	taken int
}

// Body begins one that comes from an address. Leave must be called when it isn't needed any more, once.
func (d *Door) Body(address string) *Body { return &Body{door: d, from: address} }

// Grow takes room for so many bytes more: among those of its address, which may have a quarter of all, and among all.
func (b *Body) Grow(bytes int) error {
	b.came += bytes
	d := b.door
	most, more := d.limits.Bodies<<20, b.came-freely-b.taken
	if more <= 0 || most == 0 {
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	own := b.own()
	if d.held[own]+more > most/4 || d.held[bodies]+more > most {
		d.turned(own.limit)
		return &Error{own.limit, soon}
	}
	d.held[own] += more
	d.held[bodies] += more
	b.taken += more
	return nil
}

// Leave gives the room back.
func (b *Body) Leave() {
	if b.taken == 0 {
		return
	}
	b.door.mu.Lock()
	defer b.door.mu.Unlock()
	b.door.release(b.own(), b.taken)
	b.door.release(bodies, b.taken)
	b.taken = 0
}

func (b *Body) own() visitor { return visitor{"bodies", b.from} }

// bodies holds the bytes of all bodies.
var bodies = visitor{limit: "bodies"}

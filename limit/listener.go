package limit

import (
	"net"
	"sync"
)

// Listener lets in no more connections of one address at a time, nor in all, than the limits say: one more is closed
// before a byte of it is read. address names who is at the other end, "" for a proxy, whose
// connections are many people's and count among all alone.
func (l *Limiter) Listener(listener net.Listener, address func(net.Addr) string) net.Listener {
	return &limitedListener{listener, l, address}
}

type limitedListener struct {
	net.Listener
	limiter *Limiter
	address func(net.Addr) string
}

func (l *limitedListener) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		places := []place{{connections, l.limiter.limits.Connections}}
		if from := l.address(conn.RemoteAddr()); from != "" {
			places = append(places, place{visitor{"address-connections", from}, l.limiter.limits.AddressConnections})
		}
		leave, err := l.limiter.hold(comeAgain, places...)
		if err == nil {
			return &countedConn{Conn: conn, leave: leave}, nil
		}
		_ = conn.Close() // who comes with too many is told nothing: that would cost, too
	}
}

// connections holds the places of all connections.
var connections = visitor{limit: "connections"}

// countedConn is a connection that has a place until it's closed.
type countedConn struct {
	net.Conn
	once  sync.Once
	leave func()
}

func (c *countedConn) Close() error {
	defer c.once.Do(c.leave)
	return c.Conn.Close()
}

package limit

import (
	"net"
	"sync"
)

// Listener limits connections, of one address and in total: excess ones are closed before a byte is
// read. address returns the client's address, or "" for a proxy, whose connections belong to many
// people and count only towards the total.
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
		_ = conn.Close() // an answer would cost something, too
	}
}

// connections counts all connections.
var connections = visitor{limit: "connections"}

// countedConn is a connection that occupies a place until it's closed.
type countedConn struct {
	net.Conn
	once  sync.Once
	leave func()
}

func (c *countedConn) Close() error {
	defer c.once.Do(c.leave)
	return c.Conn.Close()
}

package limit

import (
	"net"
	"sync"
)

// Listener lets in no more connections of one address at a time, nor in all, than the limits say: one more is closed
// before a byte of it is read. address names who is at the other end, "" for a proxy, whose connections are many people's and count
// among all alone.
func (d *Door) Listener(listener net.Listener, address func(net.Addr) string) net.Listener {
	return &doorway{listener, d, address}
}

type doorway struct {
	net.Listener
	door    *Door
	address func(net.Addr) string
}

func (l *doorway) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		places := []place{{connections, l.door.limits.Connections}}
		if from := l.address(conn.RemoteAddr()); from != "" {
			places = append(places, place{visitor{"address-connections", from}, l.door.limits.AddressConnections})
		}
		leave, err := l.door.hold(comeAgain, places...)
		if err == nil {
			return &inside{Conn: conn, leave: leave}, nil
		}
		_ = conn.Close() // who comes with too many is told nothing: that would cost, too
	}
}

// connections holds the places of all connections.
var connections = visitor{limit: "connections"}

// inside is a connection that has a place until it's closed.
type inside struct {
	net.Conn
	once  sync.Once
	leave func()
}

func (c *inside) Close() error {
	defer c.once.Do(c.leave)
	return c.Conn.Close()
}

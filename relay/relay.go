// Package relay is the contract of how nodes of norn tell each other to look
// again: "table X is at seq N". A relay carries no content; whoever hears it
// reads the journal. Drivers live below it (relay/local); relay/relaytest holds
// the suite that each of them must pass.
//
// Promised by every driver:
//
//   - What is published is told to every subscriber, the publisher's own node
//     included. It may be told twice, late or in another order, and over a
//     network it may be lost: the next message about the table, or the next
//     write to it, heals that.
//   - Publish returns quickly, whatever its subscribers do.
//   - After cancel has returned, its subscriber is not called again. Cancel may
//     be called more than once. After Close nobody is called and Publish does
//     nothing.
//   - All methods may be called from any goroutine.
//
// Asked of a subscriber: it returns at once, and doesn't call the relay back.
//
// The package imports nothing.
package relay

// Relay tells every node that a table has moved on.
type Relay interface {
	// Publish says that a table's last entry is the one with this seq, or a
	// later one.
	Publish(table string, seq uint64)

	// Subscribe has hear called for every message from now on.
	Subscribe(hear func(table string, seq uint64)) (cancel func())

	// Close ends the relay. It may be called more than once.
	Close() error
}

// Package relay is the contract of how nodes of norn tell each other to look
// again: "table X is at seq N", and who watches it where. A relay carries no
// content; whoever hears of a seq reads the journal. Drivers live below it
// (relay/local, relay/nats); relay/relaytest holds the suite that each of them must pass.
//
// Promised by every driver:
//
//   - What is published is told to everyone who follows the table, on the
//     publisher's own node too. It may be told twice, late or in another order,
//     and over a network it may be lost: the next message about the table, or
//     the next write to it, heals that. Of a node's messages that wait to be sent
//     only a table's highest seq and its last word may be left.
//   - Publish returns quickly, whatever its followers do.
//   - After cancel has returned, its follower is not called again. Cancel may
//     be called more than once. After Close nobody is called and Publish does
//     nothing; what was published before goes out if it can.
//   - All methods may be called from any goroutine.
//
// Asked of a follower: it returns at once, and doesn't call the relay back.
//
// The package imports nothing.
package relay

// Message is told to those who follow a table: either that its last entry is
// the one with this seq, or a later one, or a word from one host to the others.
type Message struct {
	Table string // letters and digits
	Seq   uint64 // 0 where a word is told
	Word  string // of at most MaxWord bytes, on one line
}

// MaxWord bounds a word.
const MaxWord = 4096

// Relay tells every node that a table has moved on.
type Relay interface {
	// Publish tells everybody who follows the message's table.
	Publish(m Message)

	// Follow has hear called for every message about a table from now on.
	Follow(table string, hear func(Message)) (cancel func())

	// Close ends the relay. It may be called more than once.
	Close() error
}

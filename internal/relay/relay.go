// Package relay defines how nodes of norn notify each other of changes: "table X is at seq N", and
// who is watching it where. A relay carries no content; a node that receives a seq reads the
// journal. Drivers are in its folders (relay/local, relay/postgres); relay/relaytest holds the test
// suite that each of them must pass.
//
// Every driver guarantees:
//
//   - A message reaches all followers of its table, including those on the publisher's node.
//     It may arrive twice, late or in another order, and over a network it may be lost: the
//     next message about the table, or the next write to it, makes up for that. Of the
//     pending messages about a table only the highest seq and the last word are sent.
//   - Publish returns quickly, whatever its followers do.
//   - After cancel has returned, its follower is not called again. Cancel may be called more
//     than once. After Close no follower is called and Publish does nothing; messages
//     published before are sent if possible.
//   - All methods may be called from any goroutine.
//
// A follower must return at once and must not call the relay.
//
// The package imports nothing.
package relay

// Message is sent to the followers of a table: either the seq of its last entry, or a word from one
// node to the others.
type Message struct {
	Table string // letters and digits
	Seq   uint64 // 0 for a word
	Word  string // at most MaxWord bytes, on one line
}

// MaxWord bounds a word, in bytes.
const MaxWord = 4096

// Relay notifies every node that a table has changed.
type Relay interface {
	// Publish sends a message to all followers of its table.
	Publish(m Message)

	// Follow calls hear for every message about a table from now on.
	Follow(table string, hear func(Message)) (cancel func())

	// Close closes the relay. It may be called more than once.
	Close() error
}

// Package table has live tables: their seats, what seats request and do, and the entries that are
// appended to their journals and sent to subscribers. The packages below it define what a table is,
// what can be done there and what each seat sees.
//
// These hold:
//
//   - All state is folded from the journal. Folding is pure: it reads no clock,
//     rolls no dice and can't fail. A state is a value that never changes: the
//     next one shares what is unchanged. If this norn can't read an entry, the
//     whole table fails to load with an *UnreadableError; nothing is dropped.
//   - What a table refuses, verify.File refuses in a log: both use the same
//     validator.
//   - An entry is durable first: state changes, subscribers wake and other nodes
//     get it only after the journal has the entry. If it isn't known whether
//     an append succeeded, the table is read again before anything else happens.
//   - An open move stores only its trail and the count of its events. Running
//     the rule again over the trail gives its questions, so they are the same
//     after a restart and on every node.
//   - A move uses the characters and settings of the moment when it was opened.
//     A character is in at most one open move; moves with other characters can
//     be open at the same time.
//   - The same seat and key give the same entry, however often they are sent.
//   - A seat sees what game.View allows. Anything else isn't in its view: a
//     character whose sheet the game doesn't show doesn't exist for that seat.
//     A missing table, a wrong secret and a revoked seat give the same error.
//
// # Packages
//
// A table after an entry is a value (internal/state). With its newest entries and a way to read
// older ones it's a ledger (internal/ledger). Each seat sees it through an Eye
// (internal/visibility). Everything that a seat can do, other than by the rules of the game, is an
// act (package act). internal/projection makes what a seat sees, as plain values (package view).
// Requests are in package request, refusals in package refusal. Package verify checks logs by the
// rules.
//
// This package has the parts that change over time: tables stay in memory while somebody uses them
// (cache.go), follow the journal (live.go), have snapshots next to it (snapshot.go), are written to
// (write.go) and watched (watch.go, online.go). A Reader reads (reader.go), a Seat also writes
// (seat.go, move.go, do.go). All locks are here.
//
// # Dice
//
// The table draws a secret when it is opened and shows its commitment: that begins a session of
// dice. Each seat may add one share to it. The end of a session opens its secret to everybody and
// seals the next one in the same entry; before that, no secret leaves the package except to the
// journal. A move uses the session and the shares of the moment when it was opened; no session ends
// while a move is open. The dice of each throw come from a stream of their own, keyed by dice.Key
// with those shares, the table's id, the move's id, the nonce from the request, and the part of the
// rule and the number of the throw in it as "0.1#2". So neither the order of answers nor another
// move changes a face.
//
// # Undo
//
// Each character has a past: the entries that changed it or read its sheet, with what it was
// before. A move, or a change of a character or of the settings, can be undone while nothing later
// in those pasts depends on it and it is among the last fifty there. Then everything is exactly as
// before, and the entry is removed from all pasts. Cancelling an open move has the same effect.
// Both write entries of their own; the entries that they undo stay in the log with their dice.
//
// # Concurrency
//
// One operation at a time changes a table on one node. It holds the table's turn while the journal
// writes. Readers don't wait: they look at a value, and read what isn't in memory from the journal
// themselves. Several nodes may serve one table: of two writers one wins, and the other reads on
// and tries again after a short random wait. With Config.Poll each request first reads the journal,
// so that a client that wrote on one node finds the entry on another; concurrent requests share
// that. A subscriber of a watched table reads the journal at that pace, so that lost wake-ups do no
// harm.
//
// The package starts goroutines only for snapshots, one at a time, and with Config.Poll one that
// informs other nodes who is online. Host.Close waits for them. Watch runs in the caller's goroutine
// and ends with its context, when its seat's link is revoked, or with Host.Close. Subscribers read
// the log at their own pace by seq. A channel of capacity 1 wakes them, so a slow one blocks
// nobody. A relay calls the Host from its own goroutine, and that call never blocks. The next
// request for any table drops idle tables and lets those leave memory that are only watched.
//
// The package and those below it import no single game, no driver and no HTML.
package table

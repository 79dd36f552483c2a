// Package table is the live table: who sits there, what they ask and do, what is appended to its
// journal and told to whom. The rooms below it say what a table is, what can be done there and what
// each seat sees of it.
//
// Promised:
//
//   - All state is folded from the journal. Folding is pure: it reads no clock,
//     throws no dice and can't fail. A state is a value that nobody changes: the
//     next shares what stays as it was. A body that this norn can't read makes the
//     whole table refuse to load with an *UnreadableError; nothing is dropped.
//   - What can't be done at a table stands in no log that verify.File takes: both ask
//     the same judge.
//   - Commit, then tell: state changes, watchers wake and other nodes hear only
//     after the journal has taken the entry. Where the fate of an append isn't
//     known the table is read again before anything else happens.
//   - An open move keeps its trail and the count of what it has told, nothing
//     else. Its questions are made by running the rule again over the trail, so
//     they are the same after a restart and on every node.
//   - The cast and the settings of a move are those of the moment it opened. A
//     character is in one open move at a time; moves with another cast go on
//     beside it.
//   - The same seat and key give the same entry, however often they are sent.
//   - A seat sees what game.View lets it see. What isn't allowed isn't there; a
//     character whose sheet the game shows nothing of doesn't exist for that
//     seat. A missing table, a wrong secret and a revoked seat are one error.
//
// # Where things are
//
// What a table is after an entry is a value (internal/state); with its newest entries, and where
// older ones are, it's a ledger (internal/ledger). One seat looks at it through an eye
// (internal/visibility). What can be done, other than by the rules of the game, is an act
// (internal/act). What a seat sees is made by internal/projection and is plain values (package
// view). What is asked is package request, what is refused package refusal. Logs are held to the
// rules by package verify.
//
// Here is what lives: tables are held as long as somebody uses them (cache.go), kept as new as the
// journal (live.go) and beside it (snapshot.go), written to (write.go), watched (watch.go,
// online.go). A Reader asks (reader.go), a Player acts besides (player.go), a Seat does what only
// game masters may, too (seat.go). All locks are here.
//
// # Dice
//
// The table draws a secret when it is opened and shows its commitment: that
// begins a session of dice. Each seat may add one share to it. The end of a
// session opens its secret to everybody and seals the next one in the same
// entry; no secret leaves the package before that but into the journal. A move
// keeps the session, and counts the shares, of the moment it opened; no session
// ends while a move is open. The dice of each throw come from a stream of their
// own, keyed by dice.Key with those shares, the table's id, the move's id, the
// nonce of who made it, and the part of the rule and the number of the throw in
// it as "0.1#2". So neither the order of answers nor another move changes a
// face.
//
// # Undo
//
// Each character has a past: the entries that changed it, or read its sheet,
// with what it was before. A move, or a change of a character or of the
// settings, can be taken back as long as nothing later in those pasts stands on
// it, and as long as it's among the last fifty there; then everything is exactly what it was
// before, and the entry is no part of any past. An open move can be cancelled to the same effect.
// Both are entries of their own; what they took back stays in the log with its dice.
//
// # Who waits for whom
//
// One operation at a time changes a table on one node; it holds the table's
// turn while the journal writes. Readers wait for nobody: they look at a value.
// What of it isn't in memory they read from the journal themselves. Several nodes may serve one table:
// of two writers one wins and the other reads on and tries again, after a
// short wait that is drawn. With Config.Poll each request begins with a look into
// the journal, so that who wrote on one node and asks another finds it there; those
// who ask at once share a look. A watched table is read again at that pace, by
// one of its watchers, so that a lost wake-up heals.
//
// The package starts goroutines for nothing but snapshots, one at a time; Host.Close waits for
// them. Watch runs in the caller's and ends with its
// context, when its seat loses its link, or with Host.Close. Watchers read
// the log at their own pace by seq; what wakes them is a channel of capacity
// 1, so a slow one holds nobody. A relay calls the Host from its own goroutine,
// and that call never blocks. Idle tables are dropped, and those that are only watched rest,
// by whoever asks for a table next.
//
// The package and the rooms below it import no single game, no driver, no HTML.
package table

// Package agent lets an agent sit at a table: what a seat may do stands as tools of the Model
// Context Protocol, sheets and moves as resources, and a question that waits is asked with norn's
// own form where the agent's program can ask.
//
// It knows norn by its API alone, so an agent can do what its seat can and nothing else: the same
// rules, secrecy and limits, the same words. Each request says that an agent makes it, and so do
// the entries that it makes.
//
// Promised: nothing of a call is read before its secret has opened a seat; batches and answers have
// bounds. Nothing is thrown twice, however often a call is repeated in answering its questions. The
// package keeps nothing between two calls and starts no goroutines; it imports nothing of norn.
package agent

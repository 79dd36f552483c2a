// Package agent lets an agent take a seat at a table. What the seat may do are tools of the Model
// Context Protocol, and sheets and moves are resources. A pending question is asked with norn's own
// form if the agent's program supports that.
//
// The package uses only norn's API, so an agent has exactly the rights of its seat: the same rules,
// secrecy, limits and texts. Each request says that an agent makes it, and the entries that it
// writes say so too.
//
// Guarantees: no call is read before its secret has been checked; batches and answers are limited;
// no die is rolled twice, however often a call is repeated to answer its questions. The package
// keeps nothing between two calls, starts no goroutines and imports nothing of norn.
package agent

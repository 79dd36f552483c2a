// Command load plays at many tables of a real norn at once and measures what the people at them would notice.
//
// It builds norn, starts `norn serve` on a port of its own with a journal in a temporary folder,
// opens tables whose seats all follow their live stream, and makes moves that are durable before
// they are answered. What is measured is the time from the moment a move was due to the moment the
// last seat's frame of it has come; every frame is known by its seq, so that one lost or told twice
// is found. It knows norn by the HTTP API and its pages alone.
//
// Three plays: "paced" makes a number of moves a second in all, however fast they're answered; "flat" is a closed loop
// that goes as fast as it can; "growth" is paced over ever more tables. Generator and server share the machine: the
// CPU time of both is told.
//
// A fourth, "pages", sets three tables beside each other: one that nobody follows, one that its
// seats follow by the API, and one that they follow by their pages, each of which makes all
// requests that a page's script makes by itself. It tells bytes, requests and the CPU time that
// followers cost above nobody.
//
// A fifth, "crowd", has 500 pages of 50 spectators look on while somebody throws, and tells the CPU
// time of a throw and how long the press takes, beside a table at which nobody looks.
//
// A sixth, "flood", floods MCP, the API, pages and pictures from one address, one after the other
// and all at once, and tells how long the answers to somebody at another address take meanwhile.
// The attackers share the machine with norn, and what they take of its cores is told.
//
// A seventh, "yardstick", plays flat at norn and at a bare server of this package in turn, and
// prints the ratio of their CPU time a move. The bare server does the same I/O as a table and
// nothing else.
//
// With -journal postgres it starts a PostgreSQL that syncs each commit and, within its own process,
// a NATS server; -nodes norns share them. A table's moves go to one node, its seats follow it at
// all nodes in turn. Memory and CPU time of the nodes are added up; PostgreSQL's aren't told, and
// what NATS takes counts as the generator's.
//
// It speaks to loopback only, is bounded in time and count, stops the server and removes what it made. Each caller
// and the server's output has a goroutine, and so have all live streams together, or each where the system isn't Linux;
// all end with the play.
package main

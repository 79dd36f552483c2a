// Command load plays at many tables of a real norn at once and measures what people at them would
// notice.
//
// It builds norn, starts `norn serve` on a port of its own with a journal in a temporary folder,
// creates tables whose seats all follow their live stream, and makes moves that are durable before
// they are answered. It measures the time from the moment a move was due to the arrival of the last
// seat's frame. Every frame is identified by its seq, so that lost or repeated ones are found. It
// uses only the HTTP API and pages of norn.
//
// Three runs: "paced" makes a number of moves a second in all, however fast they are answered;
// "flat" is a closed loop that runs as fast as it can; "growth" is paced with more and more tables.
// Generator and server share the machine, and the CPU time of both is reported.
//
// A fourth, "pages", compares three tables: one without followers, one that its seats follow by the
// API, and one that they follow by their pages, with all requests that a page's script makes by
// itself. It reports bytes, requests and the additional CPU time of followers.
//
// A fifth, "crowd", lets 500 pages of 50 spectators look on while somebody rolls. It reports the
// CPU time of a roll and the time of its request, compared with a table without spectators.
//
// A sixth, "flood", floods MCP, the API, pages, pictures, bodies that never end, the dearest odds,
// lists and characters' files from one address, one after the other and all at once, and reports the
// times of answers to another address and the memory of norn meanwhile. The attackers are a process
// of their own, which has what norn leaves of the cores; its share is reported. With GOMEMLIMIT=220MiB in the
// environment, norn collects garbage from there on, so that -want-rss is compared with memory in use.
//
// A seventh, "yardstick", plays flat at norn and at a bare server of this package in turn, and
// prints the ratio of their CPU time per move. The bare server does the same I/O as a table and
// nothing else.
//
// With -journal postgres it starts a PostgreSQL that syncs each commit; -nodes norns share it. A
// table's moves go to one node, and its seats follow it at all nodes in turn. Memory and CPU time of
// the nodes are added up; PostgreSQL's are not.
//
// It connects only to loopback, is limited in time and number, stops the server and removes its
// files. Each caller and the server's output has a goroutine; all live streams share one, or have
// one each on systems other than Linux. All end with the run.
package main

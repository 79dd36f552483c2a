// Command load plays at many tables of a real norn at once and measures what the people at them would notice.
//
// It builds norn, starts `norn serve` on a port of its own with a journal in a temporary folder, opens tables whose seats
// all follow their live stream, and makes moves that are durable before they are answered. What is measured is the time
// from the moment a move was due to the moment the last seat's frame of it has come; every frame is known by its seq, so
// that one lost or told twice is found. It knows norn by the HTTP API alone and imports nothing of it.
//
// Three plays: "paced" makes a number of moves a second in all, however fast they're answered; "flat" is a closed loop
// that goes as fast as it can; "growth" is paced over ever more tables. Generator and server share the machine: the
// CPU time of both is told.
//
// It speaks to loopback only, is bounded in time and count, stops the server and removes what it made. Each caller, each
// live stream and the server's output has a goroutine; all end with the play.
package main

// Package discordtest is a Discord for tests on this machine: its API, its gateway, and its signed
// calls over HTTP. A test reads each channel as a person would, including markup. It's strict: it
// refuses what Discord refuses, and remembers that. It can be slow, ask to wait, cut connections
// after accepting a request, and deliver interactions twice, late and in disorder.
//
// It shares no code with norn's side except the websocket: what is right is written here a second
// time.
package discordtest

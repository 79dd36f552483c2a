// Package discordtest is a Discord for tests, which stands on this machine alone: its API, its
// gateway, and its calls over HTTP, signed. It keeps what each channel shows, so that a test reads
// it as a person would, markup and all, and it's strict: what Discord refuses it refuses, and
// remembers that it did. It can be slow, ask for patience, cut connections when it has taken what
// came, and tell what people do twice, late and in disorder.
//
// It shares no code with norn's side but the websocket: what is right is written here a second time.
package discordtest

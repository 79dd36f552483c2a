// Package discord is Discord as a bridge.Platform, on disgo: one command /norn with one line, whose
// ways to go on are offered while it's typed, buttons, selects and dialogs.
//
// What people do comes by the gateway, a connection that norn opens and that works from home, or by
// HTTP, where Discord calls norn behind a proxy; each such call is signed, and nothing is read of
// one that isn't. No message is read: people talk to norn by /norn alone, and the bot asks for no
// right to read.
//
// Promised: what is shown is the text as it stands, whatever its signs mean to Discord; nobody is
// mentioned but who is waited for; what is for one person's eyes is shown to that person alone, an
// answer that takes long too. No token stands in an error or in the log. It imports the bridge and
// lang, and no package of norn besides.
package discord

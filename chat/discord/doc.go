// Package discord is Discord as a bridge.Platform, on disgo: one command /norn with one line and
// suggestions for it, buttons, selects and dialogs.
//
// Interactions arrive by the gateway, a connection that norn opens and that works from home, or by
// HTTP, where Discord calls norn behind a proxy; each such call is signed, and an unsigned one
// isn't read. norn reads no messages: people use only /norn, and the bot asks for no permission to
// read.
//
// Texts are shown as they are, whatever they mean in Discord's markup. Only people who must answer
// are mentioned. What is for one person is shown only to that person, even if the answer takes
// long. No error and no log contains a token. The package imports the bridge and lang, and no other
// package of norn.
package discord

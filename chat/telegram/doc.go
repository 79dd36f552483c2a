// Package telegram is Telegram as a bridge.Platform: a bot that polls Telegram or is called by a
// webhook, and shows what happens at a table.
//
// A place is a chat, "telegram:<chat>", or a topic of a forum group, "telegram:<chat>:<topic>".
// Texts are formatted with entities, so there is no markup to escape. A message mentions only the
// people that the bridge asks for.
//
// An update is confirmed only after it was done, so a crash loses none; its id is the key, so a
// repeated one does nothing. What is for one person is never posted in a group. No error and no log
// contains the bot's token, although Telegram puts it into every address. The values of an
// unfinished form are in the message that asks for the next one, hidden in a link, so a restart
// forgets nothing.
//
// Run works until its context ends, in goroutines that end with it. The package imports bridge and
// lang, and Telegram's library.
package telegram

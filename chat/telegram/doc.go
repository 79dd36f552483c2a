// Package telegram is Telegram as the bridge knows a chat: a bot that asks Telegram what people
// did, or is told by a webhook, and shows what happens at a table.
//
// A place is a chat, "telegram:<chat>", or a topic of a forum group, "telegram:<chat>:<topic>".
// Texts are shown by entities, so there is no markup to escape; nobody is mentioned but whom the
// bridge calls.
//
// Promised: an update counts as heard only when what it did is done, so none is lost to a crash;
// its id is the key, so that told twice it does nothing more. What is for one person alone never
// stands in a group. The bot's token is in no error and no log, though Telegram has it in every
// address. What a form has been told so far stands in the message that asks for the next of it,
// hidden in a link, so a restart forgets nothing.
//
// Run asks and works until its context ends, in goroutines that end with it. It imports bridge and
// lang, and Telegram's library.
package telegram

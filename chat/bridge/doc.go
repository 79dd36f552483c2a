// Package bridge connects tables with chats: Discord, Telegram, any Platform.
//
// A chat is one more seat at the same table. A place (a channel, a group, a topic) is tied to a
// spectator's seat: it gets what spectators see and nothing more. A person is tied to their own
// seat: what they do in the chat that seat does, with the line, the forms and the refusals of the
// page. Ties are made with codes from the page.
//
// A platform passes on what people did as an Update and shows the Answer. Post and Edit show what
// happens at the table. A platform knows nothing of tables, seats or games; the bridge knows
// nothing of markup, tokens or addresses.
//
// A place gets everything that its seat sees, in order, and once if the platform can recognise a
// repeated message. What only a person's own seat sees goes to their private chat. A repeated
// update is done once, before and after a restart. A chat that is slow, late or closed delays
// nothing else.
package bridge

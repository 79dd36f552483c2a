// Package bridge brings a table to where people talk: Discord, Telegram, any chat that is a Platform.
//
// A chat is one more seat at the same table. A place (a channel, a group, a topic) is tied to a
// spectator's seat: it hears what spectators see, and can't hear more. A person is tied to a seat
// of their own: what they do in the chat that seat does, by the line, the forms and the refusals of
// the page. Ties are made by codes that the page shows.
//
// A platform hands on what people did as an Update and shows what comes back, an Answer. What
// happens at the table it's told by Post and Edit. It knows nothing of tables, seats or games; the
// bridge knows nothing of markup, tokens or addresses.
//
// Promised: a place is told everything that its seat sees, in order and once where the platform can
// tell a message again from a new one; what only a person's own seat sees goes to where that person
// reads alone. An update told twice is done once, before and after a restart. A chat that is slow,
// late or gone holds up nobody.
package bridge

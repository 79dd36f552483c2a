// Package telegramtest is a Telegram for tests: the part of its Bot API that norn uses, over real
// HTTP, with people who write, press and read.
//
// It's as strict as Telegram about what it takes: lengths, entities, buttons, what may be edited
// and by whom. It tells updates by long polling or a webhook, again as long as they aren't
// confirmed, and on demand twice, in disorder or late; it can be too busy, cut connections before
// or after it did what it was asked for, and be gone for a while. What each chat shows is read as a
// person reads it.
package telegramtest

// Package telegramtest is a Telegram for tests: the part of its Bot API that norn uses, over real
// HTTP, with people who write, press and read.
//
// It's as strict as Telegram: lengths, entities, buttons, who may edit what. It
// delivers updates by long polling or a webhook, and again until they're confirmed; on demand
// twice, in disorder or late. It can ask to wait, cut connections before or after running a method,
// and be unreachable for a while. A test reads each chat as a person does.
package telegramtest

package discord

import (
	"context"
	"net/http"

	"github.com/disgoorg/disgo/rest"
	"github.com/disgoorg/snowflake/v2"

	"norn/chat/bridge"
)

// Post implements bridge.Platform. Discord remembers a key for some minutes.
func (b *Bot) Post(ctx context.Context, place string, m bridge.Message, key string) (string, error) {
	channel, ok := idOf(place)
	if !ok {
		return "", &bridge.Gone{What: "no channel of Discord: " + place}
	}
	posted, err := b.channels.CreateMessage(channel, render(m).withKey(key), rest.WithCtx(ctx))
	if isStatus(err, http.StatusBadRequest) { // a shorter message is better than none
		b.log.Error("Discord refused a message", "err", b.bridgeError(err))
		posted, err = b.channels.CreateMessage(channel, render(bare(m)).withKey(key), rest.WithCtx(ctx))
	}
	if err != nil {
		return "", b.bridgeError(err)
	}
	return posted.ID.String(), nil
}

// Edit implements bridge.Platform.
func (b *Bot) Edit(ctx context.Context, place, id string, m bridge.Message) error {
	channel, ok := idOf(place)
	message, err := snowflake.Parse(id)
	if !ok || err != nil {
		return &bridge.Gone{What: "no message of Discord: " + place + " " + id, Message: true}
	}
	edit := func(m bridge.Message) error {
		_, err := b.channels.UpdateMessage(channel, message, render(m).anew(), rest.WithCtx(ctx))
		return err
	}
	err = edit(m)
	if isStatus(err, http.StatusBadRequest) &&
		!isCode(err, rest.JSONErrorCodeMaximumEditsToMessagesOlderThan1HourReached) {
		b.log.Error("Discord refused a message", "err", b.bridgeError(err))
		err = edit(bare(m))
	}
	return b.bridgeError(err)
}

// bare reduces a message to what no platform refuses: heading, link and mentions.
func bare(m bridge.Message) bridge.Message {
	return bridge.Message{
		Head: bridge.Cut(m.Head, maxContent/4), Link: m.Link, LinkText: m.LinkText, Quiet: m.Quiet,
		Calls: m.Calls,
	}
}

// Private implements bridge.Platform.
func (b *Bot) Private(ctx context.Context, person string) (string, error) {
	id, ok := idOf(person)
	if !ok {
		return "", &bridge.Gone{What: "nobody of Discord: " + person}
	}
	channel, err := b.users.CreateDMChannel(id, rest.WithCtx(ctx))
	if err != nil {
		return "", b.bridgeError(err)
	}
	return userID(channel.ID()), nil
}

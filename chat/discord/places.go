package discord

import (
	"context"
	"net/http"

	disgo "github.com/disgoorg/disgo/discord"
	"github.com/disgoorg/disgo/rest"
	"github.com/disgoorg/snowflake/v2"

	"norn/chat/bridge"
)

// Post implements bridge.Platform. Discord knows a key again for some minutes.
func (b *Bot) Post(ctx context.Context, place string, m bridge.Message, key string) (string, error) {
	channel, ok := idOf(place)
	if !ok {
		return "", &bridge.Gone{What: "no channel of Discord: " + place}
	}
	posted, err := b.channels.CreateMessage(channel, show(m).keyed(key), rest.WithCtx(ctx))
	if isStatus(err, http.StatusBadRequest) { // better to be told less than to hear nothing any more
		b.log.Error("Discord refused a message", "err", err)
		posted, err = b.channels.CreateMessage(channel, show(bare(m)).keyed(key), rest.WithCtx(ctx))
	}
	if err != nil {
		return "", b.worded(err)
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
		_, err := b.channels.UpdateMessage(channel, message, show(m).update(), rest.WithCtx(ctx))
		return err
	}
	err = edit(m)
	if isStatus(err, http.StatusBadRequest) && !isCode(err, rest.JSONErrorCodeMaximumEditsToMessagesOlderThan1HourReached) {
		b.log.Error("Discord refused a message", "err", err)
		err = edit(bare(m))
	}
	return b.worded(err)
}

// bare is what of a message no platform can refuse: who, and where it stands.
func bare(m bridge.Message) bridge.Message {
	return bridge.Message{Head: clip(m.Head, maxContent/4), Link: m.Link, LinkText: m.LinkText, Quiet: m.Quiet, Calls: m.Calls}
}

// Private implements bridge.Platform.
func (b *Bot) Private(ctx context.Context, person string) (string, error) {
	if place, known := b.private.find(person); known {
		return place, nil
	}
	id, ok := idOf(person)
	if !ok {
		return "", &bridge.Gone{What: "nobody of Discord: " + person}
	}
	channel, err := b.users.CreateDMChannel(id, rest.WithCtx(ctx))
	if err != nil {
		return "", b.worded(err)
	}
	place := named(channel.ID())
	b.private.add(person, place)
	return place, nil
}

// register makes the command known, if it isn't as it should be.
func (b *Bot) register(ctx context.Context) error {
	app, err := rest.NewOAuth2(b.client).GetBotApplicationInfo(rest.WithCtx(ctx))
	if err != nil {
		return err
	}
	want := b.command()
	var have []command
	query := disgo.QueryValues{"with_localizations": true}
	if err := b.client.Do(rest.GetGlobalCommands.Compile(query, app.ID), nil, &have, rest.WithCtx(ctx)); err != nil {
		return err
	}
	for _, c := range have {
		if c.same(want) {
			return nil
		}
	}
	return b.client.Do(rest.CreateGlobalCommand.Compile(nil, app.ID), want, nil, rest.WithCtx(ctx))
}

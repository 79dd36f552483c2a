package discord

import (
	"context"
	"errors"
	"strings"
	"time"

	disgo "github.com/disgoorg/disgo/discord"
	"github.com/disgoorg/disgo/rest"

	"norn/chat/bridge"
	"norn/lang"
)

const (
	patience     = 1500 * time.Millisecond // before Discord is told to wait: it gives up after three seconds
	lateAfter    = 2 * time.Second         // an interaction that is as much older than others when it comes may have been given up
	completeTime = 2 * time.Second
	tokenTime    = 14 * time.Minute // an interaction can be answered for fifteen
	tries        = 6                // where the connection is cut
	lineOption   = "line"
	again        = "/" // begins a control that stands for a line: no control of the bridge has such an ID
	maxCustomID  = 100
	choicePart   = 90 // of a line that is too long to be offered whole
	maxChoices   = 25
)

// reply is the first answer to an interaction.
type reply func(context.Context, disgo.InteractionResponse) error

// exchange is an interaction and how far it was answered.
type exchange struct {
	*Bot
	i       disgo.Interaction
	reply   reply
	control bool // something on a message was pressed, not a command given
	held    bool // Discord was told to wait
}

// answer does what somebody did, and says what comes of it.
func (b *Bot) answer(ctx context.Context, i disgo.Interaction, late bool, reply reply) {
	ctx, cancel := context.WithTimeout(ctx, tokenTime)
	defer cancel()
	if i.Channel().MessageChannel == nil {
		return // of no place that norn could answer in
	}
	if i, ok := i.(disgo.AutocompleteInteraction); ok {
		b.complete(ctx, i, reply)
		return
	}
	u, ok := b.update(i)
	if !ok {
		return
	}
	x := &exchange{Bot: b, i: i, reply: reply, control: isControl(i)}
	// Who was told that norn doesn't answer may have tried again: what comes late is done if Discord still waits for it.
	if late && !x.hold(ctx) {
		return
	}
	type done struct {
		bridge.Answer
		err error
	}
	result := make(chan done, 1)
	go func() {
		a, err := b.config.Hearer.Do(ctx, u)
		result <- done{a, err}
	}()
	var r done
	select {
	case r = <-result:
	case <-time.After(patience):
		x.hold(ctx)
		r = <-result
	}
	if r.err != nil {
		b.log.Error("an update from Discord failed", "update", u.ID, "err", r.err)
		r.Answer = bridge.Answer{Message: bridge.Message{Lines: []bridge.Line{{Text: b.say(i, "discord.fault")}}}, Alone: true}
	}
	if err := x.tell(ctx, u, r.Answer); err != nil && ctx.Err() == nil {
		b.log.Warn("an answer didn't reach Discord", "update", u.ID, "err", err)
	}
}

func isControl(i disgo.Interaction) bool {
	switch i := i.(type) {
	case disgo.ComponentInteraction:
		return true
	case disgo.ModalSubmitInteraction:
		return i.Message != nil
	}
	return false
}

func (b *Bot) say(i disgo.Interaction, id string, data ...any) string {
	return b.config.Words.In(langOf(i)).Say(id, data...)
}

// langOf is the language of somebody's Discord, English where norn doesn't speak it.
func langOf(i disgo.Interaction) lang.Lang {
	if l, ok := lang.Parse(string(i.Locale())); ok {
		return l
	}
	return lang.En
}

// person is who does something.
func person(i disgo.Interaction) bridge.Person {
	p := bridge.Person{ID: named(i.User().ID), Name: i.User().EffectiveName()}
	if m := i.Member(); m != nil {
		p.Name = m.EffectiveName()
	}
	p.Lang, _ = lang.Parse(string(i.Locale()))
	return p
}

// update is what somebody did, as the bridge knows it.
func (b *Bot) update(i disgo.Interaction) (bridge.Update, bool) {
	u := bridge.Update{
		ID: named(i.ID()), By: person(i), Place: named(i.Channel().ID()),
		Private: i.Channel().Type() == disgo.ChannelTypeDM && i.Context() == disgo.InteractionContextTypeBotDM,
	}
	if u.Private {
		b.private.add(u.By.ID, u.Place)
	}
	switch i := i.(type) {
	case disgo.ApplicationCommandInteraction:
		data, ok := i.Data.(disgo.SlashCommandInteractionData)
		if !ok {
			return u, false
		}
		u.Line = b.whole(u, data.String(lineOption))
	case disgo.ComponentInteraction:
		u.Press = i.Data.CustomID()
		if line, ok := strings.CutPrefix(u.Press, again); ok {
			u.Press, u.Line = "", line
		}
		if chosen, ok := i.Data.(disgo.StringSelectMenuInteractionData); ok {
			u.Values = chosen.Values
		}
	case disgo.ModalSubmitInteraction:
		u.Press, u.Fields = i.Data.CustomID, filled(i)
	default:
		return u, false
	}
	return u, true
}

// complete offers ways to go on with a line.
func (b *Bot) complete(ctx context.Context, i disgo.AutocompleteInteraction, reply reply) {
	ctx, cancel := context.WithTimeout(ctx, completeTime)
	defer cancel()
	u := bridge.Update{By: person(i), Place: named(i.Channel().ID())}
	line := b.whole(u, i.Data.String(lineOption))
	choices := []disgo.AutocompleteChoice{}
	for _, s := range b.config.Hearer.Complete(ctx, u.By, u.Place, line, len(line)) {
		if s.Line == "" || len(choices) == maxChoices {
			continue
		}
		// Who goes on typing goes on with what was shown, so the line itself is shown. Of a long one its end; norn remembers the rest.
		text := s.Line
		if length(text) > maxOption {
			text = tail(text, choicePart)
			b.offered.add(partOf(u, text), s.Line)
		}
		choices = append(choices, disgo.AutocompleteChoiceString{Name: text, Value: text})
	}
	response := disgo.InteractionResponse{Type: disgo.InteractionResponseTypeAutocompleteResult, Data: disgo.AutocompleteResult{Choices: choices}}
	if err := reply(ctx, response); err != nil {
		b.log.Debug("suggestions came too late", "err", err)
	}
}

func partOf(u bridge.Update, text string) string { return u.By.ID + " " + u.Place + " " + text }

// whole is a line whose beginning wasn't shown, or the line as it is.
func (b *Bot) whole(u bridge.Update, text string) string {
	if !strings.HasPrefix(text, "…") {
		return text
	}
	for end := len(text); end > 0; end-- {
		if line, ok := b.offered.find(partOf(u, text[:end])); ok {
			return line + text[end:]
		}
	}
	return text
}

// hold has Discord wait, without showing anything to others: whether the answer is for one person's eyes isn't known yet. It tells
// whether Discord does.
func (x *exchange) hold(ctx context.Context) bool {
	if x.held {
		return true
	}
	r := disgo.InteractionResponse{Type: disgo.InteractionResponseTypeDeferredUpdateMessage}
	if !x.control {
		r.Type = disgo.InteractionResponseTypeDeferredCreateMessage
		r.Data = disgo.MessageCreate{Flags: disgo.MessageFlagEphemeral, AllowedMentions: show(bridge.Message{}).mentions}
	}
	err := x.reply(ctx, r)
	x.held = err == nil
	return x.held
}

// tell says an answer.
func (x *exchange) tell(ctx context.Context, u bridge.Update, a bridge.Answer) error {
	switch {
	case a.Form != nil && x.held:
		a = x.invite(u)
	case a.Form != nil:
		if _, dialog := x.i.(disgo.ModalSubmitInteraction); dialog { // which no dialog may follow
			a = x.invite(u)
			break
		}
		return x.worded(x.reply(ctx, disgo.InteractionResponse{Type: disgo.InteractionResponseTypeModal, Data: modal(a.Form)}))
	}
	if a.Message.Empty() {
		if !x.control && x.hold(ctx) { // a command must be answered by something
			return x.worded(x.later(ctx, func() error { return x.remove(ctx) }))
		}
		x.hold(ctx)
		return nil
	}
	m := show(a.Message).create()
	m.Flags = m.Flags.Remove(disgo.MessageFlagSuppressNotifications) // an answer calls nobody
	if a.Alone {
		m.Flags = m.Flags.Add(disgo.MessageFlagEphemeral)
	}
	if !x.held {
		return x.worded(x.reply(ctx, disgo.InteractionResponse{Type: disgo.InteractionResponseTypeCreateMessage, Data: m}))
	}
	if x.control {
		return x.worded(x.later(ctx, func() error { return x.follow(ctx, show(a.Message), m.Flags) }))
	}
	// The first word after a command that waits takes the place of the waiting, which its asker alone sees.
	if a.Alone {
		return x.worded(x.later(ctx, func() error { return x.original(ctx, show(a.Message)) }))
	}
	dots := shown{content: "…", mentions: m.AllowedMentions, rows: []disgo.LayoutComponent{}}
	return x.worded(errors.Join(
		x.later(ctx, func() error { return x.original(ctx, dots) }),
		x.later(ctx, func() error { return x.follow(ctx, show(a.Message), m.Flags) }),
		x.later(ctx, func() error { return x.remove(ctx) }),
	))
}

func (x *exchange) original(ctx context.Context, s shown) error {
	_, err := x.interactions.UpdateInteractionResponse(x.i.ApplicationID(), x.i.Token(), s.update(), rest.WithCtx(ctx))
	return err
}

func (x *exchange) follow(ctx context.Context, s shown, flags disgo.MessageFlags) error {
	m := s.create()
	m.Flags = flags
	_, err := x.interactions.CreateFollowupMessage(x.i.ApplicationID(), x.i.Token(), m, rest.WithCtx(ctx))
	return err
}

func (x *exchange) remove(ctx context.Context) error {
	return x.interactions.DeleteInteractionResponse(x.i.ApplicationID(), x.i.Token(), rest.WithCtx(ctx))
}

// invite asks to press again, where a dialog can't be opened any more: that press has time for it.
func (x *exchange) invite(u bridge.Update) bridge.Answer {
	m := bridge.Message{Lines: []bridge.Line{{Text: x.say(x.i, "discord.again")}}}
	press := u.Press
	if press == "" {
		press = again + u.Line
	}
	if length(press) <= maxCustomID && u.Fields == nil {
		m.Controls = [][]bridge.Control{{{ID: press, Label: x.say(x.i, "discord.fill-in"), Main: true}}}
	}
	return bridge.Answer{Message: m, Alone: true}
}

// later does what follows a first answer, which over HTTP Discord may not have read yet.
func (x *exchange) later(ctx context.Context, do func() error) error {
	return x.stubborn(ctx, func(context.Context) error {
		err := do()
		if isCode(err, rest.JSONErrorCodeUnknownWebhook) {
			return &bridge.Later{After: patience / 10}
		}
		return err
	})
}

// againKey marks the context of what is tried again.
type againKey struct{}

// stubborn tries again where the connection was cut, or Discord asks for patience.
func (b *Bot) stubborn(ctx context.Context, do func(context.Context) error) error {
	pause := patience / 20
	for try := 1; ; try++ {
		err := do(ctx)
		worded := b.worded(err)
		var wait *bridge.Later
		var refused *rest.Error
		switch {
		case err == nil, try == tries, ctx.Err() != nil:
			return err
		case errors.As(worded, &wait) || errors.As(err, &wait):
			pause = wait.After
		case errors.As(err, &refused) && refused.Response.StatusCode < 500:
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(pause):
		}
		pause *= 2
		ctx = context.WithValue(ctx, againKey{}, true)
	}
}

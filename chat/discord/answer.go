package discord

import (
	"context"
	"errors"
	"strings"
	"time"

	disgo "github.com/disgoorg/disgo/discord"
	"github.com/disgoorg/disgo/rest"

	"norn/chat/bridge"
	"norn/internal/rescue"
	"norn/lang"
)

const (
	patience     = 1500 * time.Millisecond // after this Discord is asked to wait: it gives up after three seconds
	completeTime = 2 * time.Second
	tokenTime    = 14 * time.Minute // an interaction can be answered for fifteen minutes
	tries        = 6                // after cut connections
	lineOption   = "line"
	again        = "/" // prefix of a control with a line: no control of the bridge has such an ID
	maxCustomID  = 100
	choicePart   = 90 // shown part of a line that is too long for a suggestion
	maxChoices   = 25
)

// reply sends the first response to an interaction.
type reply func(context.Context, disgo.InteractionResponse) error

// exchange is an interaction and how far it was answered.
type exchange struct {
	*Bot
	i       disgo.Interaction
	reply   reply
	control bool // a control on a message was pressed, instead of a command
	held    bool // Discord was asked to wait
}

// answer does what a person did and shows the result.
func (b *Bot) answer(ctx context.Context, i disgo.Interaction, late bool, reply reply) {
	ctx, cancel := context.WithTimeout(ctx, tokenTime)
	defer cancel()
	if i.Channel().MessageChannel == nil {
		return // norn couldn't answer there
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
	// A person who saw that norn doesn't answer may have tried again: a late interaction is only
	// done if Discord still waits for it.
	if late && !x.hold(ctx) {
		return
	}
	type done struct {
		bridge.Answer
		err error
	}
	result := make(chan done, 1)
	go func() {
		var d done
		d.err = rescue.Run(b.log, "discord interaction", func() (err error) {
			d.Answer, err = b.config.Hearer.Do(ctx, u)
			return err
		})
		result <- d
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
		r.Answer = bridge.Answer{
			Message: bridge.Message{Lines: []bridge.Line{{Text: b.say(i, "discord.fault")}}},
			Alone:   true,
		}
	}
	err := rescue.Run(b.log, "discord interaction", func() error { return x.tell(ctx, u, r.Answer) })
	if err != nil && ctx.Err() == nil {
		b.log.Warn("an answer didn't reach Discord", "update", u.ID, "err", b.bridgeError(err))
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

// langOf returns the language of a person's Discord, English if norn doesn't have it.
func langOf(i disgo.Interaction) lang.Lang {
	if l, ok := lang.Parse(string(i.Locale())); ok {
		return l
	}
	return lang.En
}

// person returns who did something.
func person(i disgo.Interaction) bridge.Person {
	p := bridge.Person{ID: userID(i.User().ID), Name: i.User().EffectiveName()}
	if m := i.Member(); m != nil {
		p.Name = m.EffectiveName()
	}
	p.Lang, _ = lang.Parse(string(i.Locale()))
	return p
}

// update returns what a person did, for the bridge.
func (b *Bot) update(i disgo.Interaction) (bridge.Update, bool) {
	u := bridge.Update{
		ID: userID(i.ID()), By: person(i), Place: userID(i.Channel().ID()),
		Private: i.Channel().Type() == disgo.ChannelTypeDM && i.Context() == disgo.InteractionContextTypeBotDM,
	}
	switch i := i.(type) {
	case disgo.ApplicationCommandInteraction:
		data, ok := i.Data.(disgo.SlashCommandInteractionData)
		if !ok {
			return u, false
		}
		u.Line = b.restoreLine(u, data.String(lineOption))
	case disgo.ComponentInteraction:
		u.Press = i.Data.CustomID()
		if line, ok := strings.CutPrefix(u.Press, again); ok {
			u.Press, u.Line = "", line
		}
		if chosen, ok := i.Data.(disgo.StringSelectMenuInteractionData); ok {
			u.Values = chosen.Values
		}
	case disgo.ModalSubmitInteraction:
		u.Press, u.Fields = i.Data.CustomID, modalFields(i)
	default:
		return u, false
	}
	return u, true
}

// complete shows suggestions for a line.
func (b *Bot) complete(ctx context.Context, i disgo.AutocompleteInteraction, reply reply) {
	ctx, cancel := context.WithTimeout(ctx, completeTime)
	defer cancel()
	u := bridge.Update{By: person(i), Place: userID(i.Channel().ID())}
	line := b.restoreLine(u, i.Data.String(lineOption))
	choices := []disgo.AutocompleteChoice{}
	for _, s := range b.config.Hearer.Complete(ctx, u.By, u.Place, line) {
		if s.Line == "" || len(choices) == maxChoices {
			continue
		}
		// The person continues with the text that is shown, so the line itself is shown. Of a long
		// one it's the end; norn remembers the rest.
		text := s.Line
		if bridge.Units(text) > maxOption {
			text = tail(text, choicePart)
			b.mu.Lock()
			if len(b.offered) == remembered {
				clear(b.offered)
			}
			b.offered[partOf(u, text)] = s.Line
			b.mu.Unlock()
		}
		choices = append(choices, disgo.AutocompleteChoiceString{Name: text, Value: text})
	}
	response := disgo.InteractionResponse{
		Type: disgo.InteractionResponseTypeAutocompleteResult,
		Data: disgo.AutocompleteResult{Choices: choices},
	}
	if err := reply(ctx, response); err != nil {
		b.log.Debug("suggestions came too late", "err", b.bridgeError(err))
	}
}

func partOf(u bridge.Update, text string) string { return u.By.ID + " " + u.Place + " " + text }

// restoreLine returns the whole line if its beginning wasn't shown.
func (b *Bot) restoreLine(u bridge.Update, text string) string {
	if !strings.HasPrefix(text, "…") {
		return text
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for end := len(text); end > 0; end-- {
		if line, ok := b.offered[partOf(u, text[:end])]; ok {
			return line + text[end:]
		}
	}
	return text
}

// hold asks Discord to wait, invisibly to others, because it isn't known yet whether the answer is
// for one person only. It reports whether Discord waits.
func (x *exchange) hold(ctx context.Context) bool {
	if x.held {
		return true
	}
	r := disgo.InteractionResponse{Type: disgo.InteractionResponseTypeDeferredUpdateMessage}
	if !x.control {
		r.Type = disgo.InteractionResponseTypeDeferredCreateMessage
		r.Data = disgo.MessageCreate{
			Flags:           disgo.MessageFlagEphemeral,
			AllowedMentions: render(bridge.Message{}).mentions,
		}
	}
	err := x.reply(ctx, r)
	x.held = err == nil
	return x.held
}

// tell shows an answer.
func (x *exchange) tell(ctx context.Context, u bridge.Update, a bridge.Answer) error {
	if a.Form != nil {
		// these can't open a dialog any more
		if _, dialog := x.i.(disgo.ModalSubmitInteraction); !x.held && !dialog {
			return x.reply(ctx, disgo.InteractionResponse{
				Type: disgo.InteractionResponseTypeModal,
				Data: modal(a.Form),
			})
		}
		a = x.invite(u)
	}
	if a.Message.Empty() {
		if x.hold(ctx) && !x.control { // a command must get a response
			return x.remove(ctx)
		}
		return nil
	}
	s := render(a.Message)
	s.flags = 0 // an answer notifies nobody
	if a.Alone {
		s.flags = disgo.MessageFlagEphemeral
	}
	edit := func(ctx context.Context, m bridge.Message) error { return x.original(ctx, render(m)) }
	var err error
	switch {
	case !x.held:
		err = x.reply(ctx, disgo.InteractionResponse{
			Type: disgo.InteractionResponseTypeCreateMessage,
			Data: s.create(),
		})
	case x.control:
		edit, err = x.follow(ctx, s)
	// The first response after waiting replaces the waiting message, which only the person sees.
	case a.Alone:
		err = x.original(ctx, s)
	default:
		dots := render(bridge.Message{})
		err = x.original(ctx, dots)
		var wrong error
		edit, wrong = x.follow(ctx, s)
		err = errors.Join(err, wrong, x.remove(ctx))
	}
	if err == nil && a.Written != nil {
		a.Written(edit)
	}
	return err
}

func (x *exchange) original(ctx context.Context, s rendered) error {
	return x.retry(ctx, func(bool) error {
		_, err := x.interactions.UpdateInteractionResponse(x.i.ApplicationID(), x.i.Token(), s.anew(),
			rest.WithCtx(ctx))
		return err
	})
}

// follow sends one more message and returns a function that edits it.
func (x *exchange) follow(ctx context.Context, s rendered) (edit func(context.Context, bridge.Message) error,
	err error,
) {
	var written *disgo.Message
	err = x.retry(ctx, func(bool) (err error) {
		written, err = x.interactions.CreateFollowupMessage(x.i.ApplicationID(), x.i.Token(), s.create(),
			rest.WithCtx(ctx))
		return err
	})
	return func(ctx context.Context, m bridge.Message) error {
		return x.retry(ctx, func(bool) error {
			_, err := x.interactions.UpdateFollowupMessage(x.i.ApplicationID(), x.i.Token(), written.ID,
				render(m).anew(), rest.WithCtx(ctx))
			return err
		})
	}, err
}

func (x *exchange) remove(ctx context.Context) error {
	return x.retry(ctx, func(bool) error {
		return x.interactions.DeleteInteractionResponse(x.i.ApplicationID(), x.i.Token(), rest.WithCtx(ctx))
	})
}

// invite asks to press again where a dialog can't be opened any more: the new press can open it.
func (x *exchange) invite(u bridge.Update) bridge.Answer {
	m := bridge.Message{Lines: []bridge.Line{{Text: x.say(x.i, "discord.again")}}}
	press := u.Press
	if press == "" {
		press = again + u.Line
	}
	if bridge.Units(press) <= maxCustomID && u.Fields == nil {
		m.Controls = [][]bridge.Control{{{ID: press, Label: x.say(x.i, "discord.fill-in"), Main: true}}}
	}
	return bridge.Answer{Message: m, Alone: true}
}

// retry tries again after a cut connection, or when Discord asks to wait.
func (b *Bot) retry(ctx context.Context, do func(again bool) error) error {
	err := ctx.Err()
	for try := range bridge.Tries(ctx, patience/20, patience) {
		err = do(try > 1)
		told, refused := errors.AsType[*rest.Error](err)
		later, asked := errors.AsType[*bridge.Later](b.bridgeError(err))
		switch {
		case err == nil, try == tries:
			return err
		case asked:
			_ = bridge.Wait(ctx, later.After)
		// over HTTP Discord may not have read the first response yet
		case isCode(err, rest.JSONErrorCodeUnknownWebhook):
		case refused && told.Response.StatusCode < 500:
			return err
		}
	}
	return err
}

// begin answers an interaction, unless it's a repeated one.
func (b *Bot) begin(i disgo.Interaction, reply reply) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed || b.seen[i.ID()] {
		return
	}
	if len(b.seen) == remembered {
		clear(b.seen)
	}
	b.seen[i.ID()] = true
	late := b.clock.isLate(time.Since(i.ID().Time()))
	b.working.Go(rescue.Wrap(b.log, "discord interaction", func() { b.answer(b.running, i, late, reply) }))
}

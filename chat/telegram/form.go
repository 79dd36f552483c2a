package telegram

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"norn/chat/bridge"
	"norn/lang"
)

// Telegram has no dialogs, so a form is asked field by field: choices with buttons, everything else
// with a reply. The values so far are in the message that asks, and the bridge can return the form
// again, so nothing is stored here.

// Data of the buttons of a field, after isForm.
const (
	takes = "=" // a value
	skips = "-" // leaves the field unchanged
	ends  = "!" // leaves all other fields unchanged
	drops = "x" // cancels the form
)

// pen is the beginning of a message that asks for a field; the link after it has its state.
const pen = "✎"

// maxNumbers limits the numbers that are buttons.
const maxNumbers = 24

// fields returns a form's fields in the order of asking: long texts last, because earlier values
// must fit into a link.
func fields(f *bridge.Form) []bridge.Field {
	ordered := slices.Clone(f.Fields)
	slices.SortStableFunc(ordered, func(a, b bridge.Field) int {
		switch {
		case a.Kind == b.Kind || a.Kind != bridge.Long && b.Kind != bridge.Long:
			return 0
		case a.Kind == bridge.Long:
			return 1
		}
		return -1
	})
	return ordered
}

// dialog is a form that a person is filling in.
type dialog struct {
	*Chat
	carried
	u    incoming
	form *bridge.Form
	all  []bridge.Field
}

// waiting returns the field that the next line in a private chat answers, and forgets it.
func (t *Chat) waiting(place string) (c carried, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	c, ok = t.asked[place]
	delete(t.asked, place)
	return c, ok
}

// continueForm continues a form, which the bridge returns again; take reads its next field, or
// returns what is wrong.
func (t *Chat) continueForm(ctx context.Context, u incoming, c carried, take func(*dialog) (wrong string)) error {
	t.waiting(u.Place)
	again := u.Update
	again.ID, again.Press, again.Line = u.ID+":form", c.Form, ""
	a, err := t.hearer.Do(ctx, again)
	if err != nil {
		return err
	}
	if a.Form == nil || c.At >= len(a.Form.Fields) {
		return t.answer(ctx, u, a)
	}
	d := dialog{Chat: t, carried: c, u: u, form: a.Form, all: fields(a.Form)}
	if d.Got = maps.Clone(c.Got); d.Got == nil {
		d.Got = map[string]string{}
	}
	return d.ask(ctx, false, take(&d))
}

// ask asks for the next field of a form, with an error message about the last value; after the last
// field it submits the form.
func (d *dialog) ask(ctx context.Context, alone bool, wrong string) error {
	if d.At >= len(d.all) {
		return d.fill(ctx)
	}
	d.fold(ctx, d.u)
	if alone && !d.u.Private {
		return d.apart(ctx, d.u, func(place string) error { return d.prompt(ctx, place, wrong) })
	}
	if err := d.answerPress(ctx, d.u, "", false); err != nil {
		return err
	}
	return logUndelivered(d.log, d.u, d.prompt(ctx, d.u.Place, wrong))
}

// prompt asks for a field in a place.
func (d *dialog) prompt(ctx context.Context, place, wrong string) error {
	link, ok := d.in(linkOf(d.self()))
	if !ok {
		return d.tell(ctx, d.u, place, aside(say(d.words, d.u.By, "form.long")), nil)
	}
	field := d.all[d.At]
	paragraphs := []paragraph{{text: strings.TrimSpace(pen + " " + clean(d.form.Title)), as: weights[bridge.Strong]}}
	for _, before := range d.all[:d.At] {
		if got, ok := d.Got[before.Name]; ok {
			paragraphs = append(paragraphs,
				paragraph{text: clean(before.Label + ": " + d.display(before, got)), as: weights[bridge.Small]})
		}
	}
	if wrong != "" {
		paragraphs = append(paragraphs, paragraph{text: wrong})
	}
	paragraphs = append(paragraphs, paragraph{text: clean(field.Label), as: weights[bridge.Strong]},
		paragraph{text: clean(field.About)})
	buttons := d.buttons(field)
	markup := &models.InlineKeyboardMarkup{InlineKeyboard: inRows(buttons)}
	if len(buttons) == 0 {
		paragraphs = append(paragraphs, paragraph{text: say(d.words, d.u.By, "form.reply"), as: weights[bridge.Small]})
		markup.ForceReply = true
	}
	var under []models.InlineKeyboardButton
	if field.Value != "" && len(buttons) == 0 {
		under = append(under, button(field.Value, isForm+skips, false))
	} else if !field.Needed || field.Value != "" {
		under = append(under, button(say(d.words, d.u.By, "form.skip"), isForm+skips, false))
	}
	if d.At < len(d.all)-1 && !slices.ContainsFunc(d.all[d.At:], func(f bridge.Field) bool {
		return f.Needed && f.Value == ""
	}) {
		under = append(under, button(say(d.words, d.u.By, "form.done"), isForm+ends, true))
	}
	under = append(under, button(say(d.words, d.u.By, "form.drop"), isForm+drops, false))
	markup.InlineKeyboard = append(markup.InlineKeyboard, under)
	text := laidOut(paragraphs, maxText)
	text.entities = append(text.entities,
		models.MessageEntity{Type: models.MessageEntityTypeTextLink, Length: bridge.Units(pen), URL: link})
	return d.deliver(ctx, d.u, place, 1, func(ctx context.Context, owed bool) error {
		err := d.sending(ctx, place, func(ctx context.Context, s placeID) error {
			params := &bot.SendMessageParams{
				ChatID: s.chat, MessageThreadID: s.topic, Text: text.text.String(), Entities: text.entities,
				DisableNotification: true,
				LinkPreviewOptions:  nolink, ReplyMarkup: markup,
			}
			if place == d.u.Place && !d.u.Private && d.u.message != 0 && !owed {
				params.ReplyParameters = &models.ReplyParameters{MessageID: d.u.message, AllowSendingWithoutReply: true}
			}
			_, err := d.bot.SendMessage(ctx, params)
			return err
		})
		if err == nil && len(buttons) == 0 && place == idOf(d.u.from) {
			d.mu.Lock()
			d.asked[place] = d.carried
			d.mu.Unlock()
		}
		return err
	})
}

// buttons returns a field's choices, none if it's answered with a reply.
func (d *dialog) buttons(f bridge.Field) (all []models.InlineKeyboardButton) {
	take := func(label, value string) { all = append(all, button(label, isForm+takes+value, value == f.Value)) }
	switch {
	case f.Kind == bridge.Choice:
		for _, o := range f.Options {
			take(o.Label, o.Value)
		}
	case f.Kind == bridge.Flag:
		take(say(d.words, d.u.By, "form.yes"), "true")
		take(say(d.words, d.u.By, "form.no"), "false")
	case f.Kind == bridge.Number && f.Most > f.Least && f.Most-f.Least < maxNumbers:
		for n := f.Least; n <= f.Most; n++ {
			take(strconv.Itoa(n), strconv.Itoa(n))
		}
	}
	return all
}

// display returns a field's value as people read it.
func (d *dialog) display(f bridge.Field, value string) string {
	switch {
	case f.Kind == bridge.Flag && value == "true":
		return say(d.words, d.u.By, "form.yes")
	case f.Kind == bridge.Flag:
		return say(d.words, d.u.By, "form.no")
	}
	if i := slices.IndexFunc(f.Options, func(o bridge.Option) bool { return o.Value == value }); i >= 0 {
		return f.Options[i].Label
	}
	return value
}

// pressedForm handles a button of a field.
func (t *Chat) pressedForm(ctx context.Context, u incoming, c carried, data string) error {
	switch {
	case c.Form == "":
		return t.answerPress(ctx, u, "", false)
	case c.Who != u.from:
		return t.answerPress(ctx, u, say(t.words, u.By, "form.whose"), true)
	case data == drops:
		t.waiting(u.Place)
		t.fold(ctx, u)
		return t.answerPress(ctx, u, "", false)
	}
	return t.continueForm(ctx, u, c, func(d *dialog) string {
		value, taken := strings.CutPrefix(data, takes)
		rest := d.all[d.At : d.At+1]
		if data == ends {
			rest = d.all[d.At:]
		}
		for _, field := range rest {
			if taken {
				d.Got[field.Name] = value
			} else if field.Value != "" {
				d.Got[field.Name] = field.Value
			}
		}
		d.At += len(rest)
		return ""
	})
}

// answerField handles a line that answers a field.
func (t *Chat) answerField(ctx context.Context, u incoming, c carried, text string) error {
	if c.Who != u.from { // somebody else replied to it
		return nil
	}
	return t.continueForm(ctx, u, c, func(d *dialog) string {
		field := d.all[d.At]
		value, wrong := d.read(field, text)
		if wrong == "" {
			d.Got[field.Name] = value
			d.At++
		}
		return wrong
	})
}

// read returns the value of a reply to a field, or what is wrong with it.
func (d *dialog) read(f bridge.Field, text string) (value, wrong string) {
	value = strings.TrimSpace(text)
	bounded := f.Least != 0 || f.Most != 0
	switch f.Kind {
	case bridge.Number:
		n, err := strconv.Atoi(strings.ReplaceAll(value, "−", "-"))
		switch {
		case err != nil && !bounded:
			return "", say(d.words, d.u.By, "form.number")
		case err != nil || bounded && (n < f.Least || n > f.Most):
			return "", say(d.words, d.u.By, "form.between", "Min", f.Least, "Max", f.Most)
		}
		return strconv.Itoa(n), ""
	case bridge.Choice:
		for _, o := range f.Options {
			if lang.Key(o.Label) == lang.Key(value) || o.Value == value {
				return o.Value, ""
			}
		}
		return "", say(d.words, d.u.By, "form.choice")
	case bridge.Flag:
		return strconv.FormatBool(lang.Key(value) == lang.Key(say(d.words, d.u.By, "form.yes"))), ""
	}
	return value, ""
}

// fold removes the buttons of an answered field.
func (t *Chat) fold(ctx context.Context, u incoming) {
	if u.answers == 0 {
		return
	}
	_, err := t.bot.EditMessageReplyMarkup(ctx, &bot.EditMessageReplyMarkupParams{
		ChatID: u.at.chat, MessageID: u.answers,
		ReplyMarkup: &models.InlineKeyboardMarkup{InlineKeyboard: [][]models.InlineKeyboardButton{}},
	})
	if err := t.hidden.fault(ignoreUnchanged(err)); err != nil {
		t.log.Debug("telegram keeps the buttons", "error", err)
	}
}

// fill submits a form to the bridge.
func (d *dialog) fill(ctx context.Context) error {
	done := d.u.Update
	done.Line, done.Press, done.Values, done.Fields = "", d.form.ID, nil, d.Got
	a, err := d.hearer.Do(ctx, done)
	if err != nil {
		return err
	}
	d.fold(ctx, d.u)
	return d.answer(ctx, d.u, a)
}

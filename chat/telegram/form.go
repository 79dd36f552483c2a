package telegram

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"norn/chat/bridge"
)

// Telegram has no dialogs, so a form is asked field by field: choices by buttons, all else by a reply. What was said so far stands in
// the message that asks, so nothing is kept here but the form itself, which the bridge gives again.

// What a button below a field says, behind isForm.
const (
	takes = "=" // a value
	skips = "-" // the field stays as it is
	ends  = "!" // all other fields stay as they are
	drops = "x" // the form isn't filled in
)

// pen begins a message that asks for a field; what it keeps stands in a link behind it.
const pen = "✎"

// mostNumbers is how many numbers are offered as buttons.
const mostNumbers = 24

// opens remembers a form until norn ends.
func (t *Chat) opens(f *bridge.Form) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.forms) >= remembered {
		clear(t.forms)
	}
	t.forms[f.ID] = f
}

// fields are a form's fields as they're asked: long texts last, since what was said before must fit into a link.
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

// form is a form that was shown, from memory or by opening it again; an answer where that leads to something else.
func (t *Chat) form(ctx context.Context, u told, c carried) (*bridge.Form, bridge.Answer, error) {
	t.mu.Lock()
	known := t.forms[c.Form]
	t.mu.Unlock()
	if known != nil {
		return known, bridge.Answer{}, nil
	}
	again := u.Update
	again.ID, again.Press, again.Line = u.ID+":form", c.Press, ""
	if c.Press == "" { // a line may do something by now, so it isn't said again by itself
		return nil, bridge.Answer{Alone: true, Message: aside(t.say(u.By, "form.again", "Line", c.Line))}, nil
	}
	a, err := t.hearer.Do(ctx, again)
	if err != nil || a.Form == nil || a.Form.ID != c.Form {
		return nil, a, err
	}
	t.opens(a.Form)
	return a.Form, a, nil
}

// ask asks for the next field of a form, with a word on what was wrong before; where nothing is left to ask, the form is filled in.
func (t *Chat) ask(ctx context.Context, u told, f *bridge.Form, c carried, alone bool, wrong string) error {
	all := fields(f)
	if c.At >= len(all) {
		return t.fill(ctx, u, f, c)
	}
	if alone && !u.Private {
		return t.apart(ctx, u, func(place string) error { return t.prompt(ctx, u, f, c, place, wrong) })
	}
	if err := t.heardPress(ctx, u, "", false); err != nil {
		return err
	}
	return t.undelivered(u, t.prompt(ctx, u, f, c, u.Place, wrong))
}

// prompt asks for a field in a place.
func (t *Chat) prompt(ctx context.Context, u told, f *bridge.Form, c carried, place, wrong string) error {
	all := fields(f)
	link, ok := t.inLink(c)
	if !ok {
		return t.tell(ctx, u, place, aside(t.say(u.By, "form.long")))
	}
	field := all[c.At]
	paragraphs := []paragraph{{text: strings.TrimSpace(pen + " " + clean(f.Title)), as: weights[bridge.Strong]}}
	for _, before := range all[:c.At] {
		if got, ok := c.Got[before.Name]; ok {
			paragraphs = append(paragraphs, paragraph{text: clean(before.Label + ": " + t.shown(u, before, got)), as: weights[bridge.Small]})
		}
	}
	if wrong != "" {
		paragraphs = append(paragraphs, paragraph{text: wrong})
	}
	paragraphs = append(paragraphs, paragraph{text: clean(field.Label), as: weights[bridge.Strong]}, paragraph{text: clean(field.About)})
	buttons := t.buttons(u, field)
	markup := &models.InlineKeyboardMarkup{InlineKeyboard: inRows(buttons)}
	if len(buttons) == 0 {
		paragraphs = append(paragraphs, paragraph{text: t.say(u.By, "form.reply"), as: weights[bridge.Small]})
		markup.ForceReply = true
	}
	var under []models.InlineKeyboardButton
	if field.Value != "" && len(buttons) == 0 {
		under = append(under, button(field.Value, isForm+skips, false))
	} else if !field.Needed || field.Value != "" {
		under = append(under, button(t.say(u.By, "form.skip"), isForm+skips, false))
	}
	if c.At < len(all)-1 && !slices.ContainsFunc(all[c.At:], func(f bridge.Field) bool { return f.Needed && f.Value == "" }) {
		under = append(under, button(t.say(u.By, "form.done"), isForm+ends, true))
	}
	under = append(under, button(t.say(u.By, "form.drop"), isForm+drops, false))
	markup.InlineKeyboard = append(markup.InlineKeyboard, under)
	text := written(paragraphs, mostText)
	text.entities = append(text.entities, models.MessageEntity{Type: models.MessageEntityTypeTextLink, Length: units(pen), URL: link})
	err := t.sending(ctx, place, func(ctx context.Context, s spot) error {
		params := &bot.SendMessageParams{
			ChatID: s.chat, MessageThreadID: s.topic, Text: text.text.String(), Entities: text.entities, DisableNotification: true,
			LinkPreviewOptions: &models.LinkPreviewOptions{IsDisabled: &yes}, ReplyMarkup: markup,
		}
		if place == u.Place && !u.Private && u.message != 0 {
			params.ReplyParameters = &models.ReplyParameters{MessageID: u.message, AllowSendingWithoutReply: true}
		}
		_, err := t.bot.SendMessage(ctx, params)
		return err
	})
	if err == nil && len(buttons) == 0 && place == personID(u.from.ID) {
		t.mu.Lock()
		t.asked[place] = c
		t.mu.Unlock()
	}
	return err
}

// buttons are a field's choices, none for one that's answered by a reply.
func (t *Chat) buttons(u told, f bridge.Field) (all []models.InlineKeyboardButton) {
	take := func(label, value string) { all = append(all, button(label, isForm+takes+value, value == f.Value)) }
	switch {
	case f.Kind == bridge.Choice:
		for _, o := range f.Options {
			take(o.Label, o.Value)
		}
	case f.Kind == bridge.Flag:
		take(t.say(u.By, "form.yes"), "true")
		take(t.say(u.By, "form.no"), "false")
	case f.Kind == bridge.Number && f.Most > f.Least && f.Most-f.Least < mostNumbers:
		for n := f.Least; n <= f.Most; n++ {
			take(strconv.Itoa(n), strconv.Itoa(n))
		}
	}
	return all
}

// shown is a field's value as people read it.
func (t *Chat) shown(u told, f bridge.Field, value string) string {
	switch {
	case f.Kind == bridge.Flag && value == "true":
		return t.say(u.By, "form.yes")
	case f.Kind == bridge.Flag:
		return t.say(u.By, "form.no")
	}
	if i := slices.IndexFunc(f.Options, func(o bridge.Option) bool { return o.Value == value }); i >= 0 {
		return f.Options[i].Label
	}
	return value
}

// pressedForm is a button below a field.
func (t *Chat) pressedForm(ctx context.Context, u told, c carried, data string) error {
	if c.Form == "" {
		return t.heardPress(ctx, u, "", false)
	}
	if c.Who != u.from.ID {
		return t.heardPress(ctx, u, t.say(u.By, "form.whose"), true)
	}
	t.mu.Lock()
	delete(t.asked, u.Place)
	t.mu.Unlock()
	if data == drops {
		t.fold(ctx, u)
		return t.heardPress(ctx, u, "", false)
	}
	f, a, err := t.form(ctx, u, c)
	if err != nil {
		return err
	}
	all := []bridge.Field(nil)
	if f != nil {
		all = fields(f)
	}
	if f == nil || c.At >= len(all) {
		return t.answer(ctx, u, a)
	}
	got := map[string]string{}
	for name, value := range c.Got {
		got[name] = value
	}
	rest := all[c.At : c.At+1]
	c.At++
	if data == ends {
		rest, c.At = all[c.At-1:], len(all)
	}
	value, taken := strings.CutPrefix(data, takes)
	for _, field := range rest {
		if taken {
			got[field.Name] = value
		} else if field.Value != "" {
			got[field.Name] = field.Value
		}
	}
	c.Got = got
	return t.goesOn(ctx, u, f, c)
}

// filled is a line that answers a field.
func (t *Chat) filled(ctx context.Context, u told, c carried, text string) error {
	if c.Who != u.from.ID { // people may reply to what somebody else is asked
		return nil
	}
	t.mu.Lock()
	delete(t.asked, u.Place)
	t.mu.Unlock()
	f, a, err := t.form(ctx, u, c)
	if err != nil {
		return err
	}
	if f == nil || c.At >= len(f.Fields) {
		return t.answer(ctx, u, a)
	}
	field := fields(f)[c.At]
	value, wrong := t.read(u, field, text)
	if wrong == "" {
		got := map[string]string{field.Name: value}
		for name, value := range c.Got {
			got[name] = value
		}
		c.Got, c.At = got, c.At+1
	}
	if wrong != "" {
		return t.ask(ctx, u, f, c, false, wrong)
	}
	return t.goesOn(ctx, u, f, c)
}

// read is what a reply means for a field, or what is wrong with it.
func (t *Chat) read(u told, f bridge.Field, text string) (value, wrong string) {
	value = strings.TrimSpace(text)
	bounded := f.Least != 0 || f.Most != 0
	switch f.Kind {
	case bridge.Number:
		n, err := strconv.Atoi(strings.ReplaceAll(value, "−", "-"))
		switch {
		case err != nil && !bounded:
			return "", t.say(u.By, "form.number")
		case err != nil || bounded && (n < f.Least || n > f.Most):
			return "", t.say(u.By, "form.between", "Min", f.Least, "Max", f.Most)
		}
		return strconv.Itoa(n), ""
	case bridge.Choice:
		for _, o := range f.Options {
			if strings.EqualFold(o.Label, value) || o.Value == value {
				return o.Value, ""
			}
		}
		return "", t.say(u.By, "form.choice")
	case bridge.Flag:
		return strconv.FormatBool(strings.EqualFold(value, t.say(u.By, "form.yes"))), ""
	}
	return value, ""
}

// goesOn asks for the next field where one is left, else fills the form in.
func (t *Chat) goesOn(ctx context.Context, u told, f *bridge.Form, c carried) error {
	if c.At >= len(f.Fields) {
		return t.fill(ctx, u, f, c)
	}
	t.fold(ctx, u)
	return t.ask(ctx, u, f, c, false, "")
}

// fold takes the buttons of a field away that is answered.
func (t *Chat) fold(ctx context.Context, u told) {
	if u.answers == 0 {
		return
	}
	_, err := t.bot.EditMessageReplyMarkup(ctx, &bot.EditMessageReplyMarkupParams{
		ChatID: u.at.chat, MessageID: u.answers, ReplyMarkup: &models.InlineKeyboardMarkup{InlineKeyboard: [][]models.InlineKeyboardButton{}},
	})
	if err := t.fault(unchanged(err)); err != nil {
		t.log.Debug("telegram keeps the buttons", "error", err)
	}
}

// fill hands on what a form was told.
func (t *Chat) fill(ctx context.Context, u told, f *bridge.Form, c carried) error {
	u.Line, u.Press, u.Values, u.Fields = "", f.ID, nil, c.Got
	if u.Fields == nil {
		u.Fields = map[string]string{}
	}
	a, err := t.hearer.Do(ctx, u.Update)
	if err != nil {
		return err
	}
	t.fold(ctx, u)
	if a.Form == nil {
		return t.answer(ctx, u, a)
	}
	c = carried{Press: c.Press, Line: c.Line, Form: a.Form.ID, Who: u.from.ID} // what was wrong is asked again
	t.opens(a.Form)
	if len(a.Form.Fields) == 0 {
		return t.answer(ctx, u, a)
	}
	return t.ask(ctx, u, a.Form, c, a.Alone, "")
}

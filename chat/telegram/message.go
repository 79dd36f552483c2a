package telegram

import (
	"encoding/base64"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-telegram/bot/models"

	"norn/chat/bridge"
)

const (
	maxData    = 64  // bytes of a button's data
	maxButtons = 100 // of a message
	maxLabel   = 60  // units of a button's text
	rowLabels  = 30  // units of text in one row
	maxCarried = 2000
)

// Separators in the data of a button. A control's ID has none of these characters.
const (
	isValue  = "=" // ID=value: a choice
	isPlace  = "#" // ID#2: a choice whose value is in the message
	isToggle = "+" // prefix of a choice among several that are submitted together
	isSent   = "!" // ID!: submits the marked ones
	isForm   = ">" // prefix of everything about a form
)

// marked and unmarked are prefixes of choices that are submitted together.
const marked, unmarked = "☑ ", "☐ "

// carried is the state that norn stores in a message, in a link that nobody follows: a form's
// values so far, and values that don't fit into buttons.
type carried struct {
	Form   string            `json:"f,omitempty"` // a form's ID: pressing it without fields returns the form again
	Who    int64             `json:"w,omitempty"` // the person it asks
	At     int               `json:"a,omitempty"` // index of the field
	Got    map[string]string `json:"g,omitempty"`
	Values []string          `json:"v,omitempty"`
}

// in encodes it in a link to a bot; ok is false if that would be too long.
func (c carried) in(bot string) (link string, ok bool) {
	data, err := json.Marshal(c)
	if err != nil {
		panic(err) // can't happen: it consists of texts and numbers
	}
	text := base64.RawURLEncoding.EncodeToString(data)
	return bot + "?norn=" + text, len(text) <= maxCarried
}

// outOfLink decodes the state in a message of the bot.
func outOfLink(entities []models.MessageEntity) (c carried, ok bool) {
	for _, e := range entities {
		_, text, is := strings.Cut(e.URL, "?norn=")
		if e.Type != models.MessageEntityTypeTextLink || !is {
			continue
		}
		data, err := base64.RawURLEncoding.DecodeString(text)
		if err == nil && json.Unmarshal(data, &c) == nil {
			return c, true
		}
	}
	return carried{}, false
}

// rendered is a message in Telegram's form.
type rendered struct {
	*prose
	keyboard *models.InlineKeyboardMarkup
}

// markup returns the keyboard, nil for none; an empty one removes an older one.
func (d rendered) markup() models.ReplyMarkup {
	if d.keyboard == nil {
		return nil
	}
	return d.keyboard
}

// render returns a bot's message with at most room units. Mentions are at its end.
func render(bot string, m bridge.Message, room int, calls []models.User) rendered {
	var all []paragraph
	if head := clean(m.Head); head != "" {
		all = append(all, paragraph{text: head, as: []models.MessageEntity{as(models.MessageEntityTypeBold)}})
	}
	shown := m.Head
	for _, line := range m.Lines {
		all = append(all, paragraph{text: clean(line.Text), as: weights[line.Weight]})
		shown += "\n" + line.Text
	}
	if alt := clean(m.Alt); m.Picture != nil && alt != "" && !strings.Contains(shown, m.Alt) {
		all = append(all, paragraph{text: alt, as: weights[bridge.Small]})
	}
	keyboard, about, values := keys(m.Controls)
	all = append(all, about...)
	if text := clean(m.LinkText); m.Link != "" {
		if text == "" {
			text = m.Link
		}
		all = append(all, paragraph{
			text: text,
			as:   []models.MessageEntity{{Type: models.MessageEntityTypeTextLink, URL: m.Link}}, tail: true,
		})
	}
	for _, u := range calls {
		all = append(all, paragraph{
			text: "→ " + clean(u.FirstName),
			as:   []models.MessageEntity{{Type: models.MessageEntityTypeTextMention, User: &u}}, tail: true,
		})
	}
	if len(values) > 0 {
		if link, ok := (carried{Values: values}).in(bot); ok {
			all = append(all, paragraph{
				text: "⋯",
				as:   []models.MessageEntity{{Type: models.MessageEntityTypeTextLink, URL: link}}, tail: true,
			})
		}
	}
	d := rendered{prose: laidOut(all, room), keyboard: keyboard}
	if d.units == 0 {
		d.put("·") // Telegram accepts no empty text
	}
	return d
}

// keys returns a message's controls as a keyboard, with texts about them for the message, and the
// values that don't fit into buttons.
func keys(rows [][]bridge.Control) (k *models.InlineKeyboardMarkup, about []paragraph, values []string) {
	k = &models.InlineKeyboardMarkup{InlineKeyboard: [][]models.InlineKeyboardButton{}}
	count := 0
	rowsOf := func(buttons ...models.InlineKeyboardButton) {
		for _, row := range inRows(buttons) {
			if count += len(row); count <= maxButtons {
				k.InlineKeyboard = append(k.InlineKeyboard, row)
			}
		}
	}
	for _, controls := range rows {
		var plain []models.InlineKeyboardButton
		for _, c := range controls {
			if c.Options == nil {
				plain = append(plain, button(c.Label, c.ID, c.Main))
				continue
			}
			rowsOf(plain...)
			plain = nil
			if label := clean(c.Label); label != "" {
				about = append(about, paragraph{text: label, as: weights[bridge.Strong]})
			}
			var choices []models.InlineKeyboardButton
			for _, o := range c.Options {
				data := c.ID + isValue + o.Value
				if c.Most > 1 {
					data = isToggle + data
				}
				if len(data) > maxData {
					data = strings.TrimSuffix(data, isValue+o.Value) + isPlace + strconv.Itoa(len(values))
					values = append(values, o.Value)
				}
				label := o.Label
				switch {
				case c.Most > 1 && o.Chosen:
					label = marked + label
				case c.Most > 1:
					label = unmarked + label
				}
				choices = append(choices, button(label, data, c.Main))
				if o.About != "" {
					about = append(about, paragraph{text: clean(o.Label + " — " + o.About), as: weights[bridge.Small]})
				}
			}
			rowsOf(choices...)
			if c.Most > 1 {
				rowsOf(button("✓", c.ID+isSent, true))
			}
		}
		rowsOf(plain...)
	}
	return k, about, values
}

// inRows arranges buttons in rows that fit on a phone.
func inRows(buttons []models.InlineKeyboardButton) (rows [][]models.InlineKeyboardButton) {
	const most = 8 // Telegram's maximum in a row
	wide := 0
	for _, b := range buttons {
		long := utf8.RuneCountInString(b.Text) + 2
		if len(rows) == 0 || wide+long > rowLabels || len(rows[len(rows)-1]) == most {
			rows, wide = append(rows, nil), 0
		}
		rows[len(rows)-1], wide = append(rows[len(rows)-1], b), wide+long
	}
	return rows
}

func button(label, data string, main bool) models.InlineKeyboardButton {
	label = bridge.Cut(strings.ReplaceAll(clean(label), "\n", " "), maxLabel)
	if label == "" {
		label = "·"
	}
	b := models.InlineKeyboardButton{Text: label, CallbackData: data}
	if main {
		b.Style = "primary"
	}
	return b
}

// choice decodes the data of a button: the control, the choice, and whether it only marks it or
// submits all marked ones.
func choice(data string, values []string) (id string, chosen []string, toggled, sent bool) {
	data, toggled = strings.CutPrefix(data, isToggle)
	if id, value, ok := strings.Cut(data, isValue); ok {
		return id, []string{value}, toggled, false
	}
	if id, at, ok := strings.Cut(data, isPlace); ok {
		if n, err := strconv.Atoi(at); err == nil && n >= 0 && n < len(values) {
			chosen = []string{values[n]}
		}
		return id, chosen, toggled, false
	}
	id, sent = strings.CutSuffix(data, isSent)
	return id, nil, false, sent
}

// marks returns the marked values of a control on a keyboard.
func marks(k *models.InlineKeyboardMarkup, id string, values []string) (chosen []string) {
	for _, row := range k.InlineKeyboard {
		for _, b := range row {
			if of, value, toggled, _ := choice(b.CallbackData, values); toggled && of == id &&
				strings.HasPrefix(b.Text, marked) {
				chosen = append(chosen, value...)
			}
		}
	}
	return chosen
}

// toggle returns a keyboard with one mark changed.
func toggle(k *models.InlineKeyboardMarkup, data string) *models.InlineKeyboardMarkup {
	changed := &models.InlineKeyboardMarkup{}
	for _, row := range k.InlineKeyboard {
		row = append([]models.InlineKeyboardButton(nil), row...)
		for i, b := range row {
			if b.CallbackData != data {
				continue
			}
			if rest, on := strings.CutPrefix(b.Text, marked); on {
				row[i].Text = unmarked + rest
			} else {
				row[i].Text = marked + strings.TrimPrefix(b.Text, unmarked)
			}
		}
		changed.InlineKeyboard = append(changed.InlineKeyboard, row)
	}
	return changed
}

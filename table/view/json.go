package view

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"norn/form"
	"norn/game"
)

// AppendJSON appends the entry as encoding/json writes it when it's Listed, except that <, > and &
// are not escaped. An entry goes to every live seat of its table, and this takes a quarter of the
// time.
func (e *Entry) AppendJSON(b []byte) []byte {
	b = strconv.AppendUint(append(b, `{"seq":`...), e.Seq, 10)
	b = appendTime(append(b, `,"time":`...), e.Time)
	b = appendText(append(b, `,"kind":`...), e.Kind)
	b = e.Seat.append(append(b, `,"seat":`...))
	b = appendGiven(b, `,"move":`, e.Move)
	b = appendGiven(b, `,"name":`, e.Name)
	b = appendGiven(b, `,"character":`, e.Character)
	if len(e.Args) > 0 {
		b = appendValue(append(b, `,"args":`...), e.Args)
	}
	b = appendGiven(b, `,"takes":`, e.Takes)
	b = appendList(append(b, `,"throws":`...), e.Throws, (*Throw).append)
	if e.Outcome != nil {
		b = e.Outcome.append(append(b, `,"outcome":`...))
	}
	if e.Luck != nil {
		b = e.Luck.append(append(b, `,"luck":`...))
	}
	b = appendList(append(b, `,"lines":`...), e.Lines, (*Line).append)
	b = appendList(append(b, `,"questions":`...), e.Questions, (*Asked).append)
	b = appendGiven(b, `,"question":`, e.Question)
	if e.Answer != nil {
		b = appendValue(append(b, `,"answer":`...), e.Answer)
	}
	b = strconv.AppendBool(append(b, `,"done":`...), e.Done)
	b = strconv.AppendBool(append(b, `,"secret":`...), e.Secret)
	if e.To != nil {
		b = e.To.append(append(b, `,"to":`...))
	}
	if e.Check != nil {
		b = e.Check.append(append(b, `,"check":`...))
	}
	if e.Undoes > 0 {
		b = strconv.AppendUint(append(b, `,"undoes":`...), e.Undoes, 10)
	}
	if len(e.Yields) > 0 {
		b = appendTexts(append(b, `,"yields":`...), e.Yields)
	}
	if e.Undone != nil {
		b = strconv.AppendUint(append(b, `,"undone":{"seq":`...), e.Undone.Seq, 10)
		b = appendTime(append(b, `,"time":`...), e.Undone.Time)
		b = e.Undone.Seat.append(append(b, `,"seat":`...))
		b = strconv.AppendBool(append(b, `,"cancelled":`...), e.Undone.Cancelled)
		b = append(strconv.AppendBool(append(b, `,"yielded":`...), e.Undone.Yielded), '}')
	}
	if e.MayUndo {
		b = append(b, `,"mayUndo":true`...)
	}
	if e.TooOld {
		b = append(b, `,"tooOld":true`...)
	}
	if e.MayCancel {
		b = append(b, `,"mayCancel":true`...)
	}
	b = appendText(append(b, `,"rules":`...), e.Rules)
	return append(appendText(append(b, `,"edition":`...), e.Edition), '}')
}

func (a *Author) append(b []byte) []byte {
	b = appendText(append(b, `{"id":`...), a.ID)
	b = appendText(append(b, `,"name":`...), a.Name)
	if a.Agent {
		b = append(b, `,"agent":true`...)
	}
	return append(b, '}')
}

func (t *Throw) append(b []byte) []byte {
	b = appendText(append(b, `{"part":`...), t.Part)
	b = strconv.AppendInt(append(b, `,"n":`...), int64(t.N), 10)
	b = appendGiven(b, `,"place":`, t.Place)
	b = appendText(append(b, `,"for":`...), t.For)
	b = strconv.AppendInt(append(b, `,"sides":`...), int64(t.Sides), 10)
	b = appendNumbers(append(b, `,"faces":`...), t.Faces)
	b = appendTexts(append(b, `,"marks":`...), t.Marks)
	b = strconv.AppendBool(append(b, `,"hand":`...), t.Hand)
	b = appendGiven(b, `,"whose":`, t.Whose)
	if len(t.Shown) > 0 {
		b = appendTexts(append(b, `,"shown":`...), t.Shown)
	}
	if t.Total {
		b = append(b, `,"total":true`...)
	}
	return append(b, '}')
}

func (o *Outcome) append(b []byte) []byte {
	b = appendText(append(b, `{"id":`...), o.ID)
	if o.N != nil {
		b = strconv.AppendInt(append(b, `,"n":`...), int64(*o.N), 10)
	}
	b = appendText(append(b, `,"tone":`...), o.Tone)
	b = appendText(append(b, `,"text":`...), o.Text)
	return append(appendGiven(b, `,"character":`, o.Character), '}')
}

func (l *Luck) append(b []byte) []byte {
	b = append(appendText(append(b, `{"orBetter":`...), l.OrBetter), `,"probability":`...)
	if l.Probability < 1e-6 { // encoding/json writes these with an exponent
		b = appendOther(b, l.Probability)
	} else {
		b = strconv.AppendFloat(b, l.Probability, 'f', -1, 64)
	}
	return append(strconv.AppendInt(append(b, `,"points":`...), int64(l.Points), 10), '}')
}

func (l *Line) append(b []byte) []byte {
	b = appendText(append(b, `{"type":`...), l.Type)
	b = appendText(append(b, `,"text":`...), l.Text)
	if len(l.Data) > 0 {
		b = append(append(b, `,"data":`...), l.Data...)
	}
	if l.Outcome != nil {
		b = l.Outcome.append(append(b, `,"outcome":`...))
	}
	if l.Turned != nil {
		b = appendText(append(b, `,"turned":{"part":`...), l.Turned.Part)
		b = strconv.AppendInt(append(b, `,"was":`...), int64(l.Turned.Was), 10)
		b = append(strconv.AppendInt(append(b, `,"is":`...), int64(l.Turned.Is), 10), '}')
	}
	return append(b, '}')
}

func (a *Asked) append(b []byte) []byte {
	b = append(b, '{')
	if a.ID != "" {
		b = append(appendText(append(b, `"id":`...), a.ID), ',')
	}
	b = appendText(append(b, `"to":`...), a.To)
	return append(strconv.AppendBool(append(b, `,"open":`...), a.Open), '}')
}

func (c *Check) append(b []byte) []byte {
	b = appendText(append(b, `{"table":`...), c.Table)
	b = strconv.AppendInt(append(b, `,"session":`...), int64(c.Session), 10)
	b = appendText(append(b, `,"commitment":`...), c.Commitment)
	b = appendTexts(append(b, `,"shares":`...), c.Shares)
	b = appendText(append(b, `,"move":`...), c.Move)
	b = appendText(append(b, `,"nonce":`...), c.Nonce)
	return append(appendGiven(b, `,"secret":`, c.Secret), '}')
}

// appendGiven appends a member unless it's empty.
func appendGiven(b []byte, name, text string) []byte {
	if text == "" {
		return b
	}
	return appendText(append(b, name...), text)
}

func appendTime(b []byte, at time.Time) []byte {
	return append(at.AppendFormat(append(b, '"'), time.RFC3339Nano), '"')
}

func appendList[T any](b []byte, items []T, one func(*T, []byte) []byte) []byte {
	b = append(b, '[')
	for i := range items {
		if i > 0 {
			b = append(b, ',')
		}
		b = one(&items[i], b)
	}
	return append(b, ']')
}

func appendTexts[T ~string](b []byte, texts []T) []byte {
	return appendList(b, texts, func(text *T, b []byte) []byte { return appendText(b, *text) })
}

func appendNumbers(b []byte, numbers []int) []byte {
	return appendList(b, numbers, func(n *int, b []byte) []byte { return strconv.AppendInt(b, int64(*n), 10) })
}

// appendValue appends the value of a form's field. Other types go through encoding/json.
func appendValue(b []byte, value any) []byte {
	switch value := value.(type) {
	case string:
		return appendText(b, value)
	case form.Trait:
		if value == "" || value == form.Yes {
			return strconv.AppendBool(b, value == form.Yes)
		}
		return appendText(b, value)
	case bool:
		return strconv.AppendBool(b, value)
	case int:
		return strconv.AppendInt(b, int64(value), 10)
	case []string:
		return appendTexts(b, value)
	case []int:
		return appendNumbers(b, value)
	case []map[string]any:
		return appendList(b, value, func(item *map[string]any, b []byte) []byte { return appendValue(b, *item) })
	case map[string]any:
		var few [24]string
		names := slices.AppendSeq(few[:0], maps.Keys(value))
		slices.Sort(names)
		b = append(b, '{')
		for i, name := range names {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendValue(append(appendText(b, name), ':'), value[name])
		}
		return append(b, '}')
	}
	return appendOther(b, value)
}

func appendText[T ~string](b []byte, text T) []byte {
	if !plain(string(text)) {
		return appendOther(b, string(text))
	}
	return append(append(append(b, '"'), text...), '"')
}

// plain reports whether a text needs no escaping in JSON.
func plain(text string) bool {
	wide := false
	for i := range len(text) {
		switch c := text[i]; {
		case c < ' ' || c == '"' || c == '\\' || c == 0x7F:
			return false
		case c >= utf8.RuneSelf:
			wide = true
		}
	}
	return !wide || utf8.ValidString(text) && !strings.ContainsAny(text, "\u2028\u2029")
}

func appendOther(b []byte, value any) []byte {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(game.EmptyLists(value)); err != nil { // values come from JSON or are made for it
		return append(b, "null"...)
	}
	return append(b, bytes.TrimSuffix(buffer.Bytes(), []byte("\n"))...)
}

package telegram

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"norn/chat/bridge"
	"norn/lang"
)

// inline answers what a person writes after the bot's name in any chat: odds to be shown there, and
// ways to continue a command, which norn then receives. Nothing is done before they choose.
func (t *Chat) inline(ctx context.Context, id string, q *models.InlineQuery) error {
	by := person(*q.From)
	line := strings.TrimSpace(q.Query)
	var results []models.InlineQueryResult
	first, rest, _ := strings.Cut(line, " ")
	odds := pricing(t.words, first)
	priced := line
	if odds {
		priced = strings.TrimSpace(rest)
	}
	if priced != "" {
		u := bridge.Update{ID: id, By: by, Place: by.ID, Private: true, Line: "odds " + priced}
		a, err := t.hearer.Do(ctx, u)
		if err != nil {
			return err
		}
		// otherwise it isn't a request for odds, and its error is of no use
		if !a.Message.Empty() && (odds || a.Message.Picture != nil) {
			m := a.Message
			m.Picture, m.Controls, m.Link = nil, nil, ""
			d := render(linkOf(t.self()), m, maxText, nil)
			title := m.Head
			if title == "" {
				title = line
			}
			results = append(results, article("odds", title, gist(m), d))
		}
	}
	for i, s := range t.hearer.Complete(ctx, by, by.ID, line) {
		p := &prose{}
		p.put(bridge.Cut("/norn "+strings.TrimPrefix(clean(s.Line), "/"), maxText))
		results = append(results, article(strconv.Itoa(i), s.Label, clean(s.Line), rendered{prose: p}))
	}
	limited, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	_, err := t.bot.AnswerInlineQuery(limited,
		&bot.AnswerInlineQueryParams{InlineQueryID: q.ID, Results: results, IsPersonal: true, CacheTime: 1})
	if err := t.hidden.fault(err); err != nil { // a newer query replaces this one
		t.log.Debug("telegram takes no results", "error", err)
	}
	return nil
}

// pricing reports whether a word asks for odds, in any language.
func pricing(words *lang.Words, word string) bool {
	word = strings.ToLower(strings.TrimPrefix(word, "/"))
	return word != "" && slices.ContainsFunc(lang.All[:], func(l lang.Lang) bool {
		return slices.Contains(strings.Fields(strings.ToLower(words.In(l).Say("chat.verb.odds"))), word)
	})
}

// gist returns a message's text without its heading, in one line.
func gist(m bridge.Message) string {
	var texts []string
	for _, line := range m.Lines {
		texts = append(texts, clean(line.Text))
	}
	return bridge.Cut(strings.Join(texts, " · "), 200)
}

func article(id, title, about string, d rendered) models.InlineQueryResult {
	return &models.InlineQueryResultArticle{
		ID: id, Title: bridge.Cut(clean(title), 100), Description: about,
		InputMessageContent: models.InputTextMessageContent{
			MessageText: d.text.String(), Entities: d.entities,
			LinkPreviewOptions: nolink,
		},
	}
}

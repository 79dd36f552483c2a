package bridge

import (
	"context"
	"strconv"
	"strings"
	"unicode/utf8"

	"norn/chat"
	"norn/game"
)

// mend replaces an unknown word of a line by the nearest known one. It returns "" if there is none, or
// if the new line can't be read either.
func mend(book *chat.Book, line string, wrong *chat.Error) string {
	if wrong.Near == "" || wrong.At >= wrong.End || wrong.End > len(line) {
		return ""
	}
	near := strings.ToLower(wrong.Near)
	switch {
	case strings.HasPrefix(line[wrong.At:], "@"):
		near = "@" + wrong.Near
	case wrong.Code == chat.UnknownSeat:
		near = wrong.Near
	}
	better := line[:wrong.At] + near + line[wrong.End:]
	if _, err := book.Read(better); err != nil {
		return ""
	}
	return better
}

// meantMove returns the command that talk probably is, with a typo in its first word; "" for plain
// talk. A single word is talk.
func meantMove(book *chat.Book, text string) string {
	const shortest = 4 // letters
	first, rest, _ := strings.Cut(text, " ")
	if utf8.RuneCountInString(first) < shortest || strings.TrimSpace(rest) == "" {
		return ""
	}
	_, err := book.Read("/" + text)
	wrong, is := err.(*chat.Error)
	if !is || wrong.Code != chat.UnknownVerb {
		return ""
	}
	better := mend(book, "/"+text, wrong)
	if better == "" {
		return ""
	}
	if c, _ := book.Read(better); c.Verb != chat.Make && c.Verb != chat.Odds {
		return ""
	}
	return better
}

// lacksCharacter reports whether a line is a move that the player can't make without a character.
func (a actor) lacksCharacter(book *chat.Book, text string) bool {
	if a.at.seat.Role() != game.Player || strings.HasPrefix(text, "//") {
		return false
	}
	for _, c := range a.at.view.Characters {
		if c.Mine {
			return false
		}
	}
	all := *book
	all.Moves = nil
	for _, m := range a.at.seat.Game().Moves {
		all.Moves = append(all.Moves, m.ID)
	}
	text = strings.TrimPrefix(text, "/")
	return all.Commands(text) && !book.Commands(text)
}

// offerLines refuses a line and offers others by buttons.
func (a actor) offerLines(ctx context.Context, said string, lines ...string) (Answer, error) {
	return a.Bridge.offerLines(ctx, a.u, a.at.tie.ID, said, lines...)
}

func (b *Bridge) offerLines(ctx context.Context, u Update, tie, said string, lines ...string) (Answer, error) {
	m := textMessage(said)
	for i, line := range lines {
		id := shortHash(12, u.ID, strconv.Itoa(i))
		if err := b.drafts.keep(ctx, id, draft{By: u.By.ID, Tie: tie, Line: line, Place: u.Place}); err != nil {
			return Answer{}, err
		}
		m.Controls = append(m.Controls, []Control{{
			ID: joinID("line", id), Label: Cut(strings.TrimPrefix(line, "/"), maxLabel), Main: i == 0,
		}})
	}
	return Answer{Message: m, Alone: true}, nil
}

// runOfferedLine runs the line of a button, in the place where the first line was written.
func (b *Bridge) runOfferedLine(ctx context.Context, u Update, id string) (Answer, error) {
	d, err := b.drafts.of(ctx, u.By.ID, id)
	if err != nil {
		return Answer{}, err
	}
	if d == nil || d.Line == "" {
		return aloneAnswer(b.speaker(u).Say("bridge.old")), nil
	}
	u.Press, u.Line, u.Place = "", d.Line, d.Place
	u.ID = id // a second press repeats nothing
	return b.doLine(ctx, u)
}

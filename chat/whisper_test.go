package chat_test

import (
	"errors"
	"strings"
	"testing"

	"norn/chat"
	"norn/form"
	"norn/game"
	"norn/games"
	"norn/lang"
	"norn/table/act"
)

// A whisper names a seat by its name in any case or by its id, and the rest is unchanged.
func TestAWhisperIsAddressedBySeatInAnyCase(t *testing.T) {
	b := &chat.Book{
		Words: allWords, Lang: lang.En, Game: games.All()[0],
		Seats: []chat.Person{{ID: "s2", Name: "Anna"}, {ID: "s3", Name: "Anna Maria"}, {ID: "s4", Name: "Борис"}},
	}
	for line, want := range map[string]chat.Command{
		"/w Anna look at  his hands": {Verb: chat.Whisper, To: "s2", Text: "look at  his hands"},
		"/w anna maria: hush, now":   {Verb: chat.Whisper, To: "s3", Text: "hush, now"},
		"/ш борис, /roll 3d6":        {Verb: chat.Whisper, To: "s4", Text: "/roll 3d6"},
		"/w s4 hi":                   {Verb: chat.Whisper, To: "s4", Text: "hi"},
	} {
		got, err := b.Read(line)
		if err != nil || got.Verb != want.Verb || got.To != want.To || got.Text != want.Text {
			t.Errorf("%s: %+v, %v", line, got, err)
		}
	}
	for line, want := range map[string]string{
		"/w": chat.Nothing, "/w Anna": chat.Nothing,
		"/w Ana hello": chat.UnknownSeat,
	} {
		_, err := b.Read(line)
		var wrong *chat.Error
		if !errors.As(err, &wrong) || wrong.Code != want {
			t.Errorf("%s: %v, want %s", line, err, want)
		}
	}
	var names []string
	for _, s := range b.Complete("/w an", len("/w an")) {
		names = append(names, s.Text)
	}
	if len(names) != 2 || names[0] != "Anna " || names[1] != "Anna Maria " {
		t.Errorf("goes on with %q", names)
	}
}

// whispering returns the book of a person at a table with Anna, who plays Lira, and Boris.
func whispering(l lang.Lang) *chat.Book {
	return &chat.Book{
		Words: allWords, Lang: l, Game: games.All()[0], Lead: "/",
		Seats: []chat.Person{{ID: "s2", Name: "Anna"}, {ID: "s4", Name: "Борис"}},
		Played: []chat.Played{
			{Person: chat.Person{ID: "c1", Name: "Lira"}, Seat: "s2"},
			{Person: chat.Person{ID: "c2", Name: "Борис"}, Seat: "s2"},
		},
		Actors: []chat.Person{{ID: "c3", Name: "Guard"}, {ID: "c4", Name: "Guard"}},
	}
}

// A whisper by any of its names reaches the seat that it names, also by a character's name; for
// game masters there are other words.
func TestWhisperReachesTheSeatItNames(t *testing.T) {
	for line, want := range map[string]chat.Command{
		"/whisper Anna look": {Verb: chat.Whisper, To: "s2", Text: "look"},
		"/msg anna look":     {Verb: chat.Whisper, To: "s2", Text: "look"},
		// a seat's name has priority over a character's
		"/tell Anna look":         {Verb: chat.Whisper, To: "s2", Text: "look"},
		"/tell gm look":           {Verb: chat.Tell, Text: "look"},
		"/pm Борис look":          {Verb: chat.Whisper, To: "s4", Text: "look"},
		"/шепнуть Anna взгляни":   {Verb: chat.Whisper, To: "s2", Text: "взгляни"},
		"/шепнути Anna поглянь":   {Verb: chat.Whisper, To: "s2", Text: "поглянь"},
		"/w Lira look":            {Verb: chat.Whisper, To: "s2", Text: "look"},
		"/w c1: look":             {Verb: chat.Whisper, To: "s2", Text: "look"},
		"/w gm look":              {Verb: chat.Tell, Text: "look"},
		"/шепнуть мастеру секрет": {Verb: chat.Tell, Text: "секрет"},
		"/gm look, Anna":          {Verb: chat.Tell, Text: "look, Anna"},
		"/gm: Anna lies":          {Verb: chat.Tell, Text: "Anna lies"},
		"/gm Anna":                {Verb: chat.Tell, Text: "Anna"},
	} {
		got, err := whispering(lang.En).Read(line)
		if err != nil || got.Verb != want.Verb || got.To != want.To || got.Text != want.Text {
			t.Errorf("%s: %+v, %v", line, got, err)
		}
	}
}

// A message to the game master that begins with another's name is refused with a question, and its
// suggestions can be written.
func TestMessageToGameMasterThatStartsWithANameIsQueried(t *testing.T) {
	for line, want := range map[string]struct {
		lang lang.Lang
		says string
	}{
		"/gm Anna look":          {lang.En, "“Anna” sits here, too. Write whom it is for: /w Anna …, /gm: Anna …"},
		"/storyteller Lira look": {lang.En, "“Lira” sits here, too. Write whom it is for: /w Lira …, /gm: Lira …"},
		"/ведущему Anna смотри":  {lang.Ru, "«Anna» тоже за столом. Напишите, кому это: /ш Anna …, /мастеру: Anna …"},
		"/ведучому Anna дивись":  {lang.Uk, "«Anna» теж за столом. Напишіть, кому це: /ш Anna …, /майстрові: Anna …"},
	} {
		_, err := whispering(want.lang).Read(line)
		var wrong *chat.Error
		if !errors.As(err, &wrong) || wrong.Code != chat.ToWhom {
			t.Errorf("%s: %v", line, err)
			continue
		}
		if says := wrong.Say(allWords.In(want.lang)); says != want.says {
			t.Errorf("%s: %s, want %s", line, says, want.says)
		}
		for i, verb := range []chat.Verb{chat.Whisper, chat.Tell} {
			written := strings.Replace(wrong.Among[i], "…", "look", 1)
			if got, err := whispering(want.lang).Read(written); err != nil || got.Verb != verb {
				t.Errorf("%s: %+v, %v", written, got, err)
			}
		}
	}
}

// The first words of a seat's name are enough, if no other seat's name begins with them, and so is
// what the game calls its game master.
func TestWhisperIsAddressedByTheFirstWordsOfAName(t *testing.T) {
	b := &chat.Book{
		Words: allWords, Lang: lang.Ru, Game: games.All()[0],
		Seats: []chat.Person{
			{ID: "s1", Name: "Хозяин стола"}, {ID: "s2", Name: "Леди Весс"}, {ID: "s3", Name: "Леди Анна"},
		},
	}
	for line, want := range map[string]chat.Command{
		"/ш Хозяин: дверь открыта": {Verb: chat.Whisper, To: "s1", Text: "дверь открыта"},
		"/ш леди весс тише":        {Verb: chat.Whisper, To: "s2", Text: "тише"},
		"/ш мастер, дверь открыта": {Verb: chat.Tell, Text: "дверь открыта"},
	} {
		got, err := b.Read(line)
		if err != nil || got.Verb != want.Verb || got.To != want.To || got.Text != want.Text {
			t.Errorf("%s: %+v, %v", line, got, err)
		}
	}
	for line, want := range map[string]string{"/ш Леди тише": chat.Several, "/ш Мас тише": chat.UnknownSeat} {
		_, err := b.Read(line)
		var wrong *chat.Error
		if !errors.As(err, &wrong) || wrong.Code != want {
			t.Errorf("%s: %v, want %s", line, err, want)
		}
	}
}

// Lists in errors aren't empty, and those of several characters are distinguishable.
func TestErrorsListTheAvailableNames(t *testing.T) {
	alone := &chat.Book{Words: allWords, Lang: lang.En, Game: games.All()[0]}
	for want, read := range map[string]func() error{
		"Nobody else sits here.": func() error { _, err := alone.Read("/w Anna hello"); return err },
		"Nobody called “Eve” sits here. Here are: Anna, Борис.": func() error {
			_, err := whispering(lang.En).Read("/w Eve hello")
			return err
		},
		"Several here are called “@guard”. Write which: c3 (Guard), c4 (Guard).": func() error {
			b := whispering(lang.En)
			b.Moves = []string{"check"}
			_, err := b.Read("/check @guard")
			return err
		},
	} {
		var wrong *chat.Error
		if err := read(); !errors.As(err, &wrong) || wrong.Say(allWords.In(lang.En)) != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// No word means two commands in any languages, and each command has the same names everywhere.
func TestNoWordMeansTwoCommands(t *testing.T) {
	var acts []chat.Verb
	for _, d := range act.All {
		if d.Now != nil {
			acts = append(acts, chat.Verb(d.Name))
		}
	}
	named, meant := chat.Named(acts...), map[string]chat.Verb{}
	for _, v := range named {
		if v != chat.Tell { // "/tell Anna" is a whisper
			meant[string(v)] = v
		}
	}
	for _, l := range lang.All {
		for _, v := range named {
			for _, word := range v.Names(allWords.In(l)) {
				if other, taken := meant[word]; taken && other != v {
					t.Errorf("%s: %q means %s and %s", l, word, v, other)
				}
				meant[word] = v
			}
		}
	}
	for v, words := range map[chat.Verb]string{
		chat.Whisper: "w whisper msg pm tell шепнуть шепнути ш", chat.Tell: "gm ведущему ведучому",
		chat.Secret: "gmroll gr secret тайно таємно", chat.Emote: "me",
		chat.Roll: "r roll dice кубики",
		chat.Undo: "undo отменить скасувати", chat.Help: "help помощь допомога", chat.Odds: "odds шансы шанси",
	} {
		for word := range strings.FieldsSeq(words) {
			if meant[word] != v {
				t.Errorf("%q means %q, want %s", word, meant[word], v)
			}
		}
	}
}

// A line that begins like a command after another character than the slash is refused with a
// question; such a character twice, or before other words, is a message.
func TestLineWithAMistypedSlashIsNotSentAsTalk(t *testing.T) {
	for _, line := range []string{
		".мастеру секрет", `\gm secret`, "／gm secret", "\u200b/gm secret", "\ufeff/w Anna secret",
		".шепнуть Anna секрет", " .gm secret",
		"|roll 2d6", "\u2060.ведучому таємниця",
	} {
		c, err := whispering(lang.Ru).Read(line)
		var wrong *chat.Error
		if !errors.As(err, &wrong) || wrong.Code != chat.Slip {
			t.Errorf("%q: %+v, %v", line, c, err)
			continue
		}
		for i, verb := range []bool{false, true} {
			written := strings.Replace(wrong.Among[i], "…", "Anna look", 1)
			if got, err := whispering(lang.Ru).Read(written); err == nil && (got.Verb == chat.Say) != verb {
				t.Errorf("%q: %q is read as %+v", line, written, got)
			}
		}
	}
	for _, line := range []string{
		"...gm", "..мастеру секрет", "... gm, help", ".5 of them", "gm, look", `\o/`,
		"| gm",
	} {
		if c, err := whispering(lang.En).Read(line); err != nil || c.Verb != chat.Say {
			t.Errorf("%q: %+v, %v", line, c, err)
		}
	}
}

// Game masters roll in secret by the commands of other programs, too; for players they say who may.
func TestGMRollIsForGameMasters(t *testing.T) {
	for _, l := range lang.All {
		b := whispering(l)
		b.Moves, b.Form = []string{"check"}, func(chat.Spot) *form.Form { return b.Game.Moves[0].Form }
		for _, line := range []string{"/gmroll 2d6", "/gr roll 2d6", "/secret 2d6", "/тайно 2к6", "/таємно 2к6"} {
			_, err := b.Read(line)
			var wrong *chat.Error
			if !errors.As(err, &wrong) || wrong.Code != chat.NotSecret {
				t.Errorf("%s, a player's %q: %v", l, line, err)
			}
			b.Master = true
			c, err := b.Read(line)
			if err != nil || c.Verb != chat.Make || c.Move != game.PlainDice || !c.Secret {
				t.Errorf("%s, %q: %+v, %v", l, line, c, err)
			}
			b.Master = false
		}
		b.Master = true
		if c, err := b.Read("/gr check"); err != nil || c.Move != "check" || !c.Secret {
			t.Errorf("%s, a move: %+v, %v", l, c, err)
		}
	}
}

func TestMeSaysWhatSomebodyDoes(t *testing.T) {
	b := whispering(lang.En)
	if c, err := b.Read("/me shrugs"); err != nil || c.Verb != chat.Say || c.Text != "*shrugs*" {
		t.Errorf("%+v, %v", c, err)
	}
	if b.Commands("me too") {
		t.Error("a message without the slash is taken for a command")
	}
}

// Dice in a message are found if it is nothing else, or where they stand in brackets.
func TestDiceOfMessagesAreFound(t *testing.T) {
	b := whispering(lang.En)
	for text, want := range map[string]string{
		"1d100": "/roll 1d100", " 2d6+1 ": "/roll 2d6+1", "!roll 2d6": "/roll 2d6", "!r d20": "/roll d20",
		"I strike [[2d6+3]] and run": "/roll 2d6+3", "!кубики 3d6": "/roll 3d6",
		"I have 2d6 here": "", "12": "", "!run": "", "!": "", "[[home]]": "", "[[2d6": "", "wow!": "", "": "", "d": "",
	} {
		if got := b.DiceIn(text); got != want {
			t.Errorf("%q offers %q, want %q", text, got, want)
		}
	}
}

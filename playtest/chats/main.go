// Command chats is a Discord and a Telegram on this machine, for developers of norn's bots: the
// fakes of the tests, with people who do what you type. It says how to start norn with them, and
// shows what each person reads:
//
//	discord ann roll 3d6         Ann writes /norn roll 3d6 in the channel
//	telegram bo /norn roll 3d6   Bo writes in the group
//	discord-dm ann help          the same in a private chat
//	discord ann press Answer     she presses the newest button with that label, or chooses that option
//	discord ann fill skill=Fight she fills in the dialog that a press has opened
//	discord ann types chec       she types, and reads the suggestions
//	telegram bo reply 3          he replies to the newest message of norn
package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"norn/chat/discord/discordtest"
	"norn/chat/telegram/telegramtest"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	folder, err := os.MkdirTemp("", "norn-chats")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	if err := run(ctx, folder, os.Stdin, os.Stdout); err != nil {
		log.Print(err)
	}
}

// group is the Telegram group's id.
const group = -100

// stage has both chats and what was shown of them.
type stage struct {
	out      io.Writer
	ends     []func()
	discord  *discordtest.Server
	telegram *telegramtest.Server
	channel  *discordtest.Channel
	people   []person
	dialog   *discordtest.Interaction // that may have opened a dialog
	pressed  []string                 // presses whose popups aren't shown yet
	shown    map[string]string        // messages, by platform, reader and id
}

// person is somebody in both chats.
type person struct {
	name       string
	inDiscord  *discordtest.Person
	private    *discordtest.Channel
	inTelegram *telegramtest.Person
}

// misused is what discordtest doesn't accept of a person.
type misused string

// Helper and the others are what discordtest wants of a test.
func (s *stage) Helper()                           {}
func (s *stage) Cleanup(end func())                { s.ends = append(s.ends, end) }
func (s *stage) Errorf(format string, data ...any) { s.say(format, data...) }
func (s *stage) Fatal(what ...any)                 { panic(misused(fmt.Sprint(what...))) }
func (s *stage) Fatalf(format string, data ...any) { panic(misused(fmt.Sprintf(format, data...))) }

func (s *stage) say(format string, data ...any) { fmt.Fprintf(s.out, format+"\n", data...) }

// run serves both chats until the input or ctx ends; folder gets the tokens.
func run(ctx context.Context, folder string, in io.Reader, out io.Writer) error {
	s := &stage{out: out, telegram: telegramtest.New(), shown: map[string]string{}}
	defer s.telegram.Close()
	s.discord = discordtest.New(s)
	defer func() {
		for _, end := range s.ends {
			end()
		}
	}()
	s.channel = s.discord.Channel("table")
	s.telegram.Group(group, "table")
	for i, name := range []string{"ann", "bo", "gm"} {
		p := s.discord.Person(name, "en-US")
		s.people = append(s.people, person{name, p, p.DM(), s.telegram.Person(int64(100+i), name, "en")})
	}
	args := "norn serve --discord --discord-api " + s.discord.URL + " --telegram --telegram-api " + s.telegram.URL
	for name, token := range map[string]string{"discord": discordtest.Token, "telegram": telegramtest.Token} {
		file := filepath.Join(folder, name)
		if err := os.WriteFile(file, []byte(token+"\n"), 0o600); err != nil {
			return err
		}
		args += " --" + name + "-token-file " + file
	}
	s.say("%s", args)
	lines := make(chan string)
	go func() {
		defer close(lines)
		for read := bufio.NewScanner(in); read.Scan(); {
			select {
			case lines <- read.Text():
			case <-ctx.Done():
				return
			}
		}
	}()
	for {
		inDiscord, inTelegram := s.discord.Changed(), s.telegram.Changed()
		s.show()
		select {
		case line, ok := <-lines:
			if !ok {
				return nil
			}
			s.do(line)
		case <-inDiscord:
		case <-inTelegram:
		case <-ctx.Done():
			return nil
		}
	}
}

// do makes a person do what a line says.
func (s *stage) do(line string) {
	defer func() {
		switch wrong := recover().(type) {
		case nil:
		case misused:
			s.say("%s", string(wrong))
		default:
			panic(wrong)
		}
	}()
	place, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	name, text, _ := strings.Cut(rest, " ")
	platform, private := strings.CutSuffix(place, "-dm")
	i := slices.IndexFunc(s.people, func(p person) bool { return p.name == name })
	if i < 0 || platform != "discord" && platform != "telegram" {
		s.say("write: discord, discord-dm, telegram or telegram-dm; then ann, bo or gm; then what they write")
		return
	}
	p := s.people[i]
	verb, what, _ := strings.Cut(text, " ")
	switch {
	case platform == "discord" && !s.discord.IsConnected():
		s.say("norn isn’t in Discord yet")
	case platform == "discord" && private:
		s.doInDiscord(p.inDiscord, p.private, verb, what, text)
	case platform == "discord":
		s.doInDiscord(p.inDiscord, s.channel, verb, what, text)
	case private:
		s.doInTelegram(p.inTelegram, p.inTelegram.ID, verb, what, text)
	default:
		s.doInTelegram(p.inTelegram, group, verb, what, text)
	}
}

func (s *stage) doInDiscord(p *discordtest.Person, at *discordtest.Channel, verb, what, text string) {
	switch verb {
	case "press":
		for _, m := range slices.Backward(p.Sees(at)) {
			for _, row := range m.Controls {
				for _, c := range row {
					var chosen []string
					if i := slices.IndexFunc(c.Options, func(o discordtest.Option) bool { return o.Label == what }); i >= 0 {
						chosen = []string{c.Options[i].Value}
					} else if c.Label != what || len(c.Options) > 0 {
						continue
					}
					s.dialog = p.Press(m, c.ID, chosen...)
					return
				}
			}
		}
		s.say("%s sees no button %q", p.Name, what)
	case "fill":
		fields := map[string]string{}
		for part := range strings.SplitSeq(what, ";") {
			field, value, _ := strings.Cut(strings.TrimSpace(part), "=")
			fields[field] = value
		}
		if s.dialog == nil || s.dialog.Opened() == nil {
			s.say("no dialog is open")
			return
		}
		s.dialog.Submit(fields)
	case "types":
		for _, c := range p.Types(at, what) {
			s.say("discord: %s may go on: %s", p.Name, c.Value)
		}
	default:
		p.Command(at, text)
	}
}

func (s *stage) doInTelegram(p *telegramtest.Person, at int64, verb, what, text string) {
	switch verb {
	case "press":
		for _, m := range slices.Backward(s.telegram.Own(at)) {
			if slices.Contains(m.Labels(), what) {
				s.pressed = append(s.pressed, p.Presses(at, m.ID, what))
				return
			}
		}
		s.say("%s sees no button %q", p.Name, what)
	case "reply":
		if m := s.telegram.Last(at); m != nil {
			p.Replies(at, m.ID, what)
		}
	default:
		p.Writes(at, text)
	}
}

// show writes what is new for each reader.
func (s *stage) show() {
	for _, refused := range s.discord.Refusals() {
		s.say("Discord refused: %s", refused)
	}
	for _, p := range s.people {
		for _, m := range p.inDiscord.Sees(s.channel) {
			reader := "all"
			if m.Alone {
				reader = p.name
			}
			s.message("discord", reader, m.ID, m.Text, discordLabels(m))
		}
		for _, m := range p.inDiscord.Sees(p.private) {
			s.message("discord-dm", p.name, m.ID, m.Text, discordLabels(m))
		}
		for _, m := range s.telegram.Shows(p.inTelegram.ID) {
			s.message("telegram-dm", p.name, fmt.Sprint(m.ID), m.From+": "+m.Text, m.Labels())
		}
	}
	for _, m := range s.telegram.Shows(group) {
		s.message("telegram", "all", fmt.Sprint(m.ID), m.From+": "+m.Text, m.Labels())
	}
	s.pressed = slices.DeleteFunc(s.pressed, func(press string) bool {
		text, answered := s.telegram.PressAnswer(press)
		if answered && text != "" {
			s.say("telegram pops up: %s", text)
		}
		return answered
	})
	if s.dialog == nil {
		return
	}
	if m := s.dialog.Opened(); m != nil {
		var fields []string
		for _, f := range m.Fields {
			fields = append(fields, f.ID+" ("+f.Label+")")
		}
		s.message("discord", "dialog", m.ID, m.Title, fields)
	}
}

// message writes a message if it's new for its reader, or has changed.
func (s *stage) message(platform, reader, id, text string, labels []string) {
	for _, label := range labels {
		text += " [" + label + "]"
	}
	if key := platform + reader + id; s.shown[key] != text {
		s.shown[key] = text
		s.say("%s, %s: %s", platform, reader, strings.ReplaceAll(text, "\n", "\n    "))
	}
}

func discordLabels(m discordtest.Message) (labels []string) {
	for _, row := range m.Controls {
		for _, c := range row {
			if len(c.Options) == 0 {
				labels = append(labels, c.Label)
			}
			for _, o := range c.Options {
				labels = append(labels, o.Label)
			}
		}
	}
	return labels
}

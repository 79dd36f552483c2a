package discord_test

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"norn/chat/bridge"
	"norn/chat/discord"
	"norn/chat/discord/discordtest"
	"norn/lang"
	"norn/lang/langtest"
)

// hearer is a bridge that answers as a test wants, and counts.
type hearer struct {
	mu       sync.Mutex
	done     []bridge.Update
	answer   func(context.Context, bridge.Update) (bridge.Answer, error)
	complete func(line string) []bridge.Suggestion
}

func (h *hearer) Do(ctx context.Context, u bridge.Update) (bridge.Answer, error) {
	h.mu.Lock()
	h.done = append(h.done, u)
	h.mu.Unlock()
	if h.answer == nil {
		return bridge.Answer{}, nil
	}
	return h.answer(ctx, u)
}

func (h *hearer) Complete(_ context.Context, _ bridge.Person, _, line string) []bridge.Suggestion {
	if h.complete == nil {
		return nil
	}
	return h.complete(line)
}

func (h *hearer) Moved(context.Context, string, string) error { return nil }

func (h *hearer) did() []bridge.Update {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.done)
}

// scene is a Discord with norn in it.
type scene struct {
	*discordtest.Server
	*hearer
	t          *testing.T
	bot        *discord.Bot
	log        *discordtest.Log
	at         *discordtest.Channel
	ann, boris *discordtest.Person
	stop       func()
}

func config(s *scene) discord.Config {
	words, err := lang.Load(discord.Words)
	if err != nil {
		s.t.Fatal(err)
	}
	return discord.Config{
		Token: discordtest.Token, API: s.URL, Hearer: s.hearer, Words: words,
		Log: slog.New(slog.NewTextHandler(s.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
}

// open starts a Discord, without norn.
func open(t *testing.T) *scene {
	t.Parallel()
	s := &scene{t: t, Server: discordtest.New(t), hearer: &hearer{}, log: &discordtest.Log{}, stop: func() {}}
	s.at, s.ann, s.boris = s.Channel("table"), s.Person("Ann", "en-US"), s.Person("Борис", "ru")
	t.Cleanup(func() {
		s.stop()
		if log := s.log.String(); strings.Contains(log, discordtest.Token) || strings.Contains(log, "aW50ZXJhY3Rpb24") {
			t.Errorf("a token stands in the log:\n%s", log)
		}
	})
	return s
}

// start runs norn until the returned stop.
func (s *scene) start(change func(*discord.Config)) {
	s.t.Helper()
	c := config(s)
	change(&c)
	bot, err := discord.New(c)
	if err != nil {
		s.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(s.t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		bot.Run(ctx)
	}()
	s.bot = bot
	s.stop = func() {
		cancel()
		<-ended
		bot.Close()
	}
}

// byGateway returns a scene with norn at the gateway.
func byGateway(t *testing.T) *scene {
	s := open(t)
	s.start(func(c *discord.Config) { c.Gateway = true })
	s.Until("norn at the gateway", s.bot.Up)
	return s
}

// byHTTP returns a scene whose Discord calls norn.
func byHTTP(t *testing.T) *scene {
	s := open(t)
	s.start(func(c *discord.Config) { c.PublicKey = s.PublicKey })
	door := httptest.NewServer(s.bot)
	t.Cleanup(door.Close)
	s.Calls(door.URL)
	s.Until("norn to be there", s.bot.Up)
	return s
}

// both runs a test with the gateway and with HTTP.
func both(t *testing.T, test func(*testing.T, *scene)) {
	t.Parallel()
	for name, open := range map[string]func(*testing.T) *scene{"gateway": byGateway, "http": byHTTP} {
		t.Run(name, func(t *testing.T) { test(t, open(t)) })
	}
}

func said(text string) bridge.Message {
	return bridge.Message{Lines: []bridge.Line{{Text: text}}}
}

func TestCommandReachesTheBridgeAndIsAnswered(t *testing.T) {
	both(t, func(t *testing.T, s *scene) {
		s.answer = func(_ context.Context, u bridge.Update) (bridge.Answer, error) {
			return bridge.Answer{Message: said("heard " + u.Line), Alone: u.Line == "secret"}, nil
		}
		open := s.ann.Command(s.at, "check Fight")
		m := s.boris.Find(s.at, "heard check Fight")
		if m.Alone {
			t.Error("what is for all is ephemeral")
		}
		u := s.did()[0]
		if u.ID != "discord:"+open.ID || u.By.ID != s.ann.Who() || u.By.Name != "Ann" || u.By.Lang != lang.En ||
			u.Place != s.at.Place() || u.Private {
			t.Errorf("%+v", u)
		}
		s.ann.Command(s.at, "secret")
		if m := s.ann.Find(s.at, "heard secret"); !m.Alone {
			t.Error("a secret is shown to all")
		}
		if seen := s.boris.Reads(s.at); strings.Contains(seen, "secret") {
			t.Errorf("Boris sees %q", seen)
		}
		s.boris.Command(s.boris.DM(), "sit K7QM-3XWP")
		s.boris.Find(s.boris.DM(), "heard sit")
		if u := s.did()[2]; !u.Private || u.By.Name != "Борис" || u.By.Lang != lang.Ru ||
			u.Place != s.boris.DM().Place() {
			t.Errorf("%+v", u)
		}
	})
}

// A slow answer is deferred, and shown only to those it's for, whatever was shown meanwhile.
func TestSlowAnswersAreDeferredAndStayPrivate(t *testing.T) {
	both(t, func(t *testing.T, s *scene) {
		release := make(chan struct{})
		s.answer = func(_ context.Context, u bridge.Update) (bridge.Answer, error) {
			<-release
			switch u.Line {
			case "nothing":
				return bridge.Answer{}, nil
			case "form":
				return bridge.Answer{Form: &bridge.Form{
					ID: "f", Title: "t",
					Fields: []bridge.Field{{Name: "n", Label: "l"}},
				}}, nil
			}
			return bridge.Answer{Message: said("slowly " + u.Line), Alone: u.Line == "secret"}, nil
		}
		lines := []string{"open", "secret", "nothing", "form"}
		var begun []*discordtest.Interaction
		for _, line := range lines {
			begun = append(begun, s.ann.Command(s.at, line))
		}
		for i, one := range begun {
			s.Until(lines[i]+" to be held", one.IsAnswered)
		}
		if seen := s.boris.Sees(s.at); len(seen) > 0 {
			t.Errorf("while norn thinks Boris sees %+v", seen)
		}
		close(release)
		if m := s.boris.Find(s.at, "slowly open"); m.Alone {
			t.Error("what is for all is ephemeral")
		}
		if m := s.ann.Find(s.at, "slowly secret"); !m.Alone {
			t.Error("a secret is shown to all")
		}
		again, ok := s.ann.Find(s.at, "Press here").Control("Fill in")
		if !ok || again.ID != "/form" {
			t.Fatalf("%+v", again)
		}
		s.Until("all that thinks to end", func() bool { return len(s.ann.Sees(s.at)) == 3 })
		if seen := s.boris.Sees(s.at); len(seen) != 1 {
			t.Errorf("Boris sees %+v", seen)
		}
		pressed := s.ann.Press(s.ann.Find(s.at, "Press here"), again.ID)
		if m := pressed.Modal(); m.ID != "f" {
			t.Errorf("%+v", m)
		}
		if u := s.did()[4]; u.Line != "form" || u.Press != "" {
			t.Errorf("%+v", u)
		}
	})
}

func TestEmptyAnswerLeavesNoMessage(t *testing.T) {
	both(t, func(t *testing.T, s *scene) {
		i := s.ann.Command(s.at, "check Fight")
		s.Until("an answer", i.IsAnswered)
		s.Until("nothing to be left", func() bool { return len(s.ann.Sees(s.at)) == 0 })
	})
}

// answerFallout answers a press of “Say more” with a dialog, and what is filled in with its fields.
func answerFallout(_ context.Context, u bridge.Update) (bridge.Answer, error) {
	switch {
	case u.Press == "q1.form" && u.Fields == nil:
		return bridge.Answer{Form: &bridge.Form{
			ID: "q1.form", Title: strings.Repeat("Fallout ", 9),
			Fields: []bridge.Field{
				{
					Name: "much", Label: "How much", Kind: bridge.Number, Least: 1, Most: 5, Needed: true,
					Value: "2",
				},
				{
					Name: "whom", Label: "Whom", About: "who is near", Kind: bridge.Choice, Needed: true,
					Options: []bridge.Option{
						{Value: "a", Label: "Ann"},
						{Value: "b", Label: "Boris", Chosen: true},
					},
				},
				{Name: "why", Label: "Why", Kind: bridge.Long, Most: 200},
				{Name: "loud", Label: "Loudly", Kind: bridge.Flag, Value: "true"},
				{
					Name: "where", Label: "Where", Kind: bridge.Choice,
					Options: []bridge.Option{{Value: "x", Label: "X"}},
				},
			},
		}}, nil
	case u.Press == "q1.form":
		return bridge.Answer{Message: said(fmt.Sprint(u.Fields)), Alone: true}, nil
	case u.Press == "not-yours":
		return bridge.Answer{Message: said("It waits for Ann."), Alone: true}, nil
	}
	return bridge.Answer{}, nil
}

// falloutControls returns buttons and a list, with labels that are too long or empty.
func falloutControls() [][]bridge.Control {
	return [][]bridge.Control{
		{
			{ID: "q1.yes", Label: "Yes", Main: true},
			{ID: "q1.no", Label: "No"},
			{ID: "q1.form", Label: "Say more"},
			{ID: "not-yours", Label: strings.Repeat("long ", 30)},
			{ID: "e", Label: ""},
		},
		{{
			ID: "q1.pick", Label: "Which",
			Options: []bridge.Option{
				{Value: "1", Label: "First", About: strings.Repeat("about ", 30)},
				{Value: "2", Label: "Second"},
			}, Most: 2,
		}},
	}
}

func TestButtonsSelectsAndDialogsSendWhatWasChosen(t *testing.T) {
	both(t, func(t *testing.T, s *scene) {
		s.answer = answerFallout
		if _, err := s.bot.Post(t.Context(), s.at.Place(), bridge.Message{Head: "Fallout", Controls: falloutControls()},
			"q1"); err != nil {
			t.Fatal(err)
		}
		m := s.ann.Find(s.at, "Fallout")
		if yes, ok := m.Control("Yes"); !ok || !yes.Main {
			t.Errorf("%+v", m.Controls)
		}
		yes := s.ann.Press(m, "q1.yes")
		s.Until("a press to be taken", yes.IsAnswered)
		chosen := s.ann.Press(m, "q1.pick", "1", "2")
		s.Until("a choice to be taken", chosen.IsAnswered)
		s.boris.Press(m, "not-yours")
		if m := s.boris.Find(s.at, "It waits for Ann."); !m.Alone {
			t.Error("who isn't asked hears so before all")
		}
		dialog := s.ann.Press(m, "q1.form")
		if f := dialog.Modal(); len(f.Fields) != 5 || f.Fields[0].Value != "2" || f.Fields[3].Kind != "checkbox" {
			t.Errorf("%+v", f)
		}
		dialog.Submit(map[string]string{"much": "3", "why": "He_fell"})
		s.ann.Find(s.at, "map[loud:true much:3 where: whom:b why:He_fell]")
		did := s.did()
		slices.SortFunc(did, func(a, b bridge.Update) int { return strings.Compare(a.ID, b.ID) })
		if did[0].Press != "q1.yes" || !slices.Equal(did[1].Values, []string{"1", "2"}) || did[1].Press != "q1.pick" {
			t.Errorf("%+v", did)
		}
		if len(s.ann.Sees(s.at)) != 2 { // the message and her own answer
			t.Errorf("Ann sees %+v", s.ann.Sees(s.at))
		}
	})
}

// Repeated, late and disordered interactions are each done once, but not if Discord has given up.
func TestRepeatedCallsAreDoneOnceAndLateOnesNotAtAll(t *testing.T) {
	s := byGateway(t)
	s.Hold()
	first, second, late := s.ann.Command(s.at, "first"), s.ann.Command(s.at, "second"), s.ann.Command(s.at, "late")
	late.Age(time.Minute)
	s.Tell(1, 1, 0, 2, 1, 0)
	s.Until("both to be answered", func() bool { return first.IsAnswered() && second.IsAnswered() })
	first.Again()
	s.ann.Command(s.at, "last")
	s.Until("the last to be done", func() bool { return len(s.did()) >= 3 })
	var lines []string
	for _, u := range s.did() {
		lines = append(lines, u.Line)
	}
	slices.Sort(lines)
	if !slices.Equal(lines, []string{"first", "last", "second"}) {
		t.Errorf("done: %q", lines)
	}
}

// Over HTTP a repeated call has the same id for the bridge, even after a restart of norn.
func TestUpdateKeepsItsIDAfterARestart(t *testing.T) {
	s := byGateway(t)
	i := s.ann.Command(s.at, "throw")
	s.Until("it to be done", func() bool { return len(s.did()) == 1 && i.IsAnswered() })
	s.stop()
	s.start(func(c *discord.Config) { c.Gateway = true })
	s.Until("norn to be back", s.bot.Up)
	i.Again()
	s.Until("it to be told again", func() bool { return len(s.did()) == 2 })
	if did := s.did(); did[0].ID != did[1].ID {
		t.Errorf("%q, then %q", did[0].ID, did[1].ID)
	}
}

// A connection that is cut after Discord has accepted a message shows nothing twice.
func TestConnectionCutDuringAnAnswerShowsNothingTwice(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: waits for timeouts or other processes")
	}
	s := byGateway(t)
	s.answer = func(_ context.Context, u bridge.Update) (bridge.Answer, error) {
		return bridge.Answer{Message: said("heard " + u.Line)}, nil
	}
	s.Cut(1)
	s.ann.Command(s.at, "one")
	s.ann.Find(s.at, "heard one")
	s.Break(2)
	s.ann.Command(s.at, "two")
	s.ann.Find(s.at, "heard two")
	s.Limit(2, 100*time.Millisecond)
	s.ann.Command(s.at, "three")
	s.ann.Find(s.at, "heard three")
	s.Cut(1)
	if _, err := s.bot.Post(t.Context(), s.at.Place(), said("posted"), "key 1"); err == nil {
		t.Fatal("a cut connection is no error")
	}
	id, err := s.bot.Post(t.Context(), s.at.Place(), said("posted"), "key 1")
	if err != nil {
		t.Fatal(err)
	}
	if m := s.ann.Find(s.at, "posted"); m.ID != id {
		t.Errorf("posted %s, %s is there", id, m.ID)
	}
	if seen := s.ann.Sees(s.at); len(seen) != 4 {
		t.Errorf("Ann sees %+v", seen)
	}
}

func TestRateLimitsAndMissingPlacesAreDistinctErrors(t *testing.T) {
	s := byHTTP(t)
	var later *bridge.Later
	s.Limit(1, 1500*time.Millisecond)
	if _, err := s.bot.Post(t.Context(), s.at.Place(), said("x"), "k"); !errors.As(err, &later) ||
		later.After != 1500*time.Millisecond {
		t.Errorf("%v", err)
	}
	other := s.Channel("other") // where nothing was requested
	id, err := s.bot.Post(t.Context(), other.Place(), said("x"), "k")
	if err != nil {
		t.Fatal(err)
	}
	var gone *bridge.Gone
	if err := s.bot.Edit(t.Context(), other.Place(), "1180000000000000777", said("y")); !errors.As(err, &gone) ||
		!gone.Message {
		t.Errorf("%v", err)
	}
	other.Delete()
	if err := s.bot.Edit(t.Context(), other.Place(), id, said("y")); !errors.As(err, &gone) || gone.Message {
		t.Errorf("%v", err)
	}
	shut := s.Channel("shut")
	shut.Shut()
	if _, err := s.bot.Post(t.Context(), shut.Place(), said("x"), "k"); !errors.As(err, &gone) || gone.Message {
		t.Errorf("%v", err)
	}
	for _, place := range []string{"", "discord:", "discord:x", "telegram:12"} {
		if _, err := s.bot.Post(t.Context(), place, said("x"), "k"); !errors.As(err, &gone) {
			t.Errorf("%s: %v", place, err)
		}
	}
	if _, err := s.bot.Private(t.Context(), "discord:17"); !errors.As(err, &gone) {
		t.Errorf("%v", err)
	}
	place, err := s.bot.Private(t.Context(), s.ann.Who())
	if err != nil || place != s.ann.DM().Place() {
		t.Errorf("%s, %v", place, err)
	}
	s.Break(1)
	if err := s.bot.Edit(t.Context(), s.at.Place(), id, said("y")); err == nil || errors.As(err, &gone) ||
		errors.As(err, &later) {
		t.Errorf("%v", err)
	}
}

func TestMessageIsPostedAndEditedWithAllItsParts(t *testing.T) {
	s := byHTTP(t)
	picture := []byte("\x89PNG")
	id, err := s.bot.Post(t.Context(), s.at.Place(), bridge.Message{
		Head: "Ann · Fight", Lines: []bridge.Line{
			{Text: "7, 3"},
			{Text: "Success", Weight: bridge.Strong},
			{Text: "SP-05", Weight: bridge.Small},
			{Text: "Stop!\nNow", Weight: bridge.Quoted},
		},
		Picture: picture, Alt: "7 and 3", Link: "https://norn.example/t/1 (x)", LinkText: "The [table]", Quiet: true,
		Calls:    []bridge.Person{{ID: s.ann.Who()}, {ID: "discord:0"}, {ID: "other:7"}},
		Controls: [][]bridge.Control{{{ID: "a", Label: "A"}}},
	}, "k")
	if err != nil {
		t.Fatal(err)
	}
	m := s.boris.Find(s.at, "Fight")
	if m.Text != "Ann · Fight\n7, 3\nSuccess\nSP-05\nStop!\nNow\n@Ann\nThe [table]" {
		t.Errorf("%q", m.Text)
	}
	for _, mark := range []string{
		"bold Ann · Fight", "bold Success", "small SP-05", "quoted Stop!", "quoted Now",
		"mention @Ann", "link The [table] https://norn.example/t/1%20%28x%29",
	} {
		if !slices.Contains(m.Marked, mark) {
			t.Errorf("%q isn't among %q", mark, m.Marked)
		}
	}
	if len(m.Files) != 1 || m.Files[0].Alt != "7 and 3" || !slices.Equal(m.Files[0].Data, picture) || !m.Quiet ||
		!slices.Equal(m.Called, []string{"Ann"}) {
		t.Errorf("%+v", m)
	}
	if err := s.bot.Edit(t.Context(), s.at.Place(), id,
		bridge.Message{Head: "Ann · Fight", Lines: []bridge.Line{{Text: "7, 3", Weight: bridge.Struck}}}); err != nil {
		t.Fatal(err)
	}
	m = s.boris.Sees(s.at)[0]
	if m.ID != id || m.Edits != 1 || len(m.Controls)+len(m.Files) != 0 || m.Text != "Ann · Fight\n7, 3" ||
		!slices.Contains(m.Marked, "struck 7, 3") {
		t.Errorf("%+v", m)
	}
}

// Names and messages appear as people wrote them, without effect as markup.
func TestTextIsNeverReadAsMarkup(t *testing.T) {
	s := byHTTP(t)
	texts := []string{
		"**x**", "__y__ *z* _w_", "@everyone",
		"@here <@1> <@!1> <@&1> <#1> </norn:1> <t:1> <:e:1> <a:e:1> <id:customize>", "https://evil.example/a_b_c",
		"[masked](https://evil.example)", "[masked](<https://evil.example>)", "<https://evil.example>", "# head",
		"-# small", "> quote", ">>> quote", "- item", "+ item",
		"* item", "1. item", "  12) item", "||spoiler||", "~~struck~~", "`code` ``code`` ```code```", `\*x\*`, `\\`,
		"||", "** **", "a * b * c", "snake_case_name",
		"one\n# two\n- three\n1. four", "Ах! «Да» — 3−1 = 2 (ок)", "x@y.example", `trailing \`, "`", "*", "_", "\\",
		"<", "[", "1.", "-",
	}
	for _, text := range texts {
		for weight := bridge.Plain; weight <= bridge.Quoted; weight++ {
			m := s.shows(bridge.Message{
				Head: text, Lines: []bridge.Line{{Text: text, Weight: weight}},
				Calls: []bridge.Person{},
			})
			var trimmed []string
			for line := range strings.SplitSeq(text, "\n") {
				trimmed = append(trimmed, strings.TrimSpace(line))
			}
			head := strings.Join(strings.Fields(text), " ")
			if want := head + "\n" + strings.Join(trimmed, "\n"); m.Text != want {
				t.Errorf("%q is shown as %q by %q", want, m.Text, m.Source)
			}
			marks := map[bridge.Weight]string{
				bridge.Strong: "bold ", bridge.Small: "small ", bridge.Struck: "struck ",
				bridge.Quoted: "quoted ",
			}
			for _, mark := range m.Marked {
				ours := mark == "bold "+head
				for _, line := range trimmed {
					ours = ours || marks[weight] != "" && mark == marks[weight]+line
				}
				if !ours {
					t.Errorf("%q, weight %d: %q by %q", text, weight, mark, m.Source)
				}
			}
			if len(m.Called) > 0 {
				t.Errorf("%q calls %q", text, m.Called)
			}
		}
	}
}

// shows posts a message and reads it.
func (s *scene) shows(m bridge.Message) discordtest.Message {
	s.t.Helper()
	id, err := s.bot.Post(s.t.Context(), s.at.Place(), m, "")
	if err != nil {
		s.t.Fatal(err)
	}
	last := s.ann.Last(s.at)
	if last.ID != id {
		s.t.Fatalf("%s was posted, %s is last", id, last.ID)
	}
	return last
}

// A message of any length is accepted, and a cut one links to the table.
func TestLongMessagesAreCutAndLinkToTheTable(t *testing.T) {
	s := byHTTP(t)
	for _, sign := range []string{"a", "*", "ы", "😀", "word "} {
		for _, n := range []int{1, 990, 1990, 2000, 3900, 4100, 9000} {
			for _, lines := range []int{1, 40} {
				m := bridge.Message{
					Head: "Head", Link: "https://norn.example/t/1", LinkText: "Table",
					Calls: []bridge.Person{{ID: s.ann.Who()}},
				}
				for range lines {
					m.Lines = append(m.Lines, bridge.Line{
						Text:   strings.Repeat(sign, max(n/lines/len(sign), 1)),
						Weight: bridge.Strong,
					})
				}
				shown := s.shows(m)
				if !strings.HasPrefix(shown.Text, "Head\n") && !strings.Contains(shown.Text, "\nHead\n") ||
					!strings.HasSuffix(strings.TrimSuffix(shown.Text, "\n@Ann"), "Table") {
					t.Errorf("%d of %q in %d: %.60q … %q", n, sign, lines, shown.Text,
						shown.Text[max(0, len(shown.Text)-60):])
				}
				if !slices.Equal(shown.Called, []string{"Ann"}) {
					t.Errorf("%d of %q: calls %q", n, sign, shown.Called)
				}
			}
		}
	}
	s.shows(bridge.Message{Head: strings.Repeat("*", 5000)})
	s.shows(bridge.Message{})
}

func TestLongLinesAreCompletedWithoutLoss(t *testing.T) {
	s := byGateway(t)
	long := "check Fight, difficulty: 1, " + strings.Repeat("help by Ann, ", 9)
	s.complete = func(line string) []bridge.Suggestion {
		switch line {
		case "ch":
			var many []bridge.Suggestion
			for n := range 40 {
				many = append(many, bridge.Suggestion{Label: "l", Line: fmt.Sprintf("check %d", n)})
			}
			return many
		case "long":
			return []bridge.Suggestion{{Label: "Ann", Line: long}}
		case long + "and":
			return []bridge.Suggestion{{Label: "on", Line: long + "and on"}}
		}
		return nil
	}
	if got := s.ann.Types(s.at, "ch"); len(got) != 25 || got[0].Value != "check 0" || got[0].Name != "check 0" {
		t.Errorf("%+v", got)
	}
	part := s.ann.Types(s.at, "long")[0].Value
	if !strings.HasPrefix(part, "…") || !strings.HasSuffix(long, strings.TrimPrefix(part, "…")) {
		t.Errorf("%q", part)
	}
	if more := s.ann.Types(s.at, part+"and"); len(more) != 1 || !strings.HasSuffix(more[0].Value, "and on") {
		t.Errorf("%+v", more)
	}
	s.ann.Command(s.at, part+"!")
	s.Until("the whole line", func() bool { return len(s.did()) == 1 })
	if got := s.did()[0].Line; got != long+"!" {
		t.Errorf("%q", got)
	}
	if got := s.ann.Types(s.at, "nothing"); len(got) != 0 {
		t.Errorf("%+v", got)
	}
}

func TestGatewayReconnectsAfterEachKindOfDisconnect(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: waits for timeouts or other processes")
	}
	s := byGateway(t)
	heard := func(line string) {
		t.Helper()
		s.ann.Command(s.at, line)
		s.Until(line, func() bool {
			return slices.ContainsFunc(s.did(), func(u bridge.Update) bool { return u.Line == line })
		})
	}
	heard("before")
	for n, end := range []func(){s.Drop, s.Reconnect, s.Invalidate} {
		begun, resumed := s.Sessions()
		end()
		s.Until("norn to come back", func() bool {
			b, r := s.Sessions()
			return b+r > begun+resumed && s.IsConnected()
		})
		if b, r := s.Sessions(); (b > begun) != (n == 2) {
			t.Errorf("%d: %d sessions, %d resumed; before %d and %d", n, b, r, begun, resumed)
		}
		heard(fmt.Sprint("after ", n))
	}
}

// Registering the command repeatedly leaves one.
func TestRegisteringTheCommandAgainLeavesOne(t *testing.T) {
	s := byGateway(t)
	s.stop()
	s.start(func(c *discord.Config) { c.PublicKey = s.PublicKey })
	s.Until("norn to be back", s.bot.Up)
	if names := s.Commands(); !slices.Equal(names, []string{"norn"}) {
		t.Errorf("Discord knows %q", names)
	}
}

// norn starts while Discord can't be reached, and connects when it can.
func TestStartsWhileDiscordIsUnreachable(t *testing.T) {
	s := open(t)
	s.Break(2)
	s.start(func(c *discord.Config) { c.Gateway = true })
	s.Until("norn at the gateway", s.bot.Up)
}

func TestWrongTokenIsReportedWithoutShowingIt(t *testing.T) {
	s := open(t)
	const wrong = "MTE4MDAwMDAwMDAwMDAwMDAx.GWrong.a-token-that-is-not-the-right-one-at-all"
	s.start(func(c *discord.Config) { c.Gateway, c.Token = true, wrong })
	s.Until("a word in the log", func() bool {
		return strings.Contains(s.log.String(), "doesn't take the bot's token")
	})
	if strings.Contains(s.log.String(), wrong) {
		t.Error("the token stands in the log")
	}
	if s.bot.Up() {
		t.Error("norn is up")
	}
	_, err := s.bot.Post(t.Context(), s.at.Place(), said("x"), "k")
	if gone := (*bridge.Gone)(nil); err == nil || errors.As(err, &gone) || strings.Contains(err.Error(), wrong) {
		t.Errorf("%v", err)
	}
}

func TestOnlySignedCallsAreAccepted(t *testing.T) {
	s := byHTTP(t)
	_, stranger, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	ping, now := []byte(`{"id":"1","type":1,"application_id":"1","token":"t","version":1}`), time.Now()
	if status, answer := s.Call(ping, nil, now); status != http.StatusOK ||
		!strings.Contains(answer.Body(), `"type":1`) {
		t.Errorf("%d %s", status, answer.Body())
	}
	for name, call := range map[string]func() (int, string){
		"a stranger's key": func() (int, string) { st, a := s.Call(ping, stranger, now); return st, a.Body() },
		"long ago": func() (int, string) {
			st, a := s.Call(ping, nil, now.Add(-time.Hour))
			return st, a.Body()
		},
		"no signature": func() (int, string) {
			w := httptest.NewRecorder()
			s.bot.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/discord", strings.NewReader(string(ping))))
			return w.Code, w.Body.String()
		},
	} {
		if status, body := call(); status != http.StatusUnauthorized {
			t.Errorf("%s: %d %s", name, status, body)
		}
	}
	w := httptest.NewRecorder()
	s.bot.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/discord", nil))
	if w.Code != http.StatusMethodNotAllowed {
		t.Error(w.Code)
	}
	if status, _ := s.Call([]byte(`{"type":99}`), nil, now); status == http.StatusOK {
		t.Error(status)
	}
	if len(s.did()) > 0 {
		t.Errorf("%+v", s.did())
	}
	nobody := open2(t, s, func(c *discord.Config) { c.PublicKey = "" })
	w = httptest.NewRecorder()
	nobody.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/discord", strings.NewReader(string(ping))))
	if w.Code != http.StatusUnauthorized {
		t.Error(w.Code)
	}
}

// open2 returns a second norn that doesn't run.
func open2(t *testing.T, s *scene, change func(*discord.Config)) *discord.Bot {
	t.Helper()
	c := config(s)
	change(&c)
	bot, err := discord.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return bot
}

func TestFaultIsShownToItsAuthorAloneAndLogged(t *testing.T) {
	s := byGateway(t)
	s.answer = func(context.Context, bridge.Update) (bridge.Answer, error) {
		return bridge.Answer{}, errors.New("disk is full")
	}
	s.boris.Command(s.at, "x")
	if m := s.boris.Find(s.at, "сломалось"); !m.Alone {
		t.Error("it's shown to all")
	}
	if !strings.Contains(s.log.String(), "disk is full") {
		t.Error("the log doesn't say what")
	}
}

// Many messages arrive in order while Discord keeps asking to wait.
func TestConcurrentFloodArrivesInOrder(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: waits for timeouts or other processes")
	}
	s := byHTTP(t)
	for n := range 1000 {
		if n%400 == 50 {
			s.Limit(1, 10*time.Millisecond)
		}
		for {
			_, err := s.bot.Post(t.Context(), s.at.Place(), said(fmt.Sprint("entry ", n)), fmt.Sprint(n))
			if later := (*bridge.Later)(nil); errors.As(err, &later) {
				time.Sleep(later.After) // as Discord has asked
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			break
		}
	}
	seen := s.boris.Sees(s.at)
	if len(seen) != 1000 {
		t.Fatalf("%d messages", len(seen))
	}
	for n, m := range seen {
		if m.Text != fmt.Sprint("entry ", n) {
			t.Fatalf("%d: %q", n, m.Text)
		}
	}
}

func TestMalformedTokensAndKeysAreRefused(t *testing.T) {
	if !discord.IsToken(discordtest.Token) || discord.IsToken("Bot "+discordtest.Token) || discord.IsToken("secret") ||
		discord.IsToken("") {
		t.Error("tokens")
	}
	if !discord.IsPublicKey(strings.Repeat("0aF1", 16)) || discord.IsPublicKey("0aF1") ||
		discord.IsPublicKey(strings.Repeat("x", 64)) {
		t.Error("keys")
	}
	if _, err := discord.New(discord.Config{PublicKey: "12", Log: slog.New(slog.DiscardHandler)}); err == nil {
		t.Error("a short key is taken")
	}
}

func TestWordsAreComplete(t *testing.T) {
	words, err := lang.Load(discord.Words)
	if err != nil {
		t.Fatal(err)
	}
	faults, err := langtest.Check(words, langtest.Project{Roots: []string{"."}, Prefixes: []string{"discord."}})
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range faults {
		if !strings.Contains(fault, "lang.") { // package lang's words, which this one doesn't need
			t.Error(fault)
		}
	}
}

func TestPanicOfAnInteractionIsToldAndEndsNothing(t *testing.T) {
	s := byGateway(t)
	s.answer = func(context.Context, bridge.Update) (bridge.Answer, error) { panic("on purpose") }
	s.boris.Command(s.at, "x")
	if m := s.boris.Find(s.at, "сломалось"); !m.Alone {
		t.Error("it's shown to all")
	}
	if !strings.Contains(s.log.String(), "on purpose") {
		t.Error("the log doesn't say what")
	}
}

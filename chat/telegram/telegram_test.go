package telegram_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"norn/chat"
	"norn/chat/bridge"
	"norn/chat/telegram"
	"norn/chat/telegram/telegramtest"
	"norn/lang"
	"norn/lang/langtest"
)

const soon = 20 * time.Second // soon is a time that suffices on a busy machine.

// png is the smallest picture.
var png, _ = base64.StdEncoding.DecodeString("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")

func words(t testing.TB) *lang.Words {
	t.Helper()
	w, err := lang.Load(telegram.Words, chat.Words)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestWordsAreComplete(t *testing.T) {
	w, err := lang.Load(telegram.Words)
	if err != nil {
		t.Fatal(err)
	}
	faults, err := langtest.Check(w, langtest.Project{Roots: []string{"."}, Prefixes: []string{"telegram."}})
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range faults {
		if !strings.Contains(fault, "lang.") && !strings.Contains(fault, "chat.") {
			t.Error(fault)
		}
	}
}

// hearer is a bridge that answers as the test wants, and does each update once by its id, like the
// real one.
type hearer struct {
	mu     sync.Mutex
	says   func(bridge.Update) (bridge.Answer, error)
	done   map[string]bridge.Answer
	did    []bridge.Update
	asked  int
	offers []bridge.Suggestion
	moved  []string
}

func (h *hearer) Moved(_ context.Context, from, to string) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if move := from + " → " + to; !slices.Contains(h.moved, move) {
		h.moved = append(h.moved, move)
	}
	return nil
}

func (h *hearer) Do(_ context.Context, u bridge.Update) (bridge.Answer, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.asked++
	if a, ok := h.done[u.ID]; ok {
		return a, nil
	}
	a, err := h.says(u)
	if err != nil {
		return a, err
	}
	h.done[u.ID] = a
	h.did = append(h.did, u)
	return a, nil
}

func (h *hearer) Complete(context.Context, bridge.Person, string, string) []bridge.Suggestion {
	return h.offers
}

// lines returns what was written or pressed.
func (h *hearer) lines() (lines []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, u := range h.did {
		switch {
		case u.Press != "" && u.Fields != nil:
			lines = append(lines, fmt.Sprint(u.Press, " ", u.Fields))
		case u.Press != "":
			lines = append(lines, strings.TrimSpace(fmt.Sprint(u.Press, " ", strings.Join(u.Values, ","))))
		default:
			lines = append(lines, u.Line)
		}
	}
	return lines
}

// says answers everything with a line.
func says(text string) bridge.Answer {
	return bridge.Answer{Message: bridge.Message{Lines: []bridge.Line{{Text: text}}}}
}

// scene is a Telegram with a bot, and the bot's hearer.
type scene struct {
	*telegramtest.Server
	t    *testing.T
	h    *hearer
	chat *telegram.Chat
	log  *safe
	stop func()
}

// safe is a concurrency-safe buffer for logs.
type safe struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *safe) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *safe) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// play starts a Telegram with Anna, Boris and their group.
func play(t *testing.T, do func(bridge.Update) (bridge.Answer, error)) *scene {
	t.Helper()
	s := &scene{
		Server: telegramtest.New(), t: t, h: &hearer{says: do, done: map[string]bridge.Answer{}}, log: &safe{},
		stop: func() {},
	}
	t.Cleanup(func() {
		s.stop()
		s.Close()
		if strings.Contains(s.log.String(), "a_secret") || strings.Contains(s.log.String(), telegramtest.Token) {
			t.Errorf("the token is in the log: %s", s.log)
		}
	})
	s.Group(group, "Spire")
	s.start("")
	return s
}

const (
	group = -200
	anna  = 31
	boris = 32
)

func (s *scene) start(webhook string) {
	s.t.Helper()
	made, err := telegram.New(telegram.Config{
		Token: telegramtest.Token, API: s.URL, Webhook: webhook, Hearer: s.h, Words: words(s.t),
		Log: slog.New(slog.NewTextHandler(io.MultiWriter(s.log), &slog.HandlerOptions{Level: slog.LevelDebug})),
	})
	if err != nil {
		s.t.Fatal(err)
	}
	s.chat = made
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		made.Run(ctx)
		close(ended)
	}()
	s.stop = sync.OnceFunc(func() {
		cancel()
		<-ended
		made.Close()
	})
}

func (s *scene) until(what string, is func() bool) {
	s.t.Helper()
	if !s.Until(soon, is) {
		s.t.Fatalf("never: %s\ndone: %q\nlog: %s", what, s.h.lines(), s.log)
	}
}

// last waits until the newest message of the bot in a chat has a text.
func (s *scene) last(chat int64, says string) *telegramtest.Message {
	s.t.Helper()
	var m *telegramtest.Message
	s.until(fmt.Sprintf("%q in %d", says, chat), func() bool {
		m = s.Last(chat)
		return m != nil && strings.Contains(m.Text, says)
	})
	return m
}

// told waits until all updates are confirmed.
func (s *scene) told() {
	s.t.Helper()
	s.until("all is heard", func() bool { return s.CountUnconfirmed() == 0 })
}

func TestOnlyMessagesAddressedToTheBotAreRead(t *testing.T) {
	s := play(t, func(u bridge.Update) (bridge.Answer, error) { return says("heard " + u.Line), nil })
	a := s.Person(anna, "Anna", "ru")
	s.Group(-1_000_000_000_300, "Forum", 5, 6)
	a.Writes(group, "just talk")
	a.Writes(group, "/norn check fight")
	a.Writes(group, "/norn@Norn_Bot odds check")
	a.Writes(group, "/norn@other_bot odds check")
	a.Writes(group, "/check fight")
	a.Writes(group, "/roll@norn_bot 2d6")
	a.Writes(group, "/norn")
	a.Writes(anna, "hello there")
	a.Writes(anna, "/check fight")
	a.Writes(anna, "/norn undo")
	a.Starts("K7QM-3XWP")
	a.Starts("")
	a.WritesIn(-1_000_000_000_300, 6, "/norn table ABCD-EFGH")
	s.told()
	want := []string{
		"check fight", "odds check", "/roll 2d6", "help", // in the group
		"hello there", "/check fight", "undo", "sit K7QM-3XWP", "help", // in private
		"table ABCD-EFGH",
	}
	of := map[string][]string{}
	for _, u := range s.h.did {
		of[u.Place] = append(of[u.Place], u.Line)
		if u.Private != (u.Place == "telegram:31") {
			t.Errorf("%q in %s is private: %v", u.Line, u.Place, u.Private)
		}
		if diff := cmp.Diff(bridge.Person{ID: "telegram:31", Name: "Anna", Lang: lang.Ru}, u.By); diff != "" {
			t.Error(diff)
		}
	}
	got := append(append(of["telegram:-200"], of["telegram:31"]...), of["telegram:-1000000000300:6"]...)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if m := s.last(-1_000_000_000_300, "heard table"); m.Topic != 6 {
		t.Errorf("answered in topic %d", m.Topic)
	}
	if link := s.chat.Join("K7QM-3XWP"); link != "https://t.me/norn_bot?start=K7QM-3XWP" {
		t.Error(link)
	}
	if diff := cmp.Diff([]string{"norn", "roll", "odds", "help", "leave"},
		s.Commands("all_private_chats uk")); diff != "" {
		t.Error(diff)
	}
}

// Each message is a text without escapes, with entities in the right places, whatever it contains.
func TestMessagesAreTextsWithEntities(t *testing.T) {
	s := play(t, func(bridge.Update) (bridge.Answer, error) { return bridge.Answer{}, nil })
	s.Person(anna, "Anna", "en")
	place := fmt.Sprintf("telegram:%d", anna)
	id := postEntities(t, s, place)
	editTwice(t, s, place, id)
	shortenCaption(t, s, place)
	shortenTexts(t, s, place)
}

// postEntities posts a message of every weight of line, with buttons, and returns its id.
func postEntities(t *testing.T, s *scene, place string) string {
	id, err := s.chat.Post(t.Context(), place, bridge.Message{
		Head: "👩‍🚀 Anna · Fight", Link: "http://127.0.0.1:8080/t/x", LinkText: "To the table",
		Lines: []bridge.Line{
			{Text: "<b>*6* 5 & 4</b> — e\u0301t\u00e9 🎲"},
			{Text: "Success 🏴󠁧󠁢󠁳󠁣󠁴󠁿", Weight: bridge.Strong},
			{Text: "SP-05", Weight: bridge.Small},
			{Text: "gone", Weight: bridge.Struck},
			{Text: "hello @anna and a@b.c\u0007\n", Weight: bridge.Quoted},
			{Text: "  "},
		},
		Controls: [][]bridge.Control{
			{{ID: "a.1~2", Label: "Take it", Main: true}, {ID: "b", Label: "Leave it"}},
			{{ID: "s", Label: "Which", Options: []bridge.Option{
				{Value: "mind", Label: "Mind", About: "of the soul"},
				{Value: strings.Repeat("ü", 30), Label: "Blood"},
			}}},
		},
	}, "k1")
	if err != nil {
		t.Fatal(err)
	}
	m := s.Last(anna)
	wantText := "👩‍🚀 Anna · Fight\n<b>*6* 5 & 4</b> — e\u0301t\u00e9 🎲\nSuccess 🏴󠁧󠁢󠁳󠁣󠁴󠁿\nSP-05\ngone\nhello @\u2060anna and a@\u2060b.c\nWhich\nMind — of the soul\nTo the table"
	if diff := cmp.Diff(wantText, m.Text); diff != "" {
		t.Error(diff)
	}
	for kind, want := range map[string][]string{
		"bold": {"👩‍🚀 Anna · Fight", "Success 🏴󠁧󠁢󠁳󠁣󠁴󠁿", "Which"}, "italic": {"SP-05", "Mind — of the soul"},
		"strikethrough": {"gone"},
		"blockquote":    {"hello @\u2060anna and a@\u2060b.c"}, "text_link": {"To the table"},
	} {
		if diff := cmp.Diff(want, m.Looks(kind)); diff != "" {
			t.Error(kind, diff)
		}
	}
	if diff := cmp.Diff([][]telegramtest.Button{
		{{Text: "Take it", Data: "a.1~2", Style: "primary"}, {Text: "Leave it", Data: "b"}},
		{{Text: "Mind", Data: "s=mind"}, {Text: "Blood", Data: "s=" + strings.Repeat("ü", 30)}},
	}, m.Buttons); diff != "" {
		t.Error(diff)
	}
	return id
}

// editTwice edits a message and repeats it: an edit that changes nothing is no error.
func editTwice(t *testing.T, s *scene, place, id string) {
	for range 2 {
		if err := s.chat.Edit(t.Context(), place, id,
			bridge.Message{Head: "Undone", Lines: []bridge.Line{{Text: "was", Weight: bridge.Struck}}}); err != nil {
			t.Error(err)
		}
	}
	if m := s.Last(anna); m.Text != "Undone\nwas" || m.Edited != 1 || len(m.Buttons) != 0 {
		t.Errorf("%+v", m)
	}
}

// shortenCaption posts a picture with a long text: a caption is shorter than a message.
func shortenCaption(t *testing.T, s *scene, place string) {
	_, err := s.chat.Post(t.Context(), place,
		bridge.Message{
			Head: "Odds", Picture: png, Alt: "A chart of bars",
			Lines: []bridge.Line{{Text: strings.Repeat("long 🎲 ", 500)}}, Link: "https://x.example", LinkText: "More",
		},
		"k2")
	if err != nil {
		t.Fatal(err)
	}
	if m := s.Last(anna); m.Photo == nil || !strings.HasSuffix(m.Text, "…\nMore") ||
		!cmp.Equal(m.Looks("text_link"), []string{"More"}) {
		t.Errorf("%+v", m)
	}
}

// shortenTexts posts a text that is too long and an empty one, which are accepted.
func shortenTexts(t *testing.T, s *scene, place string) {
	if _, err := s.chat.Post(t.Context(), place,
		bridge.Message{Head: strings.Repeat("👩‍🚀", 3000), Link: "https://x.example", LinkText: "More"},
		"k3"); err != nil {
		t.Error(err)
	}
	if text := s.Last(anna).Text; !strings.HasSuffix(text, "👩‍🚀…\nMore") {
		t.Errorf("%q", text[len(text)-60:])
	}
	if _, err := s.chat.Post(t.Context(), place, bridge.Message{Lines: []bridge.Line{{Text: " \n"}}},
		"k4"); err != nil {
		t.Error(err)
	}
}

// Only people who must answer are mentioned.
func TestOnlyPeopleWhoMustAnswerAreMentioned(t *testing.T) {
	s := play(t, func(bridge.Update) (bridge.Answer, error) { return bridge.Answer{}, nil })
	s.Person(anna, "Anna @boris", "en")
	for _, c := range []struct {
		m      bridge.Message
		silent bool
		named  []string
	}{
		{bridge.Message{Head: "a throw"}, true, nil},
		{bridge.Message{
			Head: "a question",
			Calls: []bridge.Person{
				{ID: "telegram:31", Name: "Anna @boris"},
				{ID: "telegram:31", Name: "Anna @boris"},
				{ID: "discord:5", Name: "Dora"},
			},
		}, false, []string{"→ Anna @\u2060boris"}},
		{
			bridge.Message{Head: "later", Calls: []bridge.Person{{ID: "telegram:31", Name: "Anna @boris"}}, Quiet: true},
			true, nil,
		},
		{bridge.Message{Head: "a stranger", Calls: []bridge.Person{{ID: "telegram:99"}}}, true, nil},
	} {
		if _, err := s.chat.Post(t.Context(), "telegram:-200", c.m, c.m.Head); err != nil {
			t.Fatal(err)
		}
		if m := s.Last(group); m.Silent != c.silent || !cmp.Equal(m.Looks("text_mention"), c.named) {
			t.Errorf("%s: silent %v, %q", c.m.Head, m.Silent, m.Looks("text_mention"))
		}
	}
}

func TestPressIsAnsweredOnlyToThePersonWhoMadeIt(t *testing.T) {
	long := strings.Repeat("v", 58)
	s := play(t, func(u bridge.Update) (bridge.Answer, error) {
		if u.By.ID != "telegram:31" {
			a := says("Anna is asked, not you.")
			a.Alone = true
			return a, nil
		}
		return bridge.Answer{}, nil
	})
	a, b := s.Person(anna, "Anna", "en"), s.Person(boris, "Boris", "en")
	id := strings.Repeat("i", 60)
	if _, err := s.chat.Post(t.Context(), "telegram:-200", bridge.Message{Head: "Which?", Controls: [][]bridge.Control{
		{{ID: id, Label: "Yes"}},
		{{ID: id, Options: []bridge.Option{{Value: long, Label: "Long"}, {Value: "x", Label: "Short"}}}},
		{{ID: "many", Most: 3, Options: []bridge.Option{
			{Value: "1", Label: "One", Chosen: true},
			{Value: "2", Label: "Two"},
			{Value: long + "3", Label: "Three"},
		}}},
	}}, "k"); err != nil {
		t.Fatal(err)
	}
	m := s.Last(group)
	if q := b.Presses(group, m.ID, "Yes"); !s.Until(soon, func() bool { _, ok := s.PressAnswer(q); return ok }) {
		t.Fatal("the press isn't answered")
	} else if text, _ := s.PressAnswer(q); text != "Anna is asked, not you." {
		t.Error(text)
	}
	a.Presses(group, m.ID, "Yes")
	a.Presses(group, m.ID, "Long")
	a.Presses(group, m.ID, "Short")
	a.Presses(group, m.ID, "☐ Three")
	s.until("a mark", func() bool { return strings.Contains(strings.Join(s.Last(group).Labels(), " "), "☑ Three") })
	q := a.Presses(group, m.ID, "✓")
	s.told()
	if diff := cmp.Diff([]string{id, id, id + " " + long, id + " x", "many 1," + long + "3"}, s.h.lines()); diff != "" {
		t.Error(diff)
	}
	if _, ok := s.PressAnswer(q); !ok {
		t.Error("the press isn't answered")
	}
	if len(s.Own(group)) != 1 {
		t.Error("something was said to all")
	}
}

// What is for one person is never posted in the group.
func TestPrivateMessagesAreNeverPostedInTheGroup(t *testing.T) {
	secret := "The traitor is Boris. " + strings.Repeat("Nobody knows. ", 20)
	s := play(t, func(bridge.Update) (bridge.Answer, error) {
		a := says(secret)
		a.Alone = true
		return a, nil
	})
	a := s.Person(anna, "Anna", "uk")
	a.Writes(group, "/norn look")
	s.last(anna, "The traitor is Boris.")
	a.Blocks(true)
	a.Writes(group, "/norn look")
	m := s.last(group, "Відкрийте чат зі мною")
	if m.ReplyTo == 0 || !cmp.Equal(m.Looks("text_link"), []string{"Відкрити чат"}) {
		t.Errorf("%+v", m)
	}
	a.Starts("")
	s.until("a third answer", func() bool { return len(s.Own(anna)) == 2 })
	for _, m := range s.Shows(group) {
		if strings.Contains(m.Text, "traitor") {
			t.Errorf("the group reads %q", m.Text)
		}
	}
	a.Anonymously(group, "/norn look")
	s.last(group, "Write as yourself")
	if n := len(s.h.lines()); n != 3 {
		t.Errorf("%d were done, one by nobody in particular", n)
	}
}

// A form is asked field by field, and a restart in between forgets nothing.
func TestFormIsAskedFieldByFieldAcrossARestart(t *testing.T) {
	form := &bridge.Form{ID: "f.1", Title: "Fight", Fields: []bridge.Field{
		{Name: "story", Label: "What happens", Kind: bridge.Long, Needed: true},
		{
			Name: "skill", Label: "Skill", Kind: bridge.Choice, Needed: true,
			Options: []bridge.Option{{Value: "fight", Label: "Fight"}, {Value: "sneak", Label: "Sneak"}},
		},
		{Name: "pool", Label: "Dice", Kind: bridge.Number, Least: 1, Most: 3, Value: "1"},
		{Name: "far", Label: "Distance", Kind: bridge.Number, Least: 0, Most: 500},
		{Name: "risk", Label: "Risky", Kind: bridge.Flag},
	}}
	s := play(t, func(u bridge.Update) (bridge.Answer, error) {
		if u.Press == "open" || u.Press == form.ID && u.Fields == nil {
			return bridge.Answer{Form: form}, nil
		}
		if u.Press == form.ID {
			return says("thrown"), nil
		}
		return says("talk: " + u.Line), nil
	})
	a, b := s.Person(anna, "Anna", "en"), s.Person(boris, "Boris", "en")
	if _, err := s.chat.Post(t.Context(), "telegram:-200",
		bridge.Message{Head: "Now?", Controls: [][]bridge.Control{{{ID: "open", Label: "Act"}}}}, "k"); err != nil {
		t.Fatal(err)
	}
	a.Presses(group, s.Last(group).ID, "Act")
	m := s.last(group, "Skill")
	if diff := cmp.Diff([]string{"Fight", "Sneak", "Cancel"}, m.Labels()); diff != "" {
		t.Error(diff)
	}
	if q := b.Presses(group, m.ID, "Sneak"); !s.Until(soon, func() bool { _, ok := s.PressAnswer(q); return ok }) {
		t.Error("unanswered")
	} else if text, _ := s.PressAnswer(q); text != "Somebody else is asked here." {
		t.Error(text)
	}
	a.Presses(group, m.ID, "Sneak")
	m = s.last(group, "Dice")
	s.stop()
	s.start("")
	a.Presses(group, m.ID, "Skip")
	m = s.last(group, "Distance")
	if len(m.Buttons) != 1 || !m.Force || !strings.Contains(m.Text, "Skill: Sneak\nDice: 1\n") {
		t.Errorf("%+v", m)
	}
	b.Replies(group, m.ID, "400")
	a.Replies(group, m.ID, "far away")
	m = s.last(group, "A whole number from 0 to 500")
	s.stop()
	s.start("")
	a.Replies(group, m.ID, "40")
	m = s.last(group, "Risky")
	a.Presses(group, m.ID, "Yes")
	m = s.last(group, "What happens")
	a.Replies(group, m.ID, "He 🗡 falls <b>")
	s.last(group, "thrown")
	s.told()
	got := s.h.lines()
	if want := "f.1 map[far:40 pool:1 risk:true skill:sneak story:He 🗡 falls <b>]"; got[len(got)-1] != want {
		t.Errorf("%q", got)
	}

	// In a private chat the next line answers.
	if _, err := s.chat.Post(t.Context(), "telegram:31",
		bridge.Message{Head: "Now?", Controls: [][]bridge.Control{{{ID: "open", Label: "Act"}}}}, "k"); err != nil {
		t.Fatal(err)
	}
	a.Presses(anna, s.Last(anna).ID, "Act")
	a.Presses(anna, s.last(anna, "Skill").ID, "Fight")
	a.Presses(anna, s.last(anna, "Dice").ID, "3")
	s.last(anna, "Distance")
	a.Writes(anna, "7")
	a.Presses(anna, s.last(anna, "Risky").ID, "Cancel")
	s.told()
	a.Writes(anna, "hello")
	s.last(anna, "talk: hello")
}

func TestInlineQueriesOfferMovesAndOdds(t *testing.T) {
	s := play(t, func(u bridge.Update) (bridge.Answer, error) {
		if strings.HasPrefix(u.Line, "odds fight") {
			return bridge.Answer{Message: bridge.Message{
				Head: "Fight", Lines: []bridge.Line{{Text: "Success 61.1 %"}},
				Picture: png,
			}, Alone: true}, nil
		}
		return says("no such move"), nil
	})
	s.h.offers = []bridge.Suggestion{{Label: "Fight", Line: "check fight"}, {Label: "Sneak", Line: "/check sneak"}}
	a := s.Person(anna, "Anna", "ru")
	offered := func(query string) (all []telegramtest.Result) {
		id := a.Asks(query)
		s.until("results", func() (ok bool) { all, ok = s.InlineResults(id); return ok })
		return all
	}
	for _, query := range []string{"шансы fight", "odds fight", "fight"} {
		got := offered(query)
		if len(got) != 3 || got[0].Text != "Fight\nSuccess 61.1 %" || got[0].Description != "Success 61.1 %" {
			t.Errorf("%s: %+v", query, got)
		}
	}
	got := offered("check")
	if len(got) != 2 || got[1].Text != "/norn check sneak" {
		t.Fatalf("%+v", got)
	}
	a.Chooses(group, got[1])
	s.until("the command", func() bool { l := s.h.lines(); return len(l) > 0 && l[len(l)-1] == "check sneak" })
}

// Repeated, disordered and late updates, cuts and restarts: each update is done once, and none is
// lost.
func TestEachUpdateIsDoneOnceDespiteFailures(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: waits for timeouts or other processes")
	}
	began := func() {}
	s := play(t, func(u bridge.Update) (bridge.Answer, error) {
		if u.Line == "roll last" {
			began()
		}
		return says("threw " + u.Line), nil
	})
	a := s.Person(anna, "Anna", "en")
	s.Fail("getUpdates", telegramtest.Fault{Cut: true}, telegramtest.Fault{Cut: true, Done: true},
		telegramtest.Fault{Code: 502, Says: "Bad Gateway"},
		telegramtest.Fault{Code: 429, Says: "Too Many Requests", RetryAfter: 1})
	for n := range 10 {
		a.Writes(group, fmt.Sprintf("/norn roll %d", n))
	}
	s.Twice()
	s.Shuffle()
	s.told()
	s.Again()
	s.until("it's told again", func() bool { return s.CountUnconfirmed() == 0 })
	want := []string{}
	for n := range 10 {
		want = append(want, fmt.Sprintf("roll %d", n))
	}
	if diff := cmp.Diff(want, s.h.lines()); diff != "" {
		t.Error(diff)
	}

	// A crash with unconfirmed updates and a cut answer: the update is repeated, and does nothing
	// more.
	began = sync.OnceFunc(func() { // nothing is confirmed from here on
		s.Fail("getUpdates", slices.Repeat([]telegramtest.Fault{{Code: 502, Says: "Bad Gateway"}}, 1000)...)
	})
	s.Fail("sendMessage", telegramtest.Fault{Cut: true, Done: true})
	a.Writes(group, "/norn roll last")
	s.last(group, "threw roll last")
	s.stop()
	if s.CountUnconfirmed() != 1 {
		t.Fatalf("%d are to be told again", s.CountUnconfirmed())
	}
	s.Mend("getUpdates")
	s.start("")
	s.told()
	if diff := cmp.Diff(append(want, "roll last"), s.h.lines()); diff != "" {
		t.Error(diff)
	}
}

// What norn can't do at once is done when it can, and isn't confirmed before that.
func TestFailedUpdateIsRetriedUntilItIsDone(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: waits for timeouts or other processes")
	}
	var mu sync.Mutex
	down := 3
	s := play(t, func(bridge.Update) (bridge.Answer, error) {
		mu.Lock()
		defer mu.Unlock()
		if down--; down >= 0 {
			return bridge.Answer{}, errors.New("no journal")
		}
		return says("threw"), nil
	})
	s.Person(anna, "Anna", "en").Writes(group, "/norn roll")
	s.last(group, "threw")
	s.told()
	if s.h.asked != 4 || len(s.h.lines()) != 1 {
		t.Error(s.h.asked, s.h.lines())
	}
}

// A chat at its limit waits; others don't, and everything that was requested is done.
func TestConcurrentChatsDontWaitForAFloodedOne(t *testing.T) {
	s := play(t, func(u bridge.Update) (bridge.Answer, error) { return says("threw " + u.Line), nil })
	a, b := s.Person(anna, "Anna", "en"), s.Person(boris, "Boris", "en")
	s.Bound(20)
	for n := range 200 {
		a.Writes(group, fmt.Sprintf("/norn roll %d", n))
	}
	b.Writes(boris, "roll mine")
	s.last(boris, "threw roll mine")
	s.told()
	if n := len(s.h.lines()); n != 201 {
		t.Errorf("%d were done", n)
	}
	if n := len(s.Own(group)); n != 20 {
		t.Errorf("%d answers", n)
	}
	_, err := s.chat.Post(t.Context(), "telegram:-200", bridge.Message{Head: "more"}, "k")
	if later := (*bridge.Later)(nil); !errors.As(err, &later) || later.After < 30*time.Second {
		t.Error(err)
	}
	s.Bound(0)
}

// People who get no answer because the limit is reached are informed, in their language: at once
// after a press, after the waiting answers otherwise. A form waits like an answer.
func TestPeopleAtTheLimitAreToldThatNoAnswerComes(t *testing.T) {
	s := play(t, func(u bridge.Update) (bridge.Answer, error) {
		if u.Line == "form" {
			return bridge.Answer{Form: &bridge.Form{
				ID: "f", Title: "Check",
				Fields: []bridge.Field{{Name: "n", Label: "Which skill?"}},
			}}, nil
		}
		return says("threw " + u.Line + u.Press), nil
	})
	a, b := s.Person(anna, "Anna", "en"), s.Person(boris, "Boris", "ru")
	if _, err := s.chat.Post(t.Context(), "telegram:-200",
		bridge.Message{Head: "Which?", Controls: [][]bridge.Control{{{ID: "yes", Label: "Yes"}}}}, "k"); err != nil {
		t.Fatal(err)
	}
	button := s.Last(group).ID
	full := make([]telegramtest.Fault, 1000)
	for i := range full {
		full[i] = telegramtest.Fault{Code: 429, Says: "Too Many Requests: retry after 1", RetryAfter: 1}
	}
	s.Fail("sendMessage", full...)
	a.Writes(group, "/norn form")
	for n := range 15 {
		a.Writes(group, fmt.Sprintf("/norn roll %d", n))
	}
	for range 2 {
		a.Writes(group, "/norn roll more")
		b.Writes(group, "/norn roll more")
	}
	s.told()
	pressed := b.Presses(group, button, "Yes")
	s.told()
	if n := len(s.h.lines()); n != 21 {
		t.Errorf("%d were done", n)
	}
	const fewer = "Boris, Telegram пока не принимает"
	if text, _ := s.PressAnswer(pressed); !strings.HasPrefix(text, fewer) {
		t.Errorf("who pressed hears %q", text)
	}
	s.Mend("sendMessage")
	m := s.last(group, fewer)
	if lines := strings.Count(m.Text, "Telegram"); lines != 2 ||
		!strings.Contains(m.Text, "Anna, Telegram takes no more messages") {
		t.Errorf("told %q", m.Text)
	}
	own := s.Own(group)
	if len(own) != 18 || !strings.Contains(own[1].Text, "Which skill?") || own[16].Text != "threw roll 14" {
		t.Errorf("%d messages: the form %q, the last answer %q", len(own), own[1].Text, own[len(own)-2].Text)
	}
	a.Writes(group, "/norn roll again")
	s.last(group, "threw roll again")
}

// Telegram's errors about places and messages become errors that the bridge can act on, without the
// token.
func TestTelegramErrorsAreUnderstoodAndHideTheToken(t *testing.T) {
	s := play(t, func(bridge.Update) (bridge.Answer, error) { return bridge.Answer{}, nil })
	a := s.Person(anna, "Anna", "en")
	s.Group(-1_000_000_000_300, "Forum", 5)
	a.Blocks(true)
	gone := func(message bool, err error) {
		t.Helper()
		if g := (*bridge.Gone)(nil); !errors.As(err, &g) || g.Message != message {
			t.Errorf("%v", err)
		}
	}
	hello := bridge.Message{Head: "hello"}
	for _, place := range []string{
		"telegram:31", "telegram:77", "telegram:-1000000000300:9", "discord:5", "telegram:x",
		"telegram:1:2:3",
	} {
		_, err := s.chat.Post(t.Context(), place, hello, "")
		gone(false, err)
	}
	gone(true, s.chat.Edit(t.Context(), "telegram:-200", "999", hello))
	gone(true, s.chat.Edit(t.Context(), "telegram:-200", "", hello))
	if place, err := s.chat.Private(t.Context(), "telegram:31"); err != nil || place != "telegram:31" {
		t.Error(place, err)
	}
	_, err := s.chat.Private(t.Context(), "telegram:-200")
	gone(false, err)
	s.Leave(group)
	_, err = s.chat.Post(t.Context(), "telegram:-200", hello, "")
	gone(false, err)
	s.stop()
	s.Close()
	_, err = s.chat.Post(t.Context(), "telegram:-1000000000300", hello, "")
	if err == nil || strings.Contains(err.Error(), "secret") {
		t.Error(err)
	}
	if _, err := telegram.New(telegram.Config{Words: words(t), Log: slog.New(slog.DiscardHandler)}); err == nil {
		t.Error("a bot without a token")
	}
}

// A group that becomes a supergroup keeps its ties, and messages sent meanwhile arrive there.
func TestSupergroupKeepsItsGroupsTable(t *testing.T) {
	s := play(t, func(u bridge.Update) (bridge.Answer, error) { return says("in " + u.Place), nil })
	a := s.Person(anna, "Anna", "en")
	id, err := s.chat.Post(t.Context(), "telegram:-200", bridge.Message{Head: "before"}, "k")
	if err != nil {
		t.Fatal(err)
	}
	s.stop()
	s.Supergroup(group, -1_000_000_000_200)
	if err := s.chat.Edit(t.Context(), "telegram:-200", id, bridge.Message{Head: "after"}); err != nil ||
		s.Last(group).Text != "after" {
		t.Error(err)
	}
	s.start("")
	s.told()
	a.Writes(group, "/norn where")
	s.last(group, "in telegram:-1000000000200")
	if diff := cmp.Diff([]string{"telegram:-200 → telegram:-1000000000200"}, s.h.moved); diff != "" {
		t.Error(diff)
	}
}

// Webhook calls need the secret, and status 200 means that the update is done.
func TestWebhookNeedsTheSecret(t *testing.T) {
	fails := 1
	s := play(t, func(u bridge.Update) (bridge.Answer, error) {
		if u.Line == "roll 2" && fails > 0 {
			fails--
			return bridge.Answer{}, errors.New("no journal")
		}
		return says("threw " + u.Line), nil
	})
	s.stop()
	s.start("https://norn.example/telegram")
	s.until("a webhook", func() bool { return s.Webhook() == "https://norn.example/telegram" })
	a := s.Person(anna, "Anna", "en")
	a.Writes(group, "/norn roll 1")
	if got := s.Deliver(s.chat, "wrong", false); !cmp.Equal(got, []int{401}) || len(s.h.lines()) != 0 {
		t.Errorf("%v %v", got, s.h.lines())
	}
	s.Twice()
	if got := s.Deliver(s.chat, "", false); !cmp.Equal(got, []int{200, 200}) {
		t.Error(got)
	}
	a.Writes(group, "/norn roll 2")
	if got := s.Deliver(s.chat, "", true); !cmp.Equal(got, []int{500}) {
		t.Error(got)
	}
	if got := s.Deliver(s.chat, "", true); !cmp.Equal(got, []int{200}) {
		t.Error(got)
	}
	if diff := cmp.Diff([]string{"roll 1", "roll 2"}, s.h.lines()); diff != "" {
		t.Error(diff)
	}

	// Without a webhook norn polls again.
	s.stop()
	s.start("")
	a.Writes(group, "/norn roll 3")
	s.last(group, "threw roll 3")
}

func TestPanicOfAnUpdateIsToldAndConfirmed(t *testing.T) {
	s := play(t, func(u bridge.Update) (bridge.Answer, error) {
		if u.Line == "odds 2d6" {
			panic("on purpose")
		}
		return says("fine"), nil
	})
	a := s.Person(anna, "Anna", "ru")
	a.Writes(anna, "/norn odds 2d6")
	s.last(anna, "журнале norn")
	s.told()
	a.Writes(anna, "/norn odds 1d6")
	s.last(anna, "fine")
	if n := strings.Count(s.log.String(), "on purpose"); n != 1 {
		t.Errorf("logged %d times: %s", n, s.log)
	}
}

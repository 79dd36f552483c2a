package bridge_test

import (
	"bytes"
	"context"
	"fmt"
	"image/png"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"norn/chat"
	"norn/chat/bridge"
	"norn/form"
	"norn/game"
	"norn/games"
	"norn/internal/bare"
	"norn/internal/kvstore"
	"norn/internal/relay/local"
	"norn/internal/widget"
	"norn/journal"
	"norn/journal/sqlite"
	"norn/lang"
	"norn/lang/langtest"
	"norn/script"
	"norn/table"
	"norn/table/act"
	"norn/table/request"
)

func words(t *testing.T, all []*game.Game) *lang.Words {
	t.Helper()
	folders := []fs.FS{form.Words, widget.Words, bare.Words, table.Words, chat.Words, bridge.Words, script.Words}
	for _, g := range all {
		folders = append(folders, g.Words)
	}
	w, err := lang.Load(folders...)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestWordsAreComplete(t *testing.T) {
	w, err := lang.Load(bridge.Words)
	if err != nil {
		t.Fatal(err)
	}
	langtest.Complete(t, w, langtest.Project{
		Roots: []string{"."}, Prefixes: []string{"bridge.verb.", "lang."},
		Same: []string{"bridge.whispers", "lang."},
	})
}

// post is a message in a place of the fake chat.
type post struct {
	id, key string
	bridge.Message
	edits int
}

// fake is a chat whose messages the tests read.
type fake struct {
	mu     sync.Mutex
	places map[string][]*post
	news   chan struct{}
	fail   func(what, place string) error // nil for never
	after  func(n int) error              // after a message was written; nil for never
	n      int
	shutUp map[string]bool // people who accept no private messages
}

func newFake() *fake { return &fake{places: map[string][]*post{}, news: make(chan struct{}, 1)} }

func (f *fake) Name() string { return "fake" }

func (f *fake) Run(ctx context.Context) { <-ctx.Done() }

func (f *fake) Join(string) string { return "" }

func (f *fake) Lead(place string) string {
	if strings.HasPrefix(place, "fake:dm:") {
		return "/"
	}
	return "/norn "
}

func (f *fake) Private(_ context.Context, person string) (string, error) {
	if f.shutUp[person] {
		return "", &bridge.Gone{What: "blocked"}
	}
	return "fake:dm:" + strings.TrimPrefix(person, "fake:"), nil
}

func (f *fake) Post(_ context.Context, place string, m bridge.Message, key string) (string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	defer f.tell()
	if f.fail != nil {
		if err := f.fail("post", place); err != nil {
			return "", err
		}
	}
	for _, p := range f.places[place] {
		if p.key == key {
			return p.id, nil
		}
	}
	f.n++
	p := &post{id: fmt.Sprint(f.n), key: key, Message: m}
	f.places[place] = append(f.places[place], p)
	if f.after != nil {
		if err := f.after(f.n); err != nil {
			return "", err
		}
	}
	return p.id, nil
}

func (f *fake) Edit(_ context.Context, place, id string, m bridge.Message) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	defer f.tell()
	if f.fail != nil {
		if err := f.fail("edit", place); err != nil {
			return err
		}
	}
	for _, p := range f.places[place] {
		if p.id == id {
			p.Message = m
			p.edits++
			return nil
		}
	}
	return &bridge.Gone{What: "deleted", Message: true}
}

func (f *fake) tell() {
	select {
	case f.news <- struct{}{}:
	default:
	}
}

// read returns what people read in a place.
func (f *fake) read(place string) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var all []string
	for _, p := range f.places[place] {
		all = append(all, text(p.Message))
	}
	return strings.Join(all, "\n---\n")
}

func (f *fake) last(place string) post {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := f.places[place]
	if len(all) == 0 {
		return post{}
	}
	return *all[len(all)-1]
}

func text(m bridge.Message) string {
	lines := []string{}
	if m.Head != "" {
		lines = append(lines, "**"+m.Head+"**")
	}
	for _, l := range m.Lines {
		mark := map[bridge.Weight]string{
			bridge.Strong: "*", bridge.Small: ".", bridge.Struck: "~",
			bridge.Quoted: ">",
		}[l.Weight]
		lines = append(lines, mark+l.Text)
	}
	for _, row := range m.Controls {
		var labels []string
		for _, c := range row {
			label := "[" + c.Label + "]"
			for _, o := range c.Options {
				label += " " + o.Label + " |"
			}
			labels = append(labels, label)
		}
		lines = append(lines, strings.Join(labels, " "))
	}
	return strings.Join(lines, "\n")
}

// evening is a norn with a table of Spire and a chat.
type evening struct {
	*testing.T
	dir     string
	journal journal.Journal
	store   *kvstore.Store
	host    *table.Host
	bridge  *bridge.Bridge
	chat    *fake
	words   *lang.Words
	games   []*game.Game
	id      string
	gm      *table.Seat
	secrets map[string]string // secrets of seats by name
	stop    func()
	updates int
	now     func() time.Time
	writes  table.WriteLimit
	visits  bridge.Visits
	logger  *slog.Logger // of the bridge
}

func open(t *testing.T) *evening {
	t.Helper()
	e := openOf(t, "spire", games.All())
	e.player("Ada", "Lira")
	return e
}

// openOf is a norn with a table of a game, of several, and its game master.
func openOf(t *testing.T, of string, all []*game.Game) *evening {
	t.Helper()
	e := &evening{
		T: t, dir: t.TempDir(), chat: newFake(), words: words(t, all), games: all, secrets: map[string]string{},
		now: time.Now, logger: slog.New(slog.DiscardHandler),
	}
	e.start()
	t.Cleanup(func() { e.close() })
	made, err := e.host.Create(t.Context(), request.NewTable{Game: of, Name: "Night shift", Lang: lang.En})
	e.must(err)
	e.id, e.secrets["gm"] = made.ID, made.Seat.Secret
	e.gm = e.seat("gm")
	return e
}

func (e *evening) must(err error) {
	e.Helper()
	if err != nil {
		e.Fatal(err)
	}
}

// start starts norn with the data in its folder.
func (e *evening) start() {
	e.Helper()
	j, err := sqlite.Open(context.Background(), e.dir)
	e.must(err)
	s, err := kvstore.Open(context.Background(), e.dir)
	e.must(err)
	r := local.New()
	e.journal, e.store = j, s
	e.host = table.New(table.Config{
		Games: game.Fixed(e.games), Words: e.words, Journal: j, Relay: r, Now: time.Now,
		Entropy: rand.NewChaCha8([32]byte{1}),
		Log:     slog.New(slog.DiscardHandler), Version: "test", Writes: e.writes,
	})
	e.bridge, err = bridge.New(context.Background(), bridge.Config{
		Host: e.host, Games: game.Fixed(e.games), Words: e.words, Store: s, Now: func() time.Time {
			return e.now()
		}, Log: e.logger, Visits: e.visits,
	})
	e.must(err)
	stop := e.bridge.Attach(context.Background(), e.chat)
	e.stop = func() {
		stop()
		e.bridge.Close()
		_ = e.host.Close()
		_ = r.Close()
		_ = s.Close()
		_ = j.Close()
	}
}

func (e *evening) close() { e.stop() }

// again restarts norn.
func (e *evening) again() {
	e.Helper()
	e.stop()
	e.start()
	e.gm = e.seat("gm")
}

func (e *evening) seat(name string) *table.Seat {
	e.Helper()
	s, err := e.host.Enter(e.Context(), e.id, e.secrets[name], lang.En)
	e.must(err)
	return s
}

// player invites a player with a character.
func (e *evening) player(name, character string) {
	e.Helper()
	e.invite(name)
	_, err := table.Do(e.Context(), e.seat(name), act.AddCharacter,
		act.CharacterRequest{Name: character, Kind: "character", Sheet: []byte(`{"skills":[{"name":"sneak"}]}`)}, "")
	e.must(err)
}

// invite invites a player, who has no character.
func (e *evening) invite(name string) {
	e.Helper()
	made, err := table.Do(e.Context(), e.gm, act.AddSeat, act.SeatRequest{Name: name, Role: string(game.Player)}, "")
	e.must(err)
	e.secrets[name] = made.Secret
}

// code returns a code from a seat's page.
func (e *evening) code(name string, whole bool) string {
	e.Helper()
	code, err := e.bridge.Code(e.Context(), e.id, e.secrets[name], whole, lang.En, "https://norn.example/t/"+e.id)
	e.must(err)
	return code
}

func (e *evening) update(who, place string) bridge.Update {
	e.updates++
	return bridge.Update{
		ID: fmt.Sprint("fake:", e.updates, e.Name()), By: bridge.Person{ID: "fake:" + who, Name: who},
		Place: "fake:" + place, Private: strings.HasPrefix(place, "dm:"),
	}
}

// do sends an update.
func (e *evening) do(u bridge.Update) bridge.Answer {
	e.Helper()
	a, err := e.bridge.Do(e.Context(), u)
	e.must(err)
	if a.Written != nil { // as its own chat would show it
		place := "fake:alone:" + u.By.Name
		id, err := e.chat.Post(e.Context(), place, a.Message, u.ID)
		e.must(err)
		a.Written(func(ctx context.Context, m bridge.Message) error { return e.chat.Edit(ctx, place, id, m) })
	}
	return a
}

// write writes a line in a place.
func (e *evening) write(who, place, line string) bridge.Answer {
	e.Helper()
	u := e.update(who, place)
	u.Line = line
	return e.do(u)
}

// press presses a control.
func (e *evening) press(who, place, id string, values ...string) bridge.Answer {
	e.Helper()
	u := e.update(who, place)
	u.Press, u.Values = id, values
	return e.do(u)
}

// until waits until so holds for the text in a place.
func (e *evening) until(place, what string, so func(string) bool) string {
	e.Helper()
	deadline := time.After(20 * time.Second)
	for {
		read := e.chat.read("fake:" + place)
		if so(read) {
			return read
		}
		select {
		case <-e.chat.news:
		case <-time.After(100 * time.Millisecond):
		case <-deadline:
			e.Fatalf("%s never has %s:\n%s", place, what, read)
		}
	}
}

func (e *evening) reads(place string, all ...string) string {
	e.Helper()
	return e.until(place, fmt.Sprint(all), func(read string) bool {
		return !slices.ContainsFunc(all, func(text string) bool { return !strings.Contains(read, text) })
	})
}

// tied ties the channel, the game master and Ada.
func (e *evening) tied() {
	e.Helper()
	if a := e.write("gaby", "hall", "table "+e.code("gm", true)); a.Alone ||
		!strings.Contains(text(a.Message), "Night shift") {
		e.Fatalf("the table came as %v", text(a.Message))
	}
	if a := e.write("gaby", "dm:gaby", "sit "+e.code("gm", false)); !strings.Contains(text(a.Message), "You sit here") {
		e.Fatalf("the game master sits by %v", text(a.Message))
	}
	if a := e.write("ada", "dm:ada", "sit "+e.code("Ada", false)); !strings.Contains(text(a.Message), "as Ada") {
		e.Fatalf("Ada sits by %v", text(a.Message))
	}
}

// control returns a control's id by its label.
func (e *evening) control(m bridge.Message, label string) string {
	e.Helper()
	for _, row := range m.Controls {
		for _, c := range row {
			if strings.Contains(c.Label, label) {
				return c.ID
			}
		}
	}
	e.Fatalf("no control %q in %s", label, text(m))
	return ""
}

func TestChannelShowsTalkAMoveItsQuestionsAndItsUndo(t *testing.T) {
	e := open(t)
	e.tied()
	if a := e.write("ada", "hall", "Good evening!"); !a.Message.Empty() {
		t.Errorf("talk is answered with %q", text(a.Message))
	}
	e.reads("hall", "**Ada**\n>Good evening!")
	e.write("ada", "hall", "check sneak")
	e.reads("hall", "**Lira · Check**", "Waits for the game master", "[Answer]")
	asked := e.chat.last("fake:hall")

	// Others who press get a private refusal; the game master gets the question privately.
	if a := e.press("ada", "hall", e.control(asked.Message, "Answer")); !a.Alone ||
		!strings.Contains(text(a.Message), "isn’t asked of you") {
		t.Errorf("Ada is asked %q", text(a.Message))
	}
	if a := e.press("stranger", "hall", e.control(asked.Message, "Answer")); !a.Alone ||
		!strings.Contains(text(a.Message), "no seat") {
		t.Errorf("a stranger is asked %q", text(a.Message))
	}
	for range 6 {
		if !strings.Contains(e.chat.read("fake:hall"), "Waits for") {
			break
		}
		a := e.press("gaby", "hall", e.control(asked.Message, "Answer"))
		t.Log(text(a.Message))
		if len(a.Message.Controls) == 0 {
			break
		}
		c := a.Message.Controls[0][0]
		id, values := c.ID, []string(nil)
		if c.Options != nil {
			values = []string{c.Options[0].Value}
		}
		if strings.HasPrefix(id, "form") {
			e.fillIn("gaby", "hall", a.Message)
		} else {
			t.Log("→", text(e.press("gaby", "hall", id, values...).Message))
		}
		e.until("hall", "something new", func(read string) bool {
			return text(e.chat.last("fake:hall").Message) != text(asked.Message)
		})
		asked = e.chat.last("fake:hall")
	}
	t.Log(e.chat.read("fake:hall"))
	t.Log("gm:", e.chat.read("fake:dm:gaby"))
	t.Log(text(e.write("gaby", "hall", "help").Message))
	a := e.write("gaby", "hall", "undo")
	t.Log(text(a.Message))
	e.reads("hall", "~")
	t.Log(e.chat.read("fake:hall"))
	for _, s := range e.bridge.Complete(t.Context(), bridge.Person{ID: "fake:ada"}, "fake:hall", "ch") {
		t.Log(s)
	}
	for _, s := range e.bridge.Complete(t.Context(), bridge.Person{ID: "fake:ada"}, "fake:hall", "check ") {
		t.Log(s)
	}
	for _, s := range e.bridge.Complete(t.Context(), bridge.Person{ID: "fake:x"}, "fake:street", "odds spire check ") {
		t.Log(s)
	}
}

// A player who is asked for faces in a chat can press for norn's dice, or type faces in.
func TestPlayerAskedForFacesRollsByAButton(t *testing.T) {
	e := open(t)
	e.tied()
	ada := e.seat("Ada")
	v, err := ada.View(t.Context())
	e.must(err)
	_, err = ada.Make(t.Context(), request.Move{Move: "check", Character: v.Characters[0].ID, ByHand: true})
	e.must(err)
	e.reads("hall", "[Answer]")
	asked := e.press("ada", "hall", e.control(e.chat.last("fake:hall").Message, "Answer")).Message
	row := asked.Controls[0]
	if len(row) != 2 || row[0].Label != "Fill in…" || !row[0].Main || row[1].Label != "Let norn roll" {
		t.Fatalf("who chose to throw by hand is offered %+v", row)
	}
	e.press("ada", "hall", row[1].ID)
	e.until("hall", "norn's dice", func(string) bool {
		read := text(e.chat.last("fake:hall").Message)
		return strings.Contains(read, "🎲") && !strings.Contains(read, "by hand")
	})
}

func TestOddsAndRollsWorkInAChatWithoutATable(t *testing.T) {
	e := open(t)
	for _, line := range []string{"odds 4d6kh3", "odds spire check", "шансы 3к6"} {
		a := e.write("guest", "street", line)
		if a.Message.Picture == nil {
			t.Errorf("%s: %s", line, text(a.Message))
			continue
		}
		if _, err := png.Decode(bytes.NewReader(a.Message.Picture)); err != nil {
			t.Error(err)
		}
		t.Log(text(a.Message), a.Message.Alt)
	}
	a := e.write("guest", "street", "roll 3d6+2")
	if a.Alone || !strings.Contains(text(a.Message), "🎲") {
		t.Errorf("rolled %s", text(a.Message))
	}
	t.Log(text(a.Message))
	t.Log(text(e.write("guest", "street", "roll spire check").Message))
	t.Log(text(e.write("guest", "street", "help").Message))
}

// A player who may take an offer can do so in a chat, and the channel's own message offers it to
// nobody else.
func TestOfferIsTakenInChatOnlyByThoseWhoMay(t *testing.T) {
	e := open(t)
	e.tied()
	_, err := table.Do(t.Context(), e.gm, act.AddCharacter,
		act.CharacterRequest{Name: "Guard", Kind: "npc", Sheet: []byte(`{}`)}, "")
	e.must(err)
	v, err := e.gm.View(t.Context())
	e.must(err)
	args := fmt.Sprintf(`{"against":%q}`, v.Characters[1].ID)
	_, err = e.gm.Make(t.Context(),
		request.Move{Move: "check", Character: v.Characters[0].ID, Args: []byte(args), Dice: []int{10}})
	e.must(err)
	if read := e.reads("hall", "🎲"); strings.Contains(read, "Mark bonus stress") {
		t.Errorf("everybody is offered it: %s", read)
	}
	if a := e.write("ada", "hall", "take"); !strings.Contains(text(a.Message), "0 can be taken") {
		t.Errorf("a player takes it: %q", text(a.Message))
	}
	e.write("gaby", "hall", "take 1")
	e.reads("hall", "Guard: stress +1")
	if a := e.write("gaby", "hall", "take"); !strings.Contains(text(a.Message), "0 can be taken") {
		t.Errorf("it's taken twice: %q", text(a.Message))
	}
	e.write("gaby", "hall", "undo")
	if v, err = e.gm.View(t.Context()); err != nil || len(v.Offers) != 1 {
		t.Errorf("after the undo %+v, %v", v.Offers, err)
	}
}

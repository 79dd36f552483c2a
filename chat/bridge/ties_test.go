package bridge_test

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/png"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"norn/chat/bridge"
	"norn/internal/limit"
	"norn/lang"
	"norn/table"
	"norn/table/act"
	"norn/table/request"
)

// log returns how many entries the game master sees.
func (e *evening) log() int {
	e.Helper()
	all, err := e.gm.Log(e.Context(), 0, 0)
	e.must(err)
	return len(all)
}

func TestACodeIsGoodOnceAndForTenMinutes(t *testing.T) {
	e := open(t)
	code := e.code("Ada", false)
	if a := e.write("ada", "hall", "table "+code); !strings.Contains(text(a.Message), "no") && !a.Alone {
		t.Errorf("a seat's code brings a table: %s", text(a.Message))
	}
	code = e.code("Ada", false)
	u := e.update("ada", "dm:ada")
	u.Line = "sit " + strings.ToLower(strings.ReplaceAll(code, "-", " "))
	first, again := e.do(u), e.do(u)
	if text(first.Message) != text(again.Message) || !strings.Contains(text(first.Message), "as Ada") {
		t.Errorf("told twice it's answered %q and %q", text(first.Message), text(again.Message))
	}
	if a := e.write("eve", "dm:eve", "sit "+code); !strings.Contains(text(a.Message), "opens nothing") {
		t.Errorf("used twice: %s", text(a.Message))
	}
	late := e.code("Ada", false)
	e.now = func() time.Time { return time.Now().Add(11 * time.Minute) }
	if a := e.write("ada", "dm:ada", "sit "+late); !strings.Contains(text(a.Message), "opens nothing") {
		t.Errorf("late: %s", text(a.Message))
	}
}

func TestWrongCodesAreLimited(t *testing.T) {
	e := open(t)
	good := e.code("Ada", false)
	for i := range 5 {
		e.write("eve", fmt.Sprint("cellar", i), "sit AAAA-BBB"+fmt.Sprint(i+2))
	}
	if a := e.write("eve", "attic", "sit "+good); !strings.Contains(text(a.Message), "Too many") {
		t.Errorf("a guesser sits: %s", text(a.Message))
	}
	if a := e.write("ada", "dm:ada", "sit "+good); !strings.Contains(text(a.Message), "as Ada") {
		t.Errorf("Ada can't sit: %s", text(a.Message))
	}
}

func TestGuessersAreBlockedWithoutBlockingOthers(t *testing.T) {
	e := open(t)
	guesses := func(who, place string) string {
		e.Helper()
		return text(e.write(who, place, "sit AAAA-BBBB").Message)
	}
	for i := range 5 {
		guesses("eve", fmt.Sprint("cellar", i))
	}
	if got := guesses("eve", "cellar9"); !strings.Contains(got, "Too many") {
		t.Errorf("a sixth guess of an account is heard: %s", got)
	}
	for range 5 {
		guesses("mallory", "hall")
	}
	if got := guesses("ada", "hall"); !strings.Contains(got, "opens nothing") {
		t.Errorf("one guesser shuts a chat: %s", got)
	}
	for i := range 250 { // in one chat, each by another account
		guesses(fmt.Sprint("swarm", i), "hall")
	}
	if got := guesses("bob", "hall"); !strings.Contains(got, "Too many") {
		t.Errorf("a chat is guessed in without end: %s", got)
	}
	if a := e.write("ada", "dm:ada", "sit "+e.code("Ada", false)); !strings.Contains(text(a.Message), "as Ada") {
		t.Errorf("others' guesses shut Ada out: %s", text(a.Message))
	}
}

// visits allows each account a number of updates.
type visits map[string]int

func (v visits) Visit(account string) time.Duration {
	if v[account]++; v[account] > 3 {
		return 2 * time.Second
	}
	return 0
}

func TestAnAccountThatComesTooOftenIsTurnedAway(t *testing.T) {
	e := open(t)
	e.visits = visits{}
	e.again()
	for range 3 {
		e.write("eve", "dm:eve", "roll 2d6")
	}
	if got := text(e.write("eve", "dm:eve", "roll 2d6").Message); !strings.Contains(got, "Try again in 2 seconds") {
		t.Errorf("a fourth line: %s", got)
	}
	if found := e.bridge.Complete(t.Context(), bridge.Person{ID: "fake:eve"}, "fake:dm:eve", "ro"); found != nil {
		t.Errorf("is offered %v", found)
	}
	if got := text(e.write("ada", "dm:ada", "roll 2d6").Message); strings.Contains(got, "Try again") {
		t.Errorf("another account: %s", got)
	}
}

// writes allows each seat a number of entries.
type writes struct{ left int }

func (w *writes) Write(string, string) time.Duration {
	if w.left--; w.left < 0 {
		return 2 * time.Second
	}
	return 0
}

func (*writes) Wrote(string, string, int) {}

func TestChatAndPageShareASeatsWriteLimit(t *testing.T) {
	e := open(t)
	e.tied()
	limit := &writes{left: 10}
	e.writes = limit
	e.again()
	refused := 0
	for i := range 40 {
		if strings.Contains(text(e.write("ada", "hall", fmt.Sprint("say line ", i)).Message),
			"Try again in 2 seconds") {
			refused++
		}
	}
	if refused != 30 {
		t.Errorf("%d of 40 lines were refused, want 30", refused)
	}
}

// A flood from one account is refused beyond a server's default limits, while another account can
// play.
func TestConcurrentLinesOfOneAccountAreLimited(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: does the same thing many times")
	}
	e := open(t)
	e.tied()
	at := time.Now()
	usual := limit.New(limit.Usual(), func() time.Time { return at }, nil) // without time passing
	e.visits, e.writes = usual, usual
	e.again()
	const lines = 7000
	refused := 0
	for i := range lines {
		if strings.Contains(text(e.write("ada", "hall", fmt.Sprint("say line ", i)).Message), "Try again") {
			refused++
		}
	}
	if refused != lines-300 {
		t.Errorf("%d of %d lines are refused, want all but 300", refused, lines)
	}
	if usual.Visit("fake:ada") == 0 {
		t.Error("the account may go on")
	}
	if got := text(e.write("gaby", "hall", "roll 2d6").Message); strings.Contains(got, "Try again") {
		t.Errorf("another account: %s", got)
	}
}

func TestRepeatedUpdateIsDoneOnce(t *testing.T) {
	e := open(t)
	e.tied()
	for _, line := range []string{"check sneak", "Hello there", "roll 2d6"} {
		u := e.update("ada", "hall")
		u.Line = line
		e.do(u)
		before := e.log()
		e.do(u)
		e.again()
		e.do(u)
		if after := e.log(); after != before {
			t.Errorf("%s: %d entries have become %d", line, before, after)
		}
	}
	u := e.update("gaby", "hall")
	u.Line = "undo"
	e.do(u)
	before := e.log()
	e.do(u)
	if e.log() != before {
		t.Error("undone twice")
	}
}

// asked makes a question wait for the game master, and returns its control.
func (e *evening) asked() string {
	e.Helper()
	for n := 1; n < 20; n++ {
		e.write("ada", "hall", "check sneak")
		e.until("hall", "the check", func(read string) bool { return strings.Count(read, "**Lira · Check**") == n })
		if m := e.chat.last("fake:hall").Message; len(m.Controls) > 0 {
			return e.control(m, "Answer")
		}
	}
	e.Fatal("no check ever fails")
	return ""
}

func TestQuestionCanBeAnsweredAfterARestart(t *testing.T) {
	e := open(t)
	e.tied()
	ask := e.asked()
	made := strings.Count(e.chat.read("fake:hall"), "**Lira · Check**")
	question := e.press("gaby", "hall", ask)
	e.again()
	if a := e.press("gaby", "hall", ask); text(a.Message) != text(question.Message) {
		t.Errorf("after the restart it's asked %q", text(a.Message))
	}
	u := e.fillIn("gaby", "hall", question.Message)
	read := e.until("hall", "an answer", func(read string) bool { return !strings.Contains(read, "Waits for") })
	if checks := strings.Count(read, "**Lira · Check**"); checks != made {
		t.Errorf("%d moves are %d messages:\n%s", made, checks, read)
	}
	before := e.log()
	e.do(u) // the platform doesn't know that it arrived
	if a := e.press("gaby", "hall", u.Press); !strings.Contains(text(a.Message), "answered already") {
		t.Errorf("answered again: %q", text(a.Message))
	}
	if e.log() != before {
		t.Error("answered twice")
	}
}

func TestADialogHoldsTheQuestionsForm(t *testing.T) {
	e := open(t)
	e.tied()
	question := e.press("gaby", "hall", e.asked())
	form := e.press("gaby", "hall", e.control(question.Message, "Fill in")).Form
	if form == nil || len(form.Fields) == 0 || len(form.Fields) > 5 {
		t.Fatalf("the dialog is %+v", form)
	}
	u := e.update("gaby", "hall")
	u.Press, u.Fields = form.ID, map[string]string{}
	for _, f := range form.Fields {
		u.Fields[f.Name] = f.Value
		if f.Kind == bridge.Choice && len(f.Options) > 1 && f.Value == "" {
			u.Fields[f.Name] = f.Options[0].Value
		}
	}
	if a := e.do(u); a.Form != nil || strings.Contains(text(a.Message), "too old") {
		t.Errorf("answered %q", text(a.Message))
	}
	e.until("hall", "an answer", func(read string) bool { return !strings.Contains(read, "Waits for") })
}

func TestSecretsReachTheGameMasterAlone(t *testing.T) {
	var halls []string
	for _, secrets := range []bool{true, false} { // two tables that differ only in secrets
		e := open(t)
		e.tied()
		e.write("ada", "hall", "Where are we?")
		if secrets {
			e.write("gaby", "hall", "secret roll 3d6")
			e.write("ada", "dm:ada", "gm I look for traps")
			e.write("gaby", "dm:gaby", "w Ada you find one")
			e.reads("dm:gaby", "🎲", "I look for traps")
			e.reads("dm:ada", "you find one")
			if read := e.chat.read("fake:dm:ada"); strings.Contains(read, "🎲") ||
				strings.Contains(read, "Where are we") {
				t.Errorf("Ada is told in private:\n%s", read)
			}
		}
		e.write("ada", "hall", "Onwards!")
		halls = append(halls, e.reads("hall", "Where are we?", "Onwards!"))
	}
	if halls[0] != halls[1] {
		t.Errorf("the channel knows of secrets:\n%s\n\nand without:\n%s", halls[0], halls[1])
	}
}

// A chat shows a picture's description; it disappears when the picture is withdrawn.
func TestAPictureTakenBackIsInNoMessage(t *testing.T) {
	e := open(t)
	e.tied()
	var file bytes.Buffer
	e.must(png.Encode(&file, image.NewGray(image.Rect(0, 0, 8, 8))))
	shown, err := e.gm.AddPicture(e.Context(), file.Bytes(), 0, "")
	e.must(err)
	_, err = table.Do(e.Context(), e.gm, act.ShowPicture,
		act.ShowPictureRequest{Picture: shown.Hash, Alt: "A drowned bell"}, "")
	e.must(err)
	e.reads("hall", "A drowned bell")
	_, err = table.Do(e.Context(), e.gm, act.HidePicture, act.PictureNamed{Picture: shown.Hash}, "")
	e.must(err)
	e.until("hall", "forget the bell", func(read string) bool { return !strings.Contains(read, "A drowned bell") })
}

func TestSeatWithoutAChannelGetsEverythingInPrivate(t *testing.T) {
	e := open(t)
	e.write("ada", "dm:ada", "sit "+e.code("Ada", false))
	e.write("ada", "dm:ada", "check sneak")
	e.reads("dm:ada", "**Lira · Check**", "🎲")
	_, err := table.Do(t.Context(), e.gm, act.Talk, act.TalkRequest{Text: "The door creaks."}, "")
	e.must(err)
	e.reads("dm:ada", ">The door creaks.")
}

func TestConcurrentFloodIsMergedAndDelaysNobody(t *testing.T) {
	e := open(t)
	e.tied()
	gate := make(chan struct{})
	e.chat.mu.Lock()
	e.chat.fail = func(_, place string) error {
		if place != "fake:hall" {
			return nil
		}
		select {
		case <-gate:
			return nil
		default:
			return &bridge.Later{After: 50 * time.Millisecond}
		}
	}
	e.chat.mu.Unlock()
	const n = 120
	for i := range n {
		e.write("ada", "hall", fmt.Sprintf("say line %03d.", i))
	}
	close(gate)
	read := e.reads("hall", fmt.Sprintf("line %03d.", n-1))
	last := -1
	for i := range n {
		at := strings.Index(read, fmt.Sprintf("line %03d.", i))
		if at <= last || strings.Count(read, fmt.Sprintf("line %03d.", i)) != 1 {
			t.Fatalf("line %d is lost, twice there or out of order:\n%s", i, read)
		}
		last = at
	}
	if posts := strings.Count(read, "---") + 1; posts > n/5 {
		t.Errorf("%d messages for %d lines", posts, n)
	}
}

func TestLostResponseCausesNoSecondMessage(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: waits for timeouts or other processes")
	}
	e := open(t)
	e.tied()
	var mu sync.Mutex
	lost := map[int]bool{}
	e.chat.mu.Lock()
	e.chat.after = func(n int) error {
		mu.Lock()
		defer mu.Unlock()
		if !lost[n] {
			lost[n] = true
			return errors.New("connection reset")
		}
		return nil
	}
	e.chat.mu.Unlock()
	for _, line := range []string{"say one.", "say two.", "say three."} {
		e.write("ada", "hall", line)
	}
	read := e.reads("hall", "one.", "two.", "three.")
	e.until("hall", "three alone", func(string) bool { return true })
	for _, word := range []string{"one.", "two.", "three."} {
		if strings.Count(read, word) != 1 {
			t.Errorf("%s:\n%s", word, read)
		}
	}
}

func TestMissingChannelIsUnlinked(t *testing.T) {
	e := open(t)
	e.tied()
	e.chat.mu.Lock()
	e.chat.fail = func(_, place string) error {
		if place == "fake:hall" {
			return &bridge.Gone{What: "channel deleted"}
		}
		return nil
	}
	e.chat.mu.Unlock()
	e.write("ada", "hall", "Anybody here?")
	deadline := time.After(10 * time.Second)
	for {
		all := e.bridge.Of(e.id)
		if slices.ContainsFunc(all, func(t bridge.TieShown) bool { return t.Whole && t.Ended == "channel deleted" }) {
			break
		}
		select {
		case <-deadline:
			t.Fatalf("ties are %+v", all)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// A place that gets another id gets the old messages edited there, and new ones.
func TestChannelThatChangesItsIDKeepsItsMessages(t *testing.T) {
	e := open(t)
	e.tied()
	e.write("ada", "hall", "check sneak")
	e.reads("hall", "Lira")
	e.chat.mu.Lock()
	e.chat.places["fake:moved"], e.chat.places["fake:hall"] = e.chat.places["fake:hall"], nil
	e.chat.mu.Unlock()
	e.must(e.bridge.Moved(t.Context(), "fake:hall", "fake:moved"))
	e.write("gaby", "moved", "undo")
	e.write("ada", "moved", "say still here.")
	e.reads("moved", "Undone", "still here.")
	if read := e.chat.read("fake:hall"); read != "" {
		t.Errorf("the old place reads %s", read)
	}
}

func TestRenewedSeatIsUnlinkedFromChat(t *testing.T) {
	e := open(t)
	e.tied()
	ada := e.seat("Ada").ID()
	_, err := table.Do(t.Context(), e.gm, act.RenewSeat, act.SeatNamed{Seat: ada}, "")
	e.must(err)
	if a := e.write("ada", "hall", "check sneak"); !strings.Contains(text(a.Message), "no seat") {
		t.Errorf("it plays on: %s", text(a.Message))
	}
}

func TestGameMasterUnlinksChats(t *testing.T) {
	e := open(t)
	e.tied()
	for _, tie := range e.bridge.Of(e.id) {
		if err := e.bridge.End(t.Context(), e.seat("Ada"), tie.ID); err != nil {
			t.Fatal(err)
		}
	}
	left := e.bridge.Of(e.id)
	if len(left) != 2 {
		t.Fatalf("Ada has ended others' ties: %+v", left)
	}
	for _, tie := range left {
		e.must(e.bridge.End(t.Context(), e.gm, tie.ID))
	}
	if left := e.bridge.Of(e.id); len(left) != 0 {
		t.Errorf("left are %+v", left)
	}
	v, err := e.gm.View(t.Context())
	e.must(err)
	if len(v.Seats) != 2 {
		t.Errorf("the channel's seat is still there: %+v", v.Seats)
	}
}

func TestEachReaderGetsTheirLanguage(t *testing.T) {
	e := open(t)
	e.tied()
	u := e.update("ada", "dm:ada")
	u.By.Lang = lang.Ru
	u.Line = "sit " + e.code("Ada", false)
	if a := e.do(u); !strings.Contains(text(a.Message), "Ваше место") {
		t.Errorf("Ada hears %q", text(a.Message))
	}
	if a := e.write("ada", "hall", "помощь"); !strings.Contains(text(a.Message), "Ходы") {
		t.Errorf("help is %q", text(a.Message))
	}
	e.write("ada", "hall", "проверка sneak")
	e.reads("hall", "**Lira · Check**")
}

// An edited message notifies nobody, so a person who is asked in the middle of a move gets a new
// message.
func TestPersonAskedInMidMoveIsNotified(t *testing.T) {
	e := open(t)
	e.tied()
	_, err := e.seat("Ada").Make(t.Context(),
		request.Move{
			Move: "check", Character: "c1", Args: []byte(`{"skill":"sneak"}`), ByHand: true,
			Dice: []int{1, 1},
		})
	e.must(err)
	e.reads("hall", "Waits for the game master")
	check := e.chat.last("fake:hall").Message
	if !slices.Equal(check.Calls, []bridge.Person{{ID: "fake:gaby", Name: "gaby"}}) || check.Quiet {
		t.Errorf("called are %v", check.Calls)
	}
	question := e.press("gaby", "hall", e.control(check, "Answer"))
	e.fillIn("gaby", "hall", question.Message)
	e.until("hall", "a call", func(read string) bool { return strings.Count(read, "Waits for Lira") == 2 })
	call := e.chat.last("fake:hall").Message
	if !slices.Equal(call.Calls, []bridge.Person{{ID: "fake:ada", Name: "ada"}}) || call.Quiet {
		t.Errorf("called are %v by %s", call.Calls, text(call))
	}
	asked := e.press("ada", "hall", e.control(call, "Answer"))
	form := e.press("ada", "hall", e.control(asked.Message, "Fill in")).Form
	u := e.update("ada", "hall")
	u.Press, u.Fields = form.ID, map[string]string{form.Fields[0].Name: "3"}
	e.do(u)
	e.until("hall", "one call alone", func(read string) bool {
		// of the move, and of the call for the next die
		return strings.Contains(read, "The move goes on.") && strings.Count(read, "Waits for") == 2
	})
}

func TestADialogForAMoveOutlastsARestart(t *testing.T) {
	e := open(t)
	e.tied()
	form := e.write("ada", "hall", "No roll").Form
	if form == nil || len(form.Fields) == 0 {
		t.Fatalf("the dialog is %+v", form)
	}
	u := e.update("ada", "hall")
	u.Press, u.Fields = form.ID, map[string]string{}
	for _, f := range form.Fields {
		u.Fields[f.Name] = f.Value
		if f.Kind == bridge.Choice && f.Value == "" && len(f.Options) > 0 {
			u.Fields[f.Name] = f.Options[0].Value
		} else if f.Needed {
			u.Fields[f.Name] = "climbs the tower"
		}
	}
	e.again()
	if a := e.press("ada", "hall", form.ID); !reflect.DeepEqual(a.Form, form) {
		t.Errorf("after the restart the dialog is %+v, was %+v", a.Form, form)
	}
	if a := e.press("gaby", "hall", form.ID); a.Form != nil || !strings.Contains(text(a.Message), "too old") {
		t.Errorf("another opens it: %+v", a)
	}
	e.do(u)
	e.reads("hall", "climbs the tower")
	before := e.log()
	e.do(u) // a repeated update
	if e.log() != before {
		t.Error("made twice")
	}
	now := e.now()
	e.now = func() time.Time { return now.Add(16 * time.Minute) }
	if a := e.press("ada", "hall", form.ID); a.Form != nil || !strings.Contains(text(a.Message), "too old") {
		t.Errorf("it outlasts its time: %+v", a)
	}
}

func TestDialogsOfOnePersonAreBounded(t *testing.T) {
	e := open(t)
	e.tied()
	first := e.write("gaby", "dm:gaby", "No roll").Form
	var forms []*bridge.Form
	for range 9 {
		forms = append(forms, e.write("ada", "hall", "No roll").Form)
	}
	if kept, err := e.store.All(t.Context(), "chat.drafts"); err != nil || len(kept) != 9 {
		t.Errorf("%d dialogs are kept (%v)", len(kept), err)
	}
	if a := e.press("ada", "hall", forms[0].ID); a.Form != nil {
		t.Error("the oldest is kept")
	}
	if e.press("ada", "hall", forms[8].ID).Form == nil || e.press("gaby", "dm:gaby", first.ID).Form == nil {
		t.Error("the newest, or another's, is gone")
	}
}

package projection

import (
	"bufio"
	"bytes"
	"cmp"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"norn/form"
	"norn/game"
	"norn/lang"
	"norn/table/act"
	"norn/table/internal/ledger"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/view"
)

// Story writes session by session, so that memory never holds all.
func Story(st ledger.Ledger, to io.Writer, speaker lang.Speaker, t request.Telling) error {
	if t.Session < 0 || t.Session > len(st.Sessions) {
		return refusal.Invalid("session", form.Range, func(p *form.Problem) {
			p.Min, p.Max, p.Given = 1, len(st.Sessions), strconv.Itoa(t.Session)
		})
	}
	if t.Zone == nil {
		t.Zone = time.UTC
	}
	// every seat sees at least as much as a spectator
	e := visibility.Of(st, &state.Seat{Role: game.Spectator}, speaker)
	w := bufio.NewWriter(&lastLine{w: to})
	w.WriteString("# " + inline(st.Name) + "\n\n*" + inline(e.Word("game", "name")) + "*\n\n")
	for _, s := range st.Sessions {
		if t.Session == 0 || t.Session == s.N {
			(&teller{Eye: e, w: w, zone: t.Zone, pictures: t.Pictures}).chapter(s)
		}
	}
	return w.Flush()
}

// lastLine omits the empty line at the end.
type lastLine struct {
	w    io.Writer
	held bool
}

func (l *lastLine) Write(text []byte) (int, error) {
	if len(text) == 0 {
		return 0, nil
	}
	if l.held {
		if _, err := l.w.Write([]byte("\n")); err != nil {
			return 0, err
		}
	}
	l.held = text[len(text)-1] == '\n'
	_, err := l.w.Write(bytes.TrimSuffix(text, []byte("\n")))
	return len(text), err
}

// sceneBreak is the time without events after which the story marks a new scene.
const sceneBreak = 30 * time.Minute

// teller writes a session as a chapter. It holds one move and the folded bookkeeping in memory,
// however long the session is.
type teller struct {
	*visibility.Eye
	w    *bufio.Writer
	zone *time.Location
	// address that the hash of a picture follows; "" writes none
	pictures string
	told     bool
	throws   int
	scene    string    // name of the last fight or task
	last     time.Time // time of the last event
	held     string    // a paragraph that may repeat
	times    int       // its repetitions
	fold     bookkeeping
}

// bookkeeping collects changes of the table that aren't part of its story. They are written in one
// line.
type bookkeeping struct {
	came, went, edited []string
	settled            bool
}

// chapter writes a session: who was present, what happened, and last its dice.
func (t *teller) chapter(s *state.Session) {
	began, about := t.Voice.Time(t.began(s), t.zone), []string(nil)
	head := t.Voice.Say("table.story.session", "N", s.N, "Time", began)
	if titles := t.sceneTitles(s); len(titles) > 0 {
		head = t.Voice.Say("table.story.titled", "N", s.N, "Titles", strings.Join(titles, " · "))
		about = append(about, began+".")
	}
	if there := t.present(s); len(there) > 0 {
		about = append(about, t.Voice.Say("table.story.present", "Names", strings.Join(there, ", ")))
	}
	t.w.WriteString("## " + inline(head) + "\n\n")
	if len(about) > 0 {
		t.w.WriteString("*" + inline(strings.Join(about, " ")) + "*\n\n")
	}
	for r := range t.Table.OfSession(s.N) {
		if (r.Kind == view.KindMove || act.Vocabulary.Kinds[r.Kind].Story) && t.SeesEntry(r) && !t.Table.Undone.Has(r) {
			t.tell(r)
		}
	}
	t.close()
	if !t.told {
		t.paragraph("*" + inline(t.Voice.Say("table.story.nothing")) + "*")
	}
	t.note(s)
}

// began returns when the session's first move was made or, without one, when its dice were sealed:
// that is when the session before ended.
func (t *teller) began(s *state.Session) time.Time {
	for r := range t.Table.OfSession(s.N) {
		if r.Kind == view.KindMove && t.SeesEntry(r) {
			return r.Time
		}
	}
	return s.Began
}

// sceneTitles lists the titles of the scenes that were set in a session, each once.
func (t *teller) sceneTitles(s *state.Session) (titles []string) {
	for r := range t.Table.OfSession(s.N) {
		if r.Kind == view.KindScene && !t.Table.Undone.Has(r) {
			scene := act.SceneSet(r)
			if scene != nil && t.SeesEntry(r) && !slices.Contains(titles, scene.Title) {
				titles = append(titles, scene.Title)
			}
		}
	}
	return titles
}

// present returns the seats that did something in a session, players with the characters that they
// played.
func (t *teller) present(s *state.Session) []string {
	there := map[string][]string{}
	for r := range t.Table.OfSession(s.N) {
		if r.Seat == "" || r.Kind != view.KindMove && r.Kind != view.KindAnswer && r.Kind != view.KindTalk ||
			!t.SeesEntry(r) || t.Table.Undone.Has(r) {
			continue
		}
		as := ""
		if said, ok := act.Speech(r); ok {
			as = said.Character
		} else if r.Kind == view.KindMove {
			as = r.Of.Actor
		}
		if c := t.Table.Characters.Of(as); c == nil || c.Owner != r.Seat || slices.Contains(there[r.Seat], as) ||
			!t.Sees(as) {
			as = ""
		}
		played := there[r.Seat]
		if as != "" {
			played = append(played, as)
		}
		there[r.Seat] = played // also those who played no character
	}
	var names []string
	for _, seat := range t.Table.Seats {
		as, here := there[seat.ID]
		switch {
		case here && len(as) > 0:
			names = append(names, t.Voice.Say("table.story.as", "Name", seat.Name, "As",
				t.Voice.List(game.Each(as, t.Name))))
		case here:
			names = append(names, seat.Name)
		}
	}
	return names
}

// tell writes what began with a record.
func (t *teller) tell(r *state.Record) {
	if r.Of == nil && t.folds(r) || r.Of != nil && r.Of.Def.Order == game.OrderActed {
		return
	}
	if !t.last.IsZero() && r.Time.Sub(t.last) >= sceneBreak {
		t.close()
		t.scene = ""
		t.paragraph("\\* \\* \\*")
	}
	t.last = r.Time
	switch {
	case r.Of != nil:
		if scene := t.sceneOf(r.Of); scene != "" && scene != t.scene {
			t.close()
			t.scene = scene
			t.paragraph("### " + inline(scene))
		}
		one := moveStoryOf(t.Eye, r)
		t.throws += len(one.throws)
		t.say(one.prose(t.Eye))
	case r.Kind == view.KindPicture && !act.ShowsPicture(t.Eye, r):
	case r.Kind == view.KindScene:
		if scene := act.SceneSet(r); scene != nil {
			t.close()
			t.scene = ""
			t.paragraph("### " + inline(scene.Title))
			t.picture(scene.Picture, scene.Title)
			t.quote(scene.Note)
		}
	case r.Kind == view.KindHandout:
		t.handout(r)
	case r.Kind == view.KindTalk:
		t.say(spoken(t.Eye, r))
	default:
		if hash, alt := act.PictureShown(r); hash != "" {
			t.close()
			t.picture(hash, alt)
		}
		shown := cmp.Or(Entry(t.Eye, r), &view.Entry{})
		for _, l := range shown.Lines {
			if l.Text != "" {
				t.say("*" + inline(l.Text) + "*")
			}
		}
	}
}

// picture writes a picture that everybody at the table may load.
func (t *teller) picture(hash, alt string) {
	if _, ok := t.Attachment(view.UsePicture, hash); ok && t.pictures != "" {
		t.paragraph("![" + inline(alt) + "](" + t.pictures + hash + ")")
	}
}

// handout writes a note that was shared with everybody and still is.
func (t *teller) handout(r *state.Record) {
	id, text := act.NoteShared(r)
	if _, ok := t.Table.Handouts.Of(id); ok {
		t.close()
		t.quote(text)
	}
}

// quote writes a text for players as it was written, line by line.
func (t *teller) quote(text string) {
	var paragraphs []string
	for part := range strings.SplitSeq(text, "\n\n") {
		var lines []string
		for line := range strings.Lines(part) {
			if line = opening(line); line != "" {
				lines = append(lines, "> "+line)
			}
		}
		if len(lines) > 0 {
			paragraphs = append(paragraphs, strings.Join(lines, "  \n"))
		}
	}
	if len(paragraphs) > 0 {
		t.paragraph(strings.Join(paragraphs, "\n>\n"))
	}
}

// sceneOf returns the name of the fight or task that a move is about, "" for none.
func (t *teller) sceneOf(m *state.Move) string {
	for _, id := range append([]string{m.Actor}, m.Cast...) {
		if t.Sees(id) && kindOf(t.Eye, id).Scene {
			return t.Name(id)
		}
	}
	return ""
}

// folds adds a record to the bookkeeping; false if it isn't bookkeeping.
func (t *teller) folds(r *state.Record) bool {
	once := func(to *[]string, id string) {
		if t.Sees(id) && !isThing(t.Eye, id) && !slices.Contains(*to, t.Name(id)) {
			*to = append(*to, t.Name(id))
		}
	}
	switch r.Kind {
	case view.KindSettings:
		t.fold.settled = true
	case view.KindCharacter:
		came, went, edited := act.CastChange(r)
		once(&t.fold.came, came)
		once(&t.fold.went, went)
		if !slices.Contains(t.fold.came, t.Name(edited)) { // a new character's edits aren't worth a mention
			once(&t.fold.edited, edited)
		}
	default:
		return false
	}
	return true
}

// say writes a paragraph when the next one differs, so that repetitions can be counted.
func (t *teller) say(text string) {
	if text == "" {
		return
	}
	if text == t.held && t.fold.none() {
		t.times++
		return
	}
	t.close()
	t.held, t.times = text, 1
}

// close writes the pending paragraph and then the bookkeeping.
func (t *teller) close() {
	if t.held != "" {
		if t.times > 1 {
			t.held += " (×" + t.Voice.Number(t.times) + ")"
		}
		t.paragraph(t.held)
	}
	var folded []string
	for _, of := range []struct {
		word  string
		names []string
	}{{"came", t.fold.came}, {"went", t.fold.went}, {"edited", t.fold.edited}} {
		if n := len(of.names); n > 0 {
			folded = append(folded, t.Voice.Say("table.story."+of.word, "N", n, "Names", t.Voice.List(of.names)))
		}
	}
	if t.fold.settled {
		folded = append(folded, t.Voice.Say("table.story.settled"))
	}
	if len(folded) > 0 {
		t.paragraph("*" + inline(strings.Join(folded, " ")) + "*")
	}
	t.held, t.times, t.fold = "", 0, bookkeeping{}
}

func (f bookkeeping) none() bool { return len(f.came)+len(f.went)+len(f.edited) == 0 && !f.settled }

func (t *teller) paragraph(text string) {
	t.told = t.told || !strings.HasPrefix(text, "#")
	t.w.WriteString(text + "\n\n")
}

// note writes about the dice of a chapter: the number of rolls, the remarkable ones, and who was
// lucky.
func (t *teller) note(s *state.Session) {
	var said []string
	if t.throws > 0 {
		said = append(said, t.Voice.Say("table.story.throws", "N", t.throws))
	}
	of := Recap(t.Eye, s.N)
	for _, one := range []struct {
		word  string
		throw *view.RecapThrow
	}{{"best", of.Best}, {"worst", of.Worst}} {
		if one.throw != nil {
			said = append(said, t.Voice.Say("table.story."+one.word, "Said", one.throw.Said))
		}
	}
	for _, f := range Fortunes(t.Eye, s.N) {
		luck := f.Luck()
		said = append(said, t.Voice.Say("table.story.luckier", "Name", luck.Name, "N", luck.Throws, "P",
			t.Voice.Percent(luck.Probability)))
	}
	if len(said) > 0 {
		t.w.WriteString("> " + inline(strings.Join(said, " ")) + "\n\n")
	}
}

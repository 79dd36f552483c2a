package lang_test

import (
	"io/fs"
	"slices"
	"sync"
	"testing"

	"norn/lang"
)

// A game's own texts are made when they're first used, and only once. A speaker with newer texts
// uses those.
func TestConcurrentSpeakersMakeAGamesTextsOnce(t *testing.T) {
	made := map[string]int{}
	var turn sync.Mutex
	own := func(text string) *lang.Own {
		return lang.OwnOf("toy", []string{"toy.a", "toy.n"}, func(l lang.Lang, n int) lang.Forms {
			turn.Lock()
			defer turn.Unlock()
			made[text+string(l)]++
			return []lang.Forms{
				{Other: text + " {{.Who}} " + string(l)},
				{One: "{{.N}} one", Other: "{{.N}} {{ many"},
			}[n]
		})
	}
	first, newer := own("first"), own("newer")
	words, err := lang.Load(said, fs.FS(first))
	if err != nil {
		t.Fatal(err)
	}
	s := words.In(lang.En)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() { s.Say("toy.a") })
	}
	all.Wait()
	for _, c := range []struct{ got, want string }{
		{s.Say("toy.a", "Who", "Ann"), "first Ann en"},
		{words.In(lang.Ru).Say("toy.a", "Who", "Ann"), "first Ann ru"},
		{s.Say("toy.n", "N", 1), "1 one"},
		{s.Say("toy.n", "N", 2), "{{.N}} {{ many"}, // invalid places are shown unchanged
		{s.Say("toy.gone"), "⟨toy.gone⟩"},
		{s.Say("toys.a"), "⟨toys.a⟩"},
		{s.With(newer).Say("toy.a", "Who", "Ann"), "newer Ann en"},
		{s.With(newer).Say("t.plain"), "Throw"},
		{s.With(newer).With(first).Say("toy.a", "Who", "Ann"), "first Ann en"},
		{s.With(nil).Say("t.plain"), "Throw"},
	} {
		if c.got != c.want {
			t.Errorf("got %s, want %s", c.got, c.want)
		}
	}
	if made["newerru"] != 0 {
		t.Errorf("texts were made that nobody said: %v", made)
	}
	if again := s.With(newer); again != s.With(newer) {
		t.Error("two speakers with the same texts differ")
	}
	if !slices.Contains(words.IDs(lang.Uk), "toy.n") || words.Forms(lang.Uk, "toy.n")["one"] != "{{.N}} one" {
		t.Error("its texts aren't among the words")
	}
	words.Take(newer)
	if got := s.Say("toy.a", "Who", "Ann"); got != "newer Ann en" {
		t.Errorf("after newer ones were taken: %s", got)
	}
}

package secrets

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// ledger records the secrets of a table and who may see them. Everything that a guest was sent is
// searched for secrets that the guest may not see.
//
// A marked text is "zq" and eleven hexadecimal digits, so HTML, JSON, addresses and Markdown don't
// change it. Keys (links, seals, hashes of links) are searched for in hexadecimal and in every
// base64. Secret moves are searched for by their ids.
type ledger struct {
	mu    sync.Mutex
	n     int
	texts map[string]*mark
	keys  map[string]*mark // by the first bytes of each encoding
	moves map[string]*mark
}

// mark is one secret.
type mark struct {
	what string
	may  []string // guests who may see it; nil for nobody
	all  bool     // it isn't secret any more
	none bool     // it never was a secret
}

func (m *mark) hidden(guest string) bool { return !m.all && !slices.Contains(m.may, guest) }

const (
	sign     = "zq"
	textSize = len(sign) + 11
	keySize  = 20 // this part of a key identifies it
)

func newLedger() *ledger {
	return &ledger{texts: map[string]*mark{}, keys: map[string]*mark{}, moves: map[string]*mark{}}
}

// text returns a new marked text.
func (l *ledger) text(what string, may ...string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.n++
	text := fmt.Sprintf("%s%011x", sign, l.n*0x9e3779b1&0xfffffffffff)
	l.texts[text] = &mark{what: what, may: may}
	return text
}

// key marks a secret of bytes.
func (l *ledger) key(what string, secret []byte, may ...string) {
	if len(secret) < keySize {
		panic("a key too short to be known by: " + what)
	}
	l.keyText(what, hex.EncodeToString(secret), may...)
	l.keyText(what, strings.ToUpper(hex.EncodeToString(secret)), may...)
	for _, e := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding} {
		l.keyText(what, e.EncodeToString(secret), may...)
	}
}

// keyText marks a secret by its text.
func (l *ledger) keyText(what, text string, may ...string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, known := l.keys[text[:keySize]]; !known {
		l.keys[text[:keySize]] = &mark{what: what, may: may}
	}
}

// move marks a secret move by its id.
func (l *ledger) move(id string, may ...string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.moves[id] = &mark{what: "secret move " + id, may: may}
}

// open marks secrets as public.
func (l *ledger) open(is func(what string) bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, marks := range []map[string]*mark{l.texts, l.keys, l.moves} {
		for _, m := range marks {
			m.all = m.all || is(m.what)
		}
	}
}

// plain marks a text as never secret, since everybody can see it.
func (l *ledger) plain(in string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for text, m := range l.texts {
		if !m.none && strings.Contains(in, text) {
			m.all, m.none = true, true
		}
	}
}

// found returns the secrets in a text that a guest may not see.
func (l *ledger) found(guest, text string) []*mark {
	l.mu.Lock()
	defer l.mu.Unlock()
	var found []*mark
	tell := func(m *mark) {
		if m != nil && m.hidden(guest) && !slices.Contains(found, m) {
			found = append(found, m)
		}
	}
	for rest := text; ; {
		i := strings.Index(rest, sign)
		if i < 0 || len(rest)-i < textSize {
			break
		}
		tell(l.texts[rest[i:i+textSize]])
		rest = rest[i+len(sign):]
	}
	for i := 0; i < len(text); {
		n := 0
		for i+n < len(text) && keyByte(text[i+n]) {
			n++
		}
		for at := i; at+keySize <= i+n; at++ {
			tell(l.keys[text[at:at+keySize]])
		}
		i += n + 1
	}
	for i := range len(text) {
		if text[i] != 'm' || i > 0 && wordByte(text[i-1]) {
			continue
		}
		end := i + 1
		for end < len(text) && '0' <= text[end] && text[end] <= '9' {
			end++
		}
		if end > i+1 && (end == len(text) || !wordByte(text[end])) {
			tell(l.moves[text[i:end]])
		}
	}
	return found
}

func keyByte(b byte) bool { return wordByte(b) || strings.IndexByte("+/-_", b) >= 0 }

func wordByte(b byte) bool {
	return '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'
}

func names(marks []*mark) string {
	names := make([]string, len(marks))
	for i, m := range marks {
		names[i] = m.what
	}
	return strings.Join(names, ", ")
}

// The ledger finds secrets in all encodings.
func TestLedgerFindsSecretsInEveryEncoding(t *testing.T) {
	l := newLedger()
	note := l.text("a note", "gm")
	seal := []byte("0123456789abcdefghijklmnopqrstuv")
	l.key("the seal", seal)
	l.keyText("a link", "Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmF", "gm", "anna")
	l.move("m17", "gm")
	for text, want := range map[string]string{
		"plain words, m170, am17, m17a and zq000":                         "",
		`{"notes":"` + note + `"}`:                                        "a note",
		"<p>x" + note + "x</p>":                                           "a note",
		"id: m17\n":                                                       "secret move m17",
		`"question":"m17::0"`:                                             "secret move m17",
		"secret=" + hex.EncodeToString(seal):                              "the seal",
		strings.ToUpper(hex.EncodeToString(seal)):                         "the seal",
		base64.StdEncoding.EncodeToString(seal):                           "the seal",
		"/t/aaaaaaaaaaaaaaaa/Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmF": "a link",
		note + " m17":                                                     "a note, secret move m17",
	} {
		if got := names(l.found("bohdan", text)); got != want {
			t.Errorf("in %q: %q, want %q", text, got, want)
		}
		if got := names(l.found("gm", text)); got != "" && got != "the seal" {
			t.Errorf("the game master may not see %v", got)
		}
	}
	l.open(func(what string) bool { return what == "the seal" })
	if got := l.found("bohdan", hex.EncodeToString(seal)); len(got) > 0 {
		t.Errorf("opened, and still %v", names(got))
	}
	l.plain("on a sheet that all see: " + note)
	if got := l.found("bohdan", note); len(got) > 0 {
		t.Errorf("plain to see, and still %v", names(got))
	}
	if l.text("one") == l.text("two") || strconv.Quote(note) != `"`+note+`"` {
		t.Error("marked texts aren't plain and different")
	}
}

package dice

import (
	"bytes"
	"encoding/gob"
	"encoding/hex"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func parseSecret(t testing.TB, text string) Secret {
	t.Helper()
	s, err := ParseSecret(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestKeyMatchesItsTestVectors(t *testing.T) {
	var file []struct {
		Secret, Commitment       string
		Shares                   []string
		Table, Move, Nonce, Part string
		Text, Key                string
		D10                      []int
	}
	vectors(t, "key.json", &file)
	if len(file) == 0 {
		t.Fatal("no vectors")
	}
	for i, v := range file {
		secret := parseSecret(t, v.Secret)
		if got := secret.Commitment(); got != v.Commitment {
			t.Errorf("%d: commitment %s, want %s", i, got, v.Commitment)
		}
		if got := hex.EncodeToString(keyText(v.Shares, v.Table, v.Move, v.Nonce, v.Part)); got != v.Text {
			t.Errorf("%d: text %s, want %s", i, got, v.Text)
		}
		key := Key(secret, v.Shares, v.Table, v.Move, v.Nonce, v.Part)
		if got := hex.EncodeToString(key[:]); got != v.Key {
			t.Errorf("%d: key %s, want %s", i, got, v.Key)
		}
		if got := Throw(NewStream(key), Pool{N: len(v.D10), Sides: 10}); !slices.Equal(got, v.D10) {
			t.Errorf("%d: faces %v, want %v", i, got, v.D10)
		}
	}
}

func TestKeyIgnoresTheOrderOfShares(t *testing.T) {
	secret := parseSecret(t, strings.Repeat("5a", 32))
	rapid.Check(t, func(t *rapid.T) {
		shares := rapid.SliceOfN(rapid.StringN(0, 5, -1), 0, 6).Draw(t, "shares")
		shuffled := rapid.Permutation(shares).Draw(t, "shuffled")
		given := slices.Clone(shuffled)
		if Key(secret, shares, "t", "m", "n", "p") != Key(secret, shuffled, "t", "m", "n", "p") {
			t.Fatal("another order of shares gives another key")
		}
		if !slices.Equal(shuffled, given) {
			t.Fatal("Key reordered its caller's shares")
		}
	})
}

// An ambiguous encoding would confuse arguments whose texts joined are the same.
func TestDifferentArgumentsGiveDifferentKeyTexts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.RuneFrom([]rune{'a', 0}), 0, 4, -1).Draw(t, "text")
		cut := func(label string) []string {
			pieces, rest := make([]string, rapid.IntRange(4, 6).Draw(t, label+" pieces")), text
			for i := range pieces {
				n := len(rest)
				if i < len(pieces)-1 {
					n = rapid.IntRange(0, len(rest)).Draw(t, label)
				}
				pieces[i], rest = rest[:n], rest[n:]
			}
			slices.Sort(pieces[4:]) // shares in any order give the same key
			return pieces
		}
		encode := func(p []string) []byte { return keyText(p[4:], p[0], p[1], p[2], p[3]) }
		a, b := cut("a"), cut("b")
		if same := slices.Equal(a, b); bytes.Equal(encode(a), encode(b)) != same {
			t.Fatalf("%q and %q: same arguments is %v, same text is not", a, b, same)
		}
	})
}

func TestKeyChangesWithEachArgument(t *testing.T) {
	secret := parseSecret(t, strings.Repeat("5a", 32))
	keys := [][32]byte{
		Key(secret, []string{"a", "b"}, "t", "m", "n", "p"),
		Key(parseSecret(t, strings.Repeat("5b", 32)), []string{"a", "b"}, "t", "m", "n", "p"),
		Key(secret, []string{"a", "c"}, "t", "m", "n", "p"),
		Key(secret, []string{"a"}, "t", "m", "n", "p"),
		Key(secret, []string{"ab"}, "t", "m", "n", "p"),
		Key(secret, []string{"a", "b", "b"}, "t", "m", "n", "p"),
		Key(secret, []string{"a", "b"}, "u", "m", "n", "p"),
		Key(secret, []string{"a", "b"}, "t", "u", "n", "p"),
		Key(secret, []string{"a", "b"}, "t", "m", "u", "p"),
		Key(secret, []string{"a", "b"}, "t", "m", "n", "u"),
		Key(secret, []string{"a", "b"}, "tm", "", "n", "p"),
		Key(secret, []string{"a"}, "b", "t", "mn", "p"),
	}
	for i, key := range keys {
		if j := slices.Index(keys, key); j != i {
			t.Errorf("keys %d and %d are equal", j, i)
		}
	}
}

func TestKeyWithoutSecretPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("Key made dice that anybody could foretell")
		}
	}()
	Key(Secret{}, nil, "t", "m", "n", "p")
}

func TestANewSecretIsDrawnFromEntropy(t *testing.T) {
	bytes := strings.Repeat("ab", 16)
	s, err := NewSecret(strings.NewReader(bytes + "more"))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := s.Reveal(), hex.EncodeToString([]byte(bytes)); got != want {
		t.Errorf("reveals %s, want %s", got, want)
	}
	s, err = NewSecret(strings.NewReader("too short"))
	if !errors.Is(err, io.ErrUnexpectedEOF) || !s.IsZero() {
		t.Errorf("too few bytes: %v, zero %v", err, s.IsZero())
	}
}

func TestParseSecretAcceptsOnly64HexDigits(t *testing.T) {
	text := strings.Repeat("0f", 32)
	s := parseSecret(t, text)
	if s.Reveal() != text || s.IsZero() {
		t.Errorf("reveals %q", s.Reveal())
	}
	for _, bad := range []string{"", "0f", text + "0f", strings.Repeat("0g", 32), redacted} {
		s, err := ParseSecret(bad)
		if err == nil || !s.IsZero() {
			t.Errorf("%q is taken for a secret", bad)
		} else if len(bad) > 2 && strings.Contains(err.Error(), bad) {
			t.Errorf("the error repeats the text: %v", err)
		}
	}
}

func TestASecretIsCheckedAgainstItsCommitment(t *testing.T) {
	secret := parseSecret(t, strings.Repeat("5a", 32))
	commitment := secret.Commitment()
	tests := []struct {
		name       string
		commitment string
		secret     Secret
		want       bool
	}{
		{"the one", commitment, secret, true},
		{"upper case", strings.ToUpper(commitment), secret, true},
		{"a copy", commitment, parseSecret(t, secret.Reveal()), true},
		{"another", commitment, parseSecret(t, strings.Repeat("5b", 32)), false},
		{"zero", commitment, Secret{}, false},
		{"zero, no commitment", "", Secret{}, false},
		{"no commitment", "", secret, false},
		{"half a commitment", commitment[:32], secret, false},
		{"no hexadecimal", "z" + commitment[1:], secret, false},
		{"the secret itself", secret.Reveal(), secret, false},
	}
	for _, tt := range tests {
		if got := Check(tt.commitment, tt.secret); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestTheZeroSecretRevealsNothing(t *testing.T) {
	var s Secret
	if !s.IsZero() || s.Reveal() != "" || s.Commitment() != "" {
		t.Errorf("zero %v, reveals %q, commits to %q", s.IsZero(), s.Reveal(), s.Commitment())
	}
}

func TestFormattingAndEncodingNeverShowASecret(t *testing.T) {
	secret := parseSecret(t, strings.Repeat("c3a7", 16))
	type session struct {
		Open   Secret
		hidden Secret
	}
	values := map[string]any{
		"value":   secret,
		"pointer": &secret,
		"field":   session{Open: secret, hidden: secret},
		"slice":   []Secret{secret},
		"map":     map[string]Secret{"k": secret},
		"error":   fmt.Errorf("with %v", secret),
	}
	written := make(map[string]string)
	for name, value := range values {
		for _, verb := range []string{
			"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "% x", "%d", "%o", "%b", "%c", "%U",
			"%5v",
		} {
			written[name+" "+verb] = fmt.Sprintf(verb, value)
		}
		text, err := json.Marshal(value)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		written[name+" json"] = string(text)

		var log bytes.Buffer
		slog.New(slog.NewTextHandler(&log, nil)).Info("m", "s", value)
		slog.New(slog.NewJSONHandler(&log, nil)).Info("m", "s", value)
		written[name+" slog"] = log.String()
	}
	x, err := xml.Marshal(session{Open: secret})
	if err != nil {
		t.Error(err)
	}
	written["xml"] = string(x)
	var g bytes.Buffer
	if err := gob.NewEncoder(&g).Encode(secret); err == nil {
		t.Error("gob encodes a secret")
	}
	written["gob"] = g.String()

	// 0xc3 0xa7 in all the ways in which formatting could print them.
	leaks := []string{
		"c3a7", "C3A7", "c3 a7", "c3, 0xa7", "195 167", "195, 167", "303 247", "11000011", "\xc3\xa7",
		"ç",
	}
	for where, text := range written {
		for _, leak := range leaks {
			if strings.Contains(text, leak) {
				t.Errorf("%s leaks: %s", where, text)
			}
		}
	}
	for _, where := range []string{
		"value %v", "value %d", "value %x", "pointer %v", "field %+v", "value json",
		"field json", "value slog",
	} {
		if !strings.Contains(written[where], redacted) {
			t.Errorf("%s doesn't say that there is a secret: %s", where, written[where])
		}
	}
	if got := secret.String() + secret.GoString(); got != redacted+redacted {
		t.Errorf("String and GoString: %s", got)
	}
}

func BenchmarkKey(b *testing.B) {
	secret := parseSecret(b, strings.Repeat("5a", 32))
	shares := []string{"alder", "birch", "cedar", "elder"}
	b.ReportAllocs()
	for b.Loop() {
		Key(secret, shares, "table", "move", "nonce", "0/1")
	}
}

package dice

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
)

// Fair dice work in four steps:
//
//   1. A session begins: the house draws a Secret and shows its Commitment.
//   2. Each seat adds a share. The house can no longer choose its secret to suit
//      the shares; the seats couldn't choose theirs to suit the secret.
//   3. Each part of a move throws its dice from NewStream(Key(…)). Parts have different
//      keys, so the order in which people answer changes no face.
//   4. The session ends: the secret is revealed. Anybody can Check it against the
//      commitment and compute every face again.

// redacted replaces a Secret in formatted, logged or encoded output.
const redacted = "[secret]"

// Secret is the secret that the house commits to. Only Reveal returns it: formatting with any verb,
// logging and encoding show that there is a secret, but not its value. The zero Secret is empty;
// see IsZero.
//
// The bytes are hidden in a closure because formatting a struct prints its unexported fields, also
// through pointers, without calling any method; of a function it prints an address. It also makes
// == a compile error: secrets are compared by Check.
type Secret struct {
	open func() [32]byte
}

func secretOf(b [32]byte) Secret { return Secret{open: func() [32]byte { return b }} }

// NewSecret draws a secret from random, which is crypto/rand.Reader at a real table.
func NewSecret(random io.Reader) (Secret, error) {
	var b [32]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		return Secret{}, fmt.Errorf("draw a secret: %w", err)
	}
	return secretOf(b), nil
}

// ParseSecret parses what Reveal returned. Its error doesn't contain the text.
func ParseSecret(text string) (Secret, error) {
	b, err := hex.DecodeString(text)
	if err != nil || len(b) != 32 {
		return Secret{}, errors.New("a secret is 64 hexadecimal digits")
	}
	return secretOf([32]byte(b)), nil
}

// Reveal returns the secret as 64 lower-case hexadecimal digits, or "" for the zero Secret.
func (s Secret) Reveal() string {
	if s.IsZero() {
		return ""
	}
	b := s.open()
	return hex.EncodeToString(b[:])
}

// IsZero reports whether the secret is empty.
func (s Secret) IsZero() bool { return s.open == nil }

// Commitment returns the SHA-256 of the secret's 32 bytes as 64 lower-case hexadecimal digits, or
// "" for the zero Secret.
func (s Secret) Commitment() string {
	if s.IsZero() {
		return ""
	}
	sum := s.sum()
	return hex.EncodeToString(sum[:])
}

func (s Secret) sum() [sha256.Size]byte {
	b := s.open()
	return sha256.Sum256(b[:])
}

// Check reports whether commitment is that of secret, in constant time. It's false for the zero
// Secret.
func Check(commitment string, secret Secret) bool {
	want, err := hex.DecodeString(commitment)
	if err != nil || secret.IsZero() {
		return false
	}
	sum := secret.sum()
	return subtle.ConstantTimeCompare(want, sum[:]) == 1
}

// Key returns the seed of the dice of one part of one move:
//
//	HMAC-SHA-256(secret, "norn dice 1", number of shares, shares…, table, move, nonce, part)
//
// Each text is preceded by its length in bytes; lengths and the number of shares are 64-bit
// big-endian. Shares are sorted by their bytes, so the order in which they were added doesn't
// matter; equal shares all count. testdata/key.json holds test vectors. Key panics for the zero
// Secret, whose dice anybody could predict.
func Key(secret Secret, shares []string, table, move, nonce, part string) [32]byte {
	if secret.IsZero() {
		panic("dice: a key without a secret")
	}
	b := secret.open()
	mac := hmac.New(sha256.New, b[:])
	mac.Write(keyText(shares, table, move, nonce, part))
	return [32]byte(mac.Sum(nil))
}

// keyText returns the text that Key authenticates. Different arguments give different texts.
func keyText(shares []string, table, move, nonce, part string) []byte {
	b := make([]byte, 0, 512) // room for what most tables have
	field := func(text string) {
		b = binary.BigEndian.AppendUint64(b, uint64(len(text)))
		b = append(b, text...)
	}
	field("norn dice 1")
	b = binary.BigEndian.AppendUint64(b, uint64(len(shares)))
	shares = slices.Clone(shares)
	slices.Sort(shares)
	for _, share := range shares {
		field(share)
	}
	field(table)
	field(move)
	field(nonce)
	field(part)
	return b
}

// String hides the secret.
func (Secret) String() string { return redacted }

// GoString hides the secret.
func (Secret) GoString() string { return redacted }

// Format hides the secret for every verb: %d and %x would otherwise bypass String.
func (Secret) Format(f fmt.State, _ rune) { io.WriteString(f, redacted) }

// LogValue hides the secret.
func (Secret) LogValue() slog.Value { return slog.StringValue(redacted) }

// MarshalText hides the secret. To store it, call Reveal.
func (Secret) MarshalText() ([]byte, error) { return []byte(redacted), nil }

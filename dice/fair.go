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

// Fair dice, in four steps:
//
//  1. A session begins: the house draws a Secret and shows its Commitment.
//  2. Each seat adds a share. The house can no longer choose its secret to suit
//     the shares; the seats couldn't choose theirs to suit the secret.
//  3. Each part of a move throws its dice from NewStream(Key(…)). The parts have
//     keys of their own, so the order in which people answer changes no face.
//  4. The session ends: the secret is revealed, and anybody can Check it against
//     the commitment and derive every face again.

// redacted is all that formatting, logging or encoding shows of a Secret.
const redacted = "[secret]"

// Secret is what the house commits to. Only Reveal opens it: formatting with any
// verb, logging and encoding show that there is a secret, not what it is. The zero
// Secret holds nothing; see IsZero.
//
// The bytes stand behind a function because formatting a struct reaches into its
// unexported fields, and through their pointers, without asking any method; of a
// function it finds an address. It also makes == a compile error: secrets are
// compared through Check.
type Secret struct {
	open func() [32]byte
}

func secretOf(b [32]byte) Secret { return Secret{open: func() [32]byte { return b }} }

// NewSecret draws a secret from random, crypto/rand.Reader at a real table.
func NewSecret(random io.Reader) (Secret, error) {
	var b [32]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		return Secret{}, fmt.Errorf("draw a secret: %w", err)
	}
	return secretOf(b), nil
}

// ParseSecret reads what Reveal gave. Its error doesn't repeat the text.
func ParseSecret(text string) (Secret, error) {
	b, err := hex.DecodeString(text)
	if err != nil || len(b) != 32 {
		return Secret{}, errors.New("a secret is 64 hexadecimal digits")
	}
	return secretOf([32]byte(b)), nil
}

// Reveal opens the secret: 64 lower-case hexadecimal digits, "" for the zero Secret.
func (s Secret) Reveal() string {
	if s.IsZero() {
		return ""
	}
	b := s.open()
	return hex.EncodeToString(b[:])
}

// IsZero tells whether there is no secret here.
func (s Secret) IsZero() bool { return s.open == nil }

// Commitment is the SHA-256 of the secret's 32 bytes, as 64 lower-case hexadecimal
// digits; "" for the zero Secret.
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

// Check tells whether secret is the one that was committed to, in a time that
// doesn't depend on where they differ. The zero Secret is never the one.
func Check(commitment string, secret Secret) bool {
	want, err := hex.DecodeString(commitment)
	if err != nil || secret.IsZero() {
		return false
	}
	sum := secret.sum()
	return subtle.ConstantTimeCompare(want, sum[:]) == 1
}

// Key is the seed of the dice of one part of one move:
//
//	HMAC-SHA-256(secret, "norn dice 1", number of shares, shares…, table, move, nonce, part)
//
// Each text is preceded by its length in bytes; lengths and the number of shares
// are 64-bit big-endian. Shares stand in the order of their bytes, so it doesn't
// matter who added theirs first; equal shares all count. testdata/key.json holds
// vectors. Key panics for the zero Secret, whose dice anybody could foretell.
func Key(secret Secret, shares []string, table, move, nonce, part string) [32]byte {
	if secret.IsZero() {
		panic("dice: a key without a secret")
	}
	b := secret.open()
	mac := hmac.New(sha256.New, b[:])
	mac.Write(keyText(shares, table, move, nonce, part))
	return [32]byte(mac.Sum(nil))
}

// keyText is what Key authenticates. No two lists of arguments share one.
func keyText(shares []string, table, move, nonce, part string) []byte {
	var b []byte
	field := func(text string) {
		b = binary.BigEndian.AppendUint64(b, uint64(len(text)))
		b = append(b, text...)
	}
	field("norn dice 1")
	b = binary.BigEndian.AppendUint64(b, uint64(len(shares)))
	for _, share := range slices.Sorted(slices.Values(shares)) {
		field(share)
	}
	field(table)
	field(move)
	field(nonce)
	field(part)
	return b
}

// String redacts.
func (Secret) String() string { return redacted }

// GoString redacts.
func (Secret) GoString() string { return redacted }

// Format redacts for every verb: %d and %x would otherwise go past String.
func (Secret) Format(f fmt.State, _ rune) { io.WriteString(f, redacted) }

// LogValue redacts.
func (Secret) LogValue() slog.Value { return slog.StringValue(redacted) }

// MarshalText redacts; a secret is stored by Reveal, on purpose.
func (Secret) MarshalText() ([]byte, error) { return []byte(redacted), nil }

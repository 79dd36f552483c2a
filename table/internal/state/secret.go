package state

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"encoding/base64"
	"fmt"
	"io"
	"slices"
	"strings"

	"norn/table/refusal"
	"norn/table/view"
)

// Lock stores enough of a seat's secret to recognise it, but not to make it. With the salt only the
// inviter can make the same secret again, for a repeated request.
type Lock struct {
	Hash []byte `json:"hash"` // SHA-256 of the secret's text
	Salt []byte `json:"salt,omitempty"`
}

func (l Lock) opens(secret string) bool { return l.Fits(sha256.Sum256([]byte(secret))) }

// Fits reports whether the lock is of the secret with this hash.
func (l Lock) Fits(key [sha256.Size]byte) bool {
	return subtle.ConstantTimeCompare(l.Hash, key[:]) == 1
}

// Sound returns a misfit unless norn could have made the lock.
func (l Lock) Sound() error {
	if len(l.Hash) != sha256.Size || len(l.Salt) != 0 && len(l.Salt) != sha256.Size {
		return refusal.Misfit(refusal.MisfitUnreadable, view.Data{"Problem": "its lock isn't one of norn's"})
	}
	return nil
}

// NewSecret draws a secret that no seat invites with: of a table's first seat, for instance.
func NewSecret(entropy io.Reader) (string, Lock, error) {
	b, err := RandomBytes(entropy, 32)
	if err != nil {
		return "", Lock{}, err
	}
	secret := base64.RawURLEncoding.EncodeToString(b)
	return secret, lockOf(secret, nil), nil
}

// Invite makes a lock whose secret follows from that of the inviting seat and new randomness. The
// journal alone or an old link alone isn't enough to derive it.
func Invite(inviter string, entropy io.Reader) (Lock, error) {
	salt, err := RandomBytes(entropy, 32)
	return lockOf(derive(inviter, salt), salt), err
}

// Again returns the secret as the inviter got it, "" if the inviter's link has been renewed since.
func (l Lock) Again(inviter string) string {
	if secret := derive(inviter, l.Salt); l.opens(secret) {
		return secret
	}
	return ""
}

func derive(inviter string, salt []byte) string {
	return base64.RawURLEncoding.EncodeToString(deriveBytes(inviter, "norn seat 1", salt))
}

func deriveBytes(secret, label string, salt []byte) []byte {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(label))
	mac.Write(salt)
	return mac.Sum(nil)
}

// A recovery code has 100 random bits, written so that people can copy it by hand: no sign looks
// like another.
const (
	codeSigns  = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
	codeLength = 20
	codeGroup  = 5
)

var codes = base32.NewEncoding(codeSigns)

// MakeCode makes the lock of a recovery code that follows from the seat's secret and new
// randomness. Neither the journal nor an old link is enough to derive it.
func MakeCode(secret string, entropy io.Reader) (Lock, error) {
	salt, err := RandomBytes(entropy, 32)
	return lockOf(codeFrom(secret, salt), salt), err
}

// CodeAgain returns the recovery code as its seat got it, "" with another secret.
func (l Lock) CodeAgain(secret string) string {
	code := codeFrom(secret, l.Salt)
	if !l.opens(code) {
		return ""
	}
	var groups []string
	for group := range slices.Chunk([]byte(code), codeGroup) {
		groups = append(groups, string(group))
	}
	return strings.Join(groups, "-")
}

func codeFrom(secret string, salt []byte) string {
	return codes.EncodeToString(deriveBytes(secret, "norn recovery 1", salt))[:codeLength]
}

// cyrillic has the letters of a Russian or Ukrainian keyboard that look like those of codes.
var cyrillic = strings.NewReplacer(
	"А", "A", "В", "B", "С", "C", "Е", "E", "Н", "H", "К", "K", "М", "M", "Р", "P", "Т", "T", "Х", "X", "У", "Y", "Ѕ", "S",
)

// CleanCode returns a recovery code without spaces, dashes and small letters, however it was typed.
func CleanCode(typed string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(codeSigns, r) {
			return r
		}
		return -1
	}, cyrillic.Replace(strings.ToUpper(typed)))
}

func lockOf(secret string, salt []byte) Lock {
	sum := sha256.Sum256([]byte(secret))
	return Lock{Hash: sum[:], Salt: salt}
}

// RandomBytes draws n random bytes.
func RandomBytes(entropy io.Reader, n int) ([]byte, error) {
	b := make([]byte, n)
	if _, err := io.ReadFull(entropy, b); err != nil {
		return nil, &refusal.UnavailableError{Err: fmt.Errorf("table: draw a secret: %w", err)}
	}
	return b, nil
}

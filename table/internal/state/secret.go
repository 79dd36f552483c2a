package state

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"io"

	"norn/table/refusal"
	"norn/table/view"
)

// Lock is what a table keeps of a seat's secret: enough to know it again, not
// enough to make it. The salt lets who gave the seat away, and nobody else, make
// the same secret for a repeated request.
type Lock struct {
	Hash []byte `json:"hash"` // SHA-256 of the secret's text
	Salt []byte `json:"salt,omitempty"`
}

func (l Lock) opens(secret string) bool { return l.Fits(sha256.Sum256([]byte(secret))) }

// Fits is opens for the secret's hash.
func (l Lock) Fits(key [sha256.Size]byte) bool {
	return subtle.ConstantTimeCompare(l.Hash, key[:]) == 1
}

// Sound tells whether a lock is one that norn made.
func (l Lock) Sound() error {
	if len(l.Hash) != sha256.Size || len(l.Salt) != 0 && len(l.Salt) != sha256.Size {
		return refusal.Misfit(refusal.MisfitUnreadable, view.Data{"Problem": "its lock isn't one of norn's"})
	}
	return nil
}

// NewSecret draws a secret for nobody's invitation: a table's first seat.
func NewSecret(entropy io.Reader) (string, Lock, error) {
	b, err := RandomBytes(entropy, 32)
	if err != nil {
		return "", Lock{}, err
	}
	secret := base64.RawURLEncoding.EncodeToString(b)
	return secret, lockOf(secret, nil), nil
}

// Invite makes the lock of a secret from that of the seat that invites and from new
// randomness. Neither the journal nor an old link alone leads to it.
func Invite(inviter string, entropy io.Reader) (Lock, error) {
	salt, err := RandomBytes(entropy, 32)
	return lockOf(derive(inviter, salt), salt), err
}

// Again is the secret that the inviter was told, "" if the inviter's link has
// been renewed since.
func (l Lock) Again(inviter string) string {
	if secret := derive(inviter, l.Salt); l.opens(secret) {
		return secret
	}
	return ""
}

func derive(inviter string, salt []byte) string {
	mac := hmac.New(sha256.New, []byte(inviter))
	mac.Write([]byte("norn seat 1"))
	mac.Write(salt)
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

func lockOf(secret string, salt []byte) Lock {
	sum := sha256.Sum256([]byte(secret))
	return Lock{Hash: sum[:], Salt: salt}
}

// RandomBytes draws so many random bytes.
func RandomBytes(entropy io.Reader, n int) ([]byte, error) {
	b := make([]byte, n)
	if _, err := io.ReadFull(entropy, b); err != nil {
		return nil, &refusal.UnavailableError{Err: fmt.Errorf("table: draw a secret: %w", err)}
	}
	return b, nil
}

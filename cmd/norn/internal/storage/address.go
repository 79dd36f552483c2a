package storage

import (
	"net/url"
	"strings"
)

// Masked replaces what is secret.
const Masked = "***"

// Redact returns an address with its passwords and tokens masked.
func Redact(text string) string {
	scheme, rest, ok := strings.Cut(text, "://")
	if !ok {
		scheme, rest = "", text
	} else {
		scheme += "://"
	}
	if at := strings.LastIndex(rest, "@"); at >= 0 {
		if user, _, has := strings.Cut(rest[:at], ":"); has {
			rest = user + ":" + Masked + rest[at:]
		}
	}
	if path, query, ok := strings.Cut(rest, "?"); ok {
		pairs := strings.Split(query, "&")
		for i, pair := range pairs {
			if name, _, _ := strings.Cut(pair, "="); strings.Contains(strings.ToLower(name), "pass") {
				pairs[i] = name + "=" + Masked
			}
		}
		rest = path + "?" + strings.Join(pairs, "&")
	}
	return scheme + rest
}

// WithPassword adds a password to an address, unless it has one.
func WithPassword(address, password string) string {
	if password == "" {
		return address
	}
	u, err := url.Parse(address)
	if err != nil { // can't happen: the flag has checked it
		return address
	}
	if _, has := u.User.Password(); has {
		return address
	}
	u.User = url.UserPassword(u.User.Username(), password)
	return u.String()
}

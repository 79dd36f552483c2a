package storage

import (
	"net/url"
	"strings"
)

// Masked replaces what is secret.
const Masked = "***"

// Redact returns an address with its passwords and tokens masked.
func Redact(text string) string {
	var shown []string
	for one := range strings.SplitSeq(text, ",") {
		scheme, rest, ok := strings.Cut(one, "://")
		if !ok {
			scheme, rest = "", one
		} else {
			scheme += "://"
		}
		if at := strings.LastIndex(rest, "@"); at >= 0 {
			user, _, has := strings.Cut(rest[:at], ":")
			switch {
			case has:
				user += ":" + Masked
			case strings.HasPrefix(scheme, "nats") || strings.HasPrefix(scheme, "tls"): // a token without a password
				user = Masked
			}
			rest = user + rest[at:]
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
		shown = append(shown, scheme+rest)
	}
	return strings.Join(shown, ",")
}

// WithPassword adds a password to an address, unless it has one. It adds it to each of several
// addresses separated by commas.
func WithPassword(address, password string) string {
	if password == "" {
		return address
	}
	parts := []string{address}
	if !strings.HasPrefix(address, "postgres") { // in those commas separate hosts
		parts = strings.Split(address, ",")
	}
	for i, part := range parts {
		u, err := url.Parse(strings.TrimSpace(part))
		if err != nil { // can't happen: the flag has checked it
			continue
		}
		if _, has := u.User.Password(); !has {
			u.User = url.UserPassword(u.User.Username(), password)
			parts[i] = u.String()
		}
	}
	return strings.Join(parts, ",")
}

package main

import (
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"norn/chat/telegram/telegramtest"
)

// norn serve connects to Telegram as configured, accepts only calls with the secret, and logs the
// token nowhere.
func TestServeConnectsToTelegramAndHidesTheToken(t *testing.T) {
	there := telegramtest.New()
	defer there.Close()
	dir := t.TempDir()
	file := filepath.Join(dir, "token.txt")
	if err := os.WriteFile(file, []byte(telegramtest.Token+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	there.Fail("getMe", telegramtest.Fault{Cut: true})
	s := serve(t, "--data", filepath.Join(dir, "tables"), "--telegram", "--telegram-token-file", file, "--telegram-api",
		there.URL,
		"--telegram-webhook", "https://norn.example/telegram", "--log-level", "debug")
	at, err := url.Parse(s.hear(t, `^norn is open at (http://127\.0\.0\.1:\d+)$`))
	if err != nil {
		t.Fatal(err)
	}
	const soon = 20 * time.Second
	if !there.Until(soon, func() bool { return there.Webhook() != "" }) {
		t.Fatalf("no webhook is set: %s", s.errs)
	}
	anna := there.Person(31, "Anna", "en")
	anna.Writes(31, "roll 2d6")
	through := httputil.NewSingleHostReverseProxy(at)
	if got := there.Deliver(through, "wrong", false); len(got) != 1 || got[0] != 401 {
		t.Errorf("a call with a wrong secret is answered %v", got)
	}
	if len(there.Own(31)) != 0 {
		t.Error("a call with a wrong secret did something")
	}
	if got := there.Deliver(through, "", false); len(got) != 1 || got[0] != 200 {
		t.Errorf("a call is answered %v", got)
	}
	if m := there.Last(31); m == nil || !strings.Contains(m.Text, "2d6") {
		t.Errorf("the throw is answered with %+v", m)
	}
	s.end(t)
	if text := s.errs.String(); strings.Contains(text, "a_secret") {
		t.Errorf("the token is in the log: %s", text)
	}
}

package main

import (
	"crypto/ed25519"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"norn/chat/discord/discordtest"
)

// Discord calls norn, or norn connects to Discord. Both ways answer a line, and neither logs the
// token.
func TestServeAnswersDiscordByGatewayAndByHTTP(t *testing.T) {
	for _, way := range []string{"gateway", "http"} {
		t.Run(way, func(t *testing.T) {
			d := discordtest.New(t)
			token := filepath.Join(t.TempDir(), "token")
			if err := os.WriteFile(token, []byte(discordtest.Token+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			args := []string{"--log-level", "debug", "--discord-api", d.URL, "--discord-token-file", token}
			if way == "http" {
				args = append(args, "--discord-public-key", d.PublicKey)
			} else {
				args = append(args, "--discord")
			}
			s := serve(t, append(args, "--data", t.TempDir())...)
			link := s.hear(t, `^norn is open at (http://127\.0\.0\.1:\d+)$`)
			if way == "http" {
				d.Calls(link + "/discord")
				_, stranger, err := ed25519.GenerateKey(nil)
				if err != nil {
					t.Fatal(err)
				}
				if status, _ := d.Call([]byte(`{"type":1}`), stranger, time.Now()); status != http.StatusUnauthorized {
					t.Errorf("a stranger's call is answered with %d", status)
				}
			} else {
				d.Until("norn at the gateway", d.IsConnected)
			}
			ann, street := d.Person("Ann", "en-US"), d.Channel("street")
			ann.Command(street, "roll 3d6")
			ann.Find(street, "3d6")
			s.end(t)
			if said := s.errs.String(); strings.Contains(said, discordtest.Token) ||
				strings.Contains(said, "aW50ZXJhY3Rpb24") {
				t.Errorf("a token stands in the log:\n%s", said)
			}
		})
	}
}

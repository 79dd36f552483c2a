//go:build e2e

package playtest

import (
	"strings"
	"testing"
)

// An invitation says if it works only on this computer, and has a QR code for phones otherwise.
func TestInvitationSaysOnWhichDevicesItOpens(t *testing.T) {
	t.Parallel()
	s := serve(t)
	far := strings.Replace(s.url(""), "127.0.0.1", elsewhere, 1)
	for _, c := range []struct {
		lang, local string
		width       int64
	}{
		{"en", "norn serve --lan", 1366},
		{"ru", "только на этом компьютере", 360},
		{"uk", "лише на цьому комп’ютері", 820},
	} {
		for name, site := range map[string]string{"this computer": s.url(""), "the network": far} {
			t.Run(c.lang+", from "+name, func(t *testing.T) {
				gm := sit(t, "gm", c.width, 780)
				gm.visit(site + "/")
				gm.run("document.cookie = 'lang=" + c.lang + "; path=/'")
				gm.visit(site + "/")
				gm.choose("#name", "Friday")
				gm.click("[data-form=open] button[type=submit]")
				gm.click("[data-drawer]")
				gm.choose("#invite-name", "Anna")
				gm.click("[data-form=invite] button[type=submit]")
				gm.sees("[data-invitation]", "Anna")
				if link := gm.ask("document.querySelector('[data-invitation] input').value"); !strings.HasPrefix(link,
					site+"/t/") {
					t.Errorf("the link leads to %s, want %s", link, site)
				}
				local, code := gm.text("[data-invitation] .link-local"),
					gm.ask("document.querySelector('[data-invitation] .qr') !== null")
				gm.picture("invitation")
				if site == far {
					if paper := gm.ask("getComputedStyle(document.querySelector('.qr rect')).fill"); local != "" ||
						paper != "rgb(255, 255, 255)" {
						t.Errorf("it says %q; its code is on %s", local, paper)
					}
				} else if !strings.Contains(local, c.local) || code != "false" {
					t.Errorf("it says %q, want %q; a code: %s", local, c.local, code)
				}
			})
		}
	}
}

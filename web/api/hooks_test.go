package api_test

import (
	"context"
	"net/http"
	"testing"

	"norn/internal/notify"
)

// hooks stores a table's webhooks without calling any.
type hooks struct{ all []notify.Named }

func (h *hooks) Hooks(string) ([]notify.Named, error) { return h.all, nil }

func (h *hooks) AddHook(_ context.Context, _, address, format string) (notify.Named, error) {
	if err := (notify.Targets{}).Check(address); err != nil {
		return notify.Named{}, err
	}
	if len(h.all) == notify.MostHooks {
		return notify.Named{}, notify.ErrMany
	}
	hook := notify.Named{
		ID:   address[len(address)-1:],
		Hook: notify.Hook{Address: address, Secret: "hush", Format: format},
	}
	h.all = append(h.all, hook)
	return hook, nil
}

func (h *hooks) DropHook(_ context.Context, _, id string) error {
	for i, hook := range h.all {
		if hook.ID == id {
			h.all = append(h.all[:i:i], h.all[i+1:]...)
			break
		}
	}
	return nil
}

// Game masters add webhooks to their table; nobody sees an address beyond its host, or another
// table's secret.
func TestConcurrentHooksAreListedWithoutSecrets(t *testing.T) {
	p := open(serve(t))
	p.get("/hooks", p.player).problem(http.StatusForbidden, "forbidden")
	added := p.post("/hooks", p.gm, body{"address": "https://hooks.example/1", "format": "json"}).want(201)
	if added.text(t, "secret") != "hush" || added.text(t, "host") != "hooks.example" {
		t.Errorf("%v", added)
	}
	p.post("/hooks", p.gm, body{"address": "https://10.0.0.1/x", "format": "json"}).problem(422, "invalid")
	p.post("/hooks", p.gm, body{"address": "https://hooks.example/2", "format": "telegram"}).problem(422, "invalid")
	for _, n := range []string{"2", "3", "4"} {
		p.post("/hooks", p.gm, body{"address": "https://hooks.example/" + n, "format": "discord"}).want(201)
	}
	p.post("/hooks", p.gm, body{"address": "https://hooks.example/5", "format": "json"}).problem(409, "too-many")
	left := p.send("DELETE", p.base+"/hooks/1", p.gm, nil).want(200)
	if left.text(t, "hooks", 0, "format") != "discord" {
		t.Errorf("%v", left)
	}
}

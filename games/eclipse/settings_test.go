package eclipse

import (
	"encoding/json"
	"testing"
)

// EP-13: settings with the older name, stored or sent, are still understood.
func TestOldNameOfTheEffectsSettingIsStillRead(t *testing.T) {
	settings := New().Settings
	read := func(s any, err error) Settings {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return s.(Settings)
	}
	for older, want := range map[string]string{
		`{"deadlock":"higher","ask-effects":true}`: "ask", `{"deadlock":"higher","ask-effects":false}`: "off",
		`{"deadlock":"higher"}`: "offer",
		`{"deadlock":"higher","ask-effects":true,"effects":"offer"}`: "offer",
	} {
		if got := read(settings.Decode([]byte(older))); got != (Settings{"higher", want, "offer"}) {
			t.Errorf("%s is read as %+v", older, got)
		}
		if got := read(settings.Restore([]byte(older))); got != (Settings{"higher", want, "offer"}) {
			t.Errorf("%s is restored as %+v", older, got)
		}
	}
	if got := read(settings.Patch(standard, []byte(`{"ask-effects":true}`))); got.Effects != "ask" {
		t.Errorf("patched to %+v", got)
	}
	if got := read(settings.Patch(Settings{"stands", "ask", "ask"},
		[]byte(`{"deadlock":"higher"}`))); got != (Settings{"higher", "ask", "ask"}) {
		t.Errorf("another setting changed %+v", got)
	}
	for s, want := range map[Settings]string{
		{"stands", "ask", "ask"}:     `{"deadlock":"stands","effects":"ask","points-after":"ask","ask-effects":true}`,
		{"stands", "offer", "offer"}: `{"deadlock":"stands","effects":"offer","points-after":"offer","ask-effects":false}`,
	} {
		data, err := json.Marshal(s)
		if err != nil || string(data) != want || read(settings.Restore(data)) != s {
			t.Errorf("%+v is written as %s: %v", s, data, err)
		}
	}
	if _, err := settings.Decode([]byte(`{"ask-effects":3}`)); err == nil {
		t.Error("3 is taken")
	}
}

package lang_test

import (
	"testing"

	"norn/lang"
)

func TestLowerFirstAndCapitalChangeOnlyWords(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "Успех": "успех", "HP −3": "HP −3",
		"Success at a cost": "success at a cost", "2 hits": "2 hits",
	} {
		if got := lang.LowerFirst(text); got != want {
			t.Errorf("%q goes on as %q", text, got)
		}
	}
	for text, want := range map[string]string{"": "", "снят стресс": "Снят стресс", "2 hits": "2 hits"} {
		if got := lang.Capital(text); got != want {
			t.Errorf("%q begins as %q", text, got)
		}
	}
}

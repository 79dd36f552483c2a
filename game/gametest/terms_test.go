package gametest

import "testing"

func TestTermIsFoundOnlyAtTheStartOfAWord(t *testing.T) {
	forms := map[string]string{"other": "Перевести дух и Починка"}
	for stem, want := range map[string]bool{
		"почин": true, "перевести дух": true, "чинка": false, "дух": true,
		"духи": false,
	} {
		if _, got := spoken(forms, stem); got != want {
			t.Errorf("%q: %t", stem, got)
		}
	}
}

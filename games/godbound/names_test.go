package godbound

import "testing"

func TestSpellingVariantsMatchAnImmunity(t *testing.T) {
	hero := Hero{Immunities: []Ward{{Name: "Ёмкий  огонь"}, {Name: "dragon’s breath"}}}
	for of, want := range map[string]string{
		"ёмкий огонь": "Ёмкий  огонь", "Емкий огонь": "Ёмкий  огонь", "Dragon's breath ": "dragon’s breath",
		"холод": "", "": "", "\u200b": "",
	} {
		if got := immune(hero, of); got != want {
			t.Errorf("%q: got %q, want %q", of, got, want)
		}
	}
}

package script

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"norn/game"
)

// Looks are accepted, or refused with a place.
func TestLooksAreTakenOrRefusedWithTheirPlace(t *testing.T) {
	if p, err := paintOf(" \n"); p != nil || err != nil {
		t.Errorf("an empty look is %v, %v", p, err)
	}
	for text, want := range map[string]string{
		"[light]\npaper = \"#777777\"\n": `look.toml:2:1: [light] ink #1a2220 is hard to read on ` +
			`paper #777777`,
		"# night\n[dark]\nink = \"#e6e2d8\"\n  accent = \"#1b6253\"\n": `look.toml:4:3: [dark] accent #1b6253 is hard ` +
			`to read on paper #131716`,
		"[light]\nshade = \"#777777\"\n": `look.toml:2:1: shade isn’t known here; use paper, `,
		"[light]\npaper = \"red; } body { display: none\"\n": `look.toml:2:1: paper must be a colour such as ` +
			`"#1a2220", not red`,
		"[light]\npaper = 7\n": `look.toml:2:1: paper must be a colour`,
		"heads = \"Comic Sans\"\n": `look.toml:1:1: heads must be one of "display", ` +
			`"garamond"`,
		"light = \"#777777\"\n": `look.toml:1:1: [light] must be a section`,
		"\n[print]\npaper = \"#777777\"\n": `look.toml:2:1: print isn’t known here; use heads, ` +
			`[light], [dark]`,
		"[light\n": `look.toml:2:7`,
		"# " + strings.Repeat("x", maxLook): `look.toml: too large: 8194 bytes, ` +
			`and at most 8192 are allowed`,
		"[dark]\naccent = \"#ffffff\"\non-accent = \"#eeeeee\"\n": `look.toml:3:1: [dark] on-accent #eeeeee is hard to ` +
			`read on accent #ffffff`,
	} {
		if _, err := paintOf(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is refused by %v, want %s", text, err, want)
		}
	}
	p, err := paintOf("heads = \"garamond\"\n[light]\naccent = \"#7A1020\"\n")
	if err != nil || p.Light["accent"] != "#7a1020" || p.Dark["accent"] != "#6fc3ae" || p.Heads != "garamond" {
		t.Fatalf("%+v, %v", p, err)
	}
	if again, ok := game.PaintOf(p.String()); !ok || again.String() != p.String() {
		t.Error("a paint isn't what its name says")
	}
	for _, name := range []string{
		"", "display.", "display.12", "nothing." + strings.SplitN(p.String(), ".", 2)[1],
		p.String() + "0",
	} {
		if _, ok := game.PaintOf(name); ok {
			t.Errorf("%q is taken for a paint", name)
		}
	}
}

// The default colours of a look are those of norn's own pages, and are readable.
func TestDefaultLookHasNornsReadableColours(t *testing.T) {
	css, err := os.ReadFile("../web/assets/styles/base.css")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range game.Colours {
		want := regexp.MustCompile(`\n  --` + c.Name + `: light-dark\(` + c.Light + `, ` + c.Dark + `\);`)
		if !want.Match(css) {
			t.Errorf("norn's own %s isn't %s and %s", c.Name, c.Light, c.Dark)
		}
	}
	if _, err := paintOf("heads = \"display\"\n"); err != nil {
		t.Error(err)
	}
}

package tables

import (
	"bytes"
	"strings"
	"testing"

	"norn/cmd/norn/internal/cli"
	"norn/lang"
	"norn/table/verify"
)

// What an older edition made is told apart, in each language.
func TestVerifySaysWhatWasntRunAgain(t *testing.T) {
	norn, err := cli.Wire(nil)
	if err != nil {
		t.Fatal(err)
	}
	for l, want := range map[lang.Lang]string{
		lang.En: "12 entries made by edition 1 of norn’s rules: their rules not run again",
		lang.Ru: "12 записей по редакции 1 правил norn: правила заново не разыграны",
		lang.Uk: "12 записів за редакцією 1 правил norn: правила заново не розіграно",
	} {
		var out bytes.Buffer
		p := &cli.Program{Wired: norn, Speaker: norn.Words.In(l), Out: cli.NewScreen(&out, nil)}
		found := verify.Result{Older: []verify.Older{{Edition: "1", Entries: 12}}}
		if borneOut(p, found); !strings.Contains(out.String(), want) {
			t.Errorf("%s: %s", l, out.String())
		}
		out.Reset()
		if err := p.JSON(found); err != nil || !strings.Contains(out.String(), `"older":[`) {
			t.Errorf("%v, %s", err, out.String())
		}
	}
}

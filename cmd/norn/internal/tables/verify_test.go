package tables

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

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

// A check that goes on ends with the first signal, and with the time that a file's own rules may take.
func TestACheckEndsInTime(t *testing.T) {
	norn, err := cli.Wire(nil)
	if err != nil {
		t.Fatal(err)
	}
	p := &cli.Program{Wired: norn, Speaker: norn.Words.In(lang.En)}
	release := make(chan struct{})
	defer close(release)
	hangs := func() (int, error) {
		<-release
		return 1, nil
	}
	if _, err := within(t.Context(), p, true, time.Millisecond, hangs); err == nil || !strings.Contains(p.Explain(err).Texts[0], "took longer than 1ms") {
		t.Errorf("a text that hangs: %v", err)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if _, err := within(stopped, p, false, 0, hangs); !errors.Is(err, context.Canceled) {
		t.Errorf("after a signal: %v", err)
	}
	if n, err := within(t.Context(), p, true, time.Hour, func() (int, error) { return 7, nil }); n != 7 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
}

// endless is a line that has no end.
type endless struct{ read int }

func (e *endless) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = 'x'
	}
	e.read += len(b)
	if e.read > 1<<30 {
		return 0, io.ErrUnexpectedEOF
	}
	return len(b), nil
}

// A line that is too long is refused as soon as it is, before the rest is read.
func TestALineIsBounded(t *testing.T) {
	norn, err := cli.Wire(nil)
	if err != nil {
		t.Fatal(err)
	}
	in := &endless{}
	p := &cli.Program{Wired: norn, Speaker: norn.Words.In(lang.En), In: in, Out: cli.NewScreen(io.Discard, nil)}
	c := VerifyCommand(p)
	c.SetArgs([]string{"-"})
	c.SilenceErrors, c.SilenceUsage = true, true
	if err := c.ExecuteContext(t.Context()); err == nil || in.read > 16<<20 {
		t.Errorf("after %d bytes: %v", in.read, err)
	}
}

package server

import (
	"errors"
	"net/url"
	"os"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/crypto/acme"

	"norn/cmd/norn/internal/cli"
)

// A failed certificate is logged as one sentence that says what to do.
func TestCertificateFailureIsLoggedWithWhatToDo(t *testing.T) {
	p := program(t)
	c := &certificates{p: p, name: "127.0.0.1"}
	for want, err := range map[string]error{
		"ports 443 and 80":                  errors.New("no viable challenge type found"),
		"the certificate authority refused": &acme.Error{Detail: "too many certificates"},
		"can’t be reached": &url.Error{
			Op: "Get", URL: "https://acme.example/dir",
			Err: syscall.ECONNREFUSED,
		},
		"can’t be kept in": &os.PathError{Op: "open", Path: "/data/certificates", Err: syscall.EACCES},
	} {
		if got := c.problem(t.Context(), err); !strings.Contains(got, want) {
			t.Errorf("%v: %q lacks %q", err, got, want)
		}
	}
}

func TestDomainFlagAcceptsOnlyPublicNames(t *testing.T) {
	for given, want := range map[string]string{
		"table.example": "table.example", "Table.Example.": "table.example", "стол.рф": "xn--k1afie.xn--p1ai",
		"localhost": "", "127.0.0.1": "", "https://table.example": "", "table.example:443": "", "a b.example": "",
	} {
		f := domainFlag{p: program(t)}
		if err := f.Set(given); f.text != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v; want %q", given, f.text, err, want)
		}
	}
}

func program(t *testing.T) *cli.Program {
	t.Helper()
	norn, err := cli.Wire(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &cli.Program{Wired: norn, Speaker: norn.Words.In("en")}
}

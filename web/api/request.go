package api

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"norn/form"
	"norn/lang"
)

// call holds the parts of a request that every operation can use.
type call struct {
	speaker lang.Speaker
	asked   bool              // for the speaker's language; otherwise a seat reads its table's
	header  http.Header       // of the answer
	table   string            // in its address, "" for none
	named   map[string]string // other parameters of its address, nil for none
	secret  string            // of the seat, "" for none
	from    string            // the address by which the client is limited
	query   url.Values
	body    []byte
}

type callKey struct{}

func callOf(ctx context.Context) call { return ctx.Value(callKey{}).(call) }

// bearer returns the secret in an Authorization header.
func bearer(header string) string {
	scheme, secret, _ := strings.Cut(header, " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(secret)
}

// printable shortens what was sent, so that a message can show it.
func printable(text string) string {
	const most = 60
	runes := []rune(strings.ToValidUTF8(text, "\uFFFD"))
	for i, r := range runes {
		if r < ' ' || r == 0x7F {
			runes[i] = '\uFFFD'
		}
	}
	if len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return string(runes)
}

// number is a parameter for an integer that isn't negative. parse reads it.
type number string

// Schema implements huma.SchemaProvider.
func (number) Schema(huma.Registry) *huma.Schema {
	least := 0.0
	return &huma.Schema{Type: huma.TypeInteger, Minimum: &least}
}

// parse reads a parameter; standard is its default.
func (n number) parse(name string, standard, least, most uint64) (uint64, *form.Problem) {
	if n == "" {
		return standard, nil
	}
	given, err := strconv.ParseUint(string(n), 10, 64)
	switch {
	case strings.HasPrefix(string(n), "-") && digits(string(n)[1:]):
		return 0, &form.Problem{
			Path: name, Code: form.Range, Min: int(least), Max: int(most),
			Given: printable(string(n)),
		}
	case err != nil && !errors.Is(err, strconv.ErrRange):
		return 0, &form.Problem{
			Path: name, Code: form.Type, Given: printable(string(n)),
			Allowed: []string{string(form.KindInt)},
		}
	case err != nil || given < least || given > most:
		return 0, &form.Problem{
			Path: name, Code: form.Range, Min: int(least), Max: int(most),
			Given: printable(string(n)),
		}
	}
	return given, nil
}

// digits reports whether a text is a number without a sign.
func digits(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}

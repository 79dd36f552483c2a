package web_test

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"norn/internal/limit"
	"norn/web"
)

// A list, character or picture sent to a table counts as an upload of its address, by the page and by the
// API alike: each answer here follows one that used up the only upload of an hour.
func TestWhatIsBroughtCountsAsAnUploadOnEveryWay(t *testing.T) {
	h := open(t)
	still := time.Now()
	list, page := `{"name":"Curios","rows":"Name\nA bone key"}`, "_name=Curios&_text=Name%0AA+bone+key"
	for name, way := range map[string]struct{ at, body string }{
		"a list by the API":         {"/api/v1/tables/" + h.table + "/lists", list},
		"a list by the page":        {"/t/" + h.table + "/lists", page},
		"a hero's file by the API":  {"/api/v1/tables/" + h.table + "/import-character", `{"file":{"format":"none"}}`},
		"a look at a hero's file":   {"/api/v1/tables/" + h.table + "/read-hero", `{"file":"none"}`},
		"a picture by the API":      {"/api/v1/tables/" + h.table + "/pictures", `{"data":""}`},
		"a hero's file by the page": {"/t/" + h.table + "/act/import-character", "_text=none"},
	} {
		t.Run(name, func(t *testing.T) {
			server := h.guarded(func(c *web.Config) {
				c.Limiter = limit.New(limit.Limits{Uploads: limit.Rate{N: 1, Per: time.Hour}},
					func() time.Time { return still }, nil)
			})
			origin := []string{"Sec-Fetch-Site", "same-origin"}
			first, _ := h.ask(server, "gm", "POST", way.at, way.body, origin...)
			if first.StatusCode == http.StatusTooManyRequests {
				t.Fatal("the first is refused")
			}
			second, text := h.ask(server, "gm", "POST", way.at, way.body, origin...)
			if second.StatusCode != http.StatusTooManyRequests {
				t.Errorf("the second: %d after %d: %.200s", second.StatusCode, first.StatusCode, text)
			}
		})
	}
}

// A long body that brings a file is refused before it arrives once its address has sent its share. A short one is
// read, since it may bring no file.
func TestLongFilesAreRefusedBeforeTheyArrive(t *testing.T) {
	h := open(t)
	still := time.Now()
	server := h.guarded(func(c *web.Config) {
		c.Limiter = limit.New(limit.Limits{Uploads: limit.Rate{N: 1, Per: time.Hour}},
			func() time.Time { return still }, nil)
	})
	base := "/api/v1/tables/" + h.table
	first, text := h.ask(server, "gm", "POST", base+"/lists", `{"name":"Curios","rows":"Name\nA bone key"}`)
	want(t, "the first list: "+text, first.StatusCode, http.StatusOK)
	for _, at := range []string{"/lists", "/import-character", "/read-hero", "/pictures"} {
		address := strings.TrimPrefix(server.URL, "http://")
		conn, err := net.Dial("tcp", address)
		must(t, err)
		defer conn.Close()
		_, err = fmt.Fprintf(conn, "POST %s%s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n"+
			"Content-Type: application/json\r\nContent-Length: 400000\r\n\r\n", base, at, address,
			h.links["gm"][strings.LastIndex(h.links["gm"], "/")+1:])
		must(t, err)
		answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
		must(t, err)
		want(t, at, answer.StatusCode, http.StatusTooManyRequests)
	}
	renamed, text := h.ask(server, "gm", "POST", base+"/lists", `{"id":"l1","name":"Oddities"}`)
	if renamed.StatusCode == http.StatusTooManyRequests {
		t.Errorf("a change without rows is refused: %s", text)
	}
}

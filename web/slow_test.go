package web_test

import (
	"bufio"
	"context"
	"encoding/json"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"norn/table/request"
)

// A page that takes nothing any more loses its connection, while others go on; when it comes back with the id of the last
// whole event, it gets the cards that it hasn't, each once.
func TestASlowPageIsDroppedAndResumes(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: waits for timeouts or other processes")
	}
	h := open(t)
	anna := h.sits("anna")
	after := anna.get(anna.at("")).the(t, "data-live", anna.at("/live?")).attrs["data-live-after"]
	reading, letGo := context.WithTimeout(t.Context(), time.Minute)
	slow := &http.Client{Jar: anna.http.Jar, Transport: &http.Transport{DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
		if err == nil {
			err = conn.(*net.TCPConn).SetReadBuffer(4096)
		}
		return conn, err
	}}}
	defer slow.CloseIdleConnections()
	defer letGo()
	r, err := http.NewRequestWithContext(reading, http.MethodGet, anna.url+anna.at("/live"), nil)
	must(t, err)
	stream, err := slow.Do(r)
	must(t, err)
	defer stream.Body.Close()

	bohdan, leave := h.sits("bohdan").listen("")
	defer leave()
	hear(t, bohdan, "view")
	online := func() bool {
		view, err := h.master.View(t.Context())
		must(t, err)
		for _, seat := range view.Seats {
			if seat.Name == "anna" {
				return seat.Online
			}
		}
		return false
	}
	want(t, "online while the stream runs", online(), true)

	const most = 2000
	args, err := json.Marshal(map[string]string{"text": strings.Repeat("Rain. ", 1500)})
	must(t, err)
	made := []string{}
	for online() { // until the connection's buffers are full and the time is over
		if len(made) < most {
			move := h.make(request.Move{Move: "no-roll", Character: "c1", Args: args}).Entry.Move
			made = append(made, move)
			contains(t, "what another page gets", hear(t, bohdan, "entry").data, `data-move="`+move+`"`)
		} else {
			time.Sleep(10 * time.Millisecond)
		}
	}
	if len(made) == most {
		t.Fatal("the connection takes everything")
	}

	seen, id := map[string]int{}, after
	lines := bufio.NewReader(stream.Body)
	var e event
	for {
		text, err := lines.ReadString('\n')
		if err != nil {
			break
		}
		field, value, _ := strings.Cut(strings.TrimSuffix(text, "\n"), ": ")
		switch field {
		case "id":
			e.id = value
		case "data":
			e.data += value + "\n"
		case "":
			if e.id != "" {
				id = e.id
			}
			count(t, seen, e.data)
			e = event{}
		}
	}
	if len(seen) == len(made) {
		t.Fatal("nothing was cut off")
	}
	resumed, stop := anna.listen(id)
	defer stop()
	for len(seen) < len(made) {
		count(t, seen, hear(t, resumed, "entry").data)
	}
	for _, move := range made {
		want(t, "card "+move, seen[move], 1)
	}
}

// count counts the cards in an event.
func count(t *testing.T, seen map[string]int, data string) {
	t.Helper()
	if data == "" {
		return
	}
	for _, card := range parse(t, data).with("data-move", "*") {
		seen[card.attrs["data-move"]]++
	}
}

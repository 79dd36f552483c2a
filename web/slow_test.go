package web_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"norn/internal/wait"
	"norn/table/request"
)

// stalled opens a page's stream over a connection with small buffers, and reads nothing.
func (b *browser) stalled(t *testing.T) *http.Response {
	t.Helper()
	reading, letGo := context.WithTimeout(t.Context(), time.Minute)
	client := &http.Client{
		Jar: b.http.Jar,
		Transport: &http.Transport{DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
			if err == nil {
				err = conn.(*net.TCPConn).SetReadBuffer(4096)
			}
			return conn, err
		}},
	}
	t.Cleanup(client.CloseIdleConnections)
	t.Cleanup(letGo)
	r, err := http.NewRequestWithContext(reading, http.MethodGet, b.url+b.at("/live"), nil)
	must(t, err)
	stream, err := client.Do(r)
	must(t, err)
	t.Cleanup(func() { stream.Body.Close() })
	return stream
}

// online reports whether a seat has a stream, as the game master sees it.
func (h *house) online(name string) bool {
	view, err := h.master.View(h.t.Context())
	must(h.t, err)
	for _, seat := range view.Seats {
		if seat.Name == name {
			return seat.Online
		}
	}
	return false
}

// fillUntilDropped makes moves until a seat's connection is full and gets closed. Another page gets
// all of them.
func (h *house) fillUntilDropped(name string, others <-chan event) (made []string) {
	h.t.Helper()
	const most = 2000
	args, err := json.Marshal(map[string]string{"text": strings.Repeat("Rain. ", 1500)})
	must(h.t, err)
	for h.online(name) && len(made) < most {
		move := h.make(request.Move{Move: "no-roll", Character: "c1", Args: args}).Entry.Move
		made = append(made, move)
		contains(h.t, "what another page gets", hear(h.t, others, "entry").data, `data-move="`+move+`"`)
	}
	if len(made) == most {
		h.t.Fatal("the connection takes everything")
	}
	return made
}

// readCards counts the cards in the rest of a closed stream, and returns the id of the last
// complete event, or after if there is none.
func readCards(t *testing.T, stream io.Reader, seen map[string]int, after string) (id string) {
	t.Helper()
	id = after
	lines := bufio.NewReader(stream)
	var e event
	for {
		text, err := lines.ReadString('\n')
		if err != nil {
			return id
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
}

// A page that takes nothing is disconnected, while others continue; with its last complete id it
// resumes and gets the missing cards, each once.
func TestConcurrentSlowPageIsDroppedAndResumes(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: waits for timeouts or other processes")
	}
	h := open(t)
	anna := h.sits("anna")
	after := anna.get(anna.at("")).the(t, "data-live", anna.at("/live?")).attrs["data-live-after"]
	stream := anna.stalled(t)
	bohdan, leave := h.sits("bohdan").listen("")
	defer leave()
	hear(t, bohdan, "view")
	wait.Until(t, "Anna is online while the stream runs", func() bool { return h.online("anna") })

	made := h.fillUntilDropped("anna", bohdan)
	seen := map[string]int{}
	id := readCards(t, stream.Body, seen, after)
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

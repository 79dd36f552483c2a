package main

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http/httputil"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// page is a seat that follows its table with a page in a browser. It makes every request that the
// page's script makes by itself.
type page struct {
	base     string // path of the table's page
	calls    *caller
	stream   net.Conn
	ended    chan struct{} // closed when the stream is
	after    string        // the position of the page's content
	reader   string        // the seat
	composer url.Values    // its fields
	sheet    string        // the character shown
	keys     int           // number of keys that its script has made
	ids      map[string]bool

	mu   sync.Mutex
	told uint64 // the entry up to which everything is shown and requested
	sum  traffic
	err  error
}

// traffic counts the bodies between a page and norn, before compression.
type traffic struct {
	answers, streamed, asked int64 // bytes: of answers to forms, of the stream, and of the script's own requests
	requests                 int   // number of the script's own requests
	chosen                   int64 // bytes of the composer after another move was chosen
}

func (t *traffic) add(more traffic) {
	t.answers += more.answers
	t.streamed += more.streamed
	t.asked += more.asked
	t.requests += more.requests
	t.chosen += more.chosen
}

func (t traffic) bytes() int64 { return t.answers + t.streamed + t.asked }

// turn opens a table's page as a browser with the seat does.
func turn(address, table, secret, lang string) (p *page, err error) {
	p = &page{base: "/t/" + table, ended: make(chan struct{}), ids: map[string]bool{}}
	if p.calls, err = dial(address); err != nil {
		return nil, err
	}
	p.calls.more = "Cookie: seat_" + table + "=" + secret + "\r\nAccept-Language: " + lang +
		"\r\nSec-Fetch-Site: same-origin\r\n"
	p.calls.media = "application/x-www-form-urlencoded"
	status, body, err := p.calls.do("GET", p.base, "", nil)
	if err != nil || status != 200 {
		return nil, fmt.Errorf("GET %s: %d: %w", p.base, status, err)
	}
	whole := string(body)
	p.notePlaces(whole)
	p.calls.more += "HX-Request: true\r\n"
	p.after, p.reader = attribute(whole, "data-live-after"), attribute(whole, "data-reader")
	p.sheet = attribute(whole, "data-sheet")
	_, composer, _ := strings.Cut(whole, `id="composer-box"`)
	p.composer = fields(composer)
	p.composer.Set("_touched", "") // script says that nothing is
	return p, nil
}

// follow opens the page's stream, which ends with leave.
func (p *page) follow(address string) error {
	stream, err := net.DialTimeout("tcp", address, patience)
	if err != nil {
		return err
	}
	out := head(nil, "GET", p.base+"/live?_seat="+p.reader+"&"+url.Values{"_a": p.composer["_a"], "_m": p.composer["_m"]}.Encode(), address, "")
	_, err = stream.Write(append(out, p.calls.more+"Last-Event-ID: "+p.after+"\r\n\r\n"...))
	r := bufio.NewReaderSize(stream, 64<<10)
	var status int
	var chunked bool
	if err == nil {
		status, _, chunked, err = readHead(r)
	}
	if err == nil && status != 200 {
		err = fmt.Errorf("status %d", status)
	}
	if err == nil {
		p.told, err = strconv.ParseUint(p.after, 10, 64)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("%s/live: %w", p.base, err), stream.Close())
	}
	if chunked {
		r = bufio.NewReaderSize(httputil.NewChunkedReader(r), 64<<10)
	}
	if strings.Contains(p.calls.more, "Accept-Encoding: gzip") {
		unpacked, err := gzip.NewReader(r)
		if err != nil {
			return errors.Join(fmt.Errorf("%s/live: %w", p.base, err), stream.Close())
		}
		r = bufio.NewReader(unpacked)
	}
	p.stream = stream
	go p.listens(r)
	return nil
}

// listens reads the stream to its end.
func (p *page) listens(r *bufio.Reader) {
	defer close(p.ended)
	var event strings.Builder
	for {
		line, err := r.ReadString('\n')
		if err == nil && line != "\n" {
			event.WriteString(line)
			continue
		}
		if err == nil {
			err = p.hears(event.String())
			event.Reset()
		}
		if err != nil {
			p.fails(err) // ignored after leave
			return
		}
	}
}

func (p *page) fails(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err == nil {
		p.err = err
	}
}

// hears shows an event and makes the script's requests for it. No form is sent on the page's
// connection meanwhile.
func (p *page) hears(event string) error {
	if strings.HasPrefix(event, ":") {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sum.streamed += int64(len(event)) + 1
	if err := p.shows(event, true); err != nil {
		return err
	}
	if id, ok := strings.CutPrefix(event, "id: "); ok {
		id, _, _ = strings.Cut(id, "\n")
		seq, err := strconv.ParseUint(id, 10, 64)
		if err != nil {
			return err
		}
		p.told = max(p.told, seq)
	}
	return nil
}

// press sends a form as its button does. The caller doesn't use two pages at once.
func (p *page) press(at string, form url.Values) (status int, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	status, body, err := p.calls.do("POST", p.base+at, "", []byte(form.Encode()))
	if err != nil {
		return 0, err
	}
	p.sum.answers += int64(len(body))
	if status == 200 || status == 204 {
		p.keys++
		p.composer.Set("_key", p.base+strconv.Itoa(p.keys)) // script gives each form post its own key
	}
	return status, p.shows(string(body), false)
}

// makes presses the composer's button. For another move than the one shown it chooses that first,
// and for other fields it requests the odds.
func (p *page) makes(form url.Values) (status int, err error) {
	p.mu.Lock()
	if p.composer.Get("_m") != form.Get("_m") || p.composer.Get("_a") != form.Get("_a") {
		err = p.chooses("/move?" + url.Values{"_m": form["_m"], "_a": form["_a"]}.Encode())
	}
	touched := strings.Fields(p.composer.Get("_touched"))
	sets := len(touched)
	for name, values := range form {
		if !strings.HasPrefix(name, "_") && !slices.Equal(values, p.composer[name]) && !slices.Contains(touched, name) {
			touched = append(touched, name)
		}
		p.composer[name] = values
	}
	p.composer.Set("_touched", strings.Join(touched, " "))
	if len(touched) > sets && err == nil {
		err = p.chooses("/odds?" + p.composer.Encode())
	}
	whole := maps.Clone(p.composer)
	p.mu.Unlock()
	if err != nil {
		return 0, err
	}
	return p.press("/move", whole)
}

// chooses makes a request that a choice causes. The caller holds mu.
func (p *page) chooses(path string) error {
	status, body, err := p.calls.do("GET", p.base+path, "", nil)
	if err != nil || status != 200 {
		return fmt.Errorf("GET %s%s: %d: %w", p.base, path, status, err)
	}
	p.sum.chosen += int64(len(body))
	text := string(body)
	if sent := fields(text); sent.Has("_m") {
		p.composer = sent
	}
	return nil
}

// shows applies pieces to the page and makes the requests that they cause. The caller holds mu.
func (p *page) shows(pieces string, news bool) error {
	p.notePlaces(pieces)
	for piece := range strings.SplitSeq(pieces, "<hx-partial ") {
		target, _ := strings.CutPrefix(piece, `hx-target="`)
		target, _, _ = strings.Cut(target, `"`)
		switch target {
		case "#sheet-" + p.sheet + ":not([data-changing])":
			if _, err := p.asks(strings.TrimPrefix(attribute(piece, "hx-get"), p.base)); err != nil {
				return err
			}
		case "#composer-box":
			p.composer = fields(piece)
		case "#move-form":
			if !news || !p.concerns(piece) {
				continue
			}
			body, err := p.asks("/move?_keep=1&" + p.composer.Encode())
			if err != nil {
				return err
			}
			if err := p.shows(body, false); err != nil {
				return err
			}
		case "#no-sheet", "#nothing-to-do", "#log-stale":
			if !p.ids[target[1:]] {
				continue
			}
			delete(p.ids, target[1:])
			if where := attribute(piece, "hx-get"); where != "" {
				if _, err := p.asks(strings.TrimPrefix(where, p.base)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// concerns reports whether what has changed may show in the page's move form, as refresh.js finds it.
func (p *page) concerns(piece string) bool {
	if strings.Contains(piece, " data-usual") {
		return true
	}
	if p.composer.Get("_touched") == "" {
		return false
	}
	for _, id := range strings.Fields(attribute(piece, "data-of")) {
		for _, values := range p.composer {
			if slices.Contains(values, id) {
				return true
			}
		}
	}
	return false
}

// asks makes a request of the page's script. The caller holds mu.
func (p *page) asks(path string) (string, error) {
	status, body, err := p.calls.do("GET", p.base+path, "", nil)
	if err != nil {
		return "", err
	}
	if status >= 500 {
		return "", fmt.Errorf("GET %s: %d", p.base+path, status)
	}
	p.sum.asked += int64(len(body))
	p.sum.requests++
	text := string(body)
	p.notePlaces(text)
	return text, nil
}

// notePlaces records elements that make a request when they become visible.
func (p *page) notePlaces(text string) {
	for _, id := range []string{"no-sheet", "nothing-to-do"} {
		if strings.Contains(text, `id="`+id+`"`) {
			p.ids[id] = true
		}
	}
}

// takes returns the traffic since the last call.
func (p *page) takes() traffic {
	p.mu.Lock()
	defer p.mu.Unlock()
	sum := p.sum
	p.sum = traffic{}
	return sum
}

// up waits until the page shows an entry.
func (p *page) up(seq uint64) error {
	for limit := time.Now().Add(patience); ; time.Sleep(200 * time.Microsecond) {
		p.mu.Lock()
		told, err := p.told, p.err
		p.mu.Unlock()
		switch {
		case err != nil:
			return err
		case told >= seq:
			return nil
		case time.Now().After(limit):
			return fmt.Errorf("%s isn't told of entry %d", p.base, seq)
		}
	}
}

func (p *page) leave() error {
	if p.stream == nil {
		return p.calls.conn.Close()
	}
	err := errors.Join(p.stream.Close(), p.calls.conn.Close())
	<-p.ended
	return err
}

// attribute returns the first value of an attribute in a page.
func attribute(text, name string) string {
	_, rest, _ := strings.Cut(text, " "+name+`="`)
	value, _, _ := strings.Cut(rest, `"`)
	return unescaped.Replace(value)
}

var unescaped = strings.NewReplacer("&amp;", "&", "&#34;", `"`, "&quot;", `"`, "&#39;", "'", "&lt;", "<", "&gt;", ">")

var (
	control = regexp.MustCompile(`<(input|select|option|textarea)\b([^>]*)>`)
	members = regexp.MustCompile(`([a-z-]+)(?:="([^"]*)")?`)
)

// fields returns the fields of the composer in a piece of a page, or of the whole piece, as a
// browser would send them.
func fields(text string) url.Values {
	values, list := url.Values{}, ""
	if _, form, ok := strings.Cut(text, `id="composer-form"`); ok {
		form, _, _ = strings.Cut(form, "</form>")
		text = form // controls outside the form aren't sent by requests that only ask
	}
	for _, found := range control.FindAllStringSubmatch(text, -1) {
		at := map[string]string{}
		for _, member := range members.FindAllStringSubmatch(found[2], -1) {
			at[member[1]] = unescaped.Replace(member[2])
		}
		_, checked := at["checked"]
		_, selected := at["selected"]
		name := at["name"]
		switch {
		case found[1] == "select":
			list = name
		case found[1] == "option":
			if list != "" && (selected || !values.Has(list)) {
				values.Set(list, at["value"])
			}
		case name == "" || at["type"] == "submit":
		case found[1] == "textarea" || at["type"] != "checkbox" && at["type"] != "radio" || checked:
			values.Add(name, at["value"])
		}
	}
	return values
}

package main

import (
	"bufio"
	"encoding/xml"
	"errors"
	"fmt"
	"net"
	"net/http/httputil"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// page is a seat that follows its table by a page in a browser. It makes every request that the page's script makes of
// itself while nobody touches anything.
type page struct {
	base     string // path of the table's page
	calls    *caller
	stream   net.Conn
	ended    chan struct{} // closed when the stream is
	after    string        // what the page was drawn of
	reader   string        // the seat
	composer string        // as it was drawn last
	ids      map[string]bool

	mu   sync.Mutex
	told uint64 // up to which all is told, and asked for
	sum  traffic
	err  error
}

// traffic is what went between a page and norn, bodies only, before compression.
type traffic struct {
	answers, streamed, asked int64 // bytes: of answers to presses, of the stream, of what script asked for by itself
	requests                 int   // of the last
}

func (t *traffic) add(more traffic) {
	t.answers += more.answers
	t.streamed += more.streamed
	t.asked += more.asked
	t.requests += more.requests
}

func (t traffic) bytes() int64 { return t.answers + t.streamed + t.asked }

// turn opens a table's page as a browser does that holds the seat.
func turn(address, table, secret, lang string) (p *page, err error) {
	p = &page{base: "/t/" + table, ended: make(chan struct{}), ids: map[string]bool{}}
	if p.calls, err = dial(address); err != nil {
		return nil, err
	}
	p.calls.more = "Cookie: seat_" + table + "=" + secret + "\r\nAccept-Language: " + lang + "\r\nSec-Fetch-Site: same-origin\r\n"
	p.calls.media = "application/x-www-form-urlencoded"
	status, body, err := p.calls.do("GET", p.base, "", nil)
	if err != nil || status != 200 {
		return nil, fmt.Errorf("GET %s: %d: %w", p.base, status, err)
	}
	whole := string(body)
	p.drawn(whole)
	p.calls.more += "HX-Request: true\r\n"
	p.after, p.reader = attribute(whole, "data-live-after"), attribute(whole, "data-reader")
	_, p.composer, _ = strings.Cut(whole, `id="composer-box"`)
	p.composer, _, _ = strings.Cut(p.composer, `id="composer-stale"`)
	return p, nil
}

// follow opens the page's stream, which ends with leave.
func (p *page) follow(address string) error {
	stream, err := net.DialTimeout("tcp", address, patience)
	if err != nil {
		return err
	}
	out := head(nil, "GET", p.base+"/live?_seat="+p.reader, address, "")
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
			p.fails(err) // nobody asks once it's left
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

// hears shows an event, and asks for what script then asks for. Who presses doesn't use the page's connection meanwhile.
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

// press sends a form, as somebody does who presses its button. The caller doesn't press at two pages at once.
func (p *page) press(at string, form url.Values) (status int, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	status, body, err := p.calls.do("POST", p.base+at, "", []byte(form.Encode()))
	if err != nil {
		return 0, err
	}
	p.sum.answers += int64(len(body))
	return status, p.shows(string(body), false)
}

// shows puts pieces into the page and makes the requests that they lead to. The caller has mu.
func (p *page) shows(pieces string, news bool) error {
	p.drawn(pieces)
	for piece := range strings.SplitSeq(pieces, "<hx-partial ") {
		switch target := attribute(piece[:min(len(piece), 200)], "hx-target"); target {
		case "#composer-box":
			p.composer = piece
		case "#composer-stale":
			if !news {
				continue
			}
			body, err := p.asks("/move?_keep=1&" + fields(p.composer).Encode())
			if err != nil {
				return err
			}
			p.composer = body
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

// asks makes a request of the page's script. The caller has mu.
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
	p.drawn(text)
	return text, nil
}

// drawn notes which places are there that ask for something when they're reached.
func (p *page) drawn(text string) {
	for _, id := range []string{"no-sheet", "nothing-to-do"} {
		if strings.Contains(text, `id="`+id+`"`) {
			p.ids[id] = true
		}
	}
}

// takes what went over since the last time.
func (p *page) takes() traffic {
	p.mu.Lock()
	defer p.mu.Unlock()
	sum := p.sum
	p.sum = traffic{}
	return sum
}

// up waits until the page has been told of an entry.
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

// attribute is the first value of an attribute in a page.
func attribute(text, name string) string {
	_, rest, _ := strings.Cut(text, " "+name+`="`)
	if rest == "" {
		_, rest, _ = strings.Cut(text, name+`="`)
	}
	value, _, _ := strings.Cut(rest, `"`)
	return unescaped.Replace(value)
}

var (
	unescaped = strings.NewReplacer("&amp;", "&", "&#34;", `"`, "&quot;", `"`, "&#39;", "'", "&lt;", "<", "&gt;", ">")
	entity    = regexp.MustCompile(`&nbsp;`)
)

// fields are those of the forms in a piece of a page, as a browser would send them.
func fields(text string) url.Values {
	d := xml.NewDecoder(strings.NewReader(entity.ReplaceAllString(text, " ")))
	d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	values, list := url.Values{}, ""
	for {
		token, err := d.Token()
		if err != nil { // at the end of the piece
			return values
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		at := map[string]string{}
		for _, a := range start.Attr {
			at[a.Name.Local] = a.Value
		}
		_, checked := at["checked"]
		_, selected := at["selected"]
		name := at["name"]
		switch tag := start.Name.Local; {
		case tag == "select":
			list = name
		case tag == "option" && list != "" && (selected || !values.Has(list)):
			values.Set(list, at["value"])
		case tag == "textarea" && name != "":
			values.Add(name, "")
		case tag == "input" && name != "" && at["type"] != "submit" && (at["type"] != "checkbox" && at["type"] != "radio" || checked):
			values.Add(name, at["value"])
		}
	}
}

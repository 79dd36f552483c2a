package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// The attackers and the player have different addresses, since limits apply to each address.
const (
	attacker = "127.0.0.1"
	player   = "127.0.0.2"
	loops    = 8 // of each attack at a time
)

// flooded is the result of a flood: the times of answers to others.
type flooded struct {
	way           string
	took          []time.Duration // sorted
	sent, refused int64           // requests of the attackers
	norn, theirs  time.Duration   // CPU time of norn, and of the attackers
	over          time.Duration
	peak          int64 // maximum memory of norn until then, in bytes
}

// client returns a client at an address of this machine.
func client(address string) *http.Client {
	dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}, Timeout: patience}
	return &http.Client{
		Timeout:   patience,
		Transport: &http.Transport{DialContext: dialer.DialContext, MaxIdleConnsPerHost: loops},
	}
}

// seat is a client with a table of its own.
type seat struct {
	client        *http.Client
	at            string // "http://127.0.0.1:4000"
	table, secret string
	played        script // the script that it plays
}

// open creates a table from an address, with a character who can act.
func open(address, at string, played script) (*seat, error) {
	s := &seat{client: client(address), at: at, played: played}
	var made struct {
		ID   string
		Seat struct{ Secret string }
	}
	status, text, err := s.send(context.Background(), "POST", "/api/v1/tables",
		`{"game":"`+played.game+`","name":"Flood","lang":"en"}`)
	if err == nil && status >= 300 {
		err = fmt.Errorf("opening a table: %d %s", status, text)
	}
	if err = errors.Join(err, json.Unmarshal(text, &made)); err != nil {
		return nil, err
	}
	s.table, s.secret = made.ID, made.Seat.Secret
	_, _, err = s.send(context.Background(), "POST", "/api/v1/tables/"+s.table+"/characters",
		`{"name":"Rhua","kind":"`+played.Kind+`","sheet":`+string(played.Sheet)+`}`)
	return s, err
}

// send sends a request with the seat's secret and reads the answer.
func (s *seat) send(ctx context.Context, method, path, body string) (status int, text []byte, err error) {
	r, err := http.NewRequestWithContext(ctx, method, s.at+path, strings.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if s.secret != "" {
		r.Header.Set("Authorization", "Bearer "+s.secret)
	}
	answer, err := s.client.Do(r)
	if err != nil {
		return 0, nil, err
	}
	defer answer.Body.Close()
	text, err = io.ReadAll(answer.Body)
	return answer.StatusCode, text, err
}

// answerAll answers the questions of a move as odds assume.
func (s *seat) answerAll() error {
	path := "/api/v1/tables/" + s.table
	for {
		var view struct {
			Questions []struct {
				ID       string
				Standard json.RawMessage
			}
		}
		_, text, err := s.send(context.Background(), "GET", path, "")
		if err = cmp.Or(err, json.Unmarshal(text, &view)); err != nil || len(view.Questions) == 0 {
			return err
		}
		q := view.Questions[0]
		if q.Standard == nil {
			q.Standard = json.RawMessage("{}")
		}
		status, text, err := s.send(context.Background(), "POST", path+"/answers",
			fmt.Sprintf(`{"question":%q,"answer":%s}`, q.ID, q.Standard))
		if err == nil && status >= 300 {
			err = fmt.Errorf("POST %s/answers: answered with %d %s", path, status, text)
		}
		if err != nil {
			return err
		}
	}
}

// attacks returns the floods by name: each makes one request, the nth of its loop.
func attacks(own *seat) map[string]func(ctx context.Context, n int) (int, error) {
	calls := strings.TrimSuffix(strings.Repeat(`{"jsonrpc":"2.0","id":1,"method":"tools/list"},`, 19_500), ",")
	stranger := &seat{client: own.client, at: own.at, secret: "nonsense"}
	pictures, lists := pictureRequests(), listRequests(own.played.Kind)
	var deep []string
	for _, file := range nested() {
		deep = append(deep, `{"file":`+file+`}`)
	}
	ask := func(ctx context.Context, s *seat, method, path, body string) (int, error) {
		status, _, err := s.send(ctx, method, path, body)
		return status, err
	}
	return map[string]func(context.Context, int) (int, error){
		"/mcp": func(ctx context.Context, n int) (int, error) {
			if n%2 == 0 {
				return ask(ctx, stranger, "POST", "/mcp/aaaaaaaaaaaaaaaa", "["+calls+"]")
			}
			return ask(ctx, own, "POST", "/mcp/"+own.table, "["+calls+"]")
		},
		"API": func(ctx context.Context, n int) (int, error) {
			if n%2 == 0 {
				return ask(ctx, stranger, "GET", "/api/v1/tables/"+own.table, "")
			}
			return ask(ctx, own, "POST", "/api/v1/tables/"+own.table+"/moves",
				`{"character":"c1",`+own.played.move(n)+`}`)
		},
		"pages": func(ctx context.Context, n int) (int, error) {
			if n%2 == 0 {
				return ask(ctx, own, "GET", "/odds/dice?notation="+strconv.Itoa(90+n%10)+"d1000", "")
			}
			return ask(ctx, own, "GET", "/", "")
		},
		"pictures": func(ctx context.Context, n int) (int, error) {
			return ask(ctx, own, "POST", "/api/v1/tables/"+own.table+"/pictures", pictures[n%len(pictures)])
		},
		"bodies": func(ctx context.Context, _ int) (int, error) { return sendUnfinished(ctx, own.at) },
		"odds": func(ctx context.Context, n int) (int, error) {
			asked, _ := json.Marshal(map[string]any{"args": map[string]string{"notation": dearest[n%len(dearest)]}})
			return ask(ctx, own, "POST", "/api/v1/odds/dice", string(asked))
		},
		"lists": func(ctx context.Context, n int) (int, error) {
			return ask(ctx, own, "POST", "/api/v1/tables/"+own.table+"/lists", lists[n%len(lists)])
		},
		"characters": func(ctx context.Context, n int) (int, error) {
			way := []string{"/import-character", "/read-hero"}[n/len(deep)%2]
			return ask(ctx, own, "POST", "/api/v1/tables/"+own.table+way, deep[n%len(deep)])
		},
	}
}

// dearest are dice whose odds cost the most that norn computes, or a little more.
var dearest = []string{
	"50x 20d100!r<4km18", "300d3>=2 set", "100d999ro<3!>2kl56", "50x (d1000*d1000)", "5d6kl3r<3!>2", "3d20kl2r<10!>9",
}

// listRequests returns requests with lists: as long as norn takes, as wide, and nested.
func listRequests(kind string) (all []string) {
	long := "Name,About\n" + strings.Repeat("Orla,"+strings.Repeat("x", 200)+"\n", 2000)
	wide := strings.Repeat("a,", 100_000) + "b\nOrla"
	for _, rows := range append(nested(), long, wide) {
		text, _ := json.Marshal(map[string]string{"name": "Flood", "kind": kind, "rows": rows})
		all = append(all, string(text))
	}
	return all
}

// nested returns JSON that costs much where each level is read again.
func nested() []string {
	return []string{
		strings.Repeat("[", 9_900) + `"` + strings.Repeat("x", 400_000) + `"` + strings.Repeat("]", 9_900),
		strings.Repeat(`{"a":`, 5_000) + `"` + strings.Repeat("x", 100_000) + `"` + strings.Repeat("}", 5_000),
	}
}

// sendUnfinished sends requests whose bodies never end, one after the other on connections that stay
// open, until norn refuses one or there are hundreds.
func sendUnfinished(ctx context.Context, at string) (status int, err error) {
	ctx, end := context.WithTimeout(ctx, 10*time.Second)
	defer end()
	part := make([]byte, 1000<<10)
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(attacker)}}
	for range 100 {
		conn, err := dialer.DialContext(ctx, "tcp", strings.TrimPrefix(at, "http://"))
		if err != nil {
			return 0, err
		}
		defer conn.Close()
		defer context.AfterFunc(ctx, func() { conn.Close() })()
		_, err = fmt.Fprintf(conn, "POST /api/v1/odds/dice HTTP/1.1\r\nHost: norn\r\n"+
			"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n", 1<<20)
		if err == nil {
			_, err = conn.Write(part)
		}
		if err != nil {
			return 0, err
		}
	}
	<-ctx.Done()
	return 0, ctx.Err()
}

// pictureRequests returns requests with one picture each, as expensive as norn accepts.
func pictureRequests() []string {
	var all []string
	chance := rand.New(rand.NewPCG(1, 2))
	for range 4 {
		picture := image.NewNRGBA(image.Rect(0, 0, 400, 400))
		for i := range picture.Pix {
			picture.Pix[i] = uint8(chance.Uint32())
		}
		picture.Set(0, 0, color.White)
		var file bytes.Buffer
		_ = png.Encode(&file, picture) // a buffer never fails
		all = append(all, `{"data":"`+base64.StdEncoding.EncodeToString(file.Bytes())+`"}`)
	}
	return all
}

// flood runs each attack for some time, one after the other, and then all of them.
func flood(norn, game string, long time.Duration) (all []*flooded, err error) {
	scripts, err := scriptsOf(game)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "norn-load-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	at, err := start(norn, dir, []string{"--limits", "usual", "--agents"})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, at.stop()) }()
	others, err := open(player, "http://"+at.address, scripts[0])
	if err != nil {
		return nil, err
	}
	own, err := open(attacker, "http://"+at.address, scripts[0])
	if err != nil {
		return nil, err
	}
	for _, way := range []string{"nothing", "/mcp", "API", "pages", "pictures", "bodies", "odds", "lists", "characters", "all"} {
		f := &flooded{way: way}
		attackers, err := attackFrom(own, way)
		if err != nil {
			return nil, err
		}
		before, theirs, began := cpu(at.process.Process.Pid), cpu(attackers.pid()), time.Now()
		err = f.watch(others, long)
		f.norn, f.theirs = cpu(at.process.Process.Pid)-before, cpu(attackers.pid())-theirs
		f.over = time.Since(began)
		_, f.peak = memory(at.process.Process.Pid)
		f.sent, f.refused, err = attackers.stop(err)
		if err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	return all, nil
}

// attackers is the process that attacks, which is this program. The player's answers would wait for
// its requests in one process, and not for norn.
type attackers struct {
	process *exec.Cmd
	until   io.Closer     // its input: it attacks until that ends
	told    *bytes.Buffer // its output, to be read when it has ended
}

// attackOrder makes this program the attackers: the variable contains an order.
const attackOrder = "NORN_LOAD_ATTACK"

// order says what is attacked.
type order struct {
	Way, At, Table, Secret, Game string
	Played                       script
}

// count counts the requests of the attackers, who print it at their end.
type count struct{ Sent, Refused int64 }

// attackFrom starts attackers who have this seat.
func attackFrom(own *seat, way string) (*attackers, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(order{way, own.at, own.table, own.secret, own.played.game, own.played})
	if err != nil {
		return nil, err
	}
	// they would be another machine, so they have what norn leaves of the cores
	a := &attackers{process: exec.Command("nice", "-n", "19", self), told: &bytes.Buffer{}}
	a.process.Env = append(os.Environ(), attackOrder+"="+string(text))
	a.process.Stdout, a.process.Stderr = a.told, os.Stderr
	if a.until, err = a.process.StdinPipe(); err != nil {
		return nil, err
	}
	return a, a.process.Start()
}

func (a *attackers) pid() int { return a.process.Process.Pid }

// stop ends the attackers, also after an error of the player, and returns the number of their requests.
func (a *attackers) stop(failed error) (sent, refused int64, err error) {
	err = errors.Join(failed, a.until.Close(), a.process.Wait())
	var c count
	if err == nil {
		err = json.Unmarshal(a.told.Bytes(), &c)
	}
	return c.Sent, c.Refused, err
}

// obey attacks until the input ends and prints the number of requests.
func obey(text string) error {
	var o order
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		return err
	}
	o.Played.game = o.Game
	own := &seat{client: client(attacker), at: o.At, table: o.Table, secret: o.Secret, played: o.Played}
	ctx, stop := context.WithCancel(context.Background())
	var c count
	var attacking sync.WaitGroup
	for name, attack := range attacks(own) {
		for i := range loops {
			if name == o.Way || o.Way == "all" {
				attacking.Go(func() { c.attack(ctx, attack, i) })
			}
		}
	}
	_, err := io.Copy(io.Discard, os.Stdin)
	stop()
	attacking.Wait()
	return errors.Join(err, json.NewEncoder(os.Stdout).Encode(c))
}

// attack attacks until the context ends.
func (c *count) attack(ctx context.Context, one func(context.Context, int) (int, error), n int) {
	for ; ctx.Err() == nil; n++ {
		status, err := one(ctx, n)
		if ctx.Err() != nil {
			return
		}
		atomic.AddInt64(&c.Sent, 1)
		if err != nil || status >= 400 {
			atomic.AddInt64(&c.Refused, 1)
		}
	}
}

// watch plays for some time from another address, and measures each answer.
func (f *flooded) watch(s *seat, long time.Duration) error {
	for n, began := 0, time.Now(); time.Since(began) < long; n++ {
		for _, c := range []struct{ method, path, body string }{
			{
				"POST", "/api/v1/tables/" + s.table + "/moves",
				`{"character":"c1",` + s.played.move(n) + `,"key":"` + f.way + strconv.Itoa(n) + `"}`,
			},
			{"GET", "/", ""},
			{"GET", "/api/v1/tables/" + s.table, ""},
		} {
			sent := time.Now()
			status, text, err := s.send(context.Background(), c.method, c.path, c.body)
			if err == nil && status >= 300 {
				err = fmt.Errorf("answered with %d %s", status, text)
			}
			if err == nil {
				f.took = append(f.took, time.Since(sent))
			}
			if err == nil && status == http.StatusAccepted {
				err = s.answerAll()
			}
			if err != nil {
				return fmt.Errorf("%s %s while %s is flooded: %w", c.method, c.path, f.way, err)
			}
		}
		time.Sleep(200 * time.Millisecond) // as people play, and within the limits of their seat
	}
	slices.Sort(f.took)
	return nil
}

// floods formats the results as a table.
func floods(all []*flooded) string {
	var b strings.Builder
	b.WriteString("\n| flooded | others' answers | median, ms | p99, ms | longest, ms | attackers' requests/s | refused | norn's CPU | attackers' CPU | MiB at most |\n|---|---|---|---|---|---|---|---|---|---|\n")
	for _, f := range all {
		refused := "–"
		if f.sent > 0 {
			refused = fmt.Sprintf("%d %%", 100*f.refused/f.sent)
		}
		fmt.Fprintf(&b, "| %s | %d | %s | %s | %s | %.0f | %s | %.0f %% | %.0f %% | %s |\n", f.way, len(f.took),
			millis(share(f.took, 50)), millis(share(f.took, 99)), millis(f.took[len(f.took)-1]),
			float64(f.sent)/f.over.Seconds(), refused, 100*f.norn.Seconds()/f.over.Seconds(),
			100*f.theirs.Seconds()/f.over.Seconds(), megabytes(f.peak))
	}
	return b.String()
}

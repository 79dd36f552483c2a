// Command pictures takes the screenshots for README and the guide from a running norn: go run
// ./docs/pictures, or make pictures. It needs bin/norn and a Chromium, opens the demo tables in a
// separate folder, and writes WebP files of at most 150 kB next to itself, and an animated one of
// at most 1 MB.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"norn/chat/telegram/telegramtest"
	"norn/games"
)

// most is the maximum size of a picture, in bytes.
const most = 150_000

// patience bounds the time for norn to answer, and for a page to be drawn.
const patience = 30 * time.Second

// picture is one screenshot.
type picture struct {
	name          string // of the file, without its extension
	path          string
	lang, theme   string
	width, height int64
	moment        *moment // nil for a demo table as it is
}

// moment is a moment of an evening at a new table, at which a player has a seat.
type moment struct {
	game  string
	steps []step // presses, and what the page shows then; the picture is taken after the last one
	ended bool   // the session has ended, and the page shows its summary
	gm    bool   // show the game master's seat
}

type step struct{ script, until string }

const (
	sit   = `document.querySelector('[data-form=arrive] button[name=_to], [data-form=arrive] button').click()`
	ready = `document.querySelector('[data-form=ready] button').click()`
	use   = `document.querySelector('#sheet .sheet a.use').click()`
	// The enlarged display, which lasts a second, is stopped.
	throw = `new MutationObserver(() => {
		const stage = document.querySelector('.stage')
		for (const moving of stage ? document.getAnimations() : []) {
			if (moving.effect.target === stage) { moving.pause(); moving.currentTime = 300 }
			else if (stage.contains(moving.effect.target)) moving.finish()
		}
	}).observe(document.body, { childList: true })
	for (const text of document.querySelectorAll('#composer-form :is(input[type=text], textarea)')) text.value ||= 'Over the ice'
	document.querySelector('#throw').click()
	setTimeout(() => { // what a move wants besides
		if (document.querySelector('.stage')) return
		for (const field of [...document.querySelectorAll('#composer-form select')].slice(0, 2)) {
			if (!field.value) field.value = [...field.options].find((o) => o.value && o.value !== '_other')?.value ?? ''
		}
		document.querySelector('#throw').click()
	}, 2500)`
)

// inTurns holds the steps to a turn order, for games whose demo has none.
var inTurns = map[string][]step{
	"eclipse": {
		{`document.querySelector('#move-initiative').click()`, "[data-composer=initiative] #throw"},
		{`document.querySelector('#throw').click()`, ".going"},
		{``, ".card[data-throws]"}, // the dice are no longer enlarged
	},
}

// evening returns the pictures of an evening with a game.
func evening(game string) []picture {
	named := func(what string, m moment) picture {
		m.game = game
		return picture{name: game + "-" + what, lang: "en", theme: "light", width: 1280, height: 800, moment: &m}
	}
	hero := []step{{sit, "[data-form=ready]"}, {ready, "#sheet .sheet a.use"}}
	thrown := append(slices.Clone(hero), step{use, "#throw"}, step{throw, ".stage"})
	arrival, heroes := named("arrival", moment{}), named("heroes", moment{steps: hero[:1]})
	for _, narrow := range []*picture{&arrival, &heroes} {
		narrow.width, narrow.height = 390, 720
	}
	all := []picture{
		arrival, heroes, named("throw", moment{steps: thrown}),
		named("recap", moment{steps: thrown, ended: true}),
	}
	if turns, ok := inTurns[game]; ok {
		all = append(all, named("turns", moment{steps: append(slices.Clone(hero), turns...)}))
	}
	return all
}

// chats returns the pictures of connecting a table to a chat: the game master's page with a code
// for a channel, and a player's with a code for themselves.
func chats(game, lang string) []picture {
	page := step{`location.href = location.pathname.split('/').slice(0, 3).join('/') + '/chats'`, ".chats"}
	code := func(form string) step {
		return step{"document.querySelector('[data-form=" + form + "] button').click()", ".chat-code"}
	}
	arrives := step{"document.querySelector('[data-form=arrive] button')?.click()", "header"}
	return []picture{
		{
			name: "chats-" + lang, lang: lang, theme: "light", width: 800, height: 800,
			moment: &moment{game: game, gm: true, steps: []step{arrives, page, code("chat-table")}},
		},
		{
			name: "chats-seat-" + lang, lang: lang, theme: "light", width: 390, height: 640,
			moment: &moment{game: game, steps: []step{arrives, page, code("chat-seat")}},
		},
	}
}

// pictures returns the pictures for README and the guides.
func pictures() []picture {
	var all []picture
	played := games.All()
	for _, l := range []string{"en", "ru", "uk"} {
		for _, own := range played {
			g := own.ID
			all = append(all, picture{
				name: g + "-" + l, path: "/demo/" + g, lang: l, theme: "light", width: 1280,
				height: 1000,
			})
			if l == "en" {
				all = append(all, picture{
					name: g + "-phone", path: "/demo/" + g, lang: l, theme: "light", width: 360,
					height: 720,
				})
				all = append(all, picture{
					name: g + "-" + l + "-dark", path: "/demo/" + g, lang: l, theme: "dark",
					width: 1280, height: 1000,
				})
			}
		}
		all = append(all,
			picture{
				name: "phone-" + l, path: "/demo/" + played[0].ID, lang: l, theme: "light", width: 360,
				height: 720,
			},
			picture{
				name: "odds-" + l, path: "/odds/mage/roll?pool=7&difficulty=8", lang: l, theme: "light",
				width: 1000, height: 720,
			})
	}
	for _, l := range []string{"en", "ru", "uk"} {
		all = append(all, chats(played[0].ID, l)...)
		all = append(all, rules(l)...)
		all = append(all, foreignHero(l))
	}
	for _, own := range played { // last, because these change the tables
		all = append(all, evening(own.ID)...)
	}
	return all
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("pictures: ")
	only := flag.String("only", "", "a regular expression: which pictures, by their names")
	flag.Parse()
	which, err := regexp.Compile(*only)
	if err != nil {
		log.Fatal(err)
	}
	if err := run(context.Background(), filepath.Join("docs", "pictures"), which); err != nil {
		log.Fatal(err)
	}
}

// run takes pictures and writes them to a folder.
func run(ctx context.Context, folder string, which *regexp.Regexp) error {
	data, err := os.MkdirTemp("", "norn-pictures")
	if err != nil {
		return err
	}
	defer os.RemoveAll(data)
	origin, stop, err := serve(ctx, data)
	if err != nil {
		return err
	}
	defer stop()
	var browser []chromedp.ExecAllocatorOption
	// the browser that make installs, which chromedp doesn't look for
	if shell, err := exec.LookPath("chromium-headless-shell"); err == nil {
		browser = append(browser, chromedp.ExecPath(shell))
	}
	ctx, closeAll := chromedp.NewExecAllocator(ctx, append(browser, chromedp.NoSandbox, chromedp.Flag("headless", true),
		chromedp.Flag("disable-gpu", true), chromedp.Flag("hide-scrollbars", true),
		chromedp.Flag("user-data-dir", filepath.Join(data, "browser")))...)
	defer closeAll()
	ctx, closeTab := chromedp.NewContext(ctx)
	defer closeTab()
	if err := chromedp.Do(ctx, chromedp.Navigate(origin)); err != nil {
		return err
	}
	for _, p := range pictures() {
		if !which.MatchString(p.name) {
			continue
		}
		image, err := p.take(ctx, origin)
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		if err := os.WriteFile(filepath.Join(folder, p.name+".webp"), image, 0o644); err != nil {
			return err
		}
	}
	if !which.MatchString("moving") {
		return nil
	}
	film, err := moving(ctx, origin, "en")
	if err != nil {
		return fmt.Errorf("moving: %w", err)
	}
	return os.WriteFile(filepath.Join(folder, "moving.webp"), film, 0o644)
}

// serve runs norn with its demos until stop is called.
func serve(ctx context.Context, data string) (origin string, stop func(), err error) {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	address := free.Addr().String()
	if err := free.Close(); err != nil {
		return "", nil, err
	}
	telegram := telegramtest.New() // so that there is a chat
	norn := exec.CommandContext(ctx, filepath.Join("bin", "norn"), "serve", "--demo", "--limits", "off", "--listen",
		address, "--data", data, "--telegram", "--telegram-api", telegram.URL)
	norn.Env = append(os.Environ(), "NORN_TELEGRAM_TOKEN="+telegramtest.Token)
	norn.Stderr = os.Stderr
	if err := norn.Start(); err != nil {
		telegram.Close()
		return "", nil, err
	}
	stop = func() {
		_ = norn.Process.Signal(os.Interrupt) // it may have ended already
		_ = norn.Wait()
		telegram.Close()
	}
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		answer, err := http.Get("http://" + address + "/readyz")
		if err != nil {
			continue
		}
		answer.Body.Close()
		return "http://" + address, stop, nil
	}
	stop()
	return "", nil, errors.New("norn doesn't come up")
}

// take takes one picture, with the best quality that its size allows.
func (p picture) take(ctx context.Context, origin string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	cookies := fmt.Sprintf("document.cookie = 'lang=%s; path=/'; document.cookie = 'theme=%s; path=/'; document.cookie = 'steps=away; path=/'; 0", p.lang, p.theme)
	if _, err := chromedp.Run(ctx, chromedp.Evaluate[int](cookies)); err != nil {
		return nil, err
	}
	var table opened
	if p.moment != nil {
		var err error
		if table, err = open(ctx, origin, p.moment.game, p.lang); err != nil {
			return nil, err
		}
		p.path = "/t/" + table.ID + "/" + table.player
		if p.moment.gm {
			p.path = "/t/" + table.ID + "/" + table.Seat.Secret
		}
	}
	err := chromedp.Do(ctx, chromedp.EmulateViewport(p.width, p.height), chromedp.Navigate(origin+p.path),
		chromedp.WaitReady("body"))
	if err != nil {
		return nil, err
	}
	if p.moment == nil {
		if err := takeSeat(ctx); err != nil {
			return nil, err
		}
	}
	if _, err := chromedp.Run(ctx,
		chromedp.Evaluate[bool]("document.fonts.ready.then(() => true)", chromedp.EvalAwaitPromise)); err != nil {
		return nil, err
	}
	if strings.HasPrefix(p.path, ownRule) {
		if err := chromedp.Do(ctx, chromedp.WaitReady("#lab-result .law-table")); err != nil {
			return nil, err
		}
		if _, err := chromedp.Run(ctx,
			chromedp.Evaluate[bool]("document.querySelector('#lab').scrollIntoView() === undefined")); err != nil {
			return nil, err
		}
	}
	time.Sleep(time.Second) // odds are fetched and animations end
	if m := p.moment; m != nil {
		if err := m.play(ctx, origin, table); err != nil {
			return nil, err
		}
	}
	for quality := int64(85); quality >= 40; quality -= 15 {
		image, err := p.shoot(ctx, quality)
		if err != nil {
			return nil, err
		}
		if len(image) <= most {
			return image, nil
		}
	}
	return nil, fmt.Errorf("larger than %d bytes", most)
}

// opened is a newly opened table with its game master's seat and a player's.
type opened struct {
	ID     string `json:"id"`
	Seat   struct{ Secret string }
	player string
}

// open opens a table for one picture.
func open(ctx context.Context, origin, game, lang string) (opened, error) {
	var made opened
	if err := post(ctx, origin+"/api/v1/tables", "", map[string]any{"game": game, "name": "Friday night", "lang": lang},
		&made); err != nil {
		return made, err
	}
	var invited struct{ Secret string }
	err := post(ctx, origin+"/api/v1/tables/"+made.ID+"/seats", made.Seat.Secret,
		map[string]any{"name": "Anna", "role": "player"}, &invited)
	made.player = invited.Secret
	return made, err
}

func post(ctx context.Context, url, secret string, body, into any) error {
	data, err := json.Marshal(body)
	if err != nil {
		return err
	}
	return ask(ctx, http.MethodPost, url, secret, bytes.NewReader(data), into)
}

func get(ctx context.Context, url, secret string, into any) error {
	return ask(ctx, http.MethodGet, url, secret, nil, into)
}

func ask(ctx context.Context, method, url, secret string, body io.Reader, into any) error {
	r, err := http.NewRequestWithContext(ctx, method, url, body)
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+secret)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode >= http.StatusBadRequest {
		why, _ := io.ReadAll(answer.Body)
		return fmt.Errorf("%s %s: %s", method, url, why)
	}
	return json.NewDecoder(answer.Body).Decode(into)
}

// play performs the steps that lead to the moment.
func (m moment) play(ctx context.Context, origin string, table opened) error {
	for _, s := range m.steps {
		if _, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("(() => { "+s.script+"; return true })()")); err != nil {
			return err
		}
		if err := chromedp.Do(ctx, chromedp.WaitVisible(s.until)); err != nil {
			return fmt.Errorf("waiting for %s: %w", s.until, err)
		}
		if s.until != ".stage" {
			time.Sleep(time.Second) // animations end
		}
	}
	if !m.ended {
		return nil
	}
	// Open questions are cancelled; otherwise the session can't end.
	var seen struct{ Questions []struct{ Move, ID string } }
	if err := get(ctx, origin+"/api/v1/tables/"+table.ID, table.Seat.Secret, &seen); err != nil {
		return err
	}
	var ended any
	for _, q := range seen.Questions {
		move, _, _ := strings.Cut(q.ID, ":")
		if err := post(ctx, origin+"/api/v1/tables/"+table.ID+"/cancel", table.Seat.Secret,
			map[string]any{"move": move, "key": q.ID}, &ended); err != nil {
			return err
		}
	}
	if err := post(ctx, origin+"/api/v1/tables/"+table.ID+"/session", table.Seat.Secret, map[string]any{"key": "over"},
		&ended); err != nil {
		return err
	}
	return chromedp.Do(ctx, chromedp.Navigate(origin+"/t/"+table.ID+"/session/1"), chromedp.WaitReady("main"))
}

// takeSeat presses the button on the page of a link.
func takeSeat(ctx context.Context) error {
	const seat = "form[data-form=arrive]"
	there, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("document.querySelector('"+seat+"') !== null"))
	if err != nil || !there {
		return err
	}
	return chromedp.Do(ctx, chromedp.Click(seat+" button:not([name=_to])"), chromedp.WaitReady("#log"))
}

// shoot takes a screenshot of the page.
func (p picture) shoot(ctx context.Context, quality int64) ([]byte, error) {
	return chromedp.Run(ctx, func(ctx context.Context, t *chromedp.Target) ([]byte, error) {
		shot, err := cdp.Call(ctx, t, page.CaptureScreenshot, page.CaptureScreenshotParams{
			Format: page.CaptureScreenshotFormatWebp, Quality: &quality,
		})
		if err != nil {
			return nil, err
		}
		return shot.Data, nil
	})
}

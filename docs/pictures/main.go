// Command pictures takes the screenshots of README and the guide from a norn
// that runs: go run ./docs/pictures, or make pictures. It wants bin/norn and a
// Chromium, opens the demo tables in a folder of its own, and leaves WebP files
// of at most 150 kB beside itself.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"norn/games"
)

// most is how large a picture may be, in bytes.
const most = 150_000

// patience is how long norn may take to answer, and a page to be drawn.
const patience = 30 * time.Second

// picture is one screenshot.
type picture struct {
	name          string // of the file, without its ending
	path          string
	lang, theme   string
	width, height int64
}

// pictures are those that README and the guides show.
func pictures() []picture {
	var all []picture
	played := games.All()
	for _, l := range []string{"en", "ru", "uk"} {
		for _, own := range played {
			g := own.ID
			all = append(all, picture{g + "-" + l, "/demo/" + g, l, "light", 1280, 1000})
			if l == "en" {
				all = append(all, picture{g + "-" + l + "-dark", "/demo/" + g, l, "dark", 1280, 1000})
			}
		}
		all = append(all,
			picture{"phone-" + l, "/demo/" + played[0].ID, l, "light", 360, 720},
			picture{"odds-" + l, "/odds/mage/roll?pool=7&difficulty=8", l, "light", 1000, 720})
	}
	return all
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("pictures: ")
	if err := run(context.Background(), filepath.Join("docs", "pictures")); err != nil {
		log.Fatal(err)
	}
}

// run takes all pictures and puts them into a folder.
func run(ctx context.Context, folder string) error {
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
	ctx, closeAll := chromedp.NewExecAllocator(ctx, chromedp.NoSandbox, chromedp.Flag("headless", true),
		chromedp.Flag("disable-gpu", true), chromedp.Flag("hide-scrollbars", true), chromedp.Flag("user-data-dir", filepath.Join(data, "browser")))
	defer closeAll()
	ctx, closeTab := chromedp.NewContext(ctx)
	defer closeTab()
	if err := chromedp.Do(ctx, chromedp.Navigate(origin)); err != nil {
		return err
	}
	for _, p := range pictures() {
		image, err := p.take(ctx, origin)
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		if err := os.WriteFile(filepath.Join(folder, p.name+".webp"), image, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// serve runs norn with its demos until stop.
func serve(ctx context.Context, data string) (origin string, stop func(), err error) {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	address := free.Addr().String()
	if err := free.Close(); err != nil {
		return "", nil, err
	}
	norn := exec.CommandContext(ctx, filepath.Join("bin", "norn"), "serve", "--demo", "--limits", "off", "--listen", address, "--data", data)
	norn.Stderr = os.Stderr
	if err := norn.Start(); err != nil {
		return "", nil, err
	}
	stop = func() {
		_ = norn.Process.Signal(os.Interrupt) // gone already is as good
		_ = norn.Wait()
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

// take takes one picture, no better than its size allows.
func (p picture) take(ctx context.Context, origin string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	cookies := fmt.Sprintf("document.cookie = 'lang=%s; path=/'; document.cookie = 'theme=%s; path=/'; document.cookie = 'steps=away; path=/'; 0", p.lang, p.theme)
	if _, err := chromedp.Run(ctx, chromedp.Evaluate[int](cookies)); err != nil {
		return nil, err
	}
	err := chromedp.Do(ctx, chromedp.EmulateViewport(p.width, p.height), chromedp.Navigate(origin+p.path), chromedp.WaitReady("body"))
	if err != nil {
		return nil, err
	}
	if err := takeSeat(ctx); err != nil {
		return nil, err
	}
	if _, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("document.fonts.ready.then(() => true)", chromedp.EvalAwaitPromise)); err != nil {
		return nil, err
	}
	time.Sleep(time.Second) // odds are fetched, what slides comes to rest
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

// takeSeat presses where a link has arrived.
func takeSeat(ctx context.Context) error {
	const seat = "form[data-form=arrive]"
	there, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("document.querySelector('"+seat+"') !== null"))
	if err != nil || !there {
		return err
	}
	return chromedp.Do(ctx, chromedp.Click(seat+" button:not([name=_to])"), chromedp.WaitReady("#log"))
}

// shoot takes the page as it stands.
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

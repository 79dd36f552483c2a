//go:build browser || e2e

package playtest

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"
)

// webkit is a window of WebKitGTK's small browser, the engine that Safari has, too. WebKitWebDriver
// controls it by WebDriver: JSON over HTTP. Each window has a process, cookies and storage of its
// own.
//
//	gm := sitInWebKit(t, "gm", 1366, 768)
//	gm.visit(link)
//	gm.click("#throw")
//
// A seat in WebKit does what one in Firefox does: visit, click, choose, types, sees, ask, run,
// picture. It has no touchscreen and no emulation of a phone; its viewport is at least as wide as a
// window of GTK may be, some 300 px.
type webkit struct{ session string }

// sitInWebKit opens a window with a viewport of a size. The test is skipped if there is no WebKit.
func sitInWebKit(t testing.TB, name string, width, height int) *seat {
	t.Helper()
	driver := installed("WebKitWebDriver")
	if driver == "" {
		t.Skip("no WebKitWebDriver in the path")
	}
	screen, err := screen()
	if err != nil {
		t.Skip(err)
	}
	port, err := unusedPort()
	if err != nil {
		t.Fatal(err)
	}
	process := exec.Command(driver, "--host=127.0.0.1", fmt.Sprint("--port=", port))
	process.Env = append(os.Environ(), "DISPLAY="+screen, "GDK_BACKEND=x11", "NO_AT_BRIDGE=1", "LIBGL_ALWAYS_SOFTWARE=1")
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = process.Process.Kill() // it may have ended already
		_ = process.Wait()         // reports the kill
	})
	at := fmt.Sprintf("http://127.0.0.1:%d", port)
	for end := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		if (&webkit{at}).call("GET", "/status", nil, nil) == nil {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("%s: WebKitWebDriver doesn't listen", name)
		}
	}
	var session struct{ SessionID string }
	err = (&webkit{at}).call("POST", "/session", body{"capabilities": body{}}, &session)
	if err != nil {
		t.Fatalf("%s gets no window: %v", name, err)
	}
	w := &webkit{at + "/session/" + session.SessionID}
	t.Cleanup(func() { _ = w.call("DELETE", "", nil, nil) }) // ends the browser; the driver's end would, too
	if err := w.resize(width, height); err != nil {
		t.Fatalf("%s gets no window of %d × %d: %v", name, width, height, err)
	}
	s := &seat{t: t, name: name, ctx: t.Context(), other: w}
	t.Cleanup(func() {
		if t.Failed() {
			s.picture("failed")
		}
	})
	return s
}

// screen starts the display for windows that nobody sees, and returns its name. TestMain ends it.
var screen = sync.OnceValues(func() (string, error) {
	program := installed("Xvfb")
	if program == "" {
		return "", fmt.Errorf("no Xvfb in the path")
	}
	number, ours, err := os.Pipe()
	if err != nil {
		return "", err
	}
	process := exec.Command(program, "-displayfd", "3", "-screen", "0", "2000x1400x24", "-nolisten", "tcp")
	process.ExtraFiles = []*os.File{ours}
	if err := process.Start(); err != nil {
		return "", err
	}
	ours.Close()
	atEnd(func() {
		_ = process.Process.Kill()
		_ = process.Wait() // reports the kill
	})
	line := make([]byte, 16) // it says its number once it listens
	n, err := number.Read(line)
	return ":" + strings.TrimSpace(string(line[:n])), err
})

// unusedPort returns a port on which nothing listens.
func unusedPort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// call sends a command to the driver.
func (w *webkit) call(method, path string, params, into any) error {
	var sent io.Reader
	if method == http.MethodPost {
		data, err := json.Marshal(params)
		if err != nil {
			return err
		}
		sent = bytes.NewReader(data)
	}
	request, err := http.NewRequest(method, w.session+path, sent)
	if err != nil {
		return err
	}
	response, err := (&http.Client{Timeout: 2 * patience}).Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	var answer struct{ Value json.RawMessage }
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if response.StatusCode >= 300 {
		var why struct{ Error, Message string }
		_ = json.Unmarshal(answer.Value, &why) // the status says enough
		return fmt.Errorf("%s: %s: %s", path, why.Error, why.Message)
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(answer.Value, into)
}

// resize gives the viewport a size: the window's frame is larger.
func (w *webkit) resize(width, height int) error {
	outer := body{"width": width, "height": height}
	for range 2 {
		if err := w.call("POST", "/window/rect", outer, nil); err != nil {
			return err
		}
		var inner, whole [2]int
		script := "return [[innerWidth, innerHeight], [outerWidth, outerHeight]]"
		if err := w.call("POST", "/execute/sync", body{"script": script, "args": []any{}}, &[]any{&inner, &whole}); err != nil {
			return err
		}
		outer = body{"width": width + whole[0] - inner[0], "height": height + whole[1] - inner[1]}
	}
	return nil
}

func (w *webkit) navigate(url string) error { return w.call("POST", "/url", body{"url": url}, nil) }

// evaluate runs an expression in the page. If the page is left meanwhile, the error says "navigated", as
// in Chromium.
func (w *webkit) evaluate(script string) (string, error) {
	var value any
	err := w.call("POST", "/execute/async", body{"args": []any{}, "script": "const done = arguments[0]; (async () => (" + script +
		"\n))().then((value) => done([String(value)]), (error) => done({ error: String(error) }))"}, &value)
	switch answer := value.(type) {
	case []any:
		return fmt.Sprint(answer...), nil
	case map[string]any:
		return "", fmt.Errorf("%v", answer["error"])
	}
	if err != nil {
		return "", fmt.Errorf("navigated: %w", err)
	}
	return "", fmt.Errorf("navigated: no answer")
}

// press presses the page at "at X Y".
func (w *webkit) press(at string) error {
	var x, y float64
	if _, err := fmt.Sscanf(at, "at %f %f", &x, &y); err != nil {
		return err
	}
	return w.call("POST", "/actions", body{"actions": []body{{
		"type": "pointer", "id": "mouse", "parameters": body{"pointerType": "mouse"},
		"actions": []body{
			{"type": "pointerMove", "x": int(x), "y": int(y)},
			{"type": "pointerDown", "button": 0},
			{"type": "pointerUp", "button": 0},
		},
	}}}, nil)
}

func (w *webkit) types(text string) error {
	return w.call("POST", "/actions", body{"actions": []body{{"type": "key", "id": "keys", "actions": keyActions(text)}}}, nil)
}

// keyActions returns WebDriver's actions that press the keys of a text one after another.
func keyActions(text string) []body {
	var keys []body
	for _, key := range text {
		value := string(key)
		if named, ok := namedKeys[value]; ok {
			value = named
		}
		keys = append(keys, body{"type": "keyDown", "value": value}, body{"type": "keyUp", "value": value})
	}
	return keys
}

// namedKeys translates chromedp's names of keys into WebDriver's.
var namedKeys = map[string]string{
	kb.Enter: "\uE007", kb.Tab: "\uE004", kb.Escape: "\uE00C", kb.ArrowUp: "\uE013",
	kb.ArrowDown: "\uE015",
}

func (w *webkit) uploads(selector, file string) error {
	var found map[string]string
	if err := w.call("POST", "/element", body{"using": "css selector", "value": selector}, &found); err != nil {
		return err
	}
	for _, id := range found {
		return w.call("POST", "/element/"+id+"/value", body{"text": file}, nil)
	}
	return fmt.Errorf("no %s", selector)
}

func (w *webkit) capture() ([]byte, error) {
	var shot string
	if err := w.call("GET", "/screenshot", nil, &shot); err != nil {
		return nil, err
	}
	return base64.StdEncoding.DecodeString(shot)
}

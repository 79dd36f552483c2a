//go:build browser || e2e

package playtest

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// firefox is a Firefox that tests control by WebDriver BiDi, which it supports itself.
type firefox struct {
	conn *websocket.Conn
	lock sync.Mutex
	last int
}

// startFirefox starts Firefox for one test. The test is skipped if there is none.
func startFirefox(t *testing.T) *firefox {
	t.Helper()
	program := installed("firefox-esr", "firefox")
	if program == "" {
		t.Skip("no Firefox in the path")
	}
	process := exec.Command(program, "--headless", "--no-remote", "--remote-debugging-port=0", "--profile", t.TempDir(),
		"about:blank")
	said, err := process.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = process.Process.Kill() // it may have ended already
		_ = process.Wait()         // reports the kill
	})
	listens := make(chan string, 1)
	go func() {
		for lines := bufio.NewScanner(said); lines.Scan(); {
			if _, at, found := strings.Cut(lines.Text(), "WebDriver BiDi listening on "); found {
				listens <- at
			}
		}
	}()
	f := &firefox{}
	select {
	case at := <-listens:
		if f.conn, _, err = websocket.DefaultDialer.Dial(at+"/session", nil); err != nil {
			t.Fatal(err)
		}
	case <-time.After(2 * patience):
		t.Fatal("Firefox doesn't say where it listens")
	}
	t.Cleanup(func() { f.conn.Close() })
	if err := f.call("session.new", body{"capabilities": body{}}, nil); err != nil {
		t.Fatal(err)
	}
	return f
}

// call sends a command to the browser.
func (f *firefox) call(method string, params body, into any) error {
	f.lock.Lock()
	defer f.lock.Unlock()
	f.last++
	if err := f.conn.WriteJSON(body{"id": f.last, "method": method, "params": params}); err != nil {
		return err
	}
	if err := f.conn.SetReadDeadline(time.Now().Add(2 * patience)); err != nil {
		return err
	}
	for {
		var answer struct {
			ID             int
			Type           string
			Error, Message string
			Result         json.RawMessage
		}
		if err := f.conn.ReadJSON(&answer); err != nil {
			return fmt.Errorf("%s: %w", method, err)
		}
		if answer.ID != f.last {
			continue
		}
		if answer.Type == "error" {
			return fmt.Errorf("%s: %s: %s", method, answer.Error, answer.Message)
		}
		if into == nil {
			return nil
		}
		return json.Unmarshal(answer.Result, into)
	}
}

// foxTab is a window of Firefox with its own cookies and storage.
type foxTab struct {
	*firefox
	id string
}

// sitAt opens a new window of Firefox, since a page behind another would be throttled.
func (f *firefox) sitAt(t testing.TB, name string, width, height int) *seat {
	t.Helper()
	var own struct{ UserContext string }
	var tab struct{ Context string }
	err := f.call("browser.createUserContext", body{}, &own)
	if err == nil {
		err = f.call("browsingContext.create", body{"type": "window", "userContext": own.UserContext}, &tab)
	}
	if err == nil {
		err = f.call("browsingContext.setViewport",
			body{"context": tab.Context, "viewport": body{"width": width, "height": height}}, nil)
	}
	if err != nil {
		t.Fatalf("%s gets no window: %v", name, err)
	}
	s := &seat{t: t, name: name, ctx: t.Context(), other: &foxTab{f, tab.Context}}
	t.Cleanup(func() {
		if t.Failed() {
			s.picture("failed")
		}
	})
	return s
}

func (f *foxTab) navigate(url string) error {
	return f.call("browsingContext.navigate", body{"context": f.id, "url": url, "wait": "interactive"}, nil)
}

// evaluate runs a script in the page. If the page is left meanwhile, the error says "navigated", as
// in Chromium.
func (f *foxTab) evaluate(script string) (string, error) {
	var answer struct {
		Type             string
		Result           struct{ Value any }
		ExceptionDetails struct{ Text string }
	}
	err := f.call("script.evaluate", body{"expression": script, "target": body{"context": f.id}, "awaitPromise": true},
		&answer)
	switch {
	case err != nil && (strings.Contains(err.Error(), "no such frame") || strings.Contains(err.Error(), "discarded") ||
		strings.Contains(err.Error(), "destroyed")):
		return "", fmt.Errorf("navigated: %w", err)
	case err != nil:
		return "", err
	case answer.Type == "exception":
		return "", fmt.Errorf("%s", answer.ExceptionDetails.Text)
	}
	return fmt.Sprint(answer.Result.Value), nil
}

// press presses the page at "at X Y".
func (f *foxTab) press(at string) error {
	var x, y float64
	if _, err := fmt.Sscanf(at, "at %f %f", &x, &y); err != nil {
		return err
	}
	return f.call("input.performActions", body{"context": f.id, "actions": []body{{
		"type": "pointer", "id": "mouse", "parameters": body{"pointerType": "mouse"},
		"actions": []body{
			{"type": "pointerMove", "x": int(x), "y": int(y)},
			{"type": "pointerDown", "button": 0},
			{"type": "pointerUp", "button": 0},
		},
	}}}, nil)
}

func (f *foxTab) types(text string) error {
	return f.call("input.performActions",
		body{"context": f.id, "actions": []body{{"type": "key", "id": "keys", "actions": keyActions(text)}}}, nil)
}

func (f *foxTab) uploads(selector, file string) error {
	var found struct{ Nodes []struct{ SharedID string } }
	err := f.call("browsingContext.locateNodes",
		body{"context": f.id, "locator": body{"type": "css", "value": selector}}, &found)
	if err != nil || len(found.Nodes) == 0 {
		return fmt.Errorf("no %s: %w", selector, err)
	}
	return f.call("input.setFiles",
		body{"context": f.id, "element": body{"sharedId": found.Nodes[0].SharedID}, "files": []string{file}}, nil)
}

func (f *foxTab) capture() ([]byte, error) {
	var shot struct{ Data string }
	if err := f.call("browsingContext.captureScreenshot", body{"context": f.id}, &shot); err != nil {
		return nil, err
	}
	return base64.StdEncoding.DecodeString(shot.Data)
}

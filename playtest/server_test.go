// Package playtest plays whole scenes as people would: a real norn process with its database on
// disk, and a real browser for each seat.
package playtest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// binary is norn as it was built for these tests.
var binary string

// alreadyBuilt is the variable with norn's path for a test that runs again in another process.
const alreadyBuilt = "TEST_NORN_BINARY"

func TestMain(m *testing.M) {
	if binary = os.Getenv(alreadyBuilt); binary != "" {
		code := m.Run()
		end()
		os.Exit(code)
	}
	// Scripts are quicker than people; tests about limits set them with a flag, which takes
	// precedence.
	if err := os.Setenv("NORN_LIMITS", "off"); err != nil {
		panic(err)
	}
	folder, err := os.MkdirTemp("", "norn-playtest")
	if err != nil {
		panic(err)
	}
	binary = filepath.Join(folder, "norn")
	build := exec.Command("go", "build", "-o", binary, "../cmd/norn")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "building norn:", err)
		os.Exit(1)
	}
	code := m.Run()
	end()
	if err := os.RemoveAll(folder); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(code)
}

// server is one norn process with a folder of its own.
type server struct {
	t       testing.TB
	norn    []string // the command; none for the one that was built here
	dir     string
	more    []string // arguments
	files   int      // maximum number of open files; 0 for the tests' own
	address string
	process *exec.Cmd
	log     *bytes.Buffer
}

// serve starts norn on a free port.
func serve(t testing.TB, more ...string) *server {
	t.Helper()
	return serveIn(t, t.TempDir(), more...)
}

// serveIn is serve with a folder for the tables.
func serveIn(t testing.TB, dir string, more ...string) *server {
	t.Helper()
	s := &server{t: t, dir: dir, more: more}
	s.begin()
	return s
}

// begin starts the server for the first time, and ends it with the test.
func (s *server) begin() {
	s.t.Helper()
	s.address = "127.0.0.1:0"
	s.start()
	s.t.Cleanup(func() {
		s.kill()
		if s.t.Failed() {
			s.t.Logf("the server's log:\n%s", s.log)
		}
	})
}

// start starts the process with the current folder. It reuses the port of the first time.
func (s *server) start() {
	s.t.Helper()
	norn := s.norn
	if norn == nil {
		norn = []string{binary}
	}
	listen, _, _ := strings.Cut(s.address, "/") // a base path follows it
	command := append(slices.Clone(norn), "serve", "--listen", listen, "--data", s.dir, "--lang", "en")
	command = append(command, s.more...)
	if s.files > 0 {
		command = append([]string{"sh", "-c", fmt.Sprintf(`ulimit -n %d && exec "$@"`, s.files), "sh"}, command...)
	}
	s.process = exec.Command(command[0], command[1:]...)
	s.log = &bytes.Buffer{}
	s.process.Stderr = s.log
	output, err := s.process.StdoutPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	if err := s.process.Start(); err != nil {
		s.t.Fatal(err)
	}
	ready := make(chan string, 1)
	go func() {
		scanner := bufio.NewScanner(output)
		for open := false; scanner.Scan(); {
			if _, address, found := strings.Cut(scanner.Text(), "http://"); found && !open {
				open = true
				ready <- address
			}
		}
	}()
	select {
	case s.address = <-ready:
	case <-time.After(20 * time.Second):
		s.t.Fatalf("norn didn't say where it listens:\n%s", s.log)
	}
}

// kill ends the process at once, as a power failure would.
func (s *server) kill() {
	if s.process != nil && s.process.ProcessState == nil {
		_ = s.process.Process.Kill() // it may have ended already
		_ = s.process.Wait()         // reports the kill
	}
}

func (s *server) url(path string) string { return "http://" + s.address + path }

// call makes a request of the API and returns the decoded answer.
func (s *server) call(method, path, secret string, body any) (status int, answer map[string]any) {
	s.t.Helper()
	data, err := json.Marshal(body)
	if err != nil {
		s.t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(s.t.Context(), method, s.url("/api/v1"+path), bytes.NewReader(data))
	if err != nil {
		s.t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	if secret != "" {
		request.Header.Set("Authorization", "Bearer "+secret)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	if err := json.Unmarshal(text, &answer); err != nil && len(text) > 0 {
		s.t.Fatalf("%s %s: %v in %s", method, path, err, text)
	}
	return response.StatusCode, answer
}

// must is call for a request that has to succeed.
func (s *server) must(method, path, secret string, body any) map[string]any {
	s.t.Helper()
	status, answer := s.call(method, path, secret, body)
	if status >= 300 {
		s.t.Fatalf("%s %s: %d %v", method, path, status, answer)
	}
	return answer
}

type body = map[string]any

// closers stop what tests share, such as browsers.
var closers struct {
	sync.Mutex
	all []func()
}

// atEnd has TestMain call a function after all tests.
func atEnd(f func()) {
	closers.Lock()
	defer closers.Unlock()
	closers.all = append(closers.all, f)
}

func end() {
	closers.Lock()
	defer closers.Unlock()
	for _, f := range closers.all {
		f()
	}
}

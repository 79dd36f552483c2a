package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// build builds norn from the surrounding sources and returns its path.
func build(dir string) (string, error) {
	path := filepath.Join(dir, "norn")
	cmd := exec.Command("go", "build", "-trimpath", "-o", path, "norn/cmd/norn")
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	return path, cmd.Run()
}

// server is a running norn.
type server struct {
	process *exec.Cmd
	address string
	data    string
	ended   chan error
	said    *bytes.Buffer // its output, to be read when it has ended
}

var opened = regexp.MustCompile(`http://(127\.0\.0\.1:\d+)`)

// roomy sets limits that never apply, since everything comes from one address and few seats make
// many moves. They are still checked.
const roomy = "requests=1000000/s,tables=1000000/h,writes=1000000/m,at-once=off,address-streams=1000000,streams=1000000,address-connections=off,connections=off"

// start runs norn with these limits and a journal below dir; flags are added.
func start(norn, dir string, flags []string) (*server, error) {
	s := &server{data: filepath.Join(dir, "data"), ended: make(chan error, 1), said: &bytes.Buffer{}}
	args := append([]string{"serve", "--listen", "127.0.0.1:0", "--data", s.data, "--limits", roomy}, flags...)
	s.process = exec.Command(norn, args...)
	return s, s.run()
}

// startBare runs the yardstick's bare server, which is this program, with its database in dir.
func startBare(dir string) (*server, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	s := &server{data: dir, ended: make(chan error, 1), said: &bytes.Buffer{}}
	s.process = exec.Command(self)
	s.process.Env = append(os.Environ(), bareFolder+"="+dir)
	return s, s.run()
}

// run starts the process and reads its address from its output.
func (s *server) run() error {
	out, err := s.process.StdoutPipe()
	if err != nil {
		return err
	}
	s.process.Stderr = s.said
	if err := s.process.Start(); err != nil {
		return err
	}
	lines := bufio.NewScanner(out)
	for s.address == "" && lines.Scan() {
		if found := opened.FindStringSubmatch(lines.Text()); found != nil {
			s.address = found[1]
		}
	}
	go func() {
		_, err := io.Copy(io.Discard, out)
		s.ended <- errors.Join(err, s.process.Wait())
	}()
	if s.address == "" {
		return fmt.Errorf("no address was printed: %w\n%s", <-s.ended, s.said)
	}
	return nil
}

// stop interrupts the process, and kills it if it doesn't end.
func (s *server) stop() error {
	if err := s.process.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	select {
	case err := <-s.ended:
		if err != nil {
			return fmt.Errorf("norn ended: %w\n%s", err, s.said)
		}
		return nil
	case <-time.After(patience):
		return errors.Join(errors.New("norn didn't end"), s.process.Process.Kill(), <-s.ended)
	}
}

// memory returns the current and maximum memory of a process, in bytes; 0 if the system doesn't
// report it.
func memory(pid int) (now, peak int64) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, 0
	}
	for line := range strings.Lines(string(data)) {
		fields := strings.Fields(line)
		if len(fields) != 3 || fields[2] != "kB" {
			continue
		}
		kib, err := strconv.ParseInt(fields[1], 10, 64)
		if err != nil {
			continue
		}
		switch fields[0] {
		case "VmRSS:":
			now = kib << 10
		case "VmHWM:":
			peak = kib << 10
		}
	}
	return now, peak
}

// stat is the system's information on a process.
type stat struct {
	parent     int
	own, ended time.Duration // CPU time of itself, and of children that have ended
}

// statOf returns an empty stat if the system doesn't report it.
func statOf(pid int) stat {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return stat{}
	}
	_, rest, _ := strings.Cut(string(data), ") ")
	fields := strings.Fields(rest)
	if len(fields) < 15 {
		return stat{}
	}
	number := func(at int) int {
		n, _ := strconv.Atoi(fields[at]) // the kernel writes digits
		return n
	}
	const tick = 10 * time.Millisecond // of every Linux
	return stat{
		parent: number(1),
		own:    time.Duration(number(11)+number(12)) * tick,
		ended:  time.Duration(number(13)+number(14)) * tick,
	}
}

// cpu returns the CPU time of a process.
func cpu(pid int) time.Duration { return statOf(pid).own }

// cpuOfAll returns the CPU time of a process and its children.
func cpuOfAll(pid int) time.Duration {
	of := statOf(pid)
	busy := of.own + of.ended
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return busy
	}
	for _, e := range entries {
		if child, err := strconv.Atoi(e.Name()); err == nil {
			if of := statOf(child); of.parent == pid {
				busy += of.own
			}
		}
	}
	return busy
}

// files returns the number of files and connections that a process may have open.
func files() int {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return 0
	}
	return int(min(limit.Cur, 1<<20))
}

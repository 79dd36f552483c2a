package main

import (
	"bufio"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"norn/internal/wait"
)

// Both chats of the tests can be started by themselves, with norn as CONTRIBUTING.md says.
func TestChatsOfTheTestsAreAProgram(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "chats")
	if said, err := exec.Command("go", "build", "-o", binary, "../../playtest/chats").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	program := exec.Command(binary)
	in, err := program.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := program.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	defer time.AfterFunc(time.Minute, func() { _ = program.Process.Kill() }).Stop() // a read that never ends
	shows := bufio.NewScanner(out)
	if !shows.Scan() {
		t.Fatal("it doesn't say how to start norn")
	}
	args, ok := strings.CutPrefix(shows.Text(), "norn serve ")
	if !ok {
		t.Fatalf("it says %q", shows.Text())
	}
	s := serve(t, append(strings.Fields(args), "--data", t.TempDir())...)
	s.hear(t, `^norn is open at (http://127\.0\.0\.1:\d+)$`)
	for _, each := range []struct{ write, want string }{
		{"discord ann roll 3d6", "discord, all: ann · 3d6"},
		{"discord-dm bo help", "discord-dm, bo: What can be written here"},
		{"discord ann types od", "discord: ann may go on: odds"},
		{"telegram ann /norn roll 2d6", "telegram, all: Norn: ann · 2d6"},
		{"telegram-dm bo roll 4d6", "telegram-dm, bo: Norn: bo · 4d6"},
		{"discord ann press nothing", `ann sees no button "nothing"`},
	} {
		wait.Until(t, each.want, func() bool {
			fmt.Fprintln(in, each.write)
			for shows.Scan() {
				if strings.HasPrefix(shows.Text(), each.want) {
					return true
				}
				if strings.HasSuffix(shows.Text(), "yet") { // norn isn't connected
					return false
				}
			}
			t.Fatalf("it ends without %q", each.want)
			return false
		})
	}
	in.Close()
	if err := program.Wait(); err != nil {
		t.Error(err)
	}
	s.end(t)
}

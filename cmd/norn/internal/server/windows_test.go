package server

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"norn/cmd/norn/internal/cli"
)

func savedOnWindows(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte("\ufeff"+strings.ReplaceAll(text, "\n", "\r\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestConfigurationSavedOnWindowsIsRead(t *testing.T) {
	norn, err := cli.Wire(nil)
	if err != nil {
		t.Fatal(err)
	}
	p := &cli.Program{Wired: norn, Speaker: norn.Words.In("en")}
	c, problems := readConfig(p, savedOnWindows(t, "norn.toml", "lan = true\n\nlisten = \":8080\"\n"))
	if problems != nil || c.values["lan"] != true || c.values["listen"] != ":8080" || c.lines["listen"] != 3 {
		t.Error(problems, c)
	}
}

func TestTokenSavedOnWindowsIsRead(t *testing.T) {
	norn, err := cli.Wire(nil)
	if err != nil {
		t.Fatal(err)
	}
	p := &cli.Program{Wired: norn, Speaker: norn.Words.In("en")}
	token := tokenSettings{file: cli.TextFlag{Value: savedOnWindows(t, "token", "123:abc\n")}}
	fits := func(text string) bool { return text == "123:abc" }
	if problems := token.check(p, "telegram", "--telegram", fits, "norn.error.token-telegram"); problems != nil {
		t.Error(problems, token.read)
	}
}

package storage

import (
	"testing"

	"norn/cmd/norn/internal/cli"
)

func TestDataFolderIsInTheUsersHomeByDefault(t *testing.T) {
	for _, c := range []struct {
		env  []string
		want string
	}{
		{[]string{"HOME=/home/anna"}, "/home/anna/.local/share/norn"},
		{[]string{"HOME=/home/anna", "XDG_DATA_HOME=/data"}, "/data/norn"},
		{[]string{"HOME=/home/anna", "XDG_DATA_HOME=data"}, "/home/anna/.local/share/norn"},
	} {
		p := &cli.Program{Getenv: cli.Getenv(c.env)}
		if got, err := DataDir(p, cli.TextFlag{}); err != nil || got != c.want {
			t.Errorf("dataDir with %v is %s, %v; want %s", c.env, got, err, c.want)
		}
	}
}

package server

import (
	"net/http"
	"os"
	"strings"

	"norn/chat/bridge"
	"norn/cmd/norn/internal/cli"
	"norn/lang"
)

// tokenSettings holds a platform's token, or the file with it. It isn't a flag, since any user of
// the machine can see a command line.
type tokenSettings struct {
	given, file cli.TextFlag
	read        string // the token of either, once it was checked
}

// check reads the token that a flag needs. It explains what is wrong with it without showing it.
func (t *tokenSettings) check(p *cli.Program, platform, needs string, fits func(string) bool, unfit string) []string {
	text := t.given.Value
	if text == "" && t.file.Value != "" {
		data, err := os.ReadFile(t.file.Value)
		if err != nil {
			return []string{p.Say("norn.error.token-file", "Path", t.file.Value, "Text", cli.Cause(err))}
		}
		text = lang.TextOf(data)
	}
	t.read = strings.TrimSpace(text)
	switch {
	case t.read == "":
		return []string{p.Say("norn.error.token-missing", "Flag", needs, "Variable",
			"NORN_"+strings.ToUpper(platform)+"_TOKEN", "File", "--"+platform+"-token-file")}
	case !fits(t.read):
		return []string{p.Say(unfit)}
	}
	return nil
}

// platform is a chat platform that can also be called at a path.
type platform interface {
	bridge.Platform
	http.Handler
	Close()
}

//go:build e2e

package playtest

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// seatedAgent is an agent's program that talks to norn over standard input and output.
type seatedAgent struct {
	t       *testing.T
	session *mcp.ClientSession
}

// agentAt starts norn mcp for a seat's link.
func agentAt(t *testing.T, link string) *seatedAgent {
	t.Helper()
	file := filepath.Join(t.TempDir(), "link")
	if err := os.WriteFile(file, []byte(link+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	command := exec.Command(binary, "mcp", "--link", file, "--lang", "en")
	session, err := mcp.NewClient(&mcp.Implementation{Name: "playtest", Version: "1"}, nil).Connect(t.Context(),
		&mcp.CommandTransport{Command: command}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return &seatedAgent{t, session}
}

// call calls a tool and returns norn's answer.
func (a *seatedAgent) call(tool string, args body) map[string]any {
	a.t.Helper()
	result, err := a.session.CallTool(a.t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		a.t.Fatalf("%s: %v", tool, err)
	}
	var told map[string]any
	text := result.Content[0].(*mcp.TextContent).Text
	if err := json.Unmarshal([]byte(text), &told); err != nil || result.IsError {
		a.t.Fatalf("%s tells %s, %v", tool, text, err)
	}
	return told
}

// An agent plays a scene of Spire with a game master in a browser: it looks, asks for odds, talks,
// moves, and sees the answer to its fallout. The log says that it was an agent.
func TestAgentPlaysASceneOfSpireWithAGameMaster(t *testing.T) {
	t.Parallel()
	s := serve(t)
	gm := sit(t, "gm", 1366, 768)
	gm.visit(s.url("/"))
	gm.choose("#name", "Friday")
	gm.click("[data-form=open] button[type=submit]")
	gm.sees("header", "Friday")
	gm.invites("Golem")
	link := gm.ask("document.querySelector('[id^=invitation-]').value")
	table := strings.Split(link, "/t/")[1]
	id, secret, _ := strings.Cut(table, "/")
	made := s.must("POST", "/tables/"+id+"/characters", secret,
		body{"name": "Lira", "kind": "character", "sheet": body{"skills": []body{{"name": "sneak"}}}})
	lira := made["character"]
	if lira == nil {
		lira = "c1"
	}

	agent := agentAt(t, link)
	look := agent.call("look", nil)
	if mine := look["characters"].([]any)[0].(map[string]any); mine["name"] != "Lira" || mine["mine"] != true {
		t.Fatalf("the agent sees %v", mine)
	}
	agent.call("talk", body{"text": "I go over the roof.", "character": lira})
	gm.sees("#log .speech", "I go over the roof.")
	gm.sees("#log .speech", "AI agent")

	check := body{"skill": "sneak", "risk": "d8", "resistance": "shadow"}
	odds := agent.call("odds", body{"move": "check", "character": lira, "args": check})
	if odds["rows"] == nil {
		t.Errorf("the odds are %v", odds)
	}
	rolled := agent.call("make_move",
		body{"move": "check", "character": lira, "args": check, "dice": []int{1, 1, 8}, "key": "roof"})
	gm.sees("#log .card", "Lira")
	gm.sees("#log .card", "AI agent")
	gm.answers("dice", "faces", "1") // the game master rolls whether there is fallout
	gm.sees("[data-question-kind='spire.fallout']", "")
	gm.choose("[data-question-kind='spire.fallout'] [name=pick]", "shadow.severe.1")
	gm.click("[data-question-kind='spire.fallout'] button[type=submit]")
	gm.gone("[data-question]")

	for after := rolled["seq"]; ; {
		news := agent.call("wait", body{"after": after})["entries"].([]any)
		if len(news) == 0 {
			continue
		}
		last := news[len(news)-1].(map[string]any)
		if last["done"] == true {
			if text, _ := json.Marshal(last["lines"]); !strings.Contains(string(text), "fallout") {
				t.Errorf("the agent hears %s", text)
			}
			break
		}
		after = last["seq"]
	}
	gm.picture("agent")
}

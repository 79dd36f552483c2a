//go:build e2e

package playtest

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

var recordSpeech = flag.Bool("speech", false, "record what screen readers hear into testdata/speech")

// A screen reader gets what is recorded in ten states of a table, in each language: what the
// page announces, in order and once, and the role, name and description of what has the focus, as
// Chromium's accessibility tree has them.
func TestSpeechIsAsRecorded(t *testing.T) {
	t.Parallel()
	s := serve(t)
	for _, lang := range []string{"en", "ru", "uk"} {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			got := speech(t, s, lang)
			file := filepath.Join("testdata", "speech", lang+".txt")
			if *recordSpeech {
				if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("heard:\n%s\nrecorded:\n%s", got, want)
			}
		})
	}
}

// speech plays ten states and returns what is heard in each.
func speech(t *testing.T, s *server, lang string) string {
	p := s.opens("spire", lang)
	names := spokenNames[lang]
	secret, owner := p.invites("Anna")
	p.adds("character", names.hero, owner, body{"skills": []body{{"name": "pursue"}}, "stress": body{"shadow": 9}})
	anna, gm := sit(t, "anna-"+lang, 1366, 768), sit(t, "gm-"+lang, 1366, 768)
	for one, link := range map[*seat]string{anna: secret, gm: p.gm} {
		one.visit(s.url("/"))
		one.run("document.cookie = 'lang=" + lang + "; path=/'")
		one.follows(s.url("/t/" + p.path[len("/tables/"):] + "/" + link))
		one.listens()
	}
	var heard strings.Builder
	state := func(of *seat, what string, ends func() bool) {
		t.Helper()
		of.until(what, ends, func() string { return of.ask("JSON.stringify(window.heard)") })
		fmt.Fprintf(&heard, "%s\n", what)
		for _, said := range strings.Split(of.ask("window.heard.splice(0).join('\\n')"), "\n") {
			if said != "" {
				fmt.Fprintf(&heard, "  says: %s\n", said)
			}
		}
		if on := of.focusTold(); on != "" {
			fmt.Fprintf(&heard, "  focus: %s\n", on)
		}
	}
	focus := func(of *seat, on string) func() bool {
		return func() bool { return of.ask(fmt.Sprintf("document.activeElement.matches(%q)", on)) == "true" }
	}
	says := func(of *seat, n int) func() bool {
		return func() bool { return of.ask(fmt.Sprintf("window.heard.length >= %d", n)) == "true" }
	}

	anna.press(kb.Tab)
	state(anna, "the first Tab", focus(anna, "[data-skip=moves]"))
	anna.press(kb.Enter)
	state(anna, "the skip link to the moves", focus(anna, "#moves a[aria-current]"))
	anna.press(kb.Enter)
	state(anna, "a move is opened", focus(anna, "#composer-head"))
	anna.press(kb.Tab)
	anna.choose("#composer-form [name=skill]", "pursue")
	state(anna, "a skill is chosen", says(anna, 1))
	p.moves(secret, "check", "c1", body{"skill": "pursue"}, 8, 6)
	state(anna, "a roll", says(anna, 1))
	gm.run("window.heard = []")
	p.must("POST", p.path+"/talk", p.gm, body{"text": names.said})
	state(anna, "the game master talks", says(anna, 1))
	for range 12 {
		p.must("POST", p.path+"/talk", p.gm, body{"text": names.said})
	}
	state(anna, "much comes at once", says(anna, 1))
	gm.run("window.heard = []")
	p.moves(p.gm, "stress", "c1", body{"die": "d6", "resistance": "shadow"}, 5, 1)
	state(gm, "a question waits", says(gm, 1))
	gm.press("q")
	state(gm, "q leads to the question", focus(gm, ".question :checked"))
	gm.fills("[data-question-kind='spire.fallout']", "do", "lesser")
	gm.run("document.querySelector('.question .actions .primary').focus(); window.heard = []")
	gm.press(kb.Enter)
	state(gm, "an answer is refused", says(gm, 1))
	return heard.String()
}

// listens records what the page announces from now on: the new text of each live region.
func (s *seat) listens() {
	s.t.Helper()
	s.run(`window.heard = []
		const live = '[role=status], [role=alert], [aria-live], output'
		new MutationObserver((changes) => {
			const told = new Set()
			for (const { target, addedNodes } of changes) {
				const around = (target.closest ? target : target.parentElement)?.closest(live)
				if (around) told.add(around)
				for (const node of addedNodes) if (node.querySelectorAll) for (const one of [node, ...node.querySelectorAll('[role=alert]')]) if (one.matches('[role=alert]')) told.add(one)
			}
			for (const one of told) {
				const text = one.textContent.replace(/\s+/g, ' ').trim()
				if (text && one.isConnected && one.ariaLive !== 'off') window.heard.push(text)
			}
		}).observe(document.body, { childList: true, subtree: true, characterData: true })`)
}

// treeNode is what is read here of a node of the accessibility tree.
type treeNode struct {
	ID          string    `json:"nodeId"`
	Element     int64     `json:"backendDOMNodeId"`
	Ignored     bool      `json:"ignored"`
	ChildIDs    []string  `json:"childIds"`
	Role        treeValue `json:"role"`
	Name        treeValue `json:"name"`
	Description treeValue `json:"description"`
	Value       treeValue `json:"value"`
	Properties  []struct {
		Name  string    `json:"name"`
		Value treeValue `json:"value"`
	} `json:"properties"`
}

type treeValue struct {
	Value any `json:"value"`
}

// fullTree gets the whole tree.
var fullTree = cdp.Command[cdp.Empty, struct {
	Nodes []treeNode `json:"nodes"`
}]{Method: "Accessibility.getFullAXTree"}

// focusTold returns the role, name, description and value of what has the focus, from the
// accessibility tree.
func (s *seat) focusTold() string {
	s.t.Helper()
	var told string
	s.do("read the accessibility tree", chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
		tree, err := cdp.Call(ctx, tab, fullTree, cdp.Empty{})
		if err != nil {
			return err
		}
		for _, node := range tree.Nodes {
			for _, p := range node.Properties {
				if p.Name != "focused" || p.Value.Value != true || node.Role.Value == "RootWebArea" {
					continue
				}
				told = fmt.Sprint(node.Role.Value, ": ", node.Name.Value)
				for _, more := range []any{node.Value.Value, node.Description.Value} {
					if more != nil && more != "" {
						told += fmt.Sprint(" | ", more)
					}
				}
			}
		}
		return nil
	}))
	return strings.Join(strings.Fields(told), " ")
}

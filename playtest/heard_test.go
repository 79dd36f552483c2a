//go:build e2e

package playtest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/chromedp"
)

// The start page, a table, a move's form, a question and a recap are heard as is recorded in each
// language: all that Chromium's accessibility tree has of them, in the order in which it's read.
// -speech records them.
func TestPagesAreHeardAsRecorded(t *testing.T) {
	t.Parallel()
	s := serve(t)
	for _, lang := range []string{"en", "ru", "uk"} {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			got := pagesHeard(t, s, lang)
			file := filepath.Join("testdata", "heard", lang+".txt")
			if *recordSpeech {
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
				t.Errorf("other than recorded: %s\nheard:\n%s", firstOther(got, string(want)), got)
			}
		})
	}
}

// firstOther returns the first lines in which two texts differ.
func firstOther(got, want string) string {
	now, before := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(now), len(before)) {
		if now[i] != before[i] {
			return fmt.Sprintf("line %d is %q, was %q", i+1, now[i], before[i])
		}
	}
	return fmt.Sprintf("%d lines, were %d", len(now), len(before))
}

// pagesHeard visits the five pages and returns what is heard of each.
func pagesHeard(t *testing.T, s *server, lang string) string {
	p := s.opens("spire", lang)
	names := spokenNames[lang]
	secret, owner := p.invites("Anna")
	hero := p.adds("character", names.hero, owner,
		body{"skills": []body{{"name": "pursue"}}, "domains": []body{{"name": "crime"}}, "stress": body{"shadow": 9}})
	var heard strings.Builder
	gm, anna := sit(t, "gm-"+lang, 1366, 768), sit(t, "anna-"+lang, 1366, 768)
	hears := func(one *seat, page, within string) {
		t.Helper()
		fmt.Fprintf(&heard, "%s\n%s\n", page, one.heard(within))
	}
	for one, link := range map[*seat]string{gm: p.gm, anna: secret} {
		one.visit(s.url("/"))
		one.run("document.cookie = 'lang=" + lang + "; path=/'")
		one.visit(s.url("/"))
		if one == gm {
			hears(gm, "start", "")
		}
		one.follows(s.url("/t/" + p.path[len("/tables/"):] + "/" + link))
	}
	p.moves(secret, "check", hero, body{"skill": "pursue", "domain": "crime"}, 8, 6, 2)
	p.must("POST", p.path+"/talk", p.gm, body{"text": names.said})
	anna.sees("#log .speech", names.said)
	hears(anna, "table", "")
	anna.sees("#composer-form .odds", "50") // the form is unfolded on a wide page
	hears(anna, "form", "#composer-form")
	p.moves(p.gm, "stress", hero, body{"die": "d6", "resistance": "shadow"}, 5, 1)
	gm.sees(".question", "")
	hears(gm, "question", ".question")
	p.answers(p.gm, "spire.fallout", body{"do": "take", "text": names.deed})
	p.must("POST", p.path+"/session", p.gm, body{})
	gm.visit(s.url(gm.ask("location.pathname") + "/session/1"))
	hears(gm, "recap", "")
	return heard.String()
}

var moments = regexp.MustCompile(`\d\d?:\d\d|\d\d? \pL+ \d{4}|\pL+ \d\d?, \d{4}`)

// evaluated and described lead to the number by which the tree knows an element.
var (
	evaluated = cdp.Command[map[string]any, struct {
		Result struct {
			ObjectID string `json:"objectId"`
		} `json:"result"`
	}]{Method: "Runtime.evaluate"}
	described = cdp.Command[map[string]any, struct {
		Node struct {
			ID int64 `json:"backendNodeId"`
		} `json:"node"`
	}]{Method: "DOM.describeNode"}
)

// heard returns the accessibility tree of an element, or of the page if within is "", a node a line:
// its role, name and value, and whether it's wrong, checked, unfolded or can't be used. Times and
// dates are "…".
func (s *seat) heard(within string) string {
	s.t.Helper()
	var b strings.Builder
	s.do("read the accessibility tree", chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
		var top int64
		if within != "" {
			found := fmt.Sprintf("document.querySelector(%q)", within)
			object, err := cdp.Call(ctx, tab, evaluated, map[string]any{"expression": found})
			if err != nil {
				return err
			}
			element, err := cdp.Call(ctx, tab, described, map[string]any{"objectId": object.Result.ObjectID})
			if err != nil {
				return err
			}
			top = element.Node.ID
		}
		tree, err := cdp.Call(ctx, tab, fullTree, cdp.Empty{})
		if err != nil {
			return err
		}
		nodes := map[string]treeNode{}
		for _, node := range tree.Nodes {
			nodes[node.ID] = node
		}
		for _, node := range tree.Nodes {
			if top == 0 || node.Element == top {
				tellNode(&b, nodes, node, 1, "")
				break
			}
		}
		return nil
	}))
	return moments.ReplaceAllString(b.String(), "…")
}

// unspoken are roles that nothing is said of unless they have a name.
var unspoken = []string{"generic", "LabelText", "paragraph", "strong", "time", "MenuListPopup", "Legend", "sectionheader", "RootWebArea"}

// tellNode writes a node and all below it. around is the name and the value of the node that contains it.
func tellNode(b *strings.Builder, nodes map[string]treeNode, node treeNode, depth int, around string) {
	role, name := fmt.Sprint(node.Role.Value), strings.Join(strings.Fields(fmt.Sprint(node.Name.Value)), " ")
	silent := node.Ignored || role == "none" || role == "InlineTextBox" || name == "<nil>"
	if name == "" && slices.Contains(unspoken, role) || slices.Contains([]string{"StaticText", "image"}, role) && strings.Contains(around, name) {
		silent = true // the latter is the name or the value of what it stands in
	}
	if !silent {
		fmt.Fprintf(b, "%s%s %q", strings.Repeat("  ", depth), role, name)
		if node.Value.Value != nil && node.Value.Value != "" {
			fmt.Fprintf(b, " = %v", node.Value.Value)
		}
		if node.Description.Value != nil && node.Description.Value != "" {
			fmt.Fprintf(b, " (%v)", node.Description.Value)
		}
		for _, p := range node.Properties {
			v := fmt.Sprint(p.Value.Value)
			if strings.Contains(" invalid expanded checked pressed disabled level ", " "+p.Name+" ") && v != "false" {
				fmt.Fprintf(b, " %s:%s", p.Name, v)
			}
		}
		b.WriteByte('\n')
		depth, around = depth+1, fmt.Sprint(name, " ", node.Value.Value)
	}
	for _, id := range node.ChildIDs {
		tellNode(b, nodes, nodes[id], depth, around)
	}
}

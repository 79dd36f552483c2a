package main

import (
	"bytes"
	"html/template"
	"path"
	"strconv"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
)

// markdown parses norn's own texts; README has pictures as HTML.
var markdown = goldmark.New(goldmark.WithExtensions(extension.Table),
	goldmark.WithParserOptions(parser.WithAutoHeadingID()),
	goldmark.WithRendererOptions(html.WithUnsafe()))

// headingIDs makes the ids of headings in the same way as code hosting sites: letters of any script
// in lower case, hyphens for spaces.
type headingIDs map[string]int

func (h headingIDs) Generate(value []byte, _ ast.NodeKind) []byte {
	var b strings.Builder
	for _, r := range strings.ToLower(string(bytes.TrimSpace(value))) {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
			b.WriteRune(r)
		case r == ' ':
			b.WriteByte('-')
		}
	}
	id := b.String()
	h[id]++
	if n := h[id]; n > 1 {
		id += "-" + strconv.Itoa(n-1)
	}
	return []byte(id)
}

func (h headingIDs) Put(value []byte) { h[string(value)]++ }

// renderMarkdown converts Markdown to a page. Links to files without a page on the site, such as
// code, become plain text.
func renderMarkdown(data []byte, file string, known map[string]bool) (title string, body template.HTML, err error) {
	root := markdown.Parser().Parse(text.NewReader(data),
		parser.WithContext(parser.NewContext(parser.WithIDs(headingIDs{}))))
	var unlinked []*ast.Link
	err = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			if n.Level == 1 && title == "" {
				title = plain(n, data)
			}
		case *ast.Link:
			to, ok := onSite(string(n.Destination), file, known)
			n.Destination = []byte(to)
			if !ok {
				unlinked = append(unlinked, n)
			}
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		return "", "", err
	}
	for _, n := range unlinked {
		for kid := n.FirstChild(); kid != nil; kid = n.FirstChild() {
			n.Parent().InsertBefore(n.Parent(), n, kid)
		}
		n.Parent().RemoveChild(n.Parent(), n)
	}
	var out bytes.Buffer
	if err := markdown.Renderer().Render(&out, data, root); err != nil {
		return "", "", err
	}
	return title, template.HTML(out.String()), nil //nolint:gosec // of norn's own texts
}

// onSite returns the path of a link's target on the site, or false if it isn't on the site.
func onSite(to, file string, known map[string]bool) (string, bool) {
	if strings.Contains(to, "://") || strings.HasPrefix(to, "#") || strings.HasPrefix(to, "mailto:") {
		return to, true
	}
	name, anchor, _ := strings.Cut(to, "#")
	target := path.Join(path.Dir(file), name)
	if anchor != "" {
		anchor = "#" + anchor
	}
	if !known[target] && known[path.Join(target, "README.md")] { // a folder
		target, name = path.Join(target, "README.md"), path.Join(name, "README.md")
	}
	switch {
	case target == "README.md":
		return strings.TrimSuffix(name, "README.md") + "index.html" + anchor, true
	case known[target]:
		return strings.TrimSuffix(name, ".md") + ".html" + anchor, true
	case strings.HasSuffix(target, ".webp"), strings.HasPrefix(target, "docs/") && strings.HasSuffix(target, ".svg"):
		return to, true
	}
	return "", false
}

// plain returns the text of a node without formatting.
func plain(n ast.Node, data []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if t, ok := n.(*ast.Text); ok && entering {
			b.Write(t.Segment.Value(data))
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

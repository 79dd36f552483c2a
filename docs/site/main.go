// Command site builds norn's website, a folder of pages, from README, the guide in three languages,
// the games' rules, the pictures, the changelog, the licences and docs, and a page whose odds are
// computed by the reader's browser: go run ./docs/site, or make site. It needs the web bundle and
// the notices.
package main

import (
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"html/template"
	"io/fs"
	"log"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"norn/form"
	"norn/game"
	"norn/games"
	"norn/internal/widget"
	"norn/lang"
)

//go:embed site.css
var style []byte

//go:embed page.html
var frame string

// page is a page of the site with its path, such as "guide/en/index.html".
type page struct {
	path  string
	lang  lang.Lang
	title string
	body  template.HTML
	other map[lang.Lang]string // the same page in other languages

	styles []string // in addition to the site's own
	script string
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("site: ")
	out := flag.String("out", "release/site", "folder to write to; it's made anew")
	flag.Parse()
	if err := build(".", *out); err != nil {
		log.Fatal(err)
	}
}

// build writes the site for the checkout at root.
func build(root, out string) error {
	s, err := newSite()
	if err != nil {
		return err
	}
	pages, err := texts(root)
	if err != nil {
		return err
	}
	licensed, err := licences(root)
	if err != nil {
		return err
	}
	odds, err := oddsPages(root)
	if err != nil {
		return err
	}
	pages = append(append(append(pages, s.rules()...), licensed), odds.pages...)
	if err := os.RemoveAll(out); err != nil {
		return err
	}
	for _, p := range pages {
		if err := s.write(p, out); err != nil {
			return fmt.Errorf("%s: %w", p.path, err)
		}
	}
	return errors.Join(
		copyAll(filepath.Join(root, "docs", "pictures"), filepath.Join(out, "docs", "pictures"), "*.webp"),
		copyAll(filepath.Join(root, "docs"), filepath.Join(out, "docs"), "*.svg"),
		copyAll(filepath.Join(root, "web", "assets"), out, "favicon.svg"),
		copyAll(filepath.Join(root, "deploy"), out, "install.sh"),
		looks(root, out),
		odds.copy(root, out),
	)
}

// texts returns the pages made from Markdown: the files at the top of the checkout and in docs.
func texts(root string) (pages []page, err error) {
	files, err := filepath.Glob(filepath.Join(root, "*.md"))
	if err != nil {
		return nil, err
	}
	err = filepath.WalkDir(filepath.Join(root, "docs"), func(file string, _ fs.DirEntry, err error) error {
		if filepath.Ext(file) == ".md" {
			files = append(files, file)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for i, file := range files {
		if files[i], err = filepath.Rel(root, file); err != nil {
			return nil, err
		}
		files[i] = filepath.ToSlash(files[i])
		known[files[i]] = true
	}
	for _, file := range files {
		data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
		if err != nil {
			return nil, err
		}
		p := page{path: pathOf(file), lang: lang.En}
		if in := strings.Split(file, "/"); len(in) == 4 && in[1] == "guide" {
			p.lang, p.other = lang.Lang(in[2]), map[lang.Lang]string{}
			for _, l := range lang.All {
				p.other[l] = "docs/guide/" + string(l) + "/" + strings.TrimSuffix(in[3], ".md") + ".html"
			}
		}
		if p.title, p.body, err = renderMarkdown(data, file, known); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		pages = append(pages, p)
	}
	return pages, nil
}

// pathOf returns the path of a Markdown file on the site.
func pathOf(file string) string {
	if file == "README.md" {
		return "index.html"
	}
	return strings.TrimSuffix(file, ".md") + ".html"
}

// ruleID matches the number of a rule, such as SP-05.
var ruleID = regexp.MustCompile(`\b[A-Z]{2}-\d{2}[a-z]?\b`)

// site holds the parts that all pages share.
type site struct {
	games []*game.Game
	words *lang.Words
}

// newSite loads the words of all games.
func newSite() (*site, error) {
	s := &site{games: games.All()}
	folders := []fs.FS{form.Words, widget.Words}
	for _, g := range s.games {
		folders = append(folders, g.Words)
	}
	var err error
	s.words, err = lang.Load(folders...)
	return s, err
}

// gameName returns a game's name in a language.
func (s *site) gameName(g *game.Game, l lang.Lang) string {
	return g.Speak(s.words.In(l)).Say(g.Word("game", "name"))
}

// rules returns the pages with each game's rules, in each language.
func (s *site) rules() (pages []page) {
	for _, g := range s.games {
		for _, l := range lang.All {
			p := page{path: rulesAt(g, l), lang: l, other: map[lang.Lang]string{}}
			for _, other := range lang.All {
				p.other[other] = rulesAt(g, other)
			}
			say := g.Speak(s.words.In(l))
			p.title = s.gameName(g, l) + ": " + spoken[l].rules
			var b strings.Builder
			b.WriteString("<h1>" + template.HTMLEscapeString(p.title) + "</h1>\n<dl class=\"rules\">\n")
			known := map[string]bool{}
			for _, id := range g.Rules {
				known[id] = true
			}
			for _, id := range g.Rules {
				text := ruleID.ReplaceAllStringFunc(template.HTMLEscapeString(say.Say(g.Word("rule", id))),
					func(named string) string {
						if !known[named] {
							return named
						}
						return `<a href="#` + named + `">` + named + `</a>`
					})
				b.WriteString(`<div id="` + id + `"><dt><a href="#` + id + `">` + id + `</a></dt><dd>` + text +
					"</dd></div>\n")
			}
			b.WriteString("</dl>\n")
			p.body = template.HTML(b.String()) //nolint:gosec // escaped above
			pages = append(pages, p)
		}
	}
	return pages
}

func rulesAt(g *game.Game, l lang.Lang) string { return "rules/" + string(l) + "/" + g.ID + ".html" }

// licences returns the page with the licences of everything in norn and its pages: modules, scripts
// and fonts.
func licences(root string) (page, error) {
	p := page{path: "licences.html", lang: lang.En, title: "Licences"}
	var b strings.Builder
	b.WriteString("<h1>Licences</h1>\n<p>norn is free software under the Apache License 2.0. What it’s built of comes under these: " +
		"they are in every norn, too, by <code>norn notices</code>.</p>\n")
	for _, part := range []struct{ head, file, hint string }{
		{"Go modules", "cmd/norn/notices/modules.txt", "make notices"},
		{"Scripts and fonts of the pages", "web/dist/licences.txt", "make bundle"},
	} {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(part.file)))
		if err != nil {
			return p, fmt.Errorf("%w: %s makes it", err, part.hint)
		}
		b.WriteString("<h2>" + part.head + "</h2>\n")
		for _, one := range notices(string(text)) {
			b.WriteString("<details><summary>" + template.HTMLEscapeString(one.name) + "</summary><pre>" +
				template.HTMLEscapeString(one.text) + "</pre></details>\n")
		}
	}
	p.body = template.HTML(b.String()) //nolint:gosec // escaped above
	return p, nil
}

type notice struct{ name, text string }

var (
	noticeHead = regexp.MustCompile(`(?m)^== (.+) ==$`)               // in the file of modules
	bundled    = regexp.MustCompile(`(?m)(?:\A|\n\n\n)(\S+ \d\S*)\n`) // in the file of scripts and fonts
)

// notices splits a file written by tools/notices.sh or bundle.mjs.
func notices(text string) (all []notice) {
	head := noticeHead
	if !head.MatchString(text) {
		head = bundled
	}
	found := head.FindAllStringSubmatchIndex(text, -1)
	for i, at := range found {
		end := len(text)
		if i+1 < len(found) {
			end = found[i+1][0]
		}
		all = append(all, notice{text[at[2]:at[3]], strings.TrimSpace(text[at[1]:end])})
	}
	return all
}

// font matches the declaration of a font for texts or headings.
var font = regexp.MustCompile(`@font-face\{font-family:"?(?:Noto Serif Display|Source Sans 3)(?: Apart)?"?;[^}]*?url\(\.?/?([^)]+)\)[^}]*\}`)

// looks writes the style, with the fonts of norn's own pages.
func looks(root, out string) error {
	dist := filepath.Join(root, "web", "dist")
	bundle, err := filepath.Glob(filepath.Join(dist, "app-*.css"))
	if err != nil || len(bundle) != 1 {
		return fmt.Errorf("%d styles are in %s, want 1: make bundle makes it", len(bundle), dist)
	}
	css, err := os.ReadFile(bundle[0])
	if err != nil {
		return err
	}
	text := append([]byte(nil), style...)
	for _, face := range font.FindAllSubmatch(css, -1) {
		text = append(append(text, '\n'), face[0]...)
		if err := copyAll(dist, out, strings.Trim(string(face[1]), `"'`)); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(out, "site.css"), text, 0o644)
}

// copyAll copies the files of a folder that match a pattern.
func copyAll(from, to, pattern string) error {
	files, err := filepath.Glob(filepath.Join(from, pattern))
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return fmt.Errorf("%s has no %s", from, pattern)
	}
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(to, filepath.Base(file)), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// write writes a page in the site's frame.
func (s *site) write(p page, out string) error {
	at := filepath.Join(out, filepath.FromSlash(p.path))
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		return err
	}
	file, err := os.Create(at)
	if err != nil {
		return err
	}
	err = framed.Execute(file, s.pageData(p))
	return errors.Join(err, file.Close())
}

var framed = template.Must(template.New("page").Parse(frame))

// link is a link in the frame, with whether it leads to this page.
type link struct {
	To, Text, Lang string
	Here           bool
}

// pageData returns the data of a page for the frame.
func (s *site) pageData(p page) map[string]any {
	up := strings.Repeat("../", strings.Count(p.path, "/"))
	say := spoken[p.lang]
	to := func(at, text string) link { return link{To: up + at, Text: text, Here: at == p.path} }
	guide := "docs/guide/" + string(p.lang) + "/"
	top := []link{to(guide+"index.html", say.guide), to(oddsAt(p.lang), say.odds)}
	for _, g := range s.games {
		top = append(top, to(rulesAt(g, p.lang), s.gameName(g, p.lang)))
	}
	top = append(top, to("CHANGELOG.html", say.news), to("docs/operate.html", say.operate),
		to("licences.html", say.licences))
	var languages []link
	for _, l := range lang.All {
		at := p.other[l]
		if at == "" {
			at = "docs/guide/" + string(l) + "/index.html"
		}
		languages = append(languages, link{To: up + at, Text: spoken[l].name, Lang: string(l), Here: at == p.path})
	}
	title := p.title
	if p.path != "index.html" {
		title += " · norn"
	}
	return map[string]any{
		"Lang": p.lang, "Title": title, "Body": p.body, "Up": up, "Home": path.Join(up, "index.html"), "Top": top,
		"Languages": languages,
		"Skip":      say.skip, "Pages": say.pages, "Rules": say.rules,
		"Styles": p.styles, "Script": p.script,
	}
}

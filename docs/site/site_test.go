package main

import (
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// maxPage bounds the bytes of a page with its style and fonts, without pictures.
const maxPage = 400_000

// parsed is a page of the site as a browser reads it.
type parsed struct {
	ids    map[string]bool
	links  []string
	levels []int // of its headings
	lang   string
	title  string
	script bool
}

func read(t *testing.T, file string) parsed {
	t.Helper()
	in, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	p := parsed{ids: map[string]bool{}}
	for z := html.NewTokenizer(in); ; {
		switch z.Next() {
		case html.ErrorToken:
			return p
		case html.StartTagToken, html.SelfClosingTagToken:
			n := z.Token()
			p.script = p.script || n.Data == "script"
			if len(n.Data) == 2 && n.Data[0] == 'h' && n.Data[1] >= '1' && n.Data[1] <= '6' {
				p.levels = append(p.levels, int(n.Data[1]-'0'))
			}
			if n.Data == "title" && z.Next() == html.TextToken {
				p.title = string(z.Text())
			}
			for _, a := range n.Attr {
				switch {
				case a.Key == "id":
					p.ids[a.Val] = true
				case a.Key == "href", a.Key == "src", a.Key == "srcset":
					p.links = append(p.links, a.Val)
				case a.Key == "lang" && n.Data == "html":
					p.lang = a.Val
				case strings.HasPrefix(a.Key, "on"):
					p.script = true
				}
			}
		}
	}
}

// built builds the site of this checkout and returns its pages by path.
func built(t *testing.T) (out string, pages map[string]parsed) {
	t.Helper()
	if bundle, _ := filepath.Glob("../../web/dist/app-*.css"); len(bundle) == 0 {
		t.Skip("no bundle: make bundle makes it")
	}
	if _, err := os.Stat("../../cmd/norn/notices/modules.txt"); err != nil {
		t.Skip("no notices: make notices gathers them")
	}
	out, pages = t.TempDir(), map[string]parsed{}
	if err := build("../..", out); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(out, func(file string, _ fs.DirEntry, err error) error {
		if name, _ := filepath.Rel(out, file); filepath.Ext(file) == ".html" {
			pages[filepath.ToSlash(name)] = read(t, file)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out, pages
}

// Every link must lead to an existing page, picture or heading. Pages must have one top heading,
// skip no level, name their language, run no script and be small.
func TestSiteLinksResolveAndPagesAreWellFormed(t *testing.T) {
	out, pages := built(t)
	if len(pages) < 80 {
		t.Errorf("%d pages", len(pages))
	}
	shared := size(t, out, "site.css")
	fonts, _ := filepath.Glob(filepath.Join(out, "*.woff2"))
	for _, font := range fonts {
		shared += size(t, out, filepath.Base(font))
	}
	for at, p := range pages {
		if p.script != strings.HasPrefix(at, "odds/") {
			t.Errorf("%s runs script: %t", at, p.script)
		}
		if p.title == "" || p.lang == "" {
			t.Errorf("%s: title %q, language %q", at, p.title, p.lang)
		}
		for i, level := range p.levels {
			if i == 0 != (level == 1) || i > 0 && level > p.levels[i-1]+1 {
				t.Errorf("%s: headings %v", at, p.levels)
				break
			}
		}
		if whole := size(t, out, at) + shared; at != "licences.html" && whole > maxPage {
			t.Errorf("%s has %d bytes with what it loads, of %d", at, whole, maxPage)
		}
		for _, link := range p.links {
			to, err := url.Parse(link)
			if err != nil || to.Scheme != "" {
				continue
			}
			target := at
			if to.Path != "" {
				target = path.Join(path.Dir(at), to.Path)
			}
			if _, err := os.Stat(filepath.Join(out, filepath.FromSlash(target))); err != nil {
				t.Errorf("%s: %s leads nowhere", at, link)
			} else if to.Fragment != "" && !pages[target].ids[to.Fragment] {
				t.Errorf("%s: %s leads to no heading", at, link)
			}
		}
	}
	for _, want := range []string{
		"index.html", "CHANGELOG.html", "docs/guide/uk/index.html", "rules/ru/spire.html",
		"licences.html", "docs/operate.html", "odds/en.html", "odds/uk.html",
	} {
		if _, ok := pages[want]; !ok {
			t.Errorf("there is no %s", want)
		}
	}
}

func size(t *testing.T, out, name string) int64 {
	t.Helper()
	info, err := os.Stat(filepath.Join(out, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

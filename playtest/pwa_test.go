//go:build e2e

package playtest

import (
	"context"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// norn can be installed. Its service worker caches the shell and an offline page in the reader's
// language, and nothing of a table or a link. The offline page disappears by itself when norn is
// back.
func TestInstalledAppShowsAnOfflinePage(t *testing.T) {
	t.Parallel()
	s := serve(t)
	l := s.long("spire", "en", 3)
	reader := sit(t, "reader", 390, 800)
	link := s.url("/t/" + l.id + "/" + l.gm)
	reader.visit(link)
	reader.settled()

	canBeInstalled(t, reader)

	// The worker doesn't handle requests of the table: pages, pieces, the API and a download.
	table := reader.ask("location.origin + location.pathname")
	for _, path := range []string{"/gm", "/story.md", "/check/m3", "?_part=talk"} {
		reader.run("window.went = false; fetch(" + quoted(strings.TrimSuffix(table, "/")+path) +
			").then(a => a.text()).then(() => { window.went = true })")
		reader.until("read "+path, func() bool {
			return reader.ask("window.went") == "true"
		}, func() string {
			return "nothing"
		})
	}
	reader.visit(table)
	reader.visit(link)
	reader.visit(s.url("/"))
	reader.visit(table)
	reader.settled()
	kept := func() string {
		return reader.ask(`window.kept ?? (caches.keys().then(async names => {
			const all = []
			for (const name of names) for (const {url} of await (await caches.open(name)).keys()) all.push(name + ' ' + url.slice(origin.length))
			window.kept = all.join('\n')
		}), '')`)
	}
	list := func() []string {
		t.Helper()
		reader.run("delete window.kept")
		reader.until("list what is kept", func() bool { return kept() != "" }, kept)
		return strings.Split(kept(), "\n")
	}
	caches := map[string]bool{}
	for _, one := range list() {
		name, path, _ := strings.Cut(one, " ")
		caches[name] = true
		if !strings.HasPrefix(path, "/assets/") && path != "/offline/en" {
			t.Errorf("the worker keeps %s", path)
		}
		if strings.Contains(one, l.gm) || strings.Contains(one, l.id) {
			t.Errorf("the worker keeps something of the table: %s", one)
		}
	}
	if len(caches) != 1 {
		t.Errorf("there are caches %v, want one", caches)
	}

	changesItsShell(reader, table, list)
	losesTheConnection(t, s, reader)
}

// canBeInstalled asks the browser whether norn can be installed.
func canBeInstalled(t *testing.T, reader *seat) {
	ctx, cancel := context.WithTimeout(reader.ctx, patience)
	defer cancel()
	problems, err := chromedp.Run(ctx,
		func(ctx context.Context, tab *chromedp.Target) ([]*page.InstallabilityError, error) {
			found, err := cdp.Call(ctx, tab, page.GetInstallabilityErrors, cdp.Empty{})
			return found.InstallabilityErrors, err
		})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		// A tab without a profile, as tests have it, never installs.
		if p.ErrorID != "in-incognito" {
			t.Errorf("norn can't be installed: %s %v", p.ErrorID, p.ErrorArguments)
		}
	}
}

// changesItsShell checks that the shell of the previous language is dropped.
func changesItsShell(reader *seat, table string, list func() []string) {
	reader.run("document.cookie = 'lang=uk; path=/'")
	reader.visit(table)
	reader.until("have the worker in Ukrainian", func() bool {
		reader.settled()
		now := strings.Join(list(), "\n")
		return strings.Contains(now, "/offline/uk") && !strings.Contains(now, "/offline/en")
	}, func() string { return strings.Join(list(), "\n") })
}

// losesTheConnection shows the offline page, and then the table with the typed text.
func losesTheConnection(t *testing.T, s *server, reader *seat) {
	reader.choose("#line", "Ще не надіслано")
	s.kill()
	reader.do("reload without norn", chromedp.Reload(), chromedp.WaitReady("body"))
	reader.sees("h1", "Зв’язок втрачено")
	reader.picture("offline")
	if got := reader.ask("document.documentElement.lang + ' ' + getComputedStyle(document.querySelector('main')).display"); got != "uk grid" {
		t.Errorf("the page for a lost connection is %q, want uk and styled", got)
	}
	s.start()
	reader.sees("#log", "Lira")
	typed := func() string { return reader.ask("document.querySelector('#line')?.value") } // it comes after the log
	reader.until("have what was typed", func() bool { return typed() == "Ще не надіслано" }, typed)
}

func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", "\\'") + "'" }

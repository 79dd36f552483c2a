package guide

import (
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"norn/docs/guide"
)

// Every page of the guide is shown with a title, without images, and with links to other pages of
// it.
func TestEveryGuidePageHasATitleAndInternalLinks(t *testing.T) {
	link := regexp.MustCompile(`href="([^"]*)"`)
	p := &Pages{}
	shown := 0
	err := fs.WalkDir(guide.Pages, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		shown++
		name := strings.TrimSuffix(path, ".md")
		page, ok := p.find(name)
		if !ok || page.Title == "" || strings.Contains(page.Text, "<img") ||
			strings.Contains(page.Text, "raw HTML omitted") {
			t.Errorf("%s: %+v", name, page)
		}
		for _, to := range link.FindAllStringSubmatch(page.Text, -1) {
			target, _, _ := strings.Cut(to[1], "#")
			switch {
			case strings.HasPrefix(target, "https://"):
			case strings.HasPrefix(target, "../"):
				_, ok = p.find(strings.TrimPrefix(target, "../"))
			default:
				_, ok = p.find(name[:3] + target)
			}
			if !ok {
				t.Errorf("%s leads to %s", name, to[1])
			}
		}
		return nil
	})
	if err != nil || shown < 30 {
		t.Errorf("%d pages, %v", shown, err)
	}
	for _, name := range []string{"en/nothing", "en/../en/index", "de/index"} {
		if _, ok := p.find(name); ok {
			t.Errorf("%s is shown", name)
		}
	}
}

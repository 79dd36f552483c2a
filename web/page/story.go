package page

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"

	"github.com/yuin/goldmark"

	"norn/table/request"
	"norn/web/html"
)

// getStoryPage shows the story as a page: what everybody at the table may see.
func getStoryPage(w http.ResponseWriter, r *http.Request, v *visit) error {
	var text bytes.Buffer
	telling := request.Telling{Zone: v.Zone, Pictures: v.To("/picture/")}
	err := v.dear(r.Context(), func() error { return v.seat.Story(r.Context(), &text, telling) })
	if err != nil {
		return err
	}
	all, err := chapters(text.String())
	if err != nil {
		return err
	}
	f := frame(r, v, "web.story.head", "/story")
	return show(w, r, v, http.StatusOK, html.StoryPage(f, v.Page, v.View.Name, all))
}

// chapters splits a story in Markdown into its sessions. Text by users is escaped in it, and
// goldmark passes no HTML through.
func chapters(story string) ([]html.Chapter, error) {
	var all []html.Chapter
	for i, text := range strings.Split("\n"+story, "\n## ")[1:] {
		head, body, _ := strings.Cut(text, "\n")
		var drawn bytes.Buffer
		if err := goldmark.Convert([]byte(body), &drawn); err != nil {
			return nil, err
		}
		all = append(all, html.Chapter{
			ID: "session-" + strconv.Itoa(i+1), Head: strings.ReplaceAll(head, `\`, ""),
			Text: drawn.String(),
		})
	}
	return all, nil
}

package projection

import (
	"slices"

	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/view"
)

// Pictures returns the pictures that the seat may load, oldest first, each once.
func Pictures(e *visibility.Eye) []view.PictureShown {
	all := []view.PictureShown{}
	for _, a := range e.Table.Attachments {
		known := slices.ContainsFunc(all, func(p view.PictureShown) bool { return p.Hash == a.Hash })
		if _, ok := e.Attachment(view.UsePicture, a.Hash); a.Use != view.UsePicture || known || !ok {
			continue
		}
		shown := view.PictureShown{
			Hash: a.Hash, Media: a.Media, Width: a.Width, Height: a.Height, Size: a.Size,
			To: []string{}, PortraitOf: []string{},
		}
		shown.Own = slices.ContainsFunc(e.Table.Attachments.Of(a.Use, a.Hash), func(a state.Attachment) bool {
			return a.Seat == e.Seat.ID
		})
		for _, p := range e.Table.Pictures {
			if p.Hash == a.Hash && (e.Viewer.IsGM() || p.All || slices.Contains(p.To, e.Seat.ID)) {
				shown.Alt, shown.Shown, shown.All = p.Alt, true, p.All
				if e.Viewer.IsGM() {
					shown.To = append(shown.To, p.To...)
				}
			}
		}
		if shown.Alt == "" {
			shown.Alt = sceneOfPicture(e, a.Hash)
		}
		for _, c := range e.Characters() {
			if c.Portrait == a.Hash {
				shown.PortraitOf = append(shown.PortraitOf, c.ID)
			}
		}
		all = append(all, shown)
	}
	return all
}

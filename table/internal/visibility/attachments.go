package visibility

import (
	"slices"

	"norn/table/internal/state"
	"norn/table/view"
)

// Attachment returns an attachment by its use and hash if the seat may have its bytes: as a game
// master, as the uploader, or because it sees something that names them.
func (e *Eye) Attachment(use, hash string) (state.Attachment, bool) {
	found := e.Table.Attachments.Of(use, hash)
	brought := func(a state.Attachment) bool { return a.Seat == e.Seat.ID }
	shown := func(p state.Picture) bool { return p.Hash == hash && (p.All || slices.Contains(p.To, e.Seat.ID)) }
	seesPicture := func() bool {
		return slices.ContainsFunc(e.Table.Pictures, shown) || e.SeesPortrait(hash) ||
			e.Table.TitleOfSeen(hash) != ""
	}
	seesList := func() bool {
		return slices.ContainsFunc(e.Table.Lists, func(l state.List) bool { return slices.Contains(l.Parts(), hash) && e.Hears(l.Audience) })
	}
	if len(found) > 0 && (e.Viewer.IsGM() || slices.ContainsFunc(found, brought) || use == view.UsePicture &&
		seesPicture() || use == view.UseList && seesList()) {
		return found[0], true
	}
	return state.Attachment{}, false
}

// SeesPortrait reports whether a picture is the portrait of a character that the seat sees.
func (e *Eye) SeesPortrait(hash string) bool {
	return slices.ContainsFunc(e.Table.Characters, func(c *state.Character) bool {
		return c.Portrait == hash && !c.Removed && e.SeesCharacter(c)
	})
}

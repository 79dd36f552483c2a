package act

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"maps"
	"slices"

	"norn/internal/picture"
	"norn/rule"
	"norn/table/internal/ledger"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/view"
)

// An attachment is stored in an entry of its own, so that exports, imports and backups carry it
// like any entry. No seat sees that entry: other entries name the bytes by their hash, and a seat
// that sees those may load them. Memory holds only what is known of the bytes; they're read from
// the journal when a seat asks.

// use is a purpose of attachments, with its checks.
type use struct {
	gm    bool     // only a game master may upload it
	max   int      // bytes; 0 for the limit of all others
	media []string // the only media types that it accepts
	// checks bytes and returns the size of a picture, or the columns and rows of a list; nil accepts
	// all bytes
	sound func(media string, data []byte) (width, height int, err error)
}

// uses lists all purposes. Their limits are in package request.
var uses = map[string]use{
	view.UsePicture: {media: []string{picture.JPEG, picture.PNG}, sound: picture.Size},
	view.UseText: {gm: true, media: []string{"application/json"}, sound: func(_ string, data []byte) (int, int, error) {
		if !json.Valid(data) {
			return 0, 0, errors.New("a text that is no JSON")
		}
		return 0, 0, nil
	}},
	view.UseList: {
		gm: true, max: request.MaxListRows, media: []string{mediaRows, mediaPacked},
		sound: func(media string, data []byte) (int, int, error) {
			kept, err := readKeptRows(media, data)
			return len(kept.Columns), len(kept.Rows), err
		},
	},
}

// attachmentAdded adds bytes to the table.
type attachmentAdded struct {
	byPlayers
	Use   string `json:"use"`
	Media string `json:"media"`
	Hash  string `json:"hash"`
	Data  []byte `json:"data"` // nil in memory

	text                []byte // of an own game; a table may play by it
	size, width, height int
	fault               error // what is wrong with the bytes
}

func (attachmentAdded) Type() string { return "table.attached" }

// inspect returns the event with what is known of its bytes, and without them.
func (ev attachmentAdded) inspect() attachmentAdded {
	hash := HashOf(ev.Data)
	ev.size = len(ev.Data)
	switch u, known := uses[ev.Use]; {
	case ev.size == 0:
		ev.fault = errors.New("an attachment without bytes")
	case hash != ev.Hash:
		ev.fault = refusal.Same(hash, ev.Hash)
	case known && u.sound != nil:
		ev.width, ev.height, ev.fault = u.sound(ev.Media, ev.Data)
	}
	if ev.Use == view.UseText && ev.fault == nil {
		ev.text = ev.Data
	}
	ev.Data = nil
	return ev
}

func (ev attachmentAdded) Restore(*state.State) (rule.Event, error) { return ev.inspect(), nil }

// Attach builds the entry of an attachment.
func Attach(e *visibility.Eye, use, media string, data []byte) (ledger.Draft, error) {
	ev := attachmentAdded{Use: use, Media: media, Hash: HashOf(data), Data: data}
	d, err := draft(e, view.KindAttached, ev)
	d.Events = []rule.Event{ev.inspect()} // like an event that was read back
	return d, err
}

// HashOf returns the SHA-256 of bytes, in hexadecimal digits.
func HashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

func (ev attachmentAdded) judge(p *Proposal) error {
	u, known := uses[ev.Use]
	if !known {
		return refusal.NoChoice("purpose", ev.Use, slices.Sorted(maps.Keys(uses)))
	}
	if u.gm && !p.Viewer.IsGM() {
		return &refusal.ForbiddenError{}
	}
	if !slices.Contains(u.media, ev.Media) {
		return refusal.NoChoice("media", ev.Media, u.media)
	}
	if ev.fault != nil {
		return ev.fault
	}
	most := cmp.Or(u.max, request.MaxAttachment)
	mine := p.Table.Attachments.By(p.Seat.ID)
	switch {
	case ev.size > most:
		return &refusal.TooManyError{What: "bytes", Max: most}
	case len(mine.Of(ev.Use, ev.Hash)) > 0:
		return refusal.Refuse("attached", nil)
	}
	if err := roomForAttachments(p, 1, ev.size); err != nil {
		return err
	}
	switch {
	case p.Viewer.IsGM():
		return nil
	case len(mine) >= request.MaxOwnAttachments:
		return &refusal.TooManyError{What: "attachments", Max: request.MaxOwnAttachments}
	case mine.Bytes()+ev.size > request.MaxOwnAttached:
		return &refusal.TooManyError{What: "attached-bytes", Max: request.MaxOwnAttached}
	}
	return nil
}

// roomForAttachments refuses n more attachments of size bytes together if the table has no room for them.
func roomForAttachments(p *Proposal, n, size int) error {
	all := p.Table.Attachments
	switch {
	case len(all)+n > request.MaxAttachments:
		return &refusal.TooManyError{What: "attachments", Max: request.MaxAttachments}
	case all.Bytes()+size > request.MaxAttached:
		return &refusal.TooManyError{What: "attached-bytes", Max: request.MaxAttached}
	}
	return nil
}

func (ev attachmentAdded) Fold(st *state.State, r *state.Record) {
	st.Attachments = append(slices.Clip(st.Attachments), state.Attachment{
		Seq: r.Seq, At: r.Time, Seat: r.Seat, Request: r.Request, Use: ev.Use, Media: ev.Media, Hash: ev.Hash,
		Size: ev.size, Width: ev.width, Height: ev.height,
	})
	if ev.text != nil {
		st.BringText(ev.text)
	}
}

// Lines returns none: no seat sees an attachment's entry.
func (attachmentAdded) Lines(*visibility.Eye) []view.Line { return nil }

// ReadAttachment reads the attachment with its bytes from an entry's body. It fails if the entry is
// another one.
func ReadAttachment(body []byte) (a view.Attachment, data []byte, err error) {
	var b struct {
		Kind   string `json:"kind"`
		Events []struct {
			Data json.RawMessage `json:"data"`
		} `json:"events"`
	}
	var ev attachmentAdded
	if err = json.Unmarshal(body, &b); err == nil && b.Kind == view.KindAttached && len(b.Events) == 1 {
		err = json.Unmarshal(b.Events[0].Data, &ev)
	}
	if err == nil && (ev.Hash == "" || HashOf(ev.Data) != ev.Hash) {
		err = errors.New("its attachment isn't there as it was")
	}
	return view.Attachment{Use: ev.Use, Media: ev.Media, Hash: ev.Hash, Size: len(ev.Data)}, ev.Data, err
}

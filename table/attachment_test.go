package table_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"norn/table"
	"norn/table/act"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/verify"
	"norn/table/view"
)

// painted returns a picture that differs for each seed.
func painted(t testing.TB, side int, seed uint64) []byte {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	m := image.NewRGBA(image.Rect(0, 0, side, side))
	for i := range m.Pix {
		m.Pix[i] = byte(r.Uint32())
	}
	m.Set(0, 0, color.White)
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func (d *desk) attach(s *table.Seat, data []byte) view.Attachment {
	d.t.Helper()
	a, err := s.Attach(d.t.Context(), view.UsePicture, "image/png", data, "")
	if err != nil {
		d.t.Fatal(err)
	}
	return a
}

// has reports whether a seat may load an attachment, and checks the bytes.
func (d *desk) has(s *table.Seat, hash string, data []byte) bool {
	d.t.Helper()
	a, got, err := s.Attachment(d.t.Context(), view.UsePicture, hash)
	if code(err) == refusal.CodeInvalid {
		return false
	}
	if err != nil || !bytes.Equal(got, data) || a.Media != "image/png" || a.Size != len(data) {
		d.t.Fatalf("got %+v, %d bytes, %v", a, len(got), err)
	}
	return true
}

func TestAttachmentsAreOnlyForTheirSeatAndTheGM(t *testing.T) {
	d := newDesk(t)
	data := painted(t, 20, 1)
	a := d.attach(d.anna, data)
	if a.Hash != act.HashOf(data) || a.Size != len(data) {
		t.Errorf("attached %+v", a)
	}
	before := len(d.stored())
	if again := d.attach(d.anna, data); again != a || len(d.stored()) != before {
		t.Errorf("the same again is %+v", again)
	}
	if d.attach(d.boris, painted(t, 20, 2)); len(d.stored()) != before+1 {
		t.Error("another seat's isn't there")
	}
	for name, each := range map[string]struct {
		seat *table.Seat
		want bool
	}{"gm": {d.gm, true}, "anna": {d.anna, true}, "boris": {d.boris, false}, "guest": {d.guest, false}} {
		if got := d.has(each.seat, a.Hash, data); got != each.want {
			t.Errorf("%s has it: %v", name, got)
		}
		for _, e := range d.log(each.seat) {
			if e.Kind == view.KindAttached {
				t.Errorf("%s is told of it: %+v", name, e)
			}
		}
		if b := d.seen(each.seat); bytes.Contains(b, []byte(a.Hash)) || bytes.Contains(b, []byte("table.attached")) {
			t.Errorf("%s finds it in their log", name)
		}
	}
	if _, err := d.guest.Attach(t.Context(), view.UsePicture, "image/png", data,
		""); code(err) != refusal.CodeForbidden {
		t.Errorf("a spectator: %v", err)
	}
	for name, c := range map[string]struct{ use, media, path string }{
		"an unknown use": {"virus", "image/png", "purpose"}, "another type": {view.UsePicture, "text/html", "media"},
	} {
		_, err := d.anna.Attach(t.Context(), c.use, c.media, painted(t, 20, 3), "")
		if invalid, ok := err.(*refusal.InvalidError); !ok || invalid.Problems[0].Path != c.path {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := d.anna.Attach(t.Context(), view.UsePicture, "image/jpeg", painted(t, 20, 3), ""); err == nil {
		t.Error("a PNG is taken for a JPEG")
	}
}

// An attachment is found after a restart, with and without a snapshot, and after an import.
func TestAttachmentsAreFoundAfterARestart(t *testing.T) {
	j := newMemory()
	d := newDeskOver(t, j)
	data := painted(t, 20, 1)
	a := d.attach(d.gm, data)
	for range 500 { // enough for a snapshot, and for the entry to leave memory
		d.talk(d.gm, act.TalkRequest{Text: "x"})
	}
	d.kept(400, j)
	d.reopen()
	if !d.has(d.gm, a.Hash, data) || d.has(d.boris, a.Hash, data) {
		t.Error("it isn't there any more, or for others, too")
	}
	if n := len(d.all(d.anna)); n < 500 {
		t.Errorf("the log has %d entries", n)
	}
	if again, err := d.gm.Attach(t.Context(), view.UsePicture, "image/png", data, ""); err != nil || again != a {
		t.Errorf("again it's %+v, %v", again, err)
	}
	host, _ := elsewhere(t)
	if _, err := brought(t, host, bytes.NewReader(d.export()), true); err != nil {
		t.Fatal(err)
	}
	there, err := host.Enter(t.Context(), d.id, d.secrets[d.gm.ID()], "en")
	if err != nil {
		t.Fatal(err)
	}
	if !d.has(there, a.Hash, data) {
		t.Error("it didn't come along")
	}
}

func TestAttachmentsBeyondTheLimitsAreRefused(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: does the same thing many times")
	}
	d := newDeskOver(t, newMemory())
	for i := range request.MaxOwnAttachments {
		d.attach(d.anna, painted(t, 2, uint64(i)))
	}
	tooMany := func(s *table.Seat, data []byte, what string) {
		t.Helper()
		_, err := s.Attach(t.Context(), view.UsePicture, "image/png", data, "")
		if e, ok := err.(*refusal.TooManyError); !ok || e.What != what {
			t.Errorf("got %v, want too many %s", err, what)
		}
	}
	tooMany(d.anna, painted(t, 2, 1000), "attachments")
	large := painted(t, 360, 0)
	tooMany(d.boris, append(slices.Clip(large), make([]byte, request.MaxAttachment)...), "bytes")
	for i := 0; ; i++ {
		data := fmt.Append(slices.Clip(large), i)
		if (i+1)*len(data) > request.MaxOwnAttached {
			tooMany(d.boris, data, "attached-bytes")
			break
		}
		d.attach(d.boris, data)
	}
	for i := 0; ; i++ {
		data := fmt.Append(slices.Clip(large), i)
		if _, err := d.gm.Attach(t.Context(), view.UsePicture, "image/png", data, ""); err != nil {
			tooMany(d.gm, data, "attached-bytes")
			break
		}
		if i > request.MaxAttachments {
			t.Fatal("there's no end to it")
		}
	}
	if _, err := verify.File(toys, words, bytes.NewReader(d.export())); err != nil {
		t.Error(err)
	}
	j := d.journal.(*memory)
	read := j.read
	d.log(d.gm)
	if more := j.read - read; more > 64<<10 {
		t.Errorf("who looks at the log has %d bytes read", more)
	}
}

// A log doesn't verify if an attachment's bytes aren't those that its entry names, or if its seat
// couldn't upload it.
func TestLogWithForgedAttachmentsDoesNotVerify(t *testing.T) {
	d := newDeskOver(t, newMemory())
	data := painted(t, 8, 1)
	type object = map[string]any
	says := func(seat string, change object) []byte {
		event := object{
			"use": "picture", "media": "image/png", "hash": act.HashOf(data),
			"data": base64.StdEncoding.EncodeToString(data),
		}
		for name, value := range change {
			event[name] = value
		}
		return d.file(d.says("1", said{kind: "attached", seat: seat, events: []any{"table.attached", event}}))
	}
	if _, err := verify.File(toys, words, bytes.NewReader(says("s2", nil))); err != nil {
		t.Fatal(err)
	}
	html := []byte("<script>alert(1)</script>")
	for name, c := range map[string]struct {
		seat   string
		change object
		code   string
	}{
		"other bytes": {
			"s2",
			object{"data": base64.StdEncoding.EncodeToString(painted(t, 8, 2))},
			refusal.MisfitID,
		},
		"another hash": {"s2", object{"hash": strings.Repeat("0", 64)}, refusal.MisfitID},
		"no bytes":     {"s2", object{"data": nil}, refusal.MisfitRefused},
		"a page": {
			"s2",
			object{"media": "text/html", "data": html, "hash": act.HashOf(html)},
			refusal.MisfitMissing,
		},
		"a page as a PNG": {"s2", object{"data": html, "hash": act.HashOf(html)}, refusal.MisfitRefused},
		"an unknown use":  {"s2", object{"use": "virus"}, refusal.MisfitMissing},
		"by a spectator":  {"s4", nil, refusal.MisfitSeat},
	} {
		_, err := verify.File(toys, words, bytes.NewReader(says(c.seat, c.change)))
		misfit, ok := err.(*refusal.MisfitError)
		if !ok || misfit.Code != c.code {
			t.Errorf("%s: got %v, want %s", name, err, c.code)
		}
	}
}

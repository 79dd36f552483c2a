package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/chromedp/chromedp"
)

// maxMoving bounds the size of the animated picture, in bytes.
const maxMoving = 1_000_000

// shot is a frame of an animated picture with its start time.
type shot struct {
	image []byte // WebP
	at    time.Time
}

// film is a series of screenshots of a page in use.
type film struct {
	p       picture
	quality int64
	shots   []shot
}

// roll films for a time. Frames equal to the previous one are dropped.
func (f *film) roll(ctx context.Context, lasts time.Duration) error {
	for end := time.Now().Add(lasts); time.Now().Before(end); {
		at := time.Now()
		image, err := f.p.shoot(ctx, f.quality)
		if err != nil {
			return err
		}
		if n := len(f.shots); n == 0 || !bytes.Equal(f.shots[n-1].image, image) {
			f.shots = append(f.shots, shot{image, at})
		}
	}
	return nil
}

// scene is one press, the state of the page to wait for, and the time for which it is shown.
type scene struct {
	script, until string
	lasts         time.Duration
}

// choose returns a script that sets a field of the form as a person would.
func choose(field, value string) string {
	return fmt.Sprintf(`const field = document.querySelector('[data-form=move] select[name=%s]')
		field.value = [...field.options].find((o) => o.value.includes(%q)).value
		for (const name of ['input', 'change']) field.dispatchEvent(new Event(name, { bubbles: true }))`, field, value)
}

// throwing shows a throw with its odds, its dice and a question: the game master's, about a hero
// whose stress must be named.
var throwing = []scene{
	{``, "#throw", 1500 * time.Millisecond},
	{choose("skill", "sneak"), "#odds .odds-heads", 1500 * time.Millisecond},
	{choose("domain", "crime"), "#odds .odds-heads", 1500 * time.Millisecond},
	{
		`document.querySelector('[data-form=move] [name=difficulty][value="1"]').click()`, "#odds .odds-heads",
		2 * time.Second,
	},
	{`document.querySelector('#throw').click()`, ".stage", 2500 * time.Millisecond},
}

// asking lists the scenes of a throw that asks a question; not every throw does.
var asking = []scene{
	{`0`, "[data-form=answer]", 2 * time.Second},
	{
		`document.querySelector('[data-form=answer] [name=resistance][value=shadow]').click()`, "[data-form=answer]",
		time.Second,
	},
	{
		`document.querySelector('[data-form=answer] button[type=submit], [data-form=answer] .primary').click()`, "#log",
		3 * time.Second,
	},
}

// moving films throws until one asks a question, and makes an animated WebP of that one.
func moving(ctx context.Context, origin, lang string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*patience)
	defer cancel()
	f := film{p: picture{name: "moving", lang: lang, width: 1100, height: 680}, quality: 60}
	for range 8 {
		f.shots = nil
		asks, err := f.take(ctx, origin)
		if err != nil {
			return nil, err
		}
		if !asks {
			continue
		}
		packed, err := packFrames(int(f.p.width), int(f.p.height), f.shots)
		if err == nil && len(packed) > maxMoving {
			f.quality -= 15
			continue
		}
		return packed, err
	}
	return nil, errors.New("no throw asks anything and is small enough")
}

// take films one throw at a new table, and reports whether it asked a question.
func (f *film) take(ctx context.Context, origin string) (asks bool, err error) {
	table, err := open(ctx, origin, "spire", f.p.lang)
	if err != nil {
		return false, err
	}
	at := origin + "/api/v1/tables/" + table.ID
	var done any
	sheet := map[string]any{
		"skills":  []any{map[string]any{"name": "sneak"}, map[string]any{"name": "fight"}},
		"domains": []any{map[string]any{"name": "crime"}},
		"stress":  map[string]any{"blood": 2, "shadow": 3},
	}
	if err := post(ctx, at+"/characters", table.Seat.Secret,
		map[string]any{"name": "Lira", "kind": "character", "sheet": sheet, "key": "lira"}, &done); err != nil {
		return false, err
	}
	err = chromedp.Do(ctx, chromedp.EmulateViewport(f.p.width, f.p.height),
		chromedp.Navigate(origin+"/t/"+table.ID+"/"+table.Seat.Secret), chromedp.WaitReady("body"))
	if err == nil {
		err = takeSeat(ctx)
	}
	if err == nil {
		err = chromedp.Do(ctx, chromedp.Navigate(origin+"/t/"+table.ID+"?_c=c1&_m=check"),
			chromedp.WaitVisible("#throw"))
	}
	if err != nil {
		return false, err
	}
	if _, err := chromedp.Run(ctx,
		chromedp.Evaluate[bool]("document.fonts.ready.then(() => true)", chromedp.EvalAwaitPromise)); err != nil {
		return false, err
	}
	time.Sleep(time.Second) // animations end
	if err := f.play(ctx, throwing); err != nil {
		return false, err
	}
	if asks, err = chromedp.Run(ctx,
		chromedp.Evaluate[bool]("document.querySelector('[data-form=answer] [name=resistance]') !== null")); err != nil || !asks {
		return false, err
	}
	return true, f.play(ctx, asking)
}

func (f *film) play(ctx context.Context, scenes []scene) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for _, s := range scenes {
		if _, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("(() => { "+s.script+"; return true })()")); err != nil {
			return fmt.Errorf("%s: %w", s.script, err)
		}
		if err := chromedp.Do(ctx, chromedp.WaitVisible(s.until)); err != nil {
			return fmt.Errorf("waiting for %s after %s: %w", s.until, s.script, err)
		}
		if err := f.roll(ctx, s.lasts); err != nil {
			return err
		}
	}
	return nil
}

const (
	hold      = 4 * time.Second // duration of the last frame
	animation = 2               // the flag of VP8X
	noBlend   = 2               // of a frame that covers everything
)

// packFrames packs frames into one WebP that repeats forever. Each frame is a separate picture; the
// format is Google's WebP Container Specification.
func packFrames(width, height int, shots []shot) ([]byte, error) {
	var body bytes.Buffer
	body.WriteString("WEBP")
	chunk(&body, "VP8X", append([]byte{animation, 0, 0, 0}, append(uint24(width-1), uint24(height-1)...)...))
	chunk(&body, "ANIM", []byte{255, 255, 255, 255, 0, 0}) // the background, and the number of repeats: forever
	for i, s := range shots {
		lasts := hold
		if i+1 < len(shots) {
			lasts = shots[i+1].at.Sub(s.at)
		}
		image, err := stillImage(s.image)
		if err != nil {
			return nil, err
		}
		frame := append(uint24(0), uint24(0)...) // its position
		frame = append(append(frame, uint24(width-1)...), uint24(height-1)...)
		frame = append(append(frame, uint24(int(lasts.Milliseconds()))...), noBlend)
		chunk(&body, "ANMF", append(frame, image...))
	}
	var out bytes.Buffer
	chunk(&out, "RIFF", body.Bytes())
	return out.Bytes(), nil
}

// stillImage returns the chunk with the picture in a WebP file.
func stillImage(file []byte) ([]byte, error) {
	for at := 12; at+8 <= len(file); { // after RIFF, a size and WEBP
		name, size := string(file[at:at+4]), int(binary.LittleEndian.Uint32(file[at+4:]))
		end := at + 8 + size + size%2
		if end > len(file) {
			break
		}
		if name == "VP8 " || name == "VP8L" {
			return file[at:end], nil
		}
		at = end
	}
	return nil, errors.New("a screenshot is no WebP")
}

func chunk(to *bytes.Buffer, name string, data []byte) {
	to.WriteString(name)
	to.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(data))))
	to.Write(data)
	if len(data)%2 == 1 {
		to.WriteByte(0)
	}
}

func uint24(n int) []byte { return []byte{byte(n), byte(n >> 8), byte(n >> 16)} }

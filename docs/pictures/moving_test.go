package main

import (
	"bytes"
	"encoding/binary"
	"os"
	"testing"
	"time"
)

// still returns a WebP file with a picture of so many bytes, and another chunk before it.
func still(n int) []byte {
	var body, file bytes.Buffer
	body.WriteString("WEBP")
	chunk(&body, "ICCP", []byte{1, 2, 3})
	chunk(&body, "VP8 ", bytes.Repeat([]byte{7}, n))
	chunk(&file, "RIFF", body.Bytes())
	return file.Bytes()
}

// frames returns the durations of an animated WebP's frames, in milliseconds, and the sizes of
// their pictures.
func frames(t *testing.T, file []byte) (lasts, sizes []int) {
	t.Helper()
	if size := int(binary.LittleEndian.Uint32(file[4:])); string(file[:4]) != "RIFF" || string(file[8:12]) != "WEBP" ||
		size+8 > len(file) {
		t.Fatalf("%q of %d bytes is no WebP of %d", file[:12], len(file), size)
	}
	var names string
	for at := 12; at < len(file); {
		name, size := string(file[at:at+4]), int(binary.LittleEndian.Uint32(file[at+4:]))
		data := file[at+8 : at+8+size]
		if name == "ANMF" {
			lasts = append(lasts, int(data[12])|int(data[13])<<8|int(data[14])<<16)
			if string(data[16:20]) != "VP8 " {
				t.Errorf("a frame has %q", data[16:20])
			}
			sizes = append(sizes, int(binary.LittleEndian.Uint32(data[20:])))
		} else {
			names += name
		}
		at += 8 + size + size%2
	}
	if names != "VP8XANIM" {
		t.Errorf("before its frames it has %s", names)
	}
	return lasts, sizes
}

// A frame lasts until the next one, and the last one for a fixed time.
func TestFramesBecomeAnAnimatedWebP(t *testing.T) {
	at := time.Unix(0, 0)
	packed, err := packFrames(960, 600,
		[]shot{{still(10), at}, {still(11), at.Add(1500 * time.Millisecond)}, {still(1), at.Add(70 * time.Second)}})
	if err != nil {
		t.Fatal(err)
	}
	lasts, sizes := frames(t, packed)
	if want := []int{1500, 68500, 4000}; len(lasts) != 3 || lasts[0] != want[0] || lasts[1] != want[1] ||
		lasts[2] != want[2] {
		t.Errorf("frames last %v, want %v", lasts, want)
	}
	if sizes[0] != 10 || sizes[1] != 11 || sizes[2] != 1 {
		t.Errorf("pictures have %v bytes", sizes)
	}
	if _, err := packFrames(960, 600, []shot{{[]byte("no picture at all"), at}}); err == nil {
		t.Error("what is no WebP is taken for one")
	}
}

// The animated picture in the repository shows a throw for some seconds.
func TestMovingPictureShowsAThrowForSeconds(t *testing.T) {
	file, err := os.ReadFile("moving.webp")
	if err != nil {
		t.Fatal(err)
	}
	lasts, _ := frames(t, file)
	all := 0
	for _, ms := range lasts {
		all += ms
	}
	if len(lasts) < 8 || all < 8_000 || len(file) > maxMoving {
		t.Errorf("%d frames, %d ms, %d bytes", len(lasts), all, len(file))
	}
}

package api_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"net/http"
	"strings"
	"testing"
)

func painting(t testing.TB) string {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewRGBA(image.Rect(0, 0, 40, 30))); err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

func TestPicturesAreServedOnlyToThoseTheyAreShownTo(t *testing.T) {
	p := open(serve(t))
	made := p.post("/pictures", p.gm, body{"data": painting(t), "key": "k"}).want(201)
	hash := made.text(t, "hash")
	if again := p.post("/pictures", p.gm, body{"data": painting(t), "key": "k"}).want(201).text(t,
		"hash"); again != hash {
		t.Errorf("the same again is %s", again)
	}
	p.get("/pictures/"+hash, p.player).problem(404, "not-found")
	if list := p.get("/pictures", p.player); list.status != 200 || strings.Contains(string(list.body), hash) {
		t.Error("a player finds it in the list")
	}
	p.post("/pictures/"+hash+"/show", p.player, body{"alt": "A bridge"}).problem(403, "forbidden")
	p.post("/pictures/"+hash+"/show", p.gm, body{"alt": ""}).problem(422, "invalid")
	p.post("/pictures/"+hash+"/show", p.gm, body{"alt": "A bridge", "to": "s2"}).problem(422, "invalid")
	p.post("/pictures/"+hash+"/show", p.gm, body{"alt": "A bridge", "to": []string{p.playerSeat}}).want(200)
	got := p.get("/pictures/"+hash, p.player)
	if _, err := png.Decode(bytes.NewReader(got.body)); err != nil {
		t.Error(err)
	}
	for name, want := range map[string]string{
		"Content-Type": "image/png", "Cache-Control": "private, no-cache", "X-Content-Type-Options": "nosniff",
		"Content-Security-Policy": "default-src 'none'; sandbox",
	} {
		if got.header.Get(name) != want {
			t.Errorf("%s: %q", name, got.header.Get(name))
		}
	}
	p.get("/pictures/"+hash, p.spectator).problem(404, "not-found")
	p.post("/characters/"+p.vex+"/portrait", p.player, body{"picture": hash}).want(200)
	if got := p.get("/pictures/"+hash, p.spectator); got.status != 200 {
		t.Errorf("a portrait isn't there: %d", got.status)
	}
	p.post("/pictures", p.spectator, body{"data": painting(t)}).problem(403, "forbidden")
	for name, data := range map[string]any{
		"no Base64": "%%", "a number": 1,
		"a page": base64.StdEncoding.EncodeToString([]byte("<script>")),
	} {
		if got := p.post("/pictures", p.gm, body{"data": data}); got.status != http.StatusUnprocessableEntity {
			t.Errorf("%s: %d", name, got.status)
		}
	}
	for want, file := range map[string][]byte{
		"HEIC":            []byte("\x00\x00\x00\x18ftypheic\x00\x00\x00\x00"),
		"too many pixels": hugeJPEG(t),
	} {
		got := p.post("/pictures", p.player, body{"data": base64.StdEncoding.EncodeToString(file)})
		if got.status != http.StatusUnprocessableEntity || !strings.Contains(string(got.body), want) {
			t.Errorf("%s: %d, %s", want, got.status, got.body)
		}
	}
	note := p.post("/notes", p.gm, body{"text": "The cellar"}).want(200)
	id := fmt.Sprint("n", note.at(t, "seq"))
	p.post("/handouts", p.gm, body{"note": id}).want(200)
	if text := p.get("/handouts", p.spectator).want(200).text(t, "handouts", 0, "text"); text != "The cellar" {
		t.Errorf("read is %q", text)
	}
	p.post("/handouts/hide", p.gm, body{"note": id}).want(200)
	p.post("/x-card", p.spectator, body{}).problem(403, "forbidden")
	p.post("/x-card/back", p.player, body{"token": "guessed"}).problem(422, "refused")
	first := p.post("/x-card", p.player, body{}).want(200)
	second := p.post("/x-card", p.gm, body{}).want(200)
	if _, given := second["takeBack"]; given || first.text(t, "takeBack") == "" ||
		first.at(t, "x") != second.at(t, "x") {
		t.Errorf("who raised it is answered %v, and who came second %v", first, second)
	}
	// somebody else has raised it, too
	p.post("/x-card/back", p.player, body{"token": first.text(t, "takeBack")}).problem(422, "refused")
	p.post("/x-card/away", p.spectator, body{}).problem(403, "forbidden")
	p.post("/x-card/away", p.player, body{}).want(200)
}

// hugeJPEG returns a JPEG file whose header claims more pixels than any phone's photo has.
func hugeJPEG(t *testing.T) []byte {
	t.Helper()
	var file bytes.Buffer
	if err := jpeg.Encode(&file, image.NewGray(image.Rect(0, 0, 8, 8)), nil); err != nil {
		t.Fatal(err)
	}
	data := file.Bytes()
	at := bytes.Index(data, []byte("\xff\xc0"))
	copy(data[at+5:], []byte{0x3e, 0x80, 0x3e, 0x80}) // 16,000 × 16,000
	return data
}

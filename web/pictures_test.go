package web_test

import (
	"bytes"
	"image"
	"image/png"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"norn/games"
	"norn/table/view"
	"norn/web"
)

// pixels returns a picture of this size.
func pixels(t testing.TB, side int) []byte {
	t.Helper()
	var b bytes.Buffer
	must(t, png.Encode(&b, image.NewRGBA(image.Rect(0, 0, side, side))))
	return b.Bytes()
}

// sends returns a form with a file.
func sends(t testing.TB, file []byte, fields ...string) (contentType string, body []byte) {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for i := 0; i < len(fields); i += 2 {
		must(t, w.WriteField(fields[i], fields[i+1]))
	}
	part, err := w.CreateFormFile("_file", "photo.png")
	must(t, err)
	_, err = part.Write(file)
	must(t, err)
	must(t, w.Close())
	return w.FormDataContentType(), b.Bytes()
}

// uploads posts a form with a file, as a page without script does.
func (b *browser) uploads(file []byte, fields ...string) answer {
	b.t.Helper()
	kind, body := sends(b.t, file, fields...)
	b.extra.Set("Content-Type", kind)
	defer b.extra.Del("Content-Type")
	return b.do(http.MethodPost, b.at("/pictures"), bytes.NewReader(body))
}

func (h *house) pictures() []view.PictureShown {
	h.t.Helper()
	all, err := h.master.Pictures(h.t.Context())
	must(h.t, err)
	return all
}

// A picture is uploaded by a plain form; only those it's shown to can load it by its address.
func TestPictureIsUploadedByAFormAndSeenOnlyByItsAudience(t *testing.T) {
	h := open(t)
	gm, anna, bohdan := h.sits("gm"), h.sits("anna"), h.sits("bohdan")
	contains(t, "the page", gm.get(gm.at("/pictures")).body, `enctype="multipart/form-data"`)
	seen, err := h.master.View(t.Context())
	must(t, err)
	id := ""
	for _, seat := range seen.Seats {
		if seat.Name == "anna" {
			id = seat.ID
		}
	}
	for range 2 { // sent again with the same key, it's stored once
		got := gm.uploads(pixels(t, 40), "_do", "show", "_alt", "A <bridge>", "_whom", "some", "_to", id, "_key", "k")
		want(t, "status", got.status, http.StatusOK)
		contains(t, "the log", got.body, "A &lt;bridge&gt;")
	}
	all := h.pictures()
	want(t, "pictures", len(all), 1)
	for who, b := range map[string]*browser{"gm": gm, "anna": anna, "bohdan": bohdan, "stranger": h.stranger()} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, b.url+b.at("/picture/"+all[0].Hash), nil)
		must(t, err)
		got, err := b.http.Do(r)
		must(t, err)
		must(t, got.Body.Close())
		if who != "gm" && who != "anna" {
			want(t, who+"'s answer", got.StatusCode, http.StatusNotFound)
			want(t, who+"'s page tells of it", strings.Contains(b.get(b.at("")).body, all[0].Hash), false)
			continue
		}
		want(t, who+"'s answer", got.StatusCode, http.StatusOK)
		for name, value := range map[string]string{
			"Content-Type": "image/png", "Cache-Control": "private, no-cache", "ETag": `"` + all[0].Hash + `"`,
			"X-Content-Type-Options":  "nosniff",
			"Content-Security-Policy": "default-src 'none'; sandbox", "Referrer-Policy": "no-referrer",
		} {
			want(t, name, got.Header.Get(name), value)
		}
	}
	contains(t, "who was shown it", anna.get(anna.at("")).body, all[0].Hash)
	b := anna
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, b.url+b.at("/picture/"+all[0].Hash), nil)
	must(t, err)
	r.Header.Set("If-None-Match", `"`+all[0].Hash+`"`)
	// a browser revalidates, and after it was withdrawn gets nothing
	for _, status := range []int{http.StatusNotModified, http.StatusNotFound} {
		got, err := b.http.Do(r)
		must(t, err)
		must(t, got.Body.Close())
		want(t, "asked again", got.StatusCode, status)
		contains(t, "the gallery", gm.get(gm.at("/pictures")).body, all[0].Hash)
		gm.post(gm.at("/act/hide-picture"), url.Values{"_hash": {all[0].Hash}, "_key": {"taken"}})
	}
	gone := anna.get(anna.at("")).body
	want(t, "her page has it", strings.Contains(gone, all[0].Hash) || strings.Contains(gone, "bridge"), false)
	contains(t, "her page", gone, "A picture was shown here, and is hidden now")
	want(t, "no picture", gm.uploads([]byte("<svg onload=alert(1)>"), "_do", "show", "_alt", "x", "_whom",
		"all").status, http.StatusUnprocessableEntity)
	want(t, "a player shows", anna.uploads(pixels(t, 4), "_do", "show", "_alt", "x", "_whom", "all").status,
		http.StatusForbidden)
	want(t, "to whom?", gm.uploads(pixels(t, 4), "_do", "show", "_alt", "x", "_whom", "some").status,
		http.StatusUnprocessableEntity)
	want(t, "another's character", anna.uploads(pixels(t, 4), "_do", "portrait", "_c", "c3").status >= 400, true)
	want(t, "too large", gm.uploads(make([]byte, 10<<20), "_do", "show", "_alt", "x", "_whom", "all").status,
		http.StatusRequestEntityTooLarge)
}

// Many concurrent uploads are each answered, and none fails.
func TestConcurrentUploadsAllSucceed(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: does the same thing many times")
	}
	s := besiege(t)
	gm := s.sits("gm")
	file := pixels(t, 1200)
	var wait sync.WaitGroup
	for i := range 12 {
		wait.Go(func() {
			kind, body := sends(t, append(bytes.Clone(file), byte(i)), "_do", "show", "_alt", "x", "_whom", "none")
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, gm.url+gm.at("/pictures"),
				bytes.NewReader(body))
			if err != nil {
				t.Error(err)
				return
			}
			r.Header.Set("Content-Type", kind)
			r.Header.Set("Sec-Fetch-Site", "same-origin")
			got, err := gm.http.Do(r)
			if err != nil {
				t.Error(err)
				return
			}
			_ = got.Body.Close()
			if got.StatusCode >= 500 {
				t.Errorf("%d", got.StatusCode)
			}
		})
	}
	wait.Wait()
	want(t, "pictures: they're all the same", len(s.pictures()), 1)
}

// FuzzUpload checks that any posted file gets a response that isn't 5xx.
func FuzzUpload(f *testing.F) {
	h := open(f)
	pages := web.New(web.Config{Host: h.host, Words: spoken(), Games: games.All(), Log: h.log})
	secret := strings.Split(h.links["gm"], "/")
	kind, body := sends(f, pixels(f, 4), "_do", "show", "_alt", "x", "_whom", "all")
	f.Add(kind, body)
	f.Add("multipart/form-data", body)
	f.Add("multipart/form-data; boundary=x",
		[]byte("--x\r\nContent-Disposition: form-data; name=_do\r\n\r\nshow\r\n--x--"))
	f.Add("multipart/form-data; boundary=x",
		bytes.Repeat([]byte("--x\r\nContent-Disposition: form-data; name=_to\r\n\r\ns2\r\n"), 300))
	f.Add("application/x-www-form-urlencoded", []byte("_do=show&_alt=y"))
	f.Fuzz(func(t *testing.T, kind string, body []byte) {
		r := httptest.NewRequest(http.MethodPost, "/t/"+h.table+"/pictures", bytes.NewReader(body))
		r.Header["Content-Type"] = []string{kind}
		r.Header.Set("Sec-Fetch-Site", "same-origin")
		r.AddCookie(&http.Cookie{Name: "seat_" + h.table, Value: secret[len(secret)-1]})
		answer := httptest.NewRecorder()
		pages.ServeHTTP(answer, r)
		if answer.Code >= 500 {
			t.Errorf("%d: %s", answer.Code, answer.Body)
		}
	})
}

// On the shelf a picture is stored for nobody; ticked seats or, without any, everybody is shown it, with words
// that may come later; a scene with it is set at once, and a portrait is made of it. Players get none of this.
func TestShelfShowsOnlyToTickedSeats(t *testing.T) {
	h := open(t)
	gm, anna, bohdan := h.sits("gm"), h.sits("anna"), h.sits("bohdan")
	seen, err := h.master.View(t.Context())
	must(t, err)
	id := ""
	for _, seat := range seen.Seats {
		if seat.Name == "anna" {
			id = seat.ID
		}
	}
	want(t, "stored", gm.uploads(pixels(t, 600), "_do", "show", "_whom", "none", "_key", "k").status, http.StatusOK)
	one := h.pictures()[0]
	at := "/picture/" + one.Hash
	shelf := gm.get(gm.at("/pictures?_shelf=1")).body
	for _, part := range []string{one.Hash, `name="_to" value="` + id + `"`, "Show to everybody", `name="_set"`, `id="shelf-new"`} {
		contains(t, "the shelf", shelf, part)
	}
	want(t, "it's a part of a page", strings.Contains(shelf, "<html"), false)
	theirs := anna.get(anna.at("/pictures?_shelf=1")).body
	want(t, "a player's has it", strings.Contains(theirs, one.Hash), false)
	want(t, "a player may show", strings.Contains(theirs, "show-picture"), false)
	want(t, "a player has it", anna.statusOf(anna.at(at)), http.StatusNotFound)

	show := url.Values{"_hash": {one.Hash}, "_whom": {"ticked"}, "_alt": {""}, "_to": {id}, "_key": {"k1"}}
	want(t, "shown to one", gm.post(gm.at("/act/show-picture"), show).status < 400, true)
	want(t, "she has it", anna.statusOf(anna.at(at)), http.StatusOK)
	want(t, "another has it", bohdan.statusOf(bohdan.at(at)), http.StatusNotFound)
	want(t, "its words", h.pictures()[0].Alt, "Picture")
	show = url.Values{"_hash": {one.Hash}, "_whom": {"ticked"}, "_alt": {"A bridge"}, "_to": {id}, "_key": {"k2"}}
	want(t, "with words", gm.post(gm.at("/act/show-picture"), show).status < 400, true)
	show = url.Values{"_hash": {one.Hash}, "_whom": {"ticked"}, "_alt": {" "}, "_key": {"k3"}}
	want(t, "shown to all", gm.post(gm.at("/act/show-picture"), show).status < 400, true)
	want(t, "another has it now", bohdan.statusOf(bohdan.at(at)), http.StatusOK)
	want(t, "its words stay", h.pictures()[0].Alt, "A bridge")

	for range 2 { // sent again with the same key, it's set once
		set := gm.uploads(nil, "_do", "scene", "_id", "", "_title", "The ferry", "_picture", one.Hash, "_set", "on", "_key", "s")
		want(t, "a scene", set.status, http.StatusOK)
	}
	seen, err = h.master.View(t.Context())
	must(t, err)
	want(t, "scenes", len(seen.Scenes), 1)
	want(t, "the scene is set", seen.Scene != nil && seen.Scene.Picture == one.Hash, true)

	face := gm.uploads(nil, "_do", "portrait", "_c", "c1", "_picture", one.Hash, "_key", "f")
	want(t, "a portrait", face.status, http.StatusOK)
	seen, err = h.master.View(t.Context())
	must(t, err)
	portrait := ""
	for _, c := range seen.Characters {
		if c.ID == "c1" {
			portrait = c.Portrait
		}
	}
	want(t, "it's smaller than the picture", portrait != "" && portrait != one.Hash, true)

	want(t, "kept to the master", gm.uploads(pixels(t, 30), "_do", "show", "_whom", "none", "_key", "k4").status, http.StatusOK)
	hidden := ""
	for _, p := range h.pictures() {
		if p.Width == 30 {
			hidden = p.Hash
		}
	}
	want(t, "a player's portrait of what they can't see", anna.uploads(nil, "_do", "portrait", "_c", "c1", "_picture", hidden,
		"_key", "k5").status >= 400, true)
}

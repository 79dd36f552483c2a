package page

import (
	"cmp"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"norn/form"
	"norn/internal/picture"
	"norn/table"
	"norn/table/act"
	"norn/table/refusal"
	"norn/table/view"
	"norn/web/html"
	"norn/web/middleware"
)

// getPicture returns the bytes of a picture that the seat may see. They never change.
func getPicture(w http.ResponseWriter, r *http.Request, v *visit) error {
	a, data, err := v.seat.Attachment(r.Context(), view.UsePicture, r.PathValue("id"))
	if status, known := statusOf(err); known && status == http.StatusUnprocessableEntity {
		err = &refusal.NotFoundError{}
	}
	if err != nil {
		v.s.refuse(w, r, err)
		return nil
	}
	h := w.Header()
	h.Set("Content-Type", a.Media)
	h.Set("Content-Length", strconv.Itoa(len(data)))
	h.Set("ETag", `"`+a.Hash+`"`)
	h.Set("Cache-Control", "private, no-cache") // a withdrawn picture must not stay in a cache
	if a.Lasting {
		h.Set("Cache-Control", "private, max-age=31536000, immutable")
	}
	h.Set("Vary", "Cookie")
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Content-Disposition", "inline")
	if strings.Contains(r.Header.Get("If-None-Match"), a.Hash) {
		h.Del("Content-Length")
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	if r.Method != http.MethodHead {
		_, _ = w.Write(data) // the client may have disconnected
	}
	return nil
}

// getPictures shows the pictures and shared notes that the seat may see.
func getPictures(w http.ResponseWriter, r *http.Request, v *visit) error {
	if r.URL.Query().Has(html.Own + "shelf") {
		all, err := v.now.Pictures(r.Context())
		if err != nil {
			return err
		}
		return show(w, r, v, http.StatusOK, html.Shelf(&v.Look, all))
	}
	page, err := v.pictures(r, "")
	if err != nil {
		return err
	}
	return show(w, r, v, http.StatusOK, page)
}

func (v *visit) pictures(r *http.Request, problem string) (templ.Component, error) {
	all, err := v.now.Pictures(r.Context())
	if err != nil {
		return nil, err
	}
	handouts, err := v.now.Handouts(r.Context())
	if err != nil {
		return nil, err
	}
	f := frame(r, v, "web.pictures.head", "/pictures")
	f.Hears.Pictures = !v.Master() // a game master who uploads isn't interrupted by a reload
	return html.PicturesPage(f, &v.Look, all, handouts, problem), nil
}

// picturesAgain shows the page of pictures with what was posted, and the error.
func picturesAgain(w http.ResponseWriter, r *http.Request, v *visit, err error) error {
	if middleware.HX(r) { // from the shelf, which says it beside the form
		return err
	}
	status, said := http.StatusUnprocessableEntity, v.Say("web.pictures.whom")
	if !errors.Is(err, errNobody) {
		status, _ = statusOf(err)
		said = v.SayError(err)
	}
	return v.withTable(r, func() error {
		page, err := v.pictures(r, "")
		if err != nil {
			return err
		}
		again, ok := html.Refill(r.Context(), page, r.URL.Path, r.PostForm, said)
		if !ok {
			again, err = v.pictures(r, said)
		}
		return cmp.Or(err, show(w, r, v, status, again))
	})
}

// errNobody is the error of a form in which no seat is ticked.
var errNobody error = refusal.Invalid("to", form.Missing)

// readWhom reads the seats that something is shown to.
func readWhom(r *http.Request, _ *visit, in act.Input) error {
	to, err := whom(r)
	if err != nil {
		return err
	}
	return set(in, "to", to)
}

// readShown reads the audience of a picture. On the shelf words for it may come later: until then it has
// those that it had, or is a picture.
func readShown(r *http.Request, v *visit, in act.Input) error {
	if r.PostForm.Get(html.Own+"whom") == html.Ticked && strings.TrimSpace(r.PostForm.Get(html.Own+"alt")) == "" {
		all, err := v.now.Pictures(r.Context())
		if err != nil {
			return err
		}
		alt := v.Say("web.pictures.file")
		for _, one := range all {
			if one.Hash == r.PostForm.Get(html.Own+"hash") {
				alt = cmp.Or(one.Alt, alt)
			}
		}
		setText(in, "alt", alt)
	}
	return readWhom(r, v, in)
}

// whom returns the ticked seats, nil for everybody.
func whom(r *http.Request) ([]string, error) {
	to := r.PostForm[html.Own+"to"]
	switch {
	case r.PostForm.Get(html.Own+"whom") == html.Ticked:
		return to, nil
	case r.PostForm.Get(html.Own+"whom") != "some":
		return nil, nil
	case len(to) == 0:
		return nil, errNobody
	}
	return to, nil
}

// postPictures stores a picture: as a portrait, to be shown, or with the scene that it belongs to.
func postPictures(w http.ResponseWriter, r *http.Request, v *visit) error {
	bring := bringPicture
	if r.PostForm.Get(html.Own+"do") == "scene" {
		bring = bringScene
	}
	entry, err := bring(r, v)
	if _, known := statusOf(err); known {
		return picturesAgain(w, r, v, err)
	}
	return answerEntry(w, r, v, entry, err, toPictures(v, entry))
}

func bringPicture(r *http.Request, v *visit) (none view.Entry, err error) {
	to, err := whom(r)
	if err != nil {
		return none, err
	}
	side, portrait := picture.MaxSide, r.PostForm.Get(html.Own+"do") == "portrait"
	if portrait {
		side = picture.Portrait
	}
	key := r.PostForm.Get(html.Own + "key")
	file := middleware.FileOf(r)
	if hash := r.PostForm.Get(html.Own + "picture"); len(file) == 0 && hash != "" { // on the shelf
		if _, file, err = v.seat.Attachment(r.Context(), view.UsePicture, hash); err != nil {
			return none, err
		}
	}
	made, err := upload(r, v, file, side, key)
	switch {
	case err != nil:
		return none, err
	case portrait:
		return table.Do(r.Context(), v.seat, act.SetPortrait,
			act.PortraitRequest{Character: r.PostForm.Get(html.AtCharacter), Picture: made.Hash}, second(key))
	case r.PostForm.Get(html.Own+"whom") == "none":
		return none, nil
	}
	return table.Do(r.Context(), v.seat, act.ShowPicture,
		act.ShowPictureRequest{Picture: made.Hash, Alt: r.PostForm.Get(html.Own + "alt"), To: to}, second(key))
}

// bringScene prepares a scene, with a picture where one was sent, and sets it if that was asked for.
func bringScene(r *http.Request, v *visit) (view.Entry, error) {
	field := func(name string) string { return r.PostForm.Get(html.Own + name) }
	s := act.SceneRequest{ID: field("id"), Title: field("title"), Note: field("note"), Picture: field("picture")}
	if r.PostForm.Has(html.Own + "bare") {
		s.Picture = ""
	}
	if file := middleware.FileOf(r); len(file) > 0 {
		made, err := upload(r, v, file, picture.MaxSide, field("key"))
		if err != nil {
			return view.Entry{}, err
		}
		s.Picture = made.Hash
	}
	key := second(field("key"))
	entry, err := table.Do(r.Context(), v.seat, act.PrepareScene, s, key)
	if err != nil || !r.PostForm.Has(html.Own+"set") {
		return entry, err
	}
	var made struct{ ID string }
	if err := json.Unmarshal(entry.Lines[0].Data, &made); err != nil {
		return entry, err
	}
	return table.Do(r.Context(), v.seat, act.SetScene, act.SetSceneRequest{Scene: made.ID}, second(key))
}

// second returns the key for using a picture, derived from the key of its upload.
func second(key string) string {
	if key == "" {
		return ""
	}
	return key + "+"
}

// upload stores a posted picture.
func upload(r *http.Request, v *visit, file []byte, side int, key string) (view.PictureShown, error) {
	// uploads have a limit of their own
	return v.seat.AddPicture(table.WithBill(r.Context(), func(int) {}), file, side, key)
}

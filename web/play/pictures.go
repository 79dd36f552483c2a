package play

import (
	"net/http"
	"strconv"
	"strings"

	"norn/picture"
	"norn/table"
	"norn/table/act"
	"norn/table/refusal"
	"norn/table/view"
	"norn/web/door"
	"norn/web/html"
	"norn/web/present"
)

// getPicture gives the bytes of a picture to who may have it. They never change.
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
	h.Set("Cache-Control", "private, no-cache") // what was taken back isn't kept
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
		_, _ = w.Write(data) // a reader that went away is no failure of ours
	}
	return nil
}

// getPictures shows the pictures and shared notes that the seat may have.
func getPictures(w http.ResponseWriter, r *http.Request, v *visit) error {
	return showPictures(w, r, v, http.StatusOK, "")
}

func showPictures(w http.ResponseWriter, r *http.Request, v *visit, status int, problem string) error {
	all, err := v.now.Pictures(r.Context())
	if err != nil {
		return err
	}
	handouts, err := v.now.Handouts(r.Context())
	if err != nil {
		return err
	}
	f := frame(r, v, "web.pictures.head", "/pictures")
	heard := present.XCardListener(&v.Look)
	heard.Pictures = !v.Master() // who brings one isn't disturbed
	return show(w, r, v, status, html.PicturesPage(f, v.Page, present.Pictures(&v.Look, all, handouts, problem), heard))
}

// postPictures does what the page of pictures sends.
func postPictures(w http.ResponseWriter, r *http.Request, v *visit) error {
	key, to := r.PostForm.Get(html.Own+"key"), r.PostForm[html.Own+"to"]
	if whom := r.PostForm.Get(html.Own + "whom"); whom != "some" {
		to = nil
	} else if len(to) == 0 {
		return showPictures(w, r, v, http.StatusUnprocessableEntity, v.Say("web.pictures.whom"))
	}
	var entry view.Entry
	var err error
	switch r.PostForm.Get(html.Own + "do") {
	case "portrait":
		var made view.PictureShown
		if made, err = upload(r, v, picture.Portrait, key); err == nil {
			entry, err = table.Do(r.Context(), v.seat, act.SetPortrait, act.PortraitRequest{Character: r.PostForm.Get(present.AtCharacter), Picture: made.Hash}, second(key))
		}
	case "no-portrait":
		entry, err = table.Do(r.Context(), v.seat, act.SetPortrait, act.PortraitRequest{Character: r.PostForm.Get(present.AtCharacter), Picture: ""}, key)
	case "show":
		alt := r.PostForm.Get(html.Own + "alt")
		var made view.PictureShown
		if made, err = upload(r, v, picture.MaxSide, key); err == nil && r.PostForm.Get(html.Own+"whom") != "none" {
			entry, err = table.Do(r.Context(), v.seat, act.ShowPicture, act.ShowPictureRequest{Picture: made.Hash, Alt: alt, To: to}, second(key))
		}
	case "again":
		entry, err = table.Do(r.Context(), v.seat, act.ShowPicture, act.ShowPictureRequest{Picture: r.PostForm.Get(html.Own + "picture"), Alt: r.PostForm.Get(html.Own + "alt"), To: to}, key)
	case "take":
		entry, err = table.Do(r.Context(), v.seat, act.HidePicture, act.PictureNamed{Picture: r.PostForm.Get(html.Own + "picture")}, key)
	case "share":
		entry, err = table.Do(r.Context(), v.seat, act.ShareNote, act.ShareNoteRequest{Note: r.PostForm.Get(html.Own + "note"), To: to}, key)
	case "hide":
		entry, err = table.Do(r.Context(), v.seat, act.HideNote, act.HideNoteRequest{Note: r.PostForm.Get(html.Own + "note")}, key)
	default:
		err = refusal.NoChoice("do", r.PostForm.Get(html.Own+"do"), nil)
	}
	if status, known := statusOf(err); known {
		return v.looking(r, func() error { return showPictures(w, r, v, status, v.SayError(err)) })
	}
	if err != nil {
		return err
	}
	at := v.To("/pictures")
	if entry.Kind == view.KindPicture || entry.Kind == view.KindHandout && len(entry.Lines) > 0 {
		at = v.Link(v.At.WithTab("log")) + "#e" + html.SeqText(entry.Seq)
	}
	return redirect(w, r, at)
}

// second is the key of what is done with a picture once it's there, after the key by which it came.
func second(key string) string {
	if key == "" {
		return ""
	}
	return key + "+"
}

// upload takes the picture that was sent.
func upload(r *http.Request, v *visit, side int, key string) (view.PictureShown, error) {
	if err := v.s.Limits.Upload(v.from); err != nil {
		return view.PictureShown{}, err
	}
	leave, err := v.s.Odds.Gate.Alone(r.Context(), v.from)
	if err != nil {
		return view.PictureShown{}, tooMany(err)
	}
	defer leave()
	return v.seat.AddPicture(table.Billed(r.Context(), func(int) {}), door.FileOf(r), side, key) // uploads have a limit of their own
}

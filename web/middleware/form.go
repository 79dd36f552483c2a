package middleware

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"net/http"
	"os"

	"norn/limit"
)

// maxFields are those of a posted form.
const maxFields = 2000

// Parse reads a posted form; false means that an error was answered.
func (k *Keeper) Parse(w http.ResponseWriter, r *http.Request) bool {
	if media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); media == "multipart/form-data" &&
		r.Pattern == UploadRoute {
		// more than it can be: nothing of it goes to the disk
		return k.answerParse(w, r, r.ParseMultipartForm(2*maxUpload))
	}
	body, err := io.ReadAll(r.Body)
	if err == nil && bytes.Count(body, []byte("&")) >= maxFields { // before each of them becomes much more than it was
		k.Fail(w, r, http.StatusRequestEntityTooLarge, "too-many-fields")
		return false
	}
	if err == nil {
		r.Body = io.NopCloser(bytes.NewReader(body))
		err = r.ParseForm()
	}
	return k.answerParse(w, r, err)
}

// answerParse answers with why a form couldn't be read; true is for one that could.
func (k *Keeper) answerParse(w http.ResponseWriter, r *http.Request, err error) bool {
	if err == nil {
		return true
	}
	if often := limit.As(err); often != nil {
		k.Often(w, r, often)
		return false
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		k.Fail(w, r, http.StatusRequestTimeout, "too-slow")
		return false
	}
	if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
		k.Fail(w, r, http.StatusRequestEntityTooLarge, "too-large")
	} else {
		k.Fail(w, r, http.StatusBadRequest, "unreadable")
	}
	return false
}

package middleware

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"net/http"
	"os"

	"norn/internal/limit"
)

// maxFields limits the fields of a posted form.
const maxFields = 2000

// Parse reads a posted form; false means that it has responded with an error.
func (k *Keeper) Parse(w http.ResponseWriter, r *http.Request) bool {
	if media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); media == "multipart/form-data" &&
		(r.Pattern == UploadRoute || r.Pattern == ListRoute || r.Pattern == ActRoute && r.PathValue("name") == FileAct) {
		// larger than any upload, so that nothing is written to disk
		return k.answerParse(w, r, r.ParseMultipartForm(2*maxUpload))
	}
	body, err := io.ReadAll(r.Body)
	// before parsing, which multiplies the memory of each field
	if err == nil && bytes.Count(body, []byte("&")) >= maxFields {
		k.Fail(w, r, http.StatusRequestEntityTooLarge, "too-many-fields")
		return false
	}
	if err == nil {
		r.Body = io.NopCloser(bytes.NewReader(body))
		err = r.ParseForm()
	}
	return k.answerParse(w, r, err)
}

// answerParse responds with an error unless err is nil, and reports whether it is.
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

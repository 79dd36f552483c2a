package middleware

import (
	"io"
	"net/http"
	"strings"

	"norn/web/html"
)

// UploadRoute receives pictures. Its forms, and those with lists, may be larger than others and take longer.
const UploadRoute = "POST /t/{table}/pictures"

// ActRoute takes the forms of acts. That of FileAct brings a file, which is no larger than other forms.
//
// ListRoute takes lists, likewise.
const (
	ListRoute = "POST /t/{table}/lists"
	ActRoute  = "POST /t/{table}/act/{name}"
	FileAct   = "import-character"
)

const (
	maxUpload   = 9<<20 + 16<<10 // bytes of a form with a file
	uploadTimes = 4              // factor for the time limit of other bodies
)

// uploads reports whether a request may contain a file: a picture, or a list on a page or by the API.
func uploads(r *http.Request) bool {
	if r.Method != http.MethodPost {
		return false
	}
	page := strings.HasPrefix(r.URL.Path, "/t/")
	return page && strings.HasSuffix(r.URL.Path, "/pictures") || strings.HasSuffix(r.URL.Path, "/lists") &&
		(page || strings.HasPrefix(r.URL.Path, "/api/v1/tables/"))
}

// FileOf returns the file in a form, nil for none.
func FileOf(r *http.Request) []byte {
	sent, _, err := r.FormFile(html.Own + "file")
	if err != nil {
		return nil
	}
	file, _ := io.ReadAll(sent) // it's in memory
	return file
}

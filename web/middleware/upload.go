package middleware

import (
	"io"
	"net/http"
	"strings"

	"norn/web/html"
)

// UploadRoute takes pictures: forms with a file, which may be larger than others, and may take longer to send.
const UploadRoute = "POST /t/{table}/pictures"

const (
	maxUpload   = 8<<20 + 12<<10 // bytes of a form with a file
	uploadTimes = 4              // times as long as other bodies
)

// uploads tells whether a request may bring a file.
func uploads(r *http.Request) bool {
	return r.Method == http.MethodPost && strings.HasPrefix(r.URL.Path, "/t/") &&
		strings.HasSuffix(r.URL.Path, "/pictures")
}

// FileOf is the file that came with a form, nil for none.
func FileOf(r *http.Request) []byte {
	sent, _, err := r.FormFile(html.Own + "file")
	if err != nil {
		return nil
	}
	file, _ := io.ReadAll(sent) // it's in memory
	return file
}

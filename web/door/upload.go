package door

import (
	"bytes"
	"context"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
)

// UploadRoute takes pictures: forms with a file, which may be larger than others, and may take longer to send.
const UploadRoute = "POST /t/{table}/pictures"

const (
	maxUpload   = 8<<20 + 12<<10 // bytes of a form with a file
	uploadTimes = 4              // times as long as other bodies
	mostParts   = 200
)

// uploads tells whether a request may bring a file.
func uploads(r *http.Request) bool {
	return r.Method == http.MethodPost && strings.HasPrefix(r.URL.Path, "/t/") && strings.HasSuffix(r.URL.Path, "/pictures")
}

type fileKey struct{}

// FileOf is the file that came with a form, nil for none.
func FileOf(r *http.Request) []byte {
	file, _ := r.Context().Value(fileKey{}).([]byte)
	return file
}

// boundary is that of a form with files, false for any other.
func boundary(r *http.Request) (string, bool) {
	media, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return params["boundary"], err == nil && media == "multipart/form-data" && r.Pattern == UploadRoute
}

// parts reads a form with one file into the request.
func parts(r *http.Request, bound string) error {
	in := multipart.NewReader(r.Body, bound)
	sent := url.Values{}
	var file []byte
	for n := 0; ; n++ {
		part, err := in.NextPart()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		if n == mostParts {
			return errors.New("too many parts")
		}
		var data bytes.Buffer
		if _, err := data.ReadFrom(part); err != nil {
			return err
		}
		if part.FileName() != "" {
			file = data.Bytes()
		} else {
			sent.Add(part.FormName(), data.String())
		}
	}
	r.PostForm, r.Form = sent, r.URL.Query()
	for name, values := range sent {
		r.Form[name] = append(values, r.Form[name]...)
	}
	*r = *r.WithContext(context.WithValue(r.Context(), fileKey{}, file))
	return nil
}

package web

import (
	"bytes"
	"compress/gzip"
	"embed"
	"encoding/json"
	"io/fs"
	"net/http"
	"path"
	"strings"
)

// dist is what `make bundle` builds; without it there is only a placeholder,
// and pages are plain.
//
//go:embed dist
var dist embed.FS

//go:embed assets/favicon.svg
var favicon []byte

// assets are the bundled files, read once at start-up.
type assets struct {
	names map[string]string // logical name ("app.css") to the name with its hash
	files map[string]asset  // by the name with its hash
}

type asset struct {
	kind   string
	plain  []byte
	packed []byte // gzipped; nil where that gains nothing
	hashed bool   // the name changes with the content, so it may be kept for ever
}

var kinds = map[string]string{
	".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".woff2": "font/woff2",
	".txt": "text/plain; charset=utf-8", ".svg": "image/svg+xml",
}

// readAssets panics on a bundle that can't be read: a programmer's error.
func readAssets() *assets {
	a := &assets{names: map[string]string{}, files: map[string]asset{"favicon.svg": newAsset("favicon.svg", favicon, false)}}
	data, err := fs.ReadFile(dist, "dist/manifest.json")
	if err != nil {
		return a // no bundle was built
	}
	var manifest map[string]struct{ File string }
	if err := json.Unmarshal(data, &manifest); err != nil {
		panic("web: manifest of the bundle: " + err.Error())
	}
	for name, entry := range manifest {
		data, err := fs.ReadFile(dist, "dist/"+entry.File)
		if err != nil {
			panic("web: bundle: " + err.Error())
		}
		a.names[name] = entry.File
		a.files[entry.File] = newAsset(entry.File, data, name != entry.File)
	}
	return a
}

func newAsset(name string, data []byte, hashed bool) asset {
	file := asset{kind: kinds[path.Ext(name)], plain: data, hashed: hashed}
	if file.kind == "" {
		file.kind = "application/octet-stream"
	}
	if path.Ext(name) != ".woff2" { // which is packed already
		file.packed = pack(data)
	}
	return file
}

// url is where a bundled file is served, "" if there is no bundle.
func (a *assets) url(name string) string {
	if file, ok := a.names[name]; ok {
		return "/assets/" + file
	}
	return ""
}

func (a *assets) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	file, ok := a.files[r.PathValue("file")]
	if !ok {
		http.NotFound(w, r)
		return
	}
	h := w.Header()
	h.Set("Content-Type", file.kind)
	h.Set("Cache-Control", "public, max-age=3600")
	if file.hashed {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	body := file.plain
	if file.packed != nil {
		h.Set("Vary", "Accept-Encoding")
		if packs(r) {
			h.Set("Content-Encoding", "gzip")
			body = file.packed
		}
	}
	_, _ = w.Write(body) // a reader that went away is no failure of ours
}

// packs tells whether the reader takes gzip.
func packs(r *http.Request) bool { return strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") }

func pack(data []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write(data) // a buffer takes everything
	_ = z.Close()
	return b.Bytes()
}

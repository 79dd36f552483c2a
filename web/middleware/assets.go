package middleware

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strings"
)

// assets has the bundled files, read once at start-up.
type assets struct {
	names map[string]string // name with hash by logical name ("app.css")
	files map[string]asset  // by name with hash
	sum   string            // hash of all their names

	OwnHeads map[string]bool   // games whose theme has a font for headings
	faces    map[string]string // CSS that loads a theme's font, by family
}

type asset struct {
	kind   string
	plain  []byte
	packed []byte // gzip; nil if it isn't smaller
	brotli []byte // Brotli, from the bundle
	hashed bool   // the name changes with the content, so it may be cached for ever
}

var kinds = map[string]string{
	".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".woff2": "font/woff2",
	".txt": "text/plain; charset=utf-8", ".svg": "image/svg+xml", ".png": "image/png", ".gz": "application/gzip",
}

// labWorker is the prefix of the worker that runs a reader's own rules. A worker uses the policy of
// its own response.
const labWorker = "lab-worker-"

// workerPolicy lets that worker compile WebAssembly. It may only load code from this server.
const workerPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"

// readAssets reads the bundle. It panics if the bundle is broken, which is a programmer's error.
func readAssets(dist fs.FS, favicon []byte) *assets {
	a := &assets{
		names:    map[string]string{},
		files:    map[string]asset{"favicon.svg": newAsset("favicon.svg", favicon, nil, false)},
		OwnHeads: map[string]bool{}, faces: map[string]string{},
	}
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
		packed, _ := fs.ReadFile(dist, "dist/"+entry.File+".gz") // only if it's smaller
		file := newAsset(entry.File, data, packed, name != entry.File)
		file.brotli, _ = fs.ReadFile(dist, "dist/"+entry.File+".br") // likewise
		a.names[name] = entry.File
		a.files[entry.File] = file
		if theme, ok := strings.CutSuffix(name, ".css"); ok && theme != "app" {
			a.OwnHeads[theme] = bytes.Contains(data, []byte("--font-head:"))
			for _, face := range fontFace.FindAllSubmatch(data, -1) {
				family := strings.TrimSuffix(string(face[1]), " Apart")
				a.faces[family] += string(face[0])
			}
		}
	}
	sum := sha256.Sum256(data)
	a.sum = hex.EncodeToString(sum[:8])
	return a
}

func newAsset(name string, data, packed []byte, hashed bool) asset {
	if strings.HasSuffix(name, ".wasm.gz") { // only packed: a browser that unpacks it itself keeps what it compiles
		return asset{kind: "application/wasm", packed: data, hashed: hashed}
	}
	file := asset{kind: kinds[path.Ext(name)], plain: data, packed: packed, hashed: hashed}
	if file.kind == "" {
		file.kind = "application/octet-stream"
	}
	// these formats are compressed already
	if ext := path.Ext(name); packed == nil && ext != ".woff2" && ext != ".png" && ext != ".gz" {
		file.packed = gzipData(data)
	}
	return file
}

// URL returns the address of a bundled file, "" without a bundle.
func (a *assets) URL(name string) string {
	if file, ok := a.names[name]; ok {
		return "/assets/" + file
	}
	return ""
}

// worker returns the address of the service worker, "" without one.
func (a *assets) worker() string {
	if a.URL("worker.js") == "" {
		return ""
	}
	return "/worker.js"
}

// urls returns the addresses of bundled files with some extensions, sorted.
func (a *assets) urls(kinds ...string) (urls []string) {
	for _, file := range a.names {
		if slices.Contains(kinds, path.Ext(file)) {
			urls = append(urls, "/assets/"+file)
		}
	}
	slices.Sort(urls)
	return urls
}

// fontFace matches CSS that loads a part of a font.
var fontFace = regexp.MustCompile(`@font-face\{font-family:"?([\w ]+)"?;[^}]*\}`)

// ServeAsset serves a bundled file.
func (k *Keeper) ServeAsset(w http.ResponseWriter, r *http.Request) {
	file, ok := k.assets.files[r.PathValue("file")]
	if !ok {
		file, ok = k.assets.findPainted(r.PathValue("file"))
	}
	if !ok {
		http.NotFound(w, r)
		return
	}
	h := w.Header()
	h.Set("Content-Type", file.kind)
	h.Set("Cache-Control", "public, max-age=3600")
	if file.hashed {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
		h.Del("Content-Security-Policy")    // for pages only
		h.Del("Cross-Origin-Opener-Policy") // likewise
		if strings.HasPrefix(r.PathValue("file"), labWorker) {
			h.Set("Content-Security-Policy", workerPolicy)
		}
		h.Del("X-Request-Id") // browsers cache the file for a year, so the id of one request would mislead
	}
	h.Del("Permissions-Policy") // likewise
	body := file.plain
	if file.packed != nil {
		h.Set("Vary", "Accept-Encoding")
		switch {
		case body == nil && !Takes(r, "gzip"):
			h.Set("Content-Type", "application/gzip") // as the file is
			body = file.packed
		case file.brotli != nil && Takes(r, "br"):
			h.Set("Content-Encoding", "br")
			body = file.brotli
		case Takes(r, "gzip"):
			h.Set("Content-Encoding", "gzip")
			body = file.packed
		}
	}
	_, _ = w.Write(body) // the client may have disconnected
}

package door

import (
	"net/http"
)

// ServeAsset serves a bundled file.
func (k *Keeper) ServeAsset(w http.ResponseWriter, r *http.Request) {
	file, ok := k.assets.files[r.PathValue("file")]
	if !ok {
		file, ok = k.assets.painted(r.PathValue("file"))
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
		h.Del("Content-Security-Policy")    // which is about pages: this is none
		h.Del("Cross-Origin-Opener-Policy") // so is this
	}
	h.Del("Permissions-Policy") // and this
	body := file.plain
	if file.packed != nil {
		h.Set("Vary", "Accept-Encoding")
		switch {
		case file.brotli != nil && Takes(r, "br"):
			h.Set("Content-Encoding", "br")
			body = file.brotli
		case Takes(r, "gzip"):
			h.Set("Content-Encoding", "gzip")
			body = file.packed
		}
	}
	_, _ = w.Write(body) // a reader that went away is no failure of ours
}

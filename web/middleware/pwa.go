package middleware

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"

	"norn/lang"
	"norn/web/html"
)

// ServeWorker serves the service worker. It's at the root because a service worker controls the
// pages below its path.
func (k *Keeper) ServeWorker(w http.ResponseWriter, r *http.Request) {
	file, ok := k.assets.files[k.assets.names["worker.js"]]
	if !ok {
		http.NotFound(w, r)
		return
	}
	config, err := json.Marshal(k.shell())
	if err != nil {
		panic("web: the shell: " + err.Error()) // it consists of strings
	}
	h := w.Header()
	h.Del("Permissions-Policy") // for pages only
	h.Set("Content-Type", file.kind)
	h.Set("Cache-Control", "no-cache")
	h.Set("Vary", "Accept-Encoding")
	coding, body := pack(r, []byte("self.norn = "+string(config)+";\n"+string(file.plain)))
	if coding != "" {
		h.Set("Content-Encoding", coding)
	}
	_, _ = w.Write(body) // the client may have disconnected
}

// shell lists what the service worker caches in addition to the page for a lost connection.
type shell struct {
	Cache string   `json:"cache"` // its name, which changes with the content
	Kept  []string `json:"kept"`  // paths
	Base  Base     `json:"base"`
}

func (k *Keeper) shell() shell {
	texts := k.assets.sum
	for _, l := range lang.All {
		for _, word := range []string{"head", "kept", "waits", "again"} {
			texts += k.Words.In(l).Say("web.offline." + word)
		}
	}
	sum := sha256.Sum256([]byte(texts))
	kept := k.assets.urls(".js", ".css", ".woff2", ".gz")
	for i, path := range kept {
		kept[i] = k.Base.Of(path)
	}
	return shell{Cache: "norn-" + hex.EncodeToString(sum[:8]), Kept: kept, Base: k.Base}
}

// askedLang returns the language in the address, English if it has none.
func askedLang(r *http.Request) lang.Lang {
	l, ok := lang.Parse(r.URL.Query().Get("lang"))
	if !ok {
		return lang.En
	}
	return l
}

// Offline shows the page for a lost connection, for the service worker to cache.
func (k *Keeper) Offline(w http.ResponseWriter, r *http.Request) {
	l, ok := lang.Parse(r.PathValue("lang"))
	if !ok {
		k.NotFound(w, r)
		return
	}
	read := k.ReaderOf(r)
	read.Speaker = k.Words.In(l)
	k.Show(w, r, http.StatusOK, k.offlinePage(read, r))
}

// Manifest serves the description of norn as an installable app.
func (k *Keeper) Manifest(w http.ResponseWriter, r *http.Request) {
	type icon struct {
		Src     string `json:"src"`
		Sizes   string `json:"sizes"`
		Type    string `json:"type"`
		Purpose string `json:"purpose"`
	}
	read := k.Words.In(askedLang(r))
	icons := []icon{{k.Base.Of(k.assets.URL("icon.svg")), "any", "image/svg+xml", "any"}}
	for _, purpose := range []string{"any", "maskable"} {
		icons = append(icons,
			icon{k.Base.Of(k.assets.URL("icon-192.png")), "192x192", "image/png", purpose},
			icon{k.Base.Of(k.assets.URL("icon-512.png")), "512x512", "image/png", purpose})
	}
	body, err := json.Marshal(map[string]any{
		"id": k.Base.Of("/"), "name": "norn", "short_name": "norn", "description": read.Say("web.start.line"),
		"lang": read.Lang(), "dir": "ltr",
		"start_url": k.Base.Of("/"), "scope": k.Base.Of("/"), "display": "standalone", "background_color": html.Paper,
		"theme_color": html.Paper, "icons": icons,
	})
	if err != nil {
		panic("web: the app's manifest: " + err.Error()) // it consists of strings
	}
	h := w.Header()
	h.Del("Permissions-Policy") // for pages only
	h.Set("Content-Type", "application/manifest+json")
	h.Set("Cache-Control", "public, max-age=3600")
	_, _ = w.Write(body) // the client may have disconnected
}

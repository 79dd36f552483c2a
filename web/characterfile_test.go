package web_test

import (
	"bytes"
	"mime"
	"net/http"
	"strings"
	"testing"
)

// imports sends a character's file, as a page without script does.
func (b *browser) imports(file string, fields ...string) answer {
	b.t.Helper()
	kind, body := sends(b.t, []byte(file), fields...)
	b.extra.Set("Content-Type", kind)
	defer b.extra.Del("Content-Type")
	return b.do(http.MethodPost, b.at("/act/import-character"), bytes.NewReader(body))
}

// A character is saved from its sheet and taken at the page of heroes; what doesn't fit is listed, and the rest is
// taken by one more press, without choosing the file again.
func TestCharacterFileIsSavedAndImportedOnThePage(t *testing.T) {
	h := open(t)
	gm, anna, watcher := h.sits("gm"), h.sits("anna"), h.sits("watcher")
	at := func(b *browser, what string) string { path, _, _ := strings.Cut(b.at(""), "?"); return path + what }
	sheet := gm.get(at(gm, "?_c=c1"))
	link := sheet.the(t, "class", "menu-body sheet-tools").with("title",
		"Another table can take it. A player’s file is without what only the game master sees.")[0]
	saved := gm.get(link.attrs["href"])
	want(t, "saved", saved.status, http.StatusOK)
	_, name, err := mime.ParseMediaType(saved.header.Get("Content-Disposition"))
	must(t, err)
	contains(t, "its name", name["filename"], ".json")
	contains(t, "the file", saved.body, `"format": "norn character"`)
	want(t, "a spectator's", watcher.get(at(watcher, "/hero.json?_c=c1")).status, http.StatusForbidden)
	contains(t, "the page", anna.get(at(anna, "/hero")).body, `enctype="multipart/form-data"`)

	file := strings.Replace(saved.body, `"sheet": {`, `"sheet": { "wings": 2,`, 1)
	refused := gm.imports(file, "_form", "file", "_key", "k", "_hidden", "on")
	want(t, "status", refused.status, http.StatusUnprocessableEntity)
	form := refused.the(t, "id", "from-file")
	contains(t, "what doesn't fit", form.says(), "wings")
	const edition = "another edition of the rules"
	want(t, "of this edition", strings.Contains(form.says(), edition), false)
	older := strings.Replace(file, `"edition": "`, `"edition": "0`, 1)
	contains(t, "of another", gm.imports(older, "_form", "file", "_key", "o").the(t, "id", "from-file").says(), edition)
	kept := form.with("name", "_kept")[0].attrs["value"]
	want(t, "the file is sent again", kept, file)
	taken := gm.imports("", "_form", "file", "_key", "k", "_kept", kept, "_fitting", "on")
	want(t, "status", taken.status, http.StatusOK)
	contains(t, "the log", gm.get(at(gm, "")).body, "without what doesn’t fit here")
	contains(t, "no file", gm.imports("hello", "_key", "l").the(t, "id", "from-file").says(), "no hero that norn knows")
	want(t, "a spectator may not", watcher.imports(saved.body, "_key", "k").status, http.StatusForbidden)
}

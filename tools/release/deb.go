package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/goreleaser/nfpm/v2"
	"github.com/goreleaser/nfpm/v2/deb"
	"github.com/goreleaser/nfpm/v2/files"
)

// maintainer is written into the package. If the project gets a home, change this and the module
// path (go.mod).
const maintainer = "The norn authors <norn@example.org>"

// description says what norn is, in a package and in an image.
const description = "table for role-playing games that knows the rules"

// deb packs an archive's files as a Debian package. It contains the service but doesn't start it,
// since most people play on their own machine.
func (r *release) deb(t target, packed []file) ([]byte, error) {
	dir, err := os.MkdirTemp("", "norn")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	places := map[string]string{
		"norn":                        "/usr/bin/norn",
		"man/norn.1":                  "/usr/share/man/man1/norn.1.gz",
		"completions/norn.bash":       "/usr/share/bash-completion/completions/norn",
		"completions/_norn":           "/usr/share/zsh/vendor-completions/_norn",
		"completions/norn.fish":       "/usr/share/fish/vendor_completions.d/norn.fish",
		"deploy/norn.toml":            "/etc/norn/norn.toml",
		"deploy/norn.service":         "/usr/lib/systemd/system/norn.service",
		"deploy/norn-node.service":    "/usr/lib/systemd/system/norn-node.service",
		"deploy/norn-backup.service":  "/usr/lib/systemd/system/norn-backup.service",
		"deploy/norn-backup.timer":    "/usr/lib/systemd/system/norn-backup.timer",
		"deploy/proxy/Caddyfile":      "/usr/share/doc/norn/examples/proxy/Caddyfile",
		"deploy/proxy/nginx.conf":     "/usr/share/doc/norn/examples/proxy/nginx.conf",
		"deploy/watch/alerts.yml":     "/usr/share/doc/norn/examples/watch/alerts.yml",
		"deploy/watch/dashboard.json": "/usr/share/doc/norn/examples/watch/dashboard.json",
		"docs/operate.md":             "/usr/share/doc/norn/operate.md.gz",
		"docs/security.md":            "/usr/share/doc/norn/security.md.gz",
		"norn.spdx.json":              "/usr/share/doc/norn/norn.spdx.json.gz",
		"deploy/norn.sysusers":        "/usr/lib/sysusers.d/norn.conf",
		"deploy/norn.desktop":         "/usr/share/applications/norn.desktop",
		"deploy/Caddyfile":            "/usr/share/doc/norn/examples/Caddyfile",
		"START.txt":                   "/usr/share/doc/norn/START.txt",
		"NOTICES.txt":                 "/usr/share/doc/norn/NOTICES.txt.gz",
		"copyright":                   "/usr/share/doc/norn/copyright",
		"changelog":                   "/usr/share/doc/norn/changelog.gz",
		"lintian":                     "/usr/share/lintian/overrides/norn",
		"CHANGELOG.md":                "/usr/share/doc/norn/CHANGELOG.md.gz",
		"icon":                        "/usr/share/icons/hicolor/scalable/apps/norn.svg",
	}
	icon, err := os.ReadFile("web/assets/favicon.svg")
	if err != nil {
		return nil, err
	}
	info := &nfpm.Info{
		Name: "norn", Arch: t.debian, Platform: "linux", Version: r.version, MTime: r.at,
		Section: "net", Priority: "optional", Maintainer: maintainer,
		Description: description + "\n" +
			"Everyone has a seat in the browser; norn builds the pool, shows the exact\n" +
			"odds before the throw, throws the dice or judges yours, asks the people who\n" +
			"must decide, marks the sheets and keeps the story.",
	}
	info.Scripts = nfpm.Scripts{
		PostInstall: "deploy/deb/postinst", PreRemove: "deploy/deb/prerm",
		PostRemove: "deploy/deb/postrm",
	}
	info.Deb.Compression = "xz"
	info.Recommends = []string{"ca-certificates"} // for calls to browsers, chats and webhooks
	for _, f := range append(packed, r.debianFiles(icon)...) {
		place := places[f.path]
		if place == "" {
			continue
		}
		data := f.data
		if filepath.Ext(place) == ".gz" {
			if data, err = gzipData(data); err != nil {
				return nil, err
			}
		}
		path := filepath.Join(dir, strings.ReplaceAll(f.path, "/", "-"))
		if err := os.WriteFile(path, data, 0o600); err != nil {
			return nil, err
		}
		kind := files.TypeFile
		if filepath.Dir(place) == "/etc/norn" {
			kind = files.TypeConfigNoReplace // a configuration file that an operator changed is kept
			f.mode = 0o640                   // it may contain passwords; postinst gives it to norn's group
		}
		info.Contents = append(info.Contents, content(path, place, kind, f.mode, r.at))
	}
	info = nfpm.WithDefaults(info)
	if err := nfpm.PrepareForPackager(info, "deb"); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = deb.Default.Package(info, &out)
	return out.Bytes(), err
}

// debianFiles returns the files that only the package contains, by path.
func (r *release) debianFiles(icon []byte) []file {
	changelog := fmt.Sprintf("norn (%s) unstable; urgency=medium\n\n  * What has changed is in CHANGELOG.md.gz, in this folder.\n\n -- %s  %s\n",
		r.version, maintainer, r.at.UTC().Format(time.RFC1123Z))
	return []file{
		{"icon", 0o644, icon},
		{"changelog", 0o644, []byte(changelog)},
		{"copyright", 0o644, []byte(debianCopyright)},
		{"lintian", 0o644, []byte(debianOverrides)},
	}
}

const debianCopyright = `Copyright 2026 the norn authors. Licensed under the Apache License, Version 2.0.
On Debian systems its text is in /usr/share/common-licenses/Apache-2.0.

The program holds libraries and typefaces of others. Their copyrights and licences are in
/usr/share/doc/norn/NOTICES.txt.gz; "norn notices" prints them.
`

// debianOverrides lists lintian's errors to ignore: a Go program without C is statically linked, so
// that it runs on every Linux.
const debianOverrides = "norn: statically-linked-binary [usr/bin/norn]\n"

func content(from, to, kind string, mode fs.FileMode, at time.Time) *files.Content {
	return &files.Content{
		Source: from, Destination: to, Type: kind,
		FileInfo: &files.ContentFileInfo{Owner: "root", Group: "root", Mode: mode, MTime: at},
	}
}

func gzipData(data []byte) ([]byte, error) {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	err = w.Close()
	return out.Bytes(), err
}

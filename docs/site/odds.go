package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"norn/internal/lab"
	"norn/lang"
)

// odds holds the pages on which a reader writes a rule, and the bundled files that they load.
type odds struct {
	pages []page
	files []string
}

func oddsAt(l lang.Lang) string { return "odds/" + string(l) + ".html" }

// imported matches what a bundled script loads.
var imported = regexp.MustCompile(`"\./([\w-]+\.js)"`)

// oddsPages returns the page in each language. It works like that of norn, but without a server.
func oddsPages(root string) (*odds, error) {
	data, err := os.ReadFile(filepath.Join(root, "web", "dist", "manifest.json"))
	if err != nil {
		return nil, fmt.Errorf("%w: make bundle makes it", err)
	}
	var manifest map[string]struct{ File string }
	if err := json.Unmarshal(data, &manifest); err != nil {
		return nil, err
	}
	o := &odds{}
	named := map[string]string{}
	for _, name := range []string{"lab-site.js", "lab-worker.js", "lab.wasm.gz", "app.css", "public.css"} {
		if named[name] = manifest[name].File; named[name] == "" {
			return nil, fmt.Errorf("the bundle has no %s: make bundle makes it", name)
		}
		o.files = append(o.files, named[name])
	}
	for i := 0; i < len(o.files); i++ { // includes the files that those load, which are appended
		if filepath.Ext(o.files[i]) != ".js" {
			continue
		}
		script, err := os.ReadFile(filepath.Join(root, "web", "dist", o.files[i]))
		if err != nil {
			return nil, err
		}
		for _, found := range imported.FindAllSubmatch(script, -1) {
			if file := string(found[1]); !slices.Contains(o.files, file) {
				o.files = append(o.files, file)
			}
		}
	}
	other := map[lang.Lang]string{}
	for _, l := range lang.All {
		other[l] = oddsAt(l)
	}
	for _, l := range lang.All {
		words := lab.Texts(l)
		texts, err := json.Marshal(words)
		rules, wrong := json.Marshal(lab.Examples(l))
		if err := errors.Join(err, wrong); err != nil {
			return nil, err
		}
		var b strings.Builder
		err = oddsBody.Execute(&b, map[string]string{
			"Title": words["title"], "About": words["about"], "Script": words["script"], "Words": string(texts),
			"Examples": string(rules),
			"Worker":   "../" + named["lab-worker.js"], "Engine": "../" + named["lab.wasm.gz"],
			"Guide": "../docs/guide/" + string(l) + "/own-odds.html",
		})
		if err != nil {
			return nil, err
		}
		o.pages = append(o.pages, page{
			path: oddsAt(l), lang: l, title: words["title"], other: other,
			styles: []string{named["app.css"], named["public.css"]}, script: named["lab-site.js"],
			body: template.HTML(b.String()), //nolint:gosec // a template made it
		})
	}
	return o, nil
}

var oddsBody = template.Must(template.New("odds").Parse(`<h1>{{.Title}}</h1>
<p>{{.About}}</p>
<noscript><p>{{.Script}}</p></noscript>
<div id="lab" data-worker="{{.Worker}}" data-engine="{{.Engine}}" data-guide="{{.Guide}}" data-words="{{.Words}}" data-examples="{{.Examples}}"></div>
`))

// copy copies the files that the pages load to the site.
func (o *odds) copy(root, out string) error {
	for _, file := range o.files {
		if err := copyAll(filepath.Join(root, "web", "dist"), out, file); err != nil {
			return err
		}
	}
	return nil
}
